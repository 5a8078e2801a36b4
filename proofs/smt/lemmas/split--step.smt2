; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/split--step
; Bytes that are at most the sum can be taken from the parts, none of which becomes negative: part j gives min(r, F(j + 1)) - min(r, F(j)). (step of the induction)
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
(declare-fun j () Int)
(assert (<= 0 j))
(assert (= (F (+ j 1)) (+ (F j) (f j))))
(assert (= (G (+ j 1)) (+ (G j) (g j))))
(assert (and (<= 0 (f j)) (= (g j) (- (ite (<= r (F (+ j 1))) r (F (+ j 1))) (ite (<= r (F j)) r (F j)))) (<= 0 r)))
(assert (and (<= 0 (F j)) (= (G j) (ite (<= r (F j)) r (F j))) (=> (< 0 j) (and (<= 0 (g (- j 1))) (<= (g (- j 1)) (f (- j 1)))))))

; It holds for j summands and not for one more.
(assert (not (and (<= 0 (F (+ j 1))) (= (G (+ j 1)) (ite (<= r (F (+ j 1))) r (F (+ j 1)))) (=> (< 0 (+ j 1)) (and (<= 0 (g (- (+ j 1) 1))) (<= (g (- (+ j 1) 1)) (f (- (+ j 1) 1))))))))

(check-sat)
