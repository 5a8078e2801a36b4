; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/lengths--at-first
; The lengths are those of the queues, but for what a splice counts twice. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-fun receive () Int
  0)
(define-fun twice () Int
  0)
(define-fun reader () Int
  0)
(define-sort Cpu () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun RefillingTwice () Phase
  6)
(define-fun SplicingTwice () Phase
  10)
(define-fun splicing ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) RefillingTwice) (= (phase d) SplicingTwice))))
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock () Cpu
  nobody)
(define-fun lengths () Bool
  (and
    (<= 0 receive)
    (<= 0 twice)
    (<= twice reader)
    (= twice (ite (splicing receive-lock) receive 0))))
(assert (not lengths))

(check-sat)
