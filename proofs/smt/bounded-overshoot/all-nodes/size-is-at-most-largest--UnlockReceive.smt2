; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/all-nodes/size-is-at-most-largest--UnlockReceive
; A packet weighs at most s. UnlockReceive: It gives the receive queue's lock back.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun HaveRmem () Phase
  1)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(define-sort Bytes () Int)
(declare-fun size (Cpu) Bytes)
(declare-fun largest () Bytes)
(define-fun size-is-at-most-largest ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (size-is-at-most-largest d))
(assert (size-is-at-most-largest c))
(declare-fun receive-lock () Cpu)
(assert (size-is-at-most-largest receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-at-most-largest reader-lock))

; UnlockReceive: It gives the receive queue's lock back.
(assert (is-cpu c))
(define-fun Leaving () Phase
  19)
(assert (= (phase c) Leaving))
(define-fun Left () Phase
  20)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Left (phase d)))

; What is to be shown does not hold after the step.
(define-fun size-is-at-most-largest.next ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase.next d)) (<= (phase.next d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (not (size-is-at-most-largest.next d)))

(check-sat)
