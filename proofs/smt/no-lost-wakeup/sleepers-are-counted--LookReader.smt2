; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/sleepers-are-counted--LookReader
; The count of sleepers is of those who have announced themselves. LookReader: It looks at the reader queue, and sleeps if that is empty too.
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

; LookReader: It looks at the reader queue, and sleeps if that is empty too.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Looked () Phase
  19)
(assert (= (phase c) Looked))
(declare-fun reader () Int)
(define-fun Asleep () Phase
  20)
(define-fun Ready () Phase
  21)
(define-fun Announced () Phase
  18)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) (ite (= reader 0) Asleep Ready) (phase d)))
(define-fun counted.of.next ((d Cpu)) Int
  (ite (and (<= Announced (phase.next d)) (<= (phase.next d) Interrupted)) 1 0))
(define-fun counted.next () Int
  (+ counted (- (counted.of.next c) (counted.of c))))

; What is to be shown does not hold after the step.
(define-fun sleepers-are-counted.next () Bool
  (= sleepers counted.next))
(assert (not sleepers-are-counted.next))

(check-sat)
