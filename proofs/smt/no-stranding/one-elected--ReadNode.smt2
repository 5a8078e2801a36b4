; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/one-elected--ReadNode
; A node has at most one elected CPU. ReadNode: The own node's counter first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun e () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun x () Bytes)

; What is known before the step.
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
(define-fun one-elected ((d Cpu) (e Cpu)) Bool
  (=> (and (elected d) (elected e) (= (node d) (node e))) (= d e)))
(assert (one-elected d e))
(assert (one-elected d c))
(declare-fun receive-lock () Cpu)
(assert (one-elected d receive-lock))
(declare-fun reader-lock () Cpu)
(assert (one-elected d reader-lock))
(assert (one-elected e d))
(assert (one-elected e c))
(assert (one-elected e receive-lock))
(assert (one-elected e reader-lock))
(assert (one-elected c d))
(assert (one-elected c e))
(assert (one-elected c receive-lock))
(assert (one-elected c reader-lock))
(assert (one-elected receive-lock d))
(assert (one-elected receive-lock e))
(assert (one-elected receive-lock c))
(assert (one-elected receive-lock reader-lock))
(assert (one-elected reader-lock d))
(assert (one-elected reader-lock e))
(assert (one-elected reader-lock c))
(assert (one-elected reader-lock receive-lock))
(define-sort Index () Int)
(declare-fun drained (Node) Index)
(declare-fun arrived (Node) Index)
(define-fun elected-has-packets ((d Cpu)) Bool
  (=> (elected d) (< (drained (node d)) (arrived (node d)))))
(assert (elected-has-packets d))
(assert (elected-has-packets e))
(assert (elected-has-packets c))
(assert (elected-has-packets receive-lock))
(assert (elected-has-packets reader-lock))

; ReadNode: The own node's counter first.
(assert (is-cpu c))
(define-fun Idle () Phase
  0)
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(declare-fun largest () Bytes)
(assert (and (= (phase c) Idle) (= life Open) (< 0 x) (<= x largest)))
(define-fun HaveNode () Phase
  2)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveNode (phase d)))

; What is to be shown does not hold after the step.
(define-fun elected.next ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase.next d) Elected) (= (phase.next d) Locked))))
(define-fun one-elected.next ((d Cpu) (e Cpu)) Bool
  (=> (and (elected.next d) (elected.next e) (= (node d) (node e))) (= d e)))
(assert (not (one-elected.next d e)))

(check-sat)
