; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/list-has-elected--at-first
; A list that is not empty has an elected CPU, which has not taken it. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; The clause does not hold.
(define-sort Index () Int)
(define-fun drained ((m Node)) Index
  0)
(define-fun arrived ((m Node)) Index
  0)
(define-sort Cpu () Int)
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
(define-fun witness ((m Node)) Cpu
  0)
(declare-fun node (Cpu) Node)
(define-fun list-has-elected ((m Node)) Bool
  (=> (< (drained m) (arrived m)) (and (elected (witness m)) (= (node (witness m)) m))))
(assert (not (list-has-elected m)))

(check-sat)
