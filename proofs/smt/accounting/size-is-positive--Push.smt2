; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/size-is-positive--Push
; A packet has bytes. Push: The packet is on the list; who found it empty is elected.
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

; Push: The packet is on the list; who found it empty is elected.
(assert (is-cpu c))
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
(define-fun size-is-positive.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase.next d)) (<= (phase.next d) Charged)) (< 0 (size d))))
(assert (not (size-is-positive.next d)))

(check-sat)
