; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/pages-are-forward-and-rmem--at-first
; With the lock held and nothing half done, charged pages are forward_alloc and rmem_alloc. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Bytes () Int)
(declare-fun page () Bytes)
(declare-fun cpus () Int)
(declare-fun whole (Bytes) Bool)
(define-fun page-is-positive () Bool
  (and (< 0 page) (< 0 cpus) (whole 0)))
(assert page-is-positive)

; The clause does not hold.
(define-fun charged () Bytes
  0)
(define-fun forward () Bytes
  0)
(define-fun rmem () Bytes
  0)
(define-sort Cpu () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock () Cpu
  nobody)
(define-fun accepted ((d Cpu)) Bytes
  0)
(define-fun pending () Bytes
  (ite (walking receive-lock) (accepted receive-lock) 0))
(define-fun Returned () Phase
  17)
(define-fun deficit () Bytes
  0)
(define-fun returned () Bytes
  (ite (and (is-cpu receive-lock) (= (phase receive-lock) Returned)) deficit 0))
(define-fun pages-are-forward-and-rmem () Bool
  (and
    (= charged (- (+ forward rmem pending) returned))
    (whole charged)
    (<= 0 forward)
    (<= 0 charged)))
(assert (not pages-are-forward-and-rmem))

(check-sat)
