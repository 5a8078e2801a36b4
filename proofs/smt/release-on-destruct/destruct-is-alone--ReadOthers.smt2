; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destruct-is-alone--ReadOthers
; After the grace period no CPU is inside the socket. ReadOthers: The socket is more than half full: the other nodes' counters, whose sum is no less than 0.
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

; ReadOthers: The socket is more than half full: the other nodes' counters, whose sum is no less than 0.
(assert (is-cpu c))
(define-fun HaveNode () Phase
  2)
(assert (= (phase c) HaveNode))
(define-fun HaveOthers () Phase
  3)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveOthers (phase d)))

; What is to be shown does not hold after the step.
(define-fun destruct-is-alone.next ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase.next d) Idle)))
(assert (not (destruct-is-alone.next d)))

(check-sat)
