; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/all-nodes/node-share-bound--follows
; A node's part of rmem_alloc and what is charged there and not yet in it: max(B, s) + (C_m - 1) s. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(define-sort Bytes () Int)
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(declare-fun limit () Bytes)
(declare-fun largest () Bytes)
(declare-fun share (Node) Bytes)
(declare-fun counter (Node) Bytes)
(declare-fun handed (Node) Bytes)
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(declare-fun claims (Node Bytes) Bytes)
(declare-fun node-cpus*largest (Node) Bytes)
(define-fun claims-are-bounded ((m Node) (t Bytes)) Bool
  (=>
    (and (is-node m) (<= (- limit largest (share m)) t))
    (<= (+ (fresh m) (claims m t)) (+ t (node-cpus*largest m)))))
(assert (claims-are-bounded m (- limit largest (share m))))
(define-sort Cpu () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(declare-fun node (Cpu) Node)
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
(define-fun HaveNode () Phase
  2)
(define-fun HaveOthers () Phase
  3)
(declare-fun seen (Cpu) Bytes)
(define-fun claims.of ((m Node) (t Bytes) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite
      (= (phase d) Admitted)
      (size d)
      (ite
        (and
          (or (= (phase d) HaveNode) (= (phase d) HaveOthers))
          (<= (- (+ (seen d) (size d)) largest) t))
        (size d)
        0))))
(define-fun claims-parts ((m Node) (t Bytes) (d Cpu)) Bool
  (and
    (<= 0 (claims m t))
    (<= (claims m t) (node-cpus*largest m))
    (=>
      (and (is-cpu d) (= (node d) m))
      (and
        (<= (claims.of m t d) (claims m t))
        (<= (claims m t) (+ (- (node-cpus*largest m) largest) (claims.of m t d)))))))
(declare-fun receive-lock () Cpu)
(assert (claims-parts m (- limit largest (share m)) receive-lock))
(declare-fun reader-lock () Cpu)
(assert (claims-parts m (- limit largest (share m)) reader-lock))
(declare-fun in-flight (Node) Bytes)
(define-fun handed-is-in-flight ((m Node)) Bool
  (<= (handed m) (in-flight m)))
(assert (handed-is-in-flight m))
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
(assert (not
    (=>
      (is-node m)
      (and
        (<= 0 (fresh m))
        (<= (+ (share m) (fresh m)) (- (+ limit (node-cpus*largest m)) largest))))))

(check-sat)
