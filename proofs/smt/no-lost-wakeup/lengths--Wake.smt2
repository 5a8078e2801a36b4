; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/lengths--Wake
; The lengths are those of the queues, but for what a splice counts twice. Wake: It wakes a waiter `w`.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun w () Cpu)

; What is known before the step.
(declare-fun receive () Int)
(declare-fun twice () Int)
(declare-fun reader () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun RefillingTwice () Phase
  6)
(define-fun SplicingTwice () Phase
  10)
(define-fun splicing ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) RefillingTwice) (= (phase d) SplicingTwice))))
(declare-fun receive-lock () Cpu)
(define-fun lengths () Bool
  (and
    (<= 0 receive)
    (<= 0 twice)
    (<= twice reader)
    (= twice (ite (splicing receive-lock) receive 0))))
(assert lengths)
(define-fun Refilling () Phase
  5)
(define-fun Refilled () Phase
  7)
(define-fun Splicing () Phase
  9)
(define-fun SplicedBoth () Phase
  11)
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
(assert (the-receive-lock-is-held c))
(assert (the-receive-lock-is-held receive-lock))
(declare-fun reader-lock () Cpu)
(assert (the-receive-lock-is-held reader-lock))
(assert (the-receive-lock-is-held w))
(define-fun nobody () Cpu
  (- 1))
(define-fun the-receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert the-receive-lock-is-left)
(define-fun ReaderLocked () Phase
  4)
(define-fun EmptySeen () Phase
  15)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) EmptySeen)))
(define-fun the-reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (the-reader-lock-is-held c))
(assert (the-reader-lock-is-held receive-lock))
(assert (the-reader-lock-is-held reader-lock))
(assert (the-reader-lock-is-held w))
(define-fun Popped () Phase
  8)
(define-fun Spliced () Phase
  12)
(define-fun has-popped ((d Cpu)) Bool
  (and (is-cpu d) (<= Popped (phase d)) (<= (phase d) Spliced)))
(define-fun popped-is-counted ((d Cpu)) Bool
  (=> (has-popped d) (< 0 (- reader twice))))
(assert (popped-is-counted c))
(assert (popped-is-counted receive-lock))
(assert (popped-is-counted reader-lock))
(assert (popped-is-counted w))

; Wake: It wakes a waiter `w`.
(assert (is-cpu c))
(define-fun Ringing () Phase
  2)
(declare-fun waiting (Cpu) Bool)
(assert (and (= (phase c) Ringing) (is-cpu w) (waiting w)))
(define-fun Waking () Phase
  1)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Waking (phase d)))

; What is to be shown does not hold after the step.
(define-fun splicing.next ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase.next d) RefillingTwice) (= (phase.next d) SplicingTwice))))
(define-fun lengths.next () Bool
  (and
    (<= 0 receive)
    (<= 0 twice)
    (<= twice reader)
    (= twice (ite (splicing.next receive-lock) receive 0))))
(assert (not lengths.next))

(check-sat)
