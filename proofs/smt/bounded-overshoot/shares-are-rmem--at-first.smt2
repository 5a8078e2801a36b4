; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/shares-are-rmem--at-first
; The nodes' parts make up rmem_alloc. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-sort Bytes () Int)
(define-fun rmem () Bytes
  0)
(define-fun shares () Bytes
  0)
(define-fun shares-are-rmem () Bool
  (= rmem shares))
(assert (not shares-are-rmem))

(check-sat)
