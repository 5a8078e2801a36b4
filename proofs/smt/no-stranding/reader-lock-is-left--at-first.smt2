; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/reader-lock-is-left--at-first
; Who holds the reader queue's lock is inside it. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-sort Cpu () Int)
(define-fun nobody () Cpu
  (- 1))
(define-fun reader-lock () Cpu
  nobody)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun ReaderLocked () Phase
  12)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Left () Phase
  20)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) Left)))
(define-fun reader-lock-is-left () Bool
  (or (= reader-lock nobody) (has-reader-lock reader-lock)))
(assert (not reader-lock-is-left))

(check-sat)
