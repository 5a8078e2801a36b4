; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/keeper-has-aside--at-first
; A drain's chain is of packets that wait to be freed, each once. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(define-sort Slot () Int)
(declare-fun k () Slot)

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
(define-fun aside ((d Cpu)) Slot
  0)
(define-sort Index () Int)
(define-fun chain ((d Cpu) (k Slot)) Index
  0)
(define-sort Node () Int)
(define-fun arrived ((m Node)) Index
  0)
(declare-fun node (Cpu) Node)
(define-sort Fate () Int)
(define-fun fate ((m Node) (i Index)) Fate
  0)
(define-fun Aside () Fate
  2)
(define-fun keeper ((m Node) (i Index)) Cpu
  0)
(define-fun place ((m Node) (i Index)) Int
  0)
(define-fun keeper-has-aside ((d Cpu) (k Slot)) Bool
  (=>
    (and (draining d) (<= 0 k) (< k (aside d)))
    (and
      (<= 0 (chain d k))
      (< (chain d k) (arrived (node d)))
      (= (fate (node d) (chain d k)) Aside)
      (= (keeper (node d) (chain d k)) d)
      (= (place (node d) (chain d k)) k))))
(assert (not (keeper-has-aside d k)))

(check-sat)
