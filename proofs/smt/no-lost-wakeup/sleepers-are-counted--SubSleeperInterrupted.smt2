; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/sleepers-are-counted--SubSleeperInterrupted
; The count of sleepers is of those who have announced themselves. SubSleeperInterrupted: It does not count any more.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)

; What is known before the step.
(declare-fun sleepers () Int)
(declare-fun counted () Int)
(define-fun sleepers-are-counted () Bool
  (= sleepers counted))
(assert sleepers-are-counted)

; SubSleeperInterrupted: It does not count any more.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Interrupted () Phase
  23)
(assert (= (phase c) Interrupted))
(define-fun Out () Phase
  0)
(define-fun Announced () Phase
  18)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Out (phase d)))
(define-fun sleepers.next () Int
  (- sleepers 1))
(define-fun counted.of.next ((d Cpu)) Int
  (ite (and (<= Announced (phase.next d)) (<= (phase.next d) Interrupted)) 1 0))
(define-fun counted.next () Int
  (+ counted (- (counted.of.next c) (counted.of c))))

; What is to be shown does not hold after the step.
(define-fun sleepers-are-counted.next () Bool
  (= sleepers.next counted.next))
(assert (not sleepers-are-counted.next))

(check-sat)
