; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/popped-is-counted--at-first
; A packet in a reader's hand still counts. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Popped () Phase
  8)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Spliced () Phase
  12)
(define-fun has-popped ((d Cpu)) Bool
  (and (is-cpu d) (<= Popped (phase d)) (<= (phase d) Spliced)))
(define-fun reader () Int
  0)
(define-fun twice () Int
  0)
(define-fun popped-is-counted ((d Cpu)) Bool
  (=> (has-popped d) (< 0 (- reader twice))))
(assert (not (popped-is-counted d)))

(check-sat)
