; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/queue-grows--at-first
; Each packet of the queues has bytes. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Position () Int)
(declare-fun p () Position)
(declare-fun q () Position)

; The clause does not hold.
(define-fun tail () Position
  0)
(define-sort Bytes () Int)
(define-fun bytes ((p Position)) Bytes
  0)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(assert (not (queue-grows p q)))

(check-sat)
