; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/counted--Splice
; Splice changes the sum counted by what it changes for the one who acts. The receive queue's packets count in the reader queue.
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
(define-fun Splicing () Phase
  9)
(assert (= (phase c) Splicing))
(assert (not (= d c)))
(define-fun Announced () Phase
  18)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun SplicingTwice () Phase
  10)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) SplicingTwice (phase d)))
(define-fun counted.of.next ((d Cpu)) Int
  (ite (and (<= Announced (phase.next d)) (<= (phase.next d) Interrupted)) 1 0))
(assert (not (= (counted.of d) (counted.of.next d))))

(check-sat)
