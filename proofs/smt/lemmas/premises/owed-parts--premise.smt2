; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/owed-parts--premise
; A sum of what is not negative is not less than any part of it. The premise of the lemma non-negative, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; What is known.
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
(declare-fun receive-lock () Cpu)
(assert (owes-while-waking receive-lock))
(declare-fun reader-lock () Cpu)
(assert (owes-while-waking reader-lock))

; What is to be shown does not hold.
(assert (not (=> (is-cpu d) (<= 0 (owes d)))))

(check-sat)
