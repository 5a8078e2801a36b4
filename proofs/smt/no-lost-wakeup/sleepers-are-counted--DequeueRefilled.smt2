; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/sleepers-are-counted--DequeueRefilled
; The count of sleepers is of those who have announced themselves. DequeueRefilled: It takes a packet with both locks held; there is nothing more to splice.
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

; DequeueRefilled: It takes a packet with both locks held; there is nothing more to splice.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Refilled () Phase
  7)
(declare-fun reader () Int)
(assert (and (= (phase c) Refilled) (< 0 reader)))
(define-fun SplicedBoth () Phase
  11)
(define-fun Announced () Phase
  18)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) SplicedBoth (phase d)))
(define-fun counted.of.next ((d Cpu)) Int
  (ite (and (<= Announced (phase.next d)) (<= (phase.next d) Interrupted)) 1 0))
(define-fun counted.next () Int
  (+ counted (- (counted.of.next c) (counted.of c))))

; What is to be shown does not hold after the step.
(define-fun sleepers-are-counted.next () Bool
  (= sleepers counted.next))
(assert (not sleepers-are-counted.next))

(check-sat)
