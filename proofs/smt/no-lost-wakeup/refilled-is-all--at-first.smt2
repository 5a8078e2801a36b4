; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/refilled-is-all--at-first
; A reader that has refilled, and holds both locks, has left nothing in the receive queue. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Refilled () Phase
  7)
(define-fun SplicedBoth () Phase
  11)
(define-fun receive () Int
  0)
(define-fun refilled-is-all ((d Cpu)) Bool
  (=> (and (is-cpu d) (or (= (phase d) Refilled) (= (phase d) SplicedBoth))) (= receive 0)))
(assert (not (refilled-is-all d)))

(check-sat)
