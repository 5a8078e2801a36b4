; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/place-has-its-packet--at-first
; Each place in the queues' history has one packet, which was queued there and nowhere else. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Position () Int)
(declare-fun p () Position)

; The clause does not hold.
(define-fun tail () Position
  0)
(define-sort Index () Int)
(define-fun index ((p Position)) Index
  0)
(define-sort Node () Int)
(define-fun arrived ((m Node)) Index
  0)
(define-fun origin ((p Position)) Node
  0)
(define-sort Fate () Int)
(define-fun fate ((m Node) (i Index)) Fate
  0)
(define-fun Queued () Fate
  1)
(define-fun place ((m Node) (i Index)) Int
  0)
(define-fun place-has-its-packet ((p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (<= 0 (index p))
      (< (index p) (arrived (origin p)))
      (= (fate (origin p) (index p)) Queued)
      (= (place (origin p) (index p)) p))))
(assert (not (place-has-its-packet p)))

(check-sat)
