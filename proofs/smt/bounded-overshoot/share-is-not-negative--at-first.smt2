; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/share-is-not-negative--at-first
; A node's part of rmem_alloc is not negative. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; The clause does not hold.
(define-sort Bytes () Int)
(define-fun share ((m Node)) Bytes
  0)
(define-fun share-is-not-negative ((m Node)) Bool
  (<= 0 (share m)))
(assert (not (share-is-not-negative m)))

(check-sat)
