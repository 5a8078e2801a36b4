; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/aside-has-its-keeper--at-first
; A packet without memory is in the chain of the drain that put it aside. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)

; The clause does not hold.
(define-fun arrived ((m Node)) Index
  0)
(define-sort Fate () Int)
(define-fun fate ((m Node) (i Index)) Fate
  0)
(define-fun Aside () Fate
  2)
(define-sort Cpu () Int)
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
(define-fun keeper ((m Node) (i Index)) Cpu
  0)
(declare-fun node (Cpu) Node)
(define-fun place ((m Node) (i Index)) Int
  0)
(define-sort Slot () Int)
(define-fun aside ((d Cpu)) Slot
  0)
(define-fun chain ((d Cpu) (k Slot)) Index
  0)
(define-fun aside-has-its-keeper ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate m i) Aside))
    (and
      (draining (keeper m i))
      (= (node (keeper m i)) m)
      (<= 0 (place m i))
      (< (place m i) (aside (keeper m i)))
      (= (chain (keeper m i) (place m i)) i))))
(assert (not (aside-has-its-keeper m i)))

(check-sat)
