; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/admitted--ReadRmem
; ReadRmem changes the sum admitted by what it changes for the one who acts. The kernel's order: rmem_alloc first.
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
(define-fun Idle () Phase
  0)
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(declare-fun largest () Bytes)
(assert (and (= (phase c) Idle) (= life Open) (< 0 x) (<= x largest)))
(assert (not (= d c)))
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun HaveRmem () Phase
  1)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveRmem (phase d)))
(define-fun size.next ((d Cpu)) Bytes
  (ite (= d c) x (size d)))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase.next d) Admitted)) (size.next d) 0))
(assert (not (= (admitted.of m d) (admitted.of.next m d))))

(check-sat)
