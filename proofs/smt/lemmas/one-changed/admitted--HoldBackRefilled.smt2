; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/admitted--HoldBackRefilled
; HoldBackRefilled changes the sum admitted by what it changes for the one who acts. The release waits for more, with both locks held.
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
(define-fun DueBoth () Phase
  16)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(assert (and (= (phase c) DueBoth) (< head spliced)))
(assert (not (= d c)))
(define-sort Bytes () Int)
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun Leaving () Phase
  19)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Leaving (phase d)))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase.next d) Admitted)) (size d) 0))
(assert (not (= (admitted.of m d) (admitted.of.next m d))))

(check-sat)
