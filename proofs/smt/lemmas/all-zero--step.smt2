; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/all-zero--step
; A sum of zeros is zero. (step of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(assert true)
(declare-fun j () Int)
(assert (<= 0 j))
(assert (= (F (+ j 1)) (+ (F j) (f j))))
(assert (= (f j) 0))
(assert (= (F j) 0))

; It holds for j summands and not for one more.
(assert (not (= (F (+ j 1)) 0)))

(check-sat)
