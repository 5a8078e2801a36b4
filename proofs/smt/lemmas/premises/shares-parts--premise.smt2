; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/shares-parts--premise
; A sum of what is not negative is not less than any part of it. The premise of the lemma non-negative, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(define-sort Bytes () Int)
(declare-fun share (Node) Bytes)
(define-fun share-is-not-negative ((m Node)) Bool
  (<= 0 (share m)))
(assert (share-is-not-negative m))

; What is to be shown does not hold.
(assert (not (<= 0 (share m))))

(check-sat)
