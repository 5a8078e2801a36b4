; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/kernel-order/node-and-admitted--at-first
; A node's counter and the admitted packets that it has not yet: the limit and one packet for each other CPU. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Bytes () Int)
(declare-fun largest () Bytes)
(declare-fun limit () Bytes)
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(declare-fun node-cpus*largest (Node) Bytes)
(define-fun node-has-a-producer ((m Node)) Bool
  (=> (is-node m) (<= largest (node-cpus*largest m))))
(assert (node-has-a-producer m))

; The clause does not hold.
(define-fun counter ((m Node)) Bytes
  0)
(define-fun admitted ((m Node)) Bytes
  0)
(define-fun node-and-admitted ((m Node)) Bool
  (=> (is-node m) (<= (+ (counter m) (admitted m)) (- (+ limit (node-cpus*largest m)) largest))))
(assert (not (node-and-admitted m)))

(check-sat)
