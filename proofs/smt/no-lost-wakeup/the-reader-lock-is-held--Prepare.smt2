; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/the-reader-lock-is-held--Prepare
; A CPU inside the reader queue's lock holds it. Prepare: A reader enters the wait queue.
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
(define-fun ReaderLocked () Phase
  4)
(declare-fun phase (Cpu) Phase)
(define-fun EmptySeen () Phase
  15)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) EmptySeen)))
(declare-fun reader-lock () Cpu)
(define-fun the-reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (the-reader-lock-is-held d))
(assert (the-reader-lock-is-held c))
(declare-fun receive-lock () Cpu)
(assert (the-reader-lock-is-held receive-lock))
(assert (the-reader-lock-is-held reader-lock))

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
(define-fun has-reader-lock.next ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase.next d)) (<= (phase.next d) EmptySeen)))
(define-fun the-reader-lock-is-held.next ((d Cpu)) Bool
  (=> (has-reader-lock.next d) (= reader-lock d)))
(assert (not (the-reader-lock-is-held.next d)))

(check-sat)
