; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/idle-means-empty--follows
; When no CPU is inside enqueue every list is empty. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(define-sort Index () Int)
(declare-fun drained (Node) Index)
(declare-fun arrived (Node) Index)
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(define-sort Cpu () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(declare-fun witness (Node) Cpu)
(declare-fun node (Cpu) Node)
(define-fun list-has-elected ((m Node)) Bool
  (=> (< (drained m) (arrived m)) (and (elected (witness m)) (= (node (witness m)) m))))
(assert (list-has-elected m))

; What is to be shown does not hold.
(define-fun Idle () Phase
  0)
(assert (not (=> (and (<= 0 (witness m)) (= (phase (witness m)) Idle)) (= (drained m) (arrived m)))))

(check-sat)
