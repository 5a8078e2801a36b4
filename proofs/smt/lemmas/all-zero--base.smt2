; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/all-zero--base
; A sum of zeros is zero. (base of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(assert true)
(assert (= (f 0) 0))

; It does not hold for no summands.
(assert (not (= (F 0) 0)))

(check-sat)
