; SPDX-License-Identifier: MIT OR Apache-2.0
; bugs/splice-without-lock/receive-lock-is-held--LockToRefill
; Seeded bug: A reader refills without the receive queue's lock. LockToRefill breaks receive-lock-is-held: A CPU inside the receive queue's lock holds it, so that there is one.
; Expected: sat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Locked () Phase
  7)
(define-fun Walking () Phase
  9)
(define-fun Added () Phase
  10)
(define-fun Refilling () Phase
  13)
(define-fun Refilled () Phase
  14)
(define-fun DueBoth () Phase
  16)
(define-fun Leaving () Phase
  19)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (= (phase d) Locked)
      (= (phase d) Walking)
      (= (phase d) Added)
      (= (phase d) Refilling)
      (= (phase d) Refilled)
      (and (<= DueBoth (phase d)) (<= (phase d) Leaving)))))
(declare-fun receive-lock () Cpu)
(define-fun receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (receive-lock-is-held d))
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(declare-fun reader-lock () Cpu)
(assert (receive-lock-is-held reader-lock))

; LockToRefill: The reader queue is empty: it takes the receive queue's lock too.
(assert (is-cpu c))
(define-fun ReaderLocked () Phase
  12)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(assert (and (= (phase c) ReaderLocked) (= head spliced)))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Refilling (phase d)))
(define-fun receive-lock.next () Cpu
  receive-lock)

; What is to be shown does not hold after the step.
(define-fun has-receive-lock.next ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (= (phase.next d) Locked)
      (= (phase.next d) Walking)
      (= (phase.next d) Added)
      (= (phase.next d) Refilling)
      (= (phase.next d) Refilled)
      (and (<= DueBoth (phase.next d)) (<= (phase.next d) Leaving)))))
(define-fun receive-lock-is-held.next ((d Cpu)) Bool
  (=> (has-receive-lock.next d) (= receive-lock.next d)))
(assert (not (receive-lock-is-held.next d)))

(check-sat)
