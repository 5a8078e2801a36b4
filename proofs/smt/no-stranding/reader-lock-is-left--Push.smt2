; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/reader-lock-is-left--Push
; Who holds the reader queue's lock is inside it. Push: The packet is on the list; who found it empty is elected.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun reader-lock () Cpu)
(define-fun nobody () Cpu
  (- 1))
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
(define-fun reader-lock-is-left () Bool
  (or (= reader-lock nobody) (has-reader-lock reader-lock)))
(assert reader-lock-is-left)
(define-fun reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (reader-lock-is-held c))
(declare-fun receive-lock () Cpu)
(assert (reader-lock-is-held receive-lock))
(assert (reader-lock-is-held reader-lock))

; Push: The packet is on the list; who found it empty is elected.
(assert (is-cpu c))
(define-fun Charged () Phase
  5)
(assert (= (phase c) Charged))
(define-sort Index () Int)
(declare-fun arrived (Node) Index)
(declare-fun drained (Node) Index)
(define-fun Elected () Phase
  6)
(define-fun Idle () Phase
  0)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) (ite (= (arrived (node c)) (drained (node c))) Elected Idle) (phase d)))

; What is to be shown does not hold after the step.
(define-fun has-reader-lock.next ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase.next d)) (<= (phase.next d) Left)))
(define-fun reader-lock-is-left.next () Bool
  (or (= reader-lock nobody) (has-reader-lock.next reader-lock)))
(assert (not reader-lock-is-left.next))

(check-sat)
