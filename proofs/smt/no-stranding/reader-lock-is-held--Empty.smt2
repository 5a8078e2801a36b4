; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/reader-lock-is-held--Empty
; A CPU inside the reader queue's lock holds it, so that there is one. Empty: Both queues are empty, or it only peeks.
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
(define-fun ReaderLocked () Phase
  12)
(declare-fun phase (Cpu) Phase)
(define-fun Left () Phase
  20)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) Left)))
(declare-fun reader-lock () Cpu)
(define-fun reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (reader-lock-is-held d))
(assert (reader-lock-is-held c))
(declare-fun receive-lock () Cpu)
(assert (reader-lock-is-held receive-lock))
(assert (reader-lock-is-held reader-lock))

; Empty: Both queues are empty, or it only peeks.
(assert (is-cpu c))
(define-fun Refilled () Phase
  14)
(assert (= (phase c) Refilled))
(define-fun Leaving () Phase
  19)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Leaving (phase d)))

; What is to be shown does not hold after the step.
(define-fun has-reader-lock.next ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase.next d)) (<= (phase.next d) Left)))
(define-fun reader-lock-is-held.next ((d Cpu)) Bool
  (=> (has-reader-lock.next d) (= reader-lock d)))
(assert (not (reader-lock-is-held.next d)))

(check-sat)
