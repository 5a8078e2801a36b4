; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/size-is-positive--Condense
; A packet has bytes. Condense: An admitted packet becomes smaller.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun x () Bytes)

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
(declare-fun size (Cpu) Bytes)
(define-fun size-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size d))))
(assert (size-is-positive d))
(assert (size-is-positive c))
(declare-fun receive-lock () Cpu)
(assert (size-is-positive receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-positive reader-lock))

; Condense: An admitted packet becomes smaller.
(assert (is-cpu c))
(define-fun Admitted () Phase
  4)
(assert (and (= (phase c) Admitted) (< 0 x) (<= x (size c))))
(define-fun size.next ((d Cpu)) Bytes
  (ite (= d c) x (size d)))

; What is to be shown does not hold after the step.
(define-fun size-is-positive.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size.next d))))
(assert (not (size-is-positive.next d)))

(check-sat)
