; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/non-negative--base
; A sum of what is not negative is not negative, and not less than any part of it. (base of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun c () Int)
(assert (<= 0 c))
(assert (and (<= 0 (f 0)) (<= 0 (f c))))

; It does not hold for no summands.
(assert (not (and (<= 0 (F 0)) (<= (ite (< c 0) (f c) 0) (F 0)))))

(check-sat)
