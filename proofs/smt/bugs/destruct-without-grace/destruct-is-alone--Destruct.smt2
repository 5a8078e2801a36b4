; SPDX-License-Identifier: MIT OR Apache-2.0
; bugs/destruct-without-grace/destruct-is-alone--Destruct
; Seeded bug: The destructor does not wait for the CPUs inside. Destruct breaks destruct-is-alone: After the grace period no CPU is inside the socket.
; Expected: sat. Made by `cargo prove files`.
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

; Destruct: After the grace period the last reference goes, and the queues are spliced.
(assert (is-cpu c))
(assert (= life Open))
(define-fun Closing () Life
  1)
(define-fun life.next () Life
  Closing)

; What is to be shown does not hold after the step.
(define-fun destruct-is-alone.next ((d Cpu)) Bool
  (=> (and (not (= life.next Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (not (destruct-is-alone.next d)))

(check-sat)
