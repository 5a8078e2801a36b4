; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/admitted--LockToRelease
; LockToRelease changes the sum admitted by what it changes for the one who acts. It takes the receive queue's lock to give back what is due.
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
(define-fun Due () Phase
  15)
(declare-fun receive-lock () Cpu)
(define-fun nobody () Cpu
  (- 1))
(assert (and (= (phase c) Due) (= receive-lock nobody)))
(assert (not (= d c)))
(define-sort Bytes () Int)
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun DueBoth () Phase
  16)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) DueBoth (phase d)))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase.next d) Admitted)) (size d) 0))
(assert (not (= (admitted.of m d) (admitted.of.next m d))))

(check-sat)
