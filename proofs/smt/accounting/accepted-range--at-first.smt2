; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/accepted-range--at-first
; What a drain has queued is a part of what it has walked. It is so at first.
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
(define-sort Bytes () Int)
(define-fun accepted ((d Cpu)) Bytes
  0)
(define-sort Node () Int)
(define-sort Index () Int)
(define-fun sent ((m Node) (i Index)) Bytes
  0)
(declare-fun node (Cpu) Node)
(define-fun at ((d Cpu)) Index
  0)
(define-fun lo ((d Cpu)) Index
  0)
(define-fun accepted-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (accepted d))
      (<= (accepted d) (- (sent (node d) (at d)) (sent (node d) (lo d))))
      (=> (= (phase d) Taken) (= (accepted d) 0)))))
(assert (not (accepted-range d)))

(check-sat)
