; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/accepted-range--ReadRmem
; What a drain has queued is a part of what it has walked. ReadRmem: The kernel's order: rmem_alloc first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
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
(define-fun Taken () Phase
  8)
(declare-fun phase (Cpu) Phase)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun accepted (Cpu) Bytes)
(define-sort Index () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun at (Cpu) Index)
(declare-fun lo (Cpu) Index)
(define-fun accepted-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (accepted d))
      (<= (accepted d) (- (sent (node d) (at d)) (sent (node d) (lo d))))
      (=> (= (phase d) Taken) (= (accepted d) 0)))))
(assert (accepted-range d))
(assert (accepted-range c))
(declare-fun receive-lock () Cpu)
(assert (accepted-range receive-lock))
(declare-fun reader-lock () Cpu)
(assert (accepted-range reader-lock))
(declare-fun hi (Cpu) Index)
(declare-fun drained (Node) Index)
(declare-fun batch (Cpu) Bytes)
(define-fun Walking () Phase
  9)
(define-fun batch-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (lo d))
      (< (lo d) (hi d))
      (<= (lo d) (at d))
      (<= (at d) (hi d))
      (<= (hi d) (drained (node d)))
      (= (batch d) (- (sent (node d) (hi d)) (sent (node d) (lo d))))
      (=> (< Walking (phase d)) (= (at d) (hi d))))))
(assert (batch-range d))
(assert (batch-range c))
(assert (batch-range receive-lock))
(assert (batch-range reader-lock))
(declare-fun arrived (Node) Index)
(define-fun sent-grows ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j))))
(assert (sent-grows (node d) (at d) (lo d)))
(assert (sent-grows (node d) (lo d) (at d)))
(assert (sent-grows (node c) (at d) (lo d)))
(assert (sent-grows (node c) (lo d) (at d)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (node d)))
(assert (list-range (node c)))

; ReadRmem: The kernel's order: rmem_alloc first.
(assert (is-cpu c))
(define-fun Idle () Phase
  0)
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(declare-fun largest () Bytes)
(assert (and (= (phase c) Idle) (= life Open) (< 0 x) (<= x largest)))
(define-fun HaveRmem () Phase
  1)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveRmem (phase d)))

; What is to be shown does not hold after the step.
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun accepted-range.next ((d Cpu)) Bool
  (=>
    (draining.next d)
    (and
      (<= 0 (accepted d))
      (<= (accepted d) (- (sent (node d) (at d)) (sent (node d) (lo d))))
      (=> (= (phase.next d) Taken) (= (accepted d) 0)))))
(assert (not (accepted-range.next d)))

(check-sat)
