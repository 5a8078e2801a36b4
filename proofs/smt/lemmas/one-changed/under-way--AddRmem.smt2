; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/under-way--AddRmem
; AddRmem changes the sum under-way by what it changes for the one who acts. The batch's bytes are added to rmem_alloc.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Walking () Phase
  9)
(define-sort Index () Int)
(declare-fun at (Cpu) Index)
(declare-fun hi (Cpu) Index)
(assert (and (= (phase c) Walking) (= (at c) (hi c))))
(assert (not (= m (node c))))
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun handed (Node) Bytes)
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(declare-fun admitted (Node) Bytes)
(define-fun under-way.of ((m Node)) Bytes
  (+ (fresh m) (admitted m)))
(define-fun Added () Phase
  10)
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun batch (Cpu) Bytes)
(define-fun handed.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining d) (< Walking (phase d))) (batch d) 0))
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Added (phase d)))
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun handed.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining.next d) (< Walking (phase.next d))) (batch d) 0))
(define-fun handed.next ((m Node)) Bytes
  (+ (handed m) (- (handed.of.next m c) (handed.of m c))))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase.next d) Admitted)) (size d) 0))
(define-fun admitted.next ((m Node)) Bytes
  (+ (admitted m) (- (admitted.of.next m c) (admitted.of m c))))
(define-fun fresh.next ((m Node)) Bytes
  (- (counter m) (handed.next m)))
(define-fun under-way.of.next ((m Node)) Bytes
  (+ (fresh.next m) (admitted.next m)))
(assert (not (= (under-way.of m) (under-way.of.next m))))

(check-sat)
