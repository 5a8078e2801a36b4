; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/non-negative--step
; A sum of what is not negative is not negative, and not less than any part of it. (step of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun c () Int)
(assert (<= 0 c))
(declare-fun j () Int)
(assert (<= 0 j))
(assert (= (F (+ j 1)) (+ (F j) (f j))))
(assert (and (<= 0 (f j)) (<= 0 (f c))))
(assert (and (<= 0 (F j)) (<= (ite (< c j) (f c) 0) (F j))))

; It holds for j summands and not for one more.
(assert (not (and (<= 0 (F (+ j 1))) (<= (ite (< c (+ j 1)) (f c) 0) (F (+ j 1))))))

(check-sat)
