; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/bounded-nodes--base
; Over nodes: parts from 0 to limit + g - largest have a sum of at most j limit + G - j largest. X and Y are the sums of limit and largest. (base of the induction)
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
(assert (and (<= 0 (f 0)) (= (x 0) limit) (= (y 0) largest) (<= (f 0) (- (+ limit (g 0)) largest))))

; It does not hold for no summands.
(assert (not (and (<= 0 (F 0)) (<= (F 0) (- (+ (X 0) (G 0)) (Y 0))))))

(check-sat)
