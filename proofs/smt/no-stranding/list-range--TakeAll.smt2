; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/list-range--TakeAll
; What was drained had arrived. TakeAll: The elected CPU takes the whole list.
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
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))
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
(define-fun elected-has-packets ((d Cpu)) Bool
  (=> (elected d) (< (drained (node d)) (arrived (node d)))))
(assert (elected-has-packets c))
(declare-fun receive-lock () Cpu)
(assert (elected-has-packets receive-lock))
(declare-fun reader-lock () Cpu)
(assert (elected-has-packets reader-lock))

; TakeAll: The elected CPU takes the whole list.
(assert (is-cpu c))
(assert (= (phase c) Locked))
(define-fun drained.next ((m Node)) Index
  (ite (= m (node c)) (arrived (node c)) (drained m)))

; What is to be shown does not hold after the step.
(define-fun list-range.next ((m Node)) Bool
  (and (<= 0 (drained.next m)) (<= (drained.next m) (arrived m))))
(assert (not (list-range.next m)))

(check-sat)
