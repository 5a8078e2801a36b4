; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/refilled-is-all--Empty
; A reader that has refilled, and holds both locks, has left nothing in the receive queue. Empty: Both queues are empty.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Refilled () Phase
  7)
(define-fun SplicedBoth () Phase
  11)
(declare-fun receive () Int)
(define-fun refilled-is-all ((d Cpu)) Bool
  (=> (and (is-cpu d) (or (= (phase d) Refilled) (= (phase d) SplicedBoth))) (= receive 0)))
(assert (refilled-is-all d))
(assert (refilled-is-all c))
(declare-fun receive-lock () Cpu)
(assert (refilled-is-all receive-lock))
(declare-fun reader-lock () Cpu)
(assert (refilled-is-all reader-lock))
(declare-fun twice () Int)
(declare-fun reader () Int)
(define-fun RefillingTwice () Phase
  6)
(define-fun SplicingTwice () Phase
  10)
(define-fun splicing ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) RefillingTwice) (= (phase d) SplicingTwice))))
(define-fun lengths () Bool
  (and
    (<= 0 receive)
    (<= 0 twice)
    (<= twice reader)
    (= twice (ite (splicing receive-lock) receive 0))))
(assert lengths)
(define-fun Refilling () Phase
  5)
(define-fun Splicing () Phase
  9)
(define-fun EmptyBoth () Phase
  14)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase d)) (<= (phase d) Refilled))
      (and (<= Splicing (phase d)) (<= (phase d) SplicedBoth))
      (= (phase d) EmptyBoth))))
(define-fun the-receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (the-receive-lock-is-held d))
(assert (the-receive-lock-is-held c))
(assert (the-receive-lock-is-held receive-lock))
(assert (the-receive-lock-is-held reader-lock))

; Empty: Both queues are empty.
(assert (is-cpu c))
(assert (and (= (phase c) Refilled) (= reader 0)))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) EmptyBoth (phase d)))

; What is to be shown does not hold after the step.
(define-fun refilled-is-all.next ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (or (= (phase.next d) Refilled) (= (phase.next d) SplicedBoth)))
    (= receive 0)))
(assert (not (refilled-is-all.next d)))

(check-sat)
