; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/batch-range--at-first
; A batch is a part of what was drained, and weighs what its packets weigh. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Taken () Phase
  8)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(define-sort Index () Int)
(define-fun lo ((d Cpu)) Index
  0)
(define-fun hi ((d Cpu)) Index
  0)
(define-fun at ((d Cpu)) Index
  0)
(define-sort Node () Int)
(define-fun drained ((m Node)) Index
  0)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(define-fun batch ((d Cpu)) Bytes
  0)
(define-fun sent ((m Node) (i Index)) Bytes
  0)
(define-fun Walking () Phase
  9)
(define-fun batch-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (lo d))
      (< (lo d) (hi d))
      (<= (lo d) (at d))
      (<= (at d) (hi d))
      (<= (hi d) (drained (node d)))
      (= (batch d) (- (sent (node d) (hi d)) (sent (node d) (lo d))))
      (=> (< Walking (phase d)) (= (at d) (hi d))))))
(assert (not (batch-range d)))

(check-sat)
