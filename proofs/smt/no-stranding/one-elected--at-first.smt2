; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/one-elected--at-first
; A node has at most one elected CPU. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun e () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-fun one-elected ((d Cpu) (e Cpu)) Bool
  (=> (and (elected d) (elected e) (= (node d) (node e))) (= d e)))
(assert (not (one-elected d e)))

(check-sat)
