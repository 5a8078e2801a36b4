; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/under-way-is-bounded--premise
; Summed over the nodes: K max(B, s) + (C - K) s. The premise of the lemma bounded-nodes, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun handed (Node) Bytes)
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(declare-fun admitted (Node) Bytes)
(define-fun under-way.of ((m Node)) Bytes
  (+ (fresh m) (admitted m)))
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(declare-fun limit () Bytes)
(declare-fun node-cpus*largest (Node) Bytes)
(declare-fun largest () Bytes)
(define-fun fresh-is-charged ((m Node)) Bool
  (and
    (<= 0 (under-way.of m))
    (=> (is-node m) (<= (under-way.of m) (- (+ limit (node-cpus*largest m)) largest)))))
(assert (fresh-is-charged m))

; What is to be shown does not hold.
(assert (not
    (=>
      (is-node m)
      (and
        (<= 0 (under-way.of m))
        (<= (under-way.of m) (- (+ limit (node-cpus*largest m)) largest))))))

(check-sat)
