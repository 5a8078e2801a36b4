; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/elected-has-packets--at-first
; An elected CPU's list is not empty, so that it never takes an empty one. It is so at first.
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
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(define-sort Node () Int)
(define-sort Index () Int)
(define-fun drained ((m Node)) Index
  0)
(declare-fun node (Cpu) Node)
(define-fun arrived ((m Node)) Index
  0)
(define-fun elected-has-packets ((d Cpu)) Bool
  (=> (elected d) (< (drained (node d)) (arrived (node d)))))
(assert (not (elected-has-packets d)))

(check-sat)
