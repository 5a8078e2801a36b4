; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/monotone--step
; A sum of larger parts is larger. (step of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun g (Int) Int)
(declare-fun G (Int) Int) ; the sum of g
(assert (= (G 0) 0))
(assert true)
(declare-fun j () Int)
(assert (<= 0 j))
(assert (= (F (+ j 1)) (+ (F j) (f j))))
(assert (= (G (+ j 1)) (+ (G j) (g j))))
(assert (<= (f j) (g j)))
(assert (<= (F j) (G j)))

; It holds for j summands and not for one more.
(assert (not (<= (F (+ j 1)) (G (+ j 1)))))

(check-sat)
