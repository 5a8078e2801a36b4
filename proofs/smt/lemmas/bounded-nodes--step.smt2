; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/bounded-nodes--step
; Over nodes: parts from 0 to limit + g - largest have a sum of at most j limit + G - j largest. X and Y are the sums of limit and largest. (step of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun g (Int) Int)
(declare-fun G (Int) Int) ; the sum of g
(assert (= (G 0) 0))
(declare-fun x (Int) Int)
(declare-fun X (Int) Int) ; the sum of x
(assert (= (X 0) 0))
(declare-fun y (Int) Int)
(declare-fun Y (Int) Int) ; the sum of y
(assert (= (Y 0) 0))
(declare-fun limit () Int)
(declare-fun largest () Int)
(assert true)
(declare-fun j () Int)
(assert (<= 0 j))
(assert (= (F (+ j 1)) (+ (F j) (f j))))
(assert (= (G (+ j 1)) (+ (G j) (g j))))
(assert (= (X (+ j 1)) (+ (X j) (x j))))
(assert (= (Y (+ j 1)) (+ (Y j) (y j))))
(assert (and (<= 0 (f j)) (= (x j) limit) (= (y j) largest) (<= (f j) (- (+ limit (g j)) largest))))
(assert (and (<= 0 (F j)) (<= (F j) (- (+ (X j) (G j)) (Y j)))))

; It holds for j summands and not for one more.
(assert (not (and (<= 0 (F (+ j 1))) (<= (F (+ j 1)) (- (+ (X (+ j 1)) (G (+ j 1))) (Y (+ j 1)))))))

(check-sat)
