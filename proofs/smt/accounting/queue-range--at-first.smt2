; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/queue-range--at-first
; Packets go from the receive queue to the reader queue to readers. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-sort Position () Int)
(define-fun head () Position
  0)
(define-fun spliced () Position
  0)
(define-fun tail () Position
  0)
(define-sort Bytes () Int)
(define-fun deficit () Bytes
  0)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert (not queue-range))

(check-sat)
