; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/all-nodes/one-node-bound--follows
; On one node and with B no less than s: rmem_alloc is at most B + (C - 1) s. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; What is known.
(define-sort Bytes () Int)
(declare-fun shares () Bytes)
(declare-fun nodes*limit () Bytes)
(declare-fun cpus*largest () Bytes)
(declare-fun nodes*largest () Bytes)
(define-fun shares-are-bounded () Bool
  (<= shares (- (+ nodes*limit cpus*largest) nodes*largest)))
(assert shares-are-bounded)
(declare-fun rmem () Bytes)
(define-fun shares-are-rmem () Bool
  (= rmem shares))
(assert shares-are-rmem)

; What is to be shown does not hold.
(declare-fun limit () Bytes)
(declare-fun largest () Bytes)
(assert (not
    (=>
      (and (= nodes*limit limit) (= nodes*largest largest))
      (<= rmem (+ limit (- cpus*largest largest))))))

(check-sat)
