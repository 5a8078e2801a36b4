; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/queued-has-its-place--at-first
; A packet that was queued is at its one place in the queues' history. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)

; The clause does not hold.
(define-fun arrived ((m Node)) Index
  0)
(define-sort Fate () Int)
(define-fun fate ((m Node) (i Index)) Fate
  0)
(define-fun Queued () Fate
  1)
(define-fun place ((m Node) (i Index)) Int
  0)
(define-sort Position () Int)
(define-fun tail () Position
  0)
(define-fun origin ((p Position)) Node
  0)
(define-fun index ((p Position)) Index
  0)
(define-fun queued-has-its-place ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate m i) Queued))
    (and
      (<= 0 (place m i))
      (< (place m i) tail)
      (= (origin (place m i)) m)
      (= (index (place m i)) i))))
(assert (not (queued-has-its-place m i)))

(check-sat)
