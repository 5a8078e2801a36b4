; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destruct-is-alone--at-first
; After the grace period no CPU is inside the socket. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(define-sort Life () Int)
(define-fun Open () Life
  0)
(define-fun life () Life
  Open)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Idle () Phase
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (not (destruct-is-alone d)))

(check-sat)
