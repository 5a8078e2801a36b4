; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/in-flight--UnlockReceive
; UnlockReceive changes the sum in-flight by what it changes for the one who acts. It gives the receive queue's lock back.
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
(define-fun Leaving () Phase
  19)
(assert (= (phase c) Leaving))
(assert (not (= d c)))
(define-sort Bytes () Int)
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
(define-fun Left () Phase
  20)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Left (phase d)))
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun in-flight.of.next ((m Node) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite (= (phase.next d) Charged) (size d) (ite (draining.next d) (batch d) 0))))
(assert (not (= (in-flight.of m d) (in-flight.of.next m d))))

(check-sat)
