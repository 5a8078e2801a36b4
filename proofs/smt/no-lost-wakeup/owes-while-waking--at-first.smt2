; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/owes-while-waking--at-first
; A drain owes wake-ups until it has made them. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-fun owes ((d Cpu)) Int
  0)
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Ringing () Phase
  2)
(define-fun Waking () Phase
  1)
(define-fun owes-while-waking ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (<= 0 (owes d))
      (=> (= (phase d) Ringing) (< 0 (owes d)))
      (=> (and (not (= (phase d) Waking)) (not (= (phase d) Ringing))) (= (owes d) 0)))))
(assert (not (owes-while-waking d)))

(check-sat)
