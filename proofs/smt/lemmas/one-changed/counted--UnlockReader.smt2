; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/counted--UnlockReader
; UnlockReader changes the sum counted by what it changes for the one who acts. It returns with a packet.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Got () Phase
  13)
(assert (= (phase c) Got))
(assert (not (= d c)))
(define-fun Announced () Phase
  18)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun Out () Phase
  0)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Out (phase d)))
(define-fun counted.of.next ((d Cpu)) Int
  (ite (and (<= Announced (phase.next d)) (<= (phase.next d) Interrupted)) 1 0))
(assert (not (= (counted.of d) (counted.of.next d))))

(check-sat)
