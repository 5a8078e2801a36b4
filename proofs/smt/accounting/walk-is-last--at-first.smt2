; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/walk-is-last--at-first
; The batch that is walked under the lock is the node's newest. It is so at first.
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
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(define-sort Index () Int)
(define-fun hi ((d Cpu)) Index
  0)
(define-sort Node () Int)
(define-fun drained ((m Node)) Index
  0)
(declare-fun node (Cpu) Node)
(define-fun walk-is-last ((d Cpu)) Bool
  (=> (walking d) (= (hi d) (drained (node d)))))
(assert (not (walk-is-last d)))

(check-sat)
