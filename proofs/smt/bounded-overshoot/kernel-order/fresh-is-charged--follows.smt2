; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/kernel-order/fresh-is-charged--follows
; What a node has under way is not negative, and at most the limit and one packet for each other CPU. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun admitted (Node) Bytes)
(declare-fun limit () Bytes)
(declare-fun node-cpus*largest (Node) Bytes)
(declare-fun largest () Bytes)
(define-fun node-and-admitted ((m Node)) Bool
  (=> (is-node m) (<= (+ (counter m) (admitted m)) (- (+ limit (node-cpus*largest m)) largest))))
(assert (node-and-admitted m))
(declare-fun handed (Node) Bytes)
(declare-fun in-flight (Node) Bytes)
(define-fun handed-is-in-flight ((m Node)) Bool
  (<= (handed m) (in-flight m)))
(assert (handed-is-in-flight m))
(define-sort Cpu () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(declare-fun node (Cpu) Node)
(define-sort Phase () Int)
(define-fun Taken () Phase
  8)
(declare-fun phase (Cpu) Phase)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(define-fun Walking () Phase
  9)
(declare-fun batch (Cpu) Bytes)
(define-fun handed.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining d) (< Walking (phase d))) (batch d) 0))
(define-fun handed-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (handed m))
    (=> (is-cpu d) (and (<= 0 (handed.of m d)) (<= (handed.of m d) (handed m))))))
(declare-fun receive-lock () Cpu)
(assert (handed-parts m receive-lock))
(declare-fun reader-lock () Cpu)
(assert (handed-parts m reader-lock))
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun admitted-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (admitted m))
    (<= (admitted m) (node-cpus*largest m))
    (=>
      (and (is-cpu d) (= (node d) m))
      (and
        (<= (admitted.of m d) (admitted m))
        (<= (admitted m) (+ (- (node-cpus*largest m) largest) (admitted.of m d)))))))
(assert (admitted-parts m receive-lock))
(assert (admitted-parts m reader-lock))
(define-sort Index () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun arrived (Node) Index)
(declare-fun drained (Node) Index)
(define-fun node-counter ((m Node)) Bool
  (= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m))))))
(assert (node-counter m))
(define-fun sent-grows ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j))))
(assert (sent-grows m (arrived m) (drained m)))
(assert (sent-grows m (drained m) (arrived m)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))

; What is to be shown does not hold.
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(define-fun under-way.of ((m Node)) Bytes
  (+ (fresh m) (admitted m)))
(assert (not
    (and
      (<= 0 (under-way.of m))
      (=> (is-node m) (<= (under-way.of m) (- (+ limit (node-cpus*largest m)) largest))))))

(check-sat)
