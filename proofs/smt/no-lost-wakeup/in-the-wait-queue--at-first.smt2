; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/in-the-wait-queue--at-first
; A reader that is about to sleep is in the wait queue or was woken. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Prepared () Phase
  17)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Asleep () Phase
  20)
(define-fun waiting ((d Cpu)) Bool
  false)
(define-fun woken ((d Cpu)) Bool
  false)
(define-fun Ready () Phase
  21)
(define-fun in-the-wait-queue ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (=> (and (<= Prepared (phase d)) (<= (phase d) Asleep)) (or (waiting d) (woken d)))
      (=> (waiting d) (and (not (woken d)) (<= Prepared (phase d)) (<= (phase d) Ready))))))
(assert (not (in-the-wait-queue d)))

(check-sat)
