; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/size-is-positive--ReadNodeAndAdmit
; A packet has bytes. ReadNodeAndAdmit: The kernel's order: the node's counter second; the packet fits.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun b () Bytes)

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

; ReadNodeAndAdmit: The kernel's order: the node's counter second; the packet fits.
(assert (is-cpu c))
(declare-fun limit () Bytes)
(declare-fun seen (Cpu) Bytes)
(declare-fun counter (Node) Bytes)
(assert (and
    (= (phase c) HaveRmem)
    (<= b limit)
    (or (<= (+ (seen c) (counter (node c)) (size c)) b) (= (+ (seen c) (counter (node c))) 0))))
(define-fun Admitted () Phase
  4)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Admitted (phase d)))

; What is to be shown does not hold after the step.
(define-fun size-is-positive.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase.next d)) (<= (phase.next d) Charged)) (< 0 (size d))))
(assert (not (size-is-positive.next d)))

(check-sat)
