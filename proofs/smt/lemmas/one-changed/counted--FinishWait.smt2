; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/counted--FinishWait
; FinishWait changes the sum counted by what it changes for the one who acts. It leaves the wait queue, if it is there.
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
(define-fun Ready () Phase
  21)
(assert (= (phase c) Ready))
(assert (not (= d c)))
(define-fun Announced () Phase
  18)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun Finished () Phase
  22)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Finished (phase d)))
(define-fun counted.of.next ((d Cpu)) Int
  (ite (and (<= Announced (phase.next d)) (<= (phase.next d) Interrupted)) 1 0))
(assert (not (= (counted.of d) (counted.of.next d))))

(check-sat)
