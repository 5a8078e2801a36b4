; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/kernel-order/size-is-at-most-largest--at-first
; A packet weighs at most s. It is so at first.
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
(declare-fun largest () Bytes)
(define-fun size-is-at-most-largest ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (not (size-is-at-most-largest d)))

(check-sat)
