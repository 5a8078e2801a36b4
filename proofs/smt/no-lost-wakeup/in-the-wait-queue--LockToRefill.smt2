; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/in-the-wait-queue--LockToRefill
; A reader that is about to sleep is in the wait queue or was woken. LockToRefill: The reader queue is empty.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Prepared () Phase
  17)
(declare-fun phase (Cpu) Phase)
(define-fun Asleep () Phase
  20)
(declare-fun waiting (Cpu) Bool)
(declare-fun woken (Cpu) Bool)
(define-fun Ready () Phase
  21)
(define-fun in-the-wait-queue ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (=> (and (<= Prepared (phase d)) (<= (phase d) Asleep)) (or (waiting d) (woken d)))
      (=> (waiting d) (and (not (woken d)) (<= Prepared (phase d)) (<= (phase d) Ready))))))
(assert (in-the-wait-queue d))
(assert (in-the-wait-queue c))
(declare-fun receive-lock () Cpu)
(assert (in-the-wait-queue receive-lock))
(declare-fun reader-lock () Cpu)
(assert (in-the-wait-queue reader-lock))

; LockToRefill: The reader queue is empty.
(assert (is-cpu c))
(define-fun ReaderLocked () Phase
  4)
(declare-fun reader () Int)
(define-fun nobody () Cpu
  (- 1))
(assert (and (= (phase c) ReaderLocked) (= reader 0) (= receive-lock nobody)))
(define-fun Refilling () Phase
  5)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Refilling (phase d)))

; What is to be shown does not hold after the step.
(define-fun in-the-wait-queue.next ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (=> (and (<= Prepared (phase.next d)) (<= (phase.next d) Asleep)) (or (waiting d) (woken d)))
      (=> (waiting d) (and (not (woken d)) (<= Prepared (phase.next d)) (<= (phase.next d) Ready))))))
(assert (not (in-the-wait-queue.next d)))

(check-sat)
