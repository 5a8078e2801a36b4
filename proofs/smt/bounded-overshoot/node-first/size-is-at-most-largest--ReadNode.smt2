; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/node-first/size-is-at-most-largest--ReadNode
; A packet weighs at most s. ReadNode: The own node's counter first.
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
(declare-fun largest () Bytes)
(define-fun size-is-at-most-largest ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (size-is-at-most-largest d))
(assert (size-is-at-most-largest c))
(declare-fun receive-lock () Cpu)
(assert (size-is-at-most-largest receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-at-most-largest reader-lock))

; ReadNode: The own node's counter first.
(assert (is-cpu c))
(define-fun Idle () Phase
  0)
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(assert (and (= (phase c) Idle) (= life Open) (< 0 x) (<= x largest)))
(define-fun HaveNode () Phase
  2)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveNode (phase d)))
(define-fun size.next ((d Cpu)) Bytes
  (ite (= d c) x (size d)))

; What is to be shown does not hold after the step.
(define-fun size-is-at-most-largest.next ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase.next d)) (<= (phase.next d) Charged))
    (and (< 0 (size.next d)) (<= (size.next d) largest))))
(assert (not (size-is-at-most-largest.next d)))

(check-sat)
