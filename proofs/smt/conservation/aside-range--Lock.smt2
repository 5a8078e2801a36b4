; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/aside-range--Lock
; A chain is empty at first and when its drain ends. Lock: The elected CPU takes the receive queue's lock.
; Expected: unsat. Made by `cargo prove files`.
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
(define-fun Taken () Phase
  8)
(declare-fun phase (Cpu) Phase)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(define-sort Slot () Int)
(declare-fun aside (Cpu) Slot)
(define-fun aside-range ((d Cpu)) Bool
  (=> (draining d) (<= 0 (aside d))))
(assert (aside-range d))
(assert (aside-range c))
(declare-fun receive-lock () Cpu)
(assert (aside-range receive-lock))
(declare-fun reader-lock () Cpu)
(assert (aside-range reader-lock))

; Lock: The elected CPU takes the receive queue's lock.
(assert (is-cpu c))
(define-fun Elected () Phase
  6)
(define-fun nobody () Cpu
  (- 1))
(assert (and (= (phase c) Elected) (= receive-lock nobody)))
(define-fun Locked () Phase
  7)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Locked (phase d)))

; What is to be shown does not hold after the step.
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun aside-range.next ((d Cpu)) Bool
  (=> (draining.next d) (<= 0 (aside d))))
(assert (not (aside-range.next d)))

(check-sat)
