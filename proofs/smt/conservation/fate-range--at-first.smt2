; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/fate-range--at-first
; There are four fates. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)

; The clause does not hold.
(define-sort Fate () Int)
(define-fun Listed () Fate
  0)
(define-fun fate ((m Node) (i Index)) Fate
  0)
(define-fun Freed () Fate
  3)
(define-fun fate-range ((m Node) (i Index)) Bool
  (and (<= Listed (fate m i)) (<= (fate m i) Freed)))
(assert (not (fate-range m i)))

(check-sat)
