; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/node-counter-is-not-negative--follows
; A node's counter is never negative. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun in-flight (Node) Bytes)
(define-sort Index () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun arrived (Node) Index)
(declare-fun drained (Node) Index)
(define-fun node-counter ((m Node)) Bool
  (= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m))))))
(assert (node-counter m))
(define-sort Cpu () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(declare-fun node (Cpu) Node)
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(declare-fun size (Cpu) Bytes)
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun batch (Cpu) Bytes)
(define-fun in-flight.of ((m Node) (d Cpu)) Bytes
  (ite (not (= (node d) m)) 0 (ite (= (phase d) Charged) (size d) (ite (draining d) (batch d) 0))))
(define-fun in-flight-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (in-flight m))
    (=> (is-cpu d) (and (<= 0 (in-flight.of m d)) (<= (in-flight.of m d) (in-flight m))))))
(declare-fun receive-lock () Cpu)
(assert (in-flight-parts m receive-lock))
(declare-fun reader-lock () Cpu)
(assert (in-flight-parts m reader-lock))
(define-fun sent-grows ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j))))
(assert (sent-grows m (arrived m) (drained m)))
(assert (sent-grows m (drained m) (arrived m)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))

; What is to be shown does not hold.
(assert (not (<= 0 (counter m))))

(check-sat)
