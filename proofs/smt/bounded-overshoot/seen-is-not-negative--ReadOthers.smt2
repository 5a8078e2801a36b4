; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/seen-is-not-negative--ReadOthers
; What a CPU read is not negative. ReadOthers: The socket is more than half full: the other nodes' counters, whose sum is no less than 0.
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
(define-fun HaveOthers () Phase
  3)
(define-sort Bytes () Int)
(declare-fun seen (Cpu) Bytes)
(define-fun seen-is-not-negative ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) HaveOthers)) (<= 0 (seen d))))
(assert (seen-is-not-negative d))
(assert (seen-is-not-negative c))
(declare-fun receive-lock () Cpu)
(assert (seen-is-not-negative receive-lock))
(declare-fun reader-lock () Cpu)
(assert (seen-is-not-negative reader-lock))
(declare-fun rmem () Bytes)
(define-fun rmem-is-not-negative () Bool
  (<= 0 rmem))
(assert rmem-is-not-negative)
(declare-fun counter (Node) Bytes)
(define-fun node-counter-is-not-negative ((m Node)) Bool
  (<= 0 (counter m)))
(assert (node-counter-is-not-negative (node d)))
(assert (node-counter-is-not-negative (node c)))

; ReadOthers: The socket is more than half full: the other nodes' counters, whose sum is no less than 0.
(assert (is-cpu c))
(define-fun HaveNode () Phase
  2)
(assert (= (phase c) HaveNode))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveOthers (phase d)))

; What is to be shown does not hold after the step.
(define-fun seen-is-not-negative.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase.next d)) (<= (phase.next d) HaveOthers)) (<= 0 (seen d))))
(assert (not (seen-is-not-negative.next d)))

(check-sat)
