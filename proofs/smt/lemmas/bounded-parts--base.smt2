; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/bounded-parts--base
; Parts from 0 to `g`: the sum is at most that of the `g`, and short of it by what one part is short. (base of the induction)
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
(assert (and (<= 0 (f 0)) (<= (f 0) (g 0)) (<= 0 (f c)) (<= (f c) (g c))))

; It does not hold for no summands.
(assert (not (and (<= 0 (F 0)) (<= (ite (< c 0) (f c) 0) (F 0)) (<= (F 0) (G 0)) (=> (< c 0) (<= (F 0) (+ (- (G 0) (g c)) (f c)))))))

(check-sat)
