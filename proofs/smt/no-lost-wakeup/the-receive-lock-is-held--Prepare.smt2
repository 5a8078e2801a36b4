; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/the-receive-lock-is-held--Prepare
; A CPU inside the receive queue's lock holds it. Prepare: A reader enters the wait queue.
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
(define-fun Refilling () Phase
  5)
(declare-fun phase (Cpu) Phase)
(define-fun Refilled () Phase
  7)
(define-fun Splicing () Phase
  9)
(define-fun SplicedBoth () Phase
  11)
(define-fun EmptyBoth () Phase
  14)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase d)) (<= (phase d) Refilled))
      (and (<= Splicing (phase d)) (<= (phase d) SplicedBoth))
      (= (phase d) EmptyBoth))))
(declare-fun receive-lock () Cpu)
(define-fun the-receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (the-receive-lock-is-held d))
(assert (the-receive-lock-is-held c))
(assert (the-receive-lock-is-held receive-lock))
(declare-fun reader-lock () Cpu)
(assert (the-receive-lock-is-held reader-lock))

; Prepare: A reader enters the wait queue.
(assert (is-cpu c))
(define-fun Waits () Phase
  16)
(assert (= (phase c) Waits))
(define-fun Prepared () Phase
  17)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Prepared (phase d)))

; What is to be shown does not hold after the step.
(define-fun has-receive-lock.next ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase.next d)) (<= (phase.next d) Refilled))
      (and (<= Splicing (phase.next d)) (<= (phase.next d) SplicedBoth))
      (= (phase.next d) EmptyBoth))))
(define-fun the-receive-lock-is-held.next ((d Cpu)) Bool
  (=> (has-receive-lock.next d) (= receive-lock d)))
(assert (not (the-receive-lock-is-held.next d)))

(check-sat)
