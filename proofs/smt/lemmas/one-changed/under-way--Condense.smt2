; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/under-way--Condense
; Condense changes the sum under-way by what it changes for the one who acts. An admitted packet becomes smaller.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun x () Bytes)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
(assert (and (= (phase c) Admitted) (< 0 x) (<= x (size c))))
(assert (not (= m (node c))))
(declare-fun counter (Node) Bytes)
(declare-fun handed (Node) Bytes)
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(declare-fun admitted (Node) Bytes)
(define-fun under-way.of ((m Node)) Bytes
  (+ (fresh m) (admitted m)))
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun size.next ((d Cpu)) Bytes
  (ite (= d c) x (size d)))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size.next d) 0))
(define-fun admitted.next ((m Node)) Bytes
  (+ (admitted m) (- (admitted.of.next m c) (admitted.of m c))))
(define-fun under-way.of.next ((m Node)) Bytes
  (+ (fresh m) (admitted.next m)))
(assert (not (= (under-way.of m) (under-way.of.next m))))

(check-sat)
