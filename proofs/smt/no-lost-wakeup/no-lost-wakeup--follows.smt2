; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/no-lost-wakeup--follows
; When drains owe no wake-up and no reader is active, no packet is queued while a reader sleeps. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; What is known.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(declare-fun waiting (Cpu) Bool)
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Asleep () Phase
  20)
(declare-fun receive () Int)
(declare-fun reader () Int)
(declare-fun twice () Int)
(define-fun packets () Int
  (- (+ receive reader) twice))
(declare-fun owed () Int)
(declare-fun active () Int)
(define-fun nobody-sleeps-beside-a-packet ((d Cpu)) Bool
  (=> (and (is-cpu d) (waiting d) (= (phase d) Asleep)) (<= packets (+ owed active))))
(assert (nobody-sleeps-beside-a-packet d))
(declare-fun receive-lock () Cpu)
(assert (nobody-sleeps-beside-a-packet receive-lock))
(declare-fun reader-lock () Cpu)
(assert (nobody-sleeps-beside-a-packet reader-lock))

; What is to be shown does not hold.
(assert (not
    (=> (and (is-cpu d) (waiting d) (= (phase d) Asleep) (= owed 0) (= active 0)) (<= packets 0))))

(check-sat)
