; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/the-last-splice-saw-all--at-first
; A reader that has spliced all and still counts its packet: what came to the receive queue since has a wake-up or another active reader. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun e () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-fun waiting ((d Cpu)) Bool
  false)
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Looked () Phase
  19)
(define-fun SplicedBoth () Phase
  11)
(define-fun Spliced () Phase
  12)
(define-fun reader () Int
  0)
(define-fun receive () Int
  0)
(define-fun owed () Int
  0)
(define-fun active () Int
  0)
(define-fun the-last-splice-saw-all ((d Cpu) (e Cpu)) Bool
  (=>
    (and
      (is-cpu d)
      (waiting d)
      (= (phase d) Looked)
      (is-cpu e)
      (or (= (phase e) SplicedBoth) (= (phase e) Spliced))
      (<= reader 1))
    (<= receive (- (+ owed active) 1))))
(assert (not (the-last-splice-saw-all d e)))

(check-sat)
