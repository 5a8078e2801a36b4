; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/aside-range--Free
; A chain is empty at first and when its drain ends. Free: A packet without memory is freed.
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

; Free: A packet without memory is freed.
(assert (is-cpu c))
(assert (and (= (phase c) Unlocked) (< 0 (aside c))))
(define-fun aside.next ((d Cpu)) Slot
  (ite (= d c) (- (aside c) 1) (aside d)))

; What is to be shown does not hold after the step.
(define-fun aside-range.next ((d Cpu)) Bool
  (=> (draining d) (<= 0 (aside.next d))))
(assert (not (aside-range.next d)))

(check-sat)
