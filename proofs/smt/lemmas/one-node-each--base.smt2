; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-node-each--base
; Every CPU is of one node: one more CPU adds its s to one node's sum, so that the sum over nodes of C_m s is C s. (base of the induction)
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
(assert (and (= (f 0) largest) (= (g 0) (- (+ (h (n 0)) largest) (h (n 0))))))

; It does not hold for no summands.
(assert (not (= (F 0) (G 0))))

(check-sat)
