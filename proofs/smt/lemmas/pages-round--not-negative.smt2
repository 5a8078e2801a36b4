; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/pages-round--not-negative
; What is not negative rounds to what is not negative.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFNIA)
; A whole number of pages is page times something.
(declare-fun page () Int)
(declare-fun i () Int)
(declare-fun k () Int)
(declare-fun r () Int)
(assert (< 0 page))
(assert (and (<= 0 r) (<= (* page i) r) (< (- r (* page i)) page)))
(assert (not (<= 0 (* page i))))

(check-sat)
