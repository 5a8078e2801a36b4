; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/sent-grows--at-first
; Each arrival adds bytes to what was sent to its node. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)
(declare-fun j () Index)

; The clause does not hold.
(define-fun arrived ((m Node)) Index
  0)
(define-sort Bytes () Int)
(define-fun sent ((m Node) (i Index)) Bytes
  0)
(define-fun sent-grows ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j))))
(assert (not (sent-grows m i j)))

(check-sat)
