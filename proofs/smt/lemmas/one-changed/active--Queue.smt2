; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/active--Queue
; Queue changes the sum active by what it changes for the one who acts. A drain queues `k` packets under the lock, and owes as many wake-ups.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(declare-fun k () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Out () Phase
  0)
(declare-fun receive-lock () Cpu)
(define-fun nobody () Cpu
  (- 1))
(assert (and (= (phase c) Out) (= receive-lock nobody) (< 0 k)))
(assert (not (= d c)))
(define-fun Receiving () Phase
  3)
(define-fun Spliced () Phase
  12)
(define-fun Finished () Phase
  22)
(define-fun Prepared () Phase
  17)
(define-fun Ready () Phase
  21)
(declare-fun woken (Cpu) Bool)
(define-fun active.of ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase d)) (<= (phase d) Spliced))
      (= (phase d) Finished)
      (and (<= Prepared (phase d)) (<= (phase d) Ready) (woken d)))
    1
    0))
(define-fun Waking () Phase
  1)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Waking (phase d)))
(define-fun active.of.next ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.next d)) (<= (phase.next d) Spliced))
      (= (phase.next d) Finished)
      (and (<= Prepared (phase.next d)) (<= (phase.next d) Ready) (woken d)))
    1
    0))
(assert (not (= (active.of d) (active.of.next d))))

(check-sat)
