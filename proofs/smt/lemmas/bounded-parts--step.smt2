; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/bounded-parts--step
; Parts from 0 to `g`: the sum is at most that of the `g`, and short of it by what one part is short. (step of the induction)
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
(assert (and (<= 0 (f j)) (<= (f j) (g j)) (<= 0 (f c)) (<= (f c) (g c))))
(assert (and (<= 0 (F j)) (<= (ite (< c j) (f c) 0) (F j)) (<= (F j) (G j)) (=> (< c j) (<= (F j) (+ (- (G j) (g c)) (f c))))))

; It holds for j summands and not for one more.
(assert (not (and (<= 0 (F (+ j 1))) (<= (ite (< c (+ j 1)) (f c) 0) (F (+ j 1))) (<= (F (+ j 1)) (G (+ j 1))) (=> (< c (+ j 1)) (<= (F (+ j 1)) (+ (- (G (+ j 1)) (g c)) (f c)))))))

(check-sat)
