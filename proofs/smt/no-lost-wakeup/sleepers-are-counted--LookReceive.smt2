; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/sleepers-are-counted--LookReceive
; The count of sleepers is of those who have announced themselves. LookReceive: After its fence it looks at the receive queue.
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

; LookReceive: After its fence it looks at the receive queue.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Announced () Phase
  18)
(assert (= (phase c) Announced))
(declare-fun receive () Int)
(define-fun Looked () Phase
  19)
(define-fun Ready () Phase
  21)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) (ite (= receive 0) Looked Ready) (phase d)))
(define-fun counted.of.next ((d Cpu)) Int
  (ite (and (<= Announced (phase.next d)) (<= (phase.next d) Interrupted)) 1 0))
(define-fun counted.next () Int
  (+ counted (- (counted.of.next c) (counted.of c))))

; What is to be shown does not hold after the step.
(define-fun sleepers-are-counted.next () Bool
  (= sleepers counted.next))
(assert (not sleepers-are-counted.next))

(check-sat)
