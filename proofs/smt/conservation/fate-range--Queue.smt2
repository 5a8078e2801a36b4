; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/fate-range--Queue
; There are four fates. Queue: The next packet is queued.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Fate () Int)
(define-fun Listed () Fate
  0)
(declare-fun fate (Node Index) Fate)
(define-fun Freed () Fate
  3)
(define-fun fate-range ((m Node) (i Index)) Bool
  (and (<= Listed (fate m i)) (<= (fate m i) Freed)))
(assert (fate-range m i))
(declare-fun at (Cpu) Index)
(assert (fate-range m (at c)))
(assert (fate-range m (+ (at c) 1)))
(declare-fun lo (Cpu) Index)
(assert (fate-range m (lo c)))
(declare-fun hi (Cpu) Index)
(assert (fate-range m (hi c)))
(assert (fate-range (node c) i))
(assert (fate-range (node c) (at c)))
(assert (fate-range (node c) (+ (at c) 1)))
(assert (fate-range (node c) (lo c)))
(assert (fate-range (node c) (hi c)))

; Queue: The next packet is queued.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Walking () Phase
  9)
(define-sort Bytes () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun forward () Bytes)
(assert (and
    (= (phase c) Walking)
    (< (at c) (hi c))
    (<= (- (sent (node c) (+ (at c) 1)) (sent (node c) (at c))) forward)))
(define-fun Queued () Fate
  1)
(define-fun fate.next ((m Node) (i Index)) Fate
  (ite (and (= m (node c)) (= i (at c))) Queued (fate m i)))

; What is to be shown does not hold after the step.
(define-fun fate-range.next ((m Node) (i Index)) Bool
  (and (<= Listed (fate.next m i)) (<= (fate.next m i) Freed)))
(assert (not (fate-range.next m i)))

(check-sat)
