; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed--step
; When one summand changes, the sum changes by as much. (step of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun g (Int) Int)
(declare-fun G (Int) Int) ; the sum of g
(assert (= (G 0) 0))
(declare-fun c () Int)
(assert (<= 0 c))
(declare-fun j () Int)
(assert (<= 0 j))
(assert (= (F (+ j 1)) (+ (F j) (f j))))
(assert (= (G (+ j 1)) (+ (G j) (g j))))
(assert (=> (not (= j c)) (= (f j) (g j))))
(assert (= (G j) (+ (F j) (ite (< c j) (- (g c) (f c)) 0))))

; It holds for j summands and not for one more.
(assert (not (= (G (+ j 1)) (+ (F (+ j 1)) (ite (< c (+ j 1)) (- (g c) (f c)) 0)))))

(check-sat)
