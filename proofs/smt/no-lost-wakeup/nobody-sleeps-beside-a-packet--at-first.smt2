; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/nobody-sleeps-beside-a-packet--at-first
; While a reader sleeps, each packet has a wake-up that is owed or an active reader. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-fun waiting ((d Cpu)) Bool
  false)
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Asleep () Phase
  20)
(define-fun receive () Int
  0)
(define-fun reader () Int
  0)
(define-fun twice () Int
  0)
(define-fun packets () Int
  (- (+ receive reader) twice))
(define-fun owed () Int
  0)
(define-fun active () Int
  0)
(define-fun nobody-sleeps-beside-a-packet ((d Cpu)) Bool
  (=> (and (is-cpu d) (waiting d) (= (phase d) Asleep)) (<= packets (+ owed active))))
(assert (not (nobody-sleeps-beside-a-packet d)))

(check-sat)
