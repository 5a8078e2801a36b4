; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/due-is-positive--at-first
; A reader gives back some bytes. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Due () Phase
  15)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Returned () Phase
  17)
(define-sort Bytes () Int)
(define-fun deficit () Bytes
  0)
(define-fun due-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= Due (phase d)) (<= (phase d) Returned)) (< 0 deficit)))
(assert (not (due-is-positive d)))

(check-sat)
