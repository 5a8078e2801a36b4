; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/owes-while-waking--Refill
; A drain owes wake-ups until it has made them. Refill: The receive queue's packets count in the reader queue.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(declare-fun owes (Cpu) Int)
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
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
(assert (owes-while-waking d))
(assert (owes-while-waking c))
(declare-fun receive-lock () Cpu)
(assert (owes-while-waking receive-lock))
(declare-fun reader-lock () Cpu)
(assert (owes-while-waking reader-lock))

; Refill: The receive queue's packets count in the reader queue.
(assert (is-cpu c))
(define-fun Refilling () Phase
  5)
(assert (= (phase c) Refilling))
(define-fun RefillingTwice () Phase
  6)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) RefillingTwice (phase d)))

; What is to be shown does not hold after the step.
(define-fun owes-while-waking.next ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (<= 0 (owes d))
      (=> (= (phase.next d) Ringing) (< 0 (owes d)))
      (=> (and (not (= (phase.next d) Waking)) (not (= (phase.next d) Ringing))) (= (owes d) 0)))))
(assert (not (owes-while-waking.next d)))

(check-sat)
