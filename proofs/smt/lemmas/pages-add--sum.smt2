; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/pages-add--sum
; The sum of whole pages is whole pages.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFNIA)
; A whole number of pages is page times something.
(declare-fun page () Int)
(declare-fun i () Int)
(declare-fun k () Int)
(declare-fun r () Int)
(assert (< 0 page))
(assert true)
(assert (not (= (+ (* page i) (* page k)) (* page (+ i k)))))

(check-sat)
