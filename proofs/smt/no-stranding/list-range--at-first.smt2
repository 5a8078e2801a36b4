; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/list-range--at-first
; What was drained had arrived. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; The clause does not hold.
(define-sort Index () Int)
(define-fun drained ((m Node)) Index
  0)
(define-fun arrived ((m Node)) Index
  0)
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (not (list-range m)))

(check-sat)
