; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/sleepers-are-counted--SubSleeper
; The count of sleepers is of those who have announced themselves. SubSleeper: It does not count any more, and looks for packets.
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

; SubSleeper: It does not count any more, and looks for packets.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Finished () Phase
  22)
(assert (= (phase c) Finished))
(define-fun Receiving () Phase
  3)
(define-fun Announced () Phase
  18)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Receiving (phase d)))
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
