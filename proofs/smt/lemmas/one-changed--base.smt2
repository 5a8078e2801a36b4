; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed--base
; When one summand changes, the sum changes by as much. (base of the induction)
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
(assert (=> (not (= 0 c)) (= (f 0) (g 0))))

; It does not hold for no summands.
(assert (not (= (G 0) (+ (F 0) (ite (< c 0) (- (g c) (f c)) 0)))))

(check-sat)
