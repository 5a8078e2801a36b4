; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/reader-lock-is-held--Refuse
; A CPU inside the reader queue's lock holds it, so that there is one. Refuse: The packet does not fit.
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

; Refuse: The packet does not fit.
(assert (is-cpu c))
(define-fun HaveRmem () Phase
  1)
(define-fun HaveNode () Phase
  2)
(define-fun HaveOthers () Phase
  3)
(assert (or (= (phase c) HaveRmem) (= (phase c) HaveNode) (= (phase c) HaveOthers)))
(define-fun Idle () Phase
  0)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Idle (phase d)))

; What is to be shown does not hold after the step.
(define-fun has-reader-lock.next ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase.next d)) (<= (phase.next d) Left)))
(define-fun reader-lock-is-held.next ((d Cpu)) Bool
  (=> (has-reader-lock.next d) (= reader-lock d)))
(assert (not (reader-lock-is-held.next d)))

(check-sat)
