; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/split--base
; Bytes that are at most the sum can be taken from the parts, none of which becomes negative: part j gives min(r, F(j + 1)) - min(r, F(j)). (base of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun g (Int) Int)
(declare-fun G (Int) Int) ; the sum of g
(assert (= (G 0) 0))
(declare-fun r () Int)
(assert (<= 0 r))
(assert (and (<= 0 (f 0)) (= (g 0) (- (ite (<= r (F (+ 0 1))) r (F (+ 0 1))) (ite (<= r (F 0)) r (F 0)))) (<= 0 r)))

; It does not hold for no summands.
(assert (not (and (<= 0 (F 0)) (= (G 0) (ite (<= r (F 0)) r (F 0))) (=> (< 0 0) (and (<= 0 (g (- 0 1))) (<= (g (- 0 1)) (f (- 0 1))))))))

(check-sat)
