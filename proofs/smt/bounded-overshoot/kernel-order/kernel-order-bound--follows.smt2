; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/kernel-order/kernel-order-bound--follows
; rmem_alloc and all that is under way to it: (K + 1) max(B, s) + (2 C - K) s. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; What is known.
(define-sort Bytes () Int)
(declare-fun limit () Bytes)
(declare-fun rmem () Bytes)
(declare-fun under-way () Bytes)
(declare-fun believing () Bytes)
(declare-fun nodes*limit () Bytes)
(declare-fun cpus*largest () Bytes)
(declare-fun nodes*largest () Bytes)
(define-fun believers-are-bounded () Bool
  (=>
    (<= limit rmem)
    (<=
      (+ rmem under-way believing)
      (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))))
(assert believers-are-bounded)
(define-fun under-way-is-bounded () Bool
  (and (<= 0 under-way) (<= under-way (- (+ nodes*limit cpus*largest) nodes*largest))))
(assert under-way-is-bounded)
(define-sort Cpu () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun HaveRmem () Phase
  1)
(declare-fun seen (Cpu) Bytes)
(declare-fun largest () Bytes)
(define-fun believing.of ((d Cpu)) Bytes
  (ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0))
(define-fun believing-parts ((d Cpu)) Bool
  (and (<= 0 believing) (<= believing cpus*largest) (=> (is-cpu d) (<= (believing.of d) believing))))
(declare-fun receive-lock () Cpu)
(assert (believing-parts receive-lock))
(declare-fun reader-lock () Cpu)
(assert (believing-parts reader-lock))

; What is to be shown does not hold.
(assert (not
    (and
      (<= (+ rmem under-way) (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))
      (<= rmem (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest)))))

(check-sat)
