; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/rmem-is-what-is-held--at-first
; rmem_alloc is what is queued and what is dequeued and not released, but for the batch that is being queued. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-sort Bytes () Int)
(define-fun rmem () Bytes
  0)
(define-sort Position () Int)
(define-fun bytes ((p Position)) Bytes
  0)
(define-fun tail () Position
  0)
(define-fun head () Position
  0)
(define-fun deficit () Bytes
  0)
(define-sort Cpu () Int)
(declare-fun cpus () Int)
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
(define-fun rmem-is-what-is-held () Bool
  (= rmem (- (+ (- (bytes tail) (bytes head)) deficit) pending)))
(assert (not rmem-is-what-is-held))

(check-sat)
