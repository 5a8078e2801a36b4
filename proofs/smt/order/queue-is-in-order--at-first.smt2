; SPDX-License-Identifier: MIT OR Apache-2.0
; order/queue-is-in-order--at-first
; Packets of one node are queued in the order of their pushes. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Position () Int)
(declare-fun p () Position)
(declare-fun q () Position)

; The clause does not hold.
(define-fun tail () Position
  0)
(define-sort Node () Int)
(define-fun origin ((p Position)) Node
  0)
(define-sort Index () Int)
(define-fun index ((p Position)) Index
  0)
(define-fun queue-is-in-order ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (< q tail) (= (origin p) (origin q))) (< (index p) (index q))))
(assert (not (queue-is-in-order p q)))

(check-sat)
