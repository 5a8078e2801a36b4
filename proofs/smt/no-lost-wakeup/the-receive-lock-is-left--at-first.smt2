; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/the-receive-lock-is-left--at-first
; Who holds the receive queue's lock is inside it. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-sort Cpu () Int)
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock () Cpu
  nobody)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Refilling () Phase
  5)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Refilled () Phase
  7)
(define-fun Splicing () Phase
  9)
(define-fun SplicedBoth () Phase
  11)
(define-fun EmptyBoth () Phase
  14)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase d)) (<= (phase d) Refilled))
      (and (<= Splicing (phase d)) (<= (phase d) SplicedBoth))
      (= (phase d) EmptyBoth))))
(define-fun the-receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert (not the-receive-lock-is-left))

(check-sat)
