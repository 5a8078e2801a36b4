; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/receive-lock-is-left--Splice
; Who holds the receive queue's lock is inside it. Splice: It moves the receive queue's packets to the reader queue.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun receive-lock () Cpu)
(define-fun nobody () Cpu
  (- 1))
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
(define-fun receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert receive-lock-is-left)
(define-fun receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(declare-fun reader-lock () Cpu)
(assert (receive-lock-is-held reader-lock))

; Splice: It moves the receive queue's packets to the reader queue.
(assert (is-cpu c))
(define-fun Released () Phase
  18)
(assert (= (phase c) Released))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Leaving (phase d)))

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
(define-fun receive-lock-is-left.next () Bool
  (or (= receive-lock nobody) (has-receive-lock.next receive-lock)))
(assert (not receive-lock-is-left.next))

(check-sat)
