; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/monotone--base
; A sum of larger parts is larger. (base of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun g (Int) Int)
(declare-fun G (Int) Int) ; the sum of g
(assert (= (G 0) 0))
(assert true)
(assert (<= (f 0) (g 0)))

; It does not hold for no summands.
(assert (not (<= (F 0) (G 0))))

(check-sat)
