; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/size-is-positive--at-first
; A packet has bytes. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun HaveRmem () Phase
  1)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Charged () Phase
  5)
(define-sort Bytes () Int)
(define-fun size ((d Cpu)) Bytes
  0)
(define-fun size-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size d))))
(assert (not (size-is-positive d)))

(check-sat)
