; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/shares-are-bounded--premise
; Summed over the nodes: K max(B, s) + (C - K) s. The premise of the lemma bounded-nodes, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun handed (Node) Bytes)
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(declare-fun share (Node) Bytes)
(declare-fun limit () Bytes)
(declare-fun node-cpus*largest (Node) Bytes)
(declare-fun largest () Bytes)
(define-fun node-share-bound ((m Node)) Bool
  (=>
    (is-node m)
    (and (<= 0 (fresh m)) (<= (+ (share m) (fresh m)) (- (+ limit (node-cpus*largest m)) largest)))))
(assert (node-share-bound m))

; What is to be shown does not hold.
(assert (not (=> (is-node m) (<= (share m) (- (+ limit (node-cpus*largest m)) largest)))))

(check-sat)
