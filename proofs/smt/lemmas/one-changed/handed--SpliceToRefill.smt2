; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/handed--SpliceToRefill
; SpliceToRefill changes the sum handed by what it changes for the one who acts. It moves the receive queue's packets to the reader queue.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Refilling () Phase
  13)
(assert (= (phase c) Refilling))
(assert (not (= d c)))
(define-sort Bytes () Int)
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(define-fun Walking () Phase
  9)
(declare-fun batch (Cpu) Bytes)
(define-fun handed.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining d) (< Walking (phase d))) (batch d) 0))
(define-fun Refilled () Phase
  14)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Refilled (phase d)))
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun handed.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining.next d) (< Walking (phase.next d))) (batch d) 0))
(assert (not (= (handed.of m d) (handed.of.next m d))))

(check-sat)
