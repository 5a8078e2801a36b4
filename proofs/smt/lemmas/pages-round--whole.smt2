; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/pages-round--whole
; Whole pages round to themselves: no two of them are less than a page apart.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFNIA)
; A whole number of pages is page times something.
(declare-fun page () Int)
(declare-fun i () Int)
(declare-fun k () Int)
(declare-fun r () Int)
(assert (< 0 page))
(assert (and (<= (* page i) (* page k)) (< (- (* page k) (* page i)) page)))
(assert (not (= (* page i) (* page k))))

(check-sat)
