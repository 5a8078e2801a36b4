; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/node-first/claims-are-bounded--at-first
; What a node has under way, and what is claimed at a level t that admission can still reach. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Bytes () Int)
(declare-fun t () Bytes)
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
(define-fun share ((m Node)) Bytes
  0)
(define-fun counter ((m Node)) Bytes
  0)
(define-fun handed ((m Node)) Bytes
  0)
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(define-fun claims ((m Node) (t Bytes)) Bytes
  0)
(define-fun claims-are-bounded ((m Node) (t Bytes)) Bool
  (=>
    (and (is-node m) (<= (- limit largest (share m)) t))
    (<= (+ (fresh m) (claims m t)) (+ t (node-cpus*largest m)))))
(assert (not (claims-are-bounded m t)))

(check-sat)
