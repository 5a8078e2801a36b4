; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/the-reader-lock-is-held--at-first
; A CPU inside the reader queue's lock holds it. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun ReaderLocked () Phase
  4)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun EmptySeen () Phase
  15)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) EmptySeen)))
(define-fun nobody () Cpu
  (- 1))
(define-fun reader-lock () Cpu
  nobody)
(define-fun the-reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (not (the-reader-lock-is-held d)))

(check-sat)
