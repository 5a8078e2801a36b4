; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-node-each--step
; Every CPU is of one node: one more CPU adds its s to one node's sum, so that the sum over nodes of C_m s is C s. (step of the induction)
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-fun F (Int) Int) ; the sum of f
(assert (= (F 0) 0))
(declare-fun g (Int) Int)
(declare-fun G (Int) Int) ; the sum of g
(assert (= (G 0) 0))
(declare-fun largest () Int)
(declare-fun n (Int) Int) ; a CPU's node
(declare-fun h (Int) Int) ; a node's sum
(assert true)
(declare-fun j () Int)
(assert (<= 0 j))
(assert (= (F (+ j 1)) (+ (F j) (f j))))
(assert (= (G (+ j 1)) (+ (G j) (g j))))
(assert (and (= (f j) largest) (= (g j) (- (+ (h (n j)) largest) (h (n j))))))
(assert (= (F j) (G j)))

; It holds for j summands and not for one more.
(assert (not (= (F (+ j 1)) (G (+ j 1)))))

(check-sat)
