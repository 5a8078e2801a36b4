; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/the-reader-lock-is-held--Wake
; A CPU inside the reader queue's lock holds it. Wake: It wakes a waiter `w`.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(declare-fun w () Cpu)

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
(assert (the-reader-lock-is-held w))

; Wake: It wakes a waiter `w`.
(assert (is-cpu c))
(define-fun Ringing () Phase
  2)
(declare-fun waiting (Cpu) Bool)
(assert (and (= (phase c) Ringing) (is-cpu w) (waiting w)))
(define-fun Waking () Phase
  1)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Waking (phase d)))

; What is to be shown does not hold after the step.
(define-fun has-reader-lock.next ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase.next d)) (<= (phase.next d) EmptySeen)))
(define-fun the-reader-lock-is-held.next ((d Cpu)) Bool
  (=> (has-reader-lock.next d) (= reader-lock d)))
(assert (not (the-reader-lock-is-held.next d)))

(check-sat)
