; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/aside-range--TakeAll
; A chain is empty at first and when its drain ends. TakeAll: The elected CPU takes the whole list.
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

; TakeAll: The elected CPU takes the whole list.
(assert (is-cpu c))
(define-fun Locked () Phase
  7)
(assert (= (phase c) Locked))
(define-fun Walking () Phase
  9)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Walking (phase d)))
(define-fun aside.next ((d Cpu)) Slot
  (ite (= d c) 0 (aside d)))

; What is to be shown does not hold after the step.
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun aside-range.next ((d Cpu)) Bool
  (=> (draining.next d) (<= 0 (aside.next d))))
(assert (not (aside-range.next d)))

(check-sat)
