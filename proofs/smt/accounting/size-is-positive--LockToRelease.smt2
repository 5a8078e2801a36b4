; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/size-is-positive--LockToRelease
; A packet has bytes. LockToRelease: It takes the receive queue's lock to give back what is due.
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
(define-fun size-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size d))))
(assert (size-is-positive d))
(assert (size-is-positive c))
(declare-fun receive-lock () Cpu)
(assert (size-is-positive receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-positive reader-lock))

; LockToRelease: It takes the receive queue's lock to give back what is due.
(assert (is-cpu c))
(define-fun Due () Phase
  15)
(define-fun nobody () Cpu
  (- 1))
(assert (and (= (phase c) Due) (= receive-lock nobody)))
(define-fun DueBoth () Phase
  16)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) DueBoth (phase d)))

; What is to be shown does not hold after the step.
(define-fun size-is-positive.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase.next d)) (<= (phase.next d) Charged)) (< 0 (size d))))
(assert (not (size-is-positive.next d)))

(check-sat)
