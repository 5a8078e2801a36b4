; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/the-receive-lock-is-left--LookReader
; Who holds the receive queue's lock is inside it. LookReader: It looks at the reader queue, and sleeps if that is empty too.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)

; What is known before the step.
(declare-fun receive-lock () Cpu)
(define-fun nobody () Cpu
  (- 1))
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Refilling () Phase
  5)
(declare-fun phase (Cpu) Phase)
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
(define-fun the-receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert the-receive-lock-is-left)
(define-fun the-receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (the-receive-lock-is-held c))
(assert (the-receive-lock-is-held receive-lock))
(declare-fun reader-lock () Cpu)
(assert (the-receive-lock-is-held reader-lock))

; LookReader: It looks at the reader queue, and sleeps if that is empty too.
(assert (is-cpu c))
(define-fun Looked () Phase
  19)
(assert (= (phase c) Looked))
(declare-fun reader () Int)
(define-fun Asleep () Phase
  20)
(define-fun Ready () Phase
  21)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) (ite (= reader 0) Asleep Ready) (phase d)))

; What is to be shown does not hold after the step.
(define-fun has-receive-lock.next ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase.next d)) (<= (phase.next d) Refilled))
      (and (<= Splicing (phase.next d)) (<= (phase.next d) SplicedBoth))
      (= (phase.next d) EmptyBoth))))
(define-fun the-receive-lock-is-left.next () Bool
  (or (= receive-lock nobody) (has-receive-lock.next receive-lock)))
(assert (not the-receive-lock-is-left.next))

(check-sat)
