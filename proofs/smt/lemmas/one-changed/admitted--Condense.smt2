; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/admitted--Condense
; Condense changes the sum admitted by what it changes for the one who acts. An admitted packet becomes smaller.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
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
(assert (not (= d c)))
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun size.next ((d Cpu)) Bytes
  (ite (= d c) x (size d)))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size.next d) 0))
(assert (not (= (admitted.of m d) (admitted.of.next m d))))

(check-sat)
