; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destruct-is-alone--HoldBack
; After the grace period no CPU is inside the socket. HoldBack: The release waits for more.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Idle () Phase
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (destruct-is-alone d))
(assert (destruct-is-alone c))
(declare-fun receive-lock () Cpu)
(assert (destruct-is-alone receive-lock))
(declare-fun reader-lock () Cpu)
(assert (destruct-is-alone reader-lock))

; HoldBack: The release waits for more.
(assert (is-cpu c))
(define-fun Due () Phase
  15)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(assert (and (= (phase c) Due) (< head spliced)))
(define-fun Left () Phase
  20)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Left (phase d)))

; What is to be shown does not hold after the step.
(define-fun destruct-is-alone.next ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase.next d) Idle)))
(assert (not (destruct-is-alone.next d)))

(check-sat)
