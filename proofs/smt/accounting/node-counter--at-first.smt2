; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/node-counter--at-first
; A node's counter is what was charged there, is listed or is being drained. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; The clause does not hold.
(define-sort Bytes () Int)
(define-fun counter ((m Node)) Bytes
  0)
(define-fun in-flight ((m Node)) Bytes
  0)
(define-sort Index () Int)
(define-fun sent ((m Node) (i Index)) Bytes
  0)
(define-fun arrived ((m Node)) Index
  0)
(define-fun drained ((m Node)) Index
  0)
(define-fun node-counter ((m Node)) Bool
  (= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m))))))
(assert (not (node-counter m)))

(check-sat)
