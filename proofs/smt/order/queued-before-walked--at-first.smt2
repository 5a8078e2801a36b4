; SPDX-License-Identifier: MIT OR Apache-2.0
; order/queued-before-walked--at-first
; What is queued was drained, and lies behind the drain that walks now. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(define-sort Position () Int)
(declare-fun p () Position)

; The clause does not hold.
(define-fun tail () Position
  0)
(define-sort Index () Int)
(define-fun index ((p Position)) Index
  0)
(define-sort Node () Int)
(define-fun drained ((m Node)) Index
  0)
(define-fun origin ((p Position)) Node
  0)
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
(declare-fun node (Cpu) Node)
(define-fun at ((d Cpu)) Index
  0)
(define-fun queued-before-walked ((d Cpu) (p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (< (index p) (drained (origin p)))
      (=> (and (walking d) (= (node d) (origin p))) (< (index p) (at d))))))
(assert (not (queued-before-walked d p)))

(check-sat)
