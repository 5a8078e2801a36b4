; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/node-first/node-first-bound--follows
; rmem_alloc: K max(B, s) + (C - K) s. It follows from the clauses it needs.
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
(assert (not (<= rmem (- (+ nodes*limit cpus*largest) nodes*largest))))

(check-sat)
