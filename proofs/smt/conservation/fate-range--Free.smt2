; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/fate-range--Free
; There are four fates. Free: A packet without memory is freed.
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
(define-sort Slot () Int)
(declare-fun chain (Cpu Slot) Index)
(declare-fun aside (Cpu) Slot)
(assert (fate-range m (chain c (- (aside c) 1))))
(assert (fate-range (node c) i))
(assert (fate-range (node c) (chain c (- (aside c) 1))))

; Free: A packet without memory is freed.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Unlocked () Phase
  11)
(assert (and (= (phase c) Unlocked) (< 0 (aside c))))
(define-fun fate.next ((m Node) (i Index)) Fate
  (ite (and (= m (node c)) (= i (chain c (- (aside c) 1)))) Freed (fate m i)))

; What is to be shown does not hold after the step.
(define-fun fate-range.next ((m Node) (i Index)) Bool
  (and (<= Listed (fate.next m i)) (<= (fate.next m i) Freed)))
(assert (not (fate-range.next m i)))

(check-sat)
