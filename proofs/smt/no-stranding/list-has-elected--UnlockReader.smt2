; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/list-has-elected--UnlockReader
; A list that is not empty has an elected CPU, which has not taken it. UnlockReader: It gives the reader queue's lock back.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Index () Int)
(declare-fun drained (Node) Index)
(declare-fun arrived (Node) Index)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(declare-fun witness (Node) Cpu)
(define-fun list-has-elected ((m Node)) Bool
  (=> (< (drained m) (arrived m)) (and (elected (witness m)) (= (node (witness m)) m))))
(assert (list-has-elected m))
(assert (list-has-elected (node c)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))
(define-fun one-elected ((d Cpu) (e Cpu)) Bool
  (=> (and (elected d) (elected e) (= (node d) (node e))) (= d e)))
(assert (one-elected (witness m) c))
(declare-fun receive-lock () Cpu)
(assert (one-elected (witness m) receive-lock))
(declare-fun reader-lock () Cpu)
(assert (one-elected (witness m) reader-lock))
(assert (one-elected c (witness m)))
(assert (one-elected c receive-lock))
(assert (one-elected c reader-lock))
(assert (one-elected receive-lock (witness m)))
(assert (one-elected receive-lock c))
(assert (one-elected receive-lock reader-lock))
(assert (one-elected reader-lock (witness m)))
(assert (one-elected reader-lock c))
(assert (one-elected reader-lock receive-lock))

; UnlockReader: It gives the reader queue's lock back.
(assert (is-cpu c))
(define-fun Left () Phase
  20)
(assert (= (phase c) Left))
(define-fun Idle () Phase
  0)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Idle (phase d)))

; What is to be shown does not hold after the step.
(define-fun elected.next ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase.next d) Elected) (= (phase.next d) Locked))))
(define-fun list-has-elected.next ((m Node)) Bool
  (=> (< (drained m) (arrived m)) (and (elected.next (witness m)) (= (node (witness m)) m))))
(assert (not (list-has-elected.next m)))

(check-sat)
