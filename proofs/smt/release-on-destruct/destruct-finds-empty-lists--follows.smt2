; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destruct-finds-empty-lists--follows
; The destructor, which does not look at the lists, would find them empty. It follows from the clauses it needs.
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
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(define-fun Idle () Phase
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (destruct-is-alone (witness m)))
(declare-fun receive-lock () Cpu)
(assert (destruct-is-alone receive-lock))
(declare-fun reader-lock () Cpu)
(assert (destruct-is-alone reader-lock))

; What is to be shown does not hold.
(assert (not (=> (not (= life Open)) (= (drained m) (arrived m)))))

(check-sat)
