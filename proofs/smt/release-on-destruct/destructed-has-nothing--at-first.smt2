; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destructed-has-nothing--at-first
; A destructed socket has no packet, rmem_alloc, forward_alloc or charged page. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-sort Life () Int)
(define-fun Open () Life
  0)
(define-fun life () Life
  Open)
(define-fun Dead () Life
  2)
(define-sort Position () Int)
(define-fun head () Position
  0)
(define-fun tail () Position
  0)
(define-sort Bytes () Int)
(define-fun deficit () Bytes
  0)
(define-fun rmem () Bytes
  0)
(define-fun forward () Bytes
  0)
(define-fun charged () Bytes
  0)
(define-fun destructed-has-nothing () Bool
  (=> (= life Dead) (and (= head tail) (= deficit 0) (= rmem 0) (= forward 0) (= charged 0))))
(assert (not destructed-has-nothing))

(check-sat)
