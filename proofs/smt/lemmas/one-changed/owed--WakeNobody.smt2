; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/owed--WakeNobody
; WakeNobody changes the sum owed by what it changes for the one who acts. Nobody is in the wait queue any more.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Ringing () Phase
  2)
(assert (= (phase c) Ringing))
(assert (not (= d c)))
(declare-fun owes (Cpu) Int)
(define-fun owes.of ((d Cpu)) Int
  (owes d))
(define-fun owes.next ((d Cpu)) Int
  (ite (= d c) (- (owes c) 1) (owes d)))
(define-fun owes.of.next ((d Cpu)) Int
  (owes.next d))
(assert (not (= (owes.of d) (owes.of.next d))))

(check-sat)
