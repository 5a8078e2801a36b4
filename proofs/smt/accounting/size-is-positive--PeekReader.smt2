; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/size-is-positive--PeekReader
; A packet has bytes. PeekReader: It looks at the packet and leaves it.
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

; PeekReader: It looks at the packet and leaves it.
(assert (is-cpu c))
(define-fun ReaderLocked () Phase
  12)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(assert (and (= (phase c) ReaderLocked) (< head spliced)))
(define-fun Left () Phase
  20)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Left (phase d)))

; What is to be shown does not hold after the step.
(define-fun size-is-positive.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase.next d)) (<= (phase.next d) Charged)) (< 0 (size d))))
(assert (not (size-is-positive.next d)))

(check-sat)
