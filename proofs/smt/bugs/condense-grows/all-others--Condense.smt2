; SPDX-License-Identifier: MIT OR Apache-2.0
; bugs/condense-grows/all-others--Condense
; Seeded bug: Condensing makes a packet larger. Condense keeps every other clause that it touches: size-is-positive, node-counter, size-is-at-most-largest.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(define-sort Node () Int)
(declare-fun m () Node)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun x () Bytes)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun HaveRmem () Phase
  1)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(declare-fun size (Cpu) Bytes)
(define-fun size-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size d))))
(assert (size-is-positive d))
(assert (size-is-positive c))
(declare-fun receive-lock () Cpu)
(assert (size-is-positive receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-positive reader-lock))
(declare-fun counter (Node) Bytes)
(declare-fun in-flight (Node) Bytes)
(define-sort Index () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun arrived (Node) Index)
(declare-fun drained (Node) Index)
(define-fun node-counter ((m Node)) Bool
  (= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m))))))
(assert (node-counter (node d)))
(assert (node-counter m))
(assert (node-counter (node c)))
(declare-fun largest () Bytes)
(define-fun size-is-at-most-largest ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (size-is-at-most-largest d))
(assert (size-is-at-most-largest c))
(assert (size-is-at-most-largest receive-lock))
(assert (size-is-at-most-largest reader-lock))
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun lo (Cpu) Index)
(declare-fun hi (Cpu) Index)
(declare-fun at (Cpu) Index)
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
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (node d)))
(assert (list-range m))
(assert (list-range (node c)))
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(define-fun elected-has-packets ((d Cpu)) Bool
  (=> (elected d) (< (drained (node d)) (arrived (node d)))))
(assert (elected-has-packets d))
(assert (elected-has-packets c))
(assert (elected-has-packets receive-lock))
(assert (elected-has-packets reader-lock))

; Condense: An admitted packet becomes smaller.
(assert (is-cpu c))
(define-fun Admitted () Phase
  4)
(assert (and (= (phase c) Admitted) (< 0 x) (<= x largest)))
(define-fun in-flight.of ((m Node) (d Cpu)) Bytes
  (ite (not (= (node d) m)) 0 (ite (= (phase d) Charged) (size d) (ite (draining d) (batch d) 0))))
(define-fun size.next ((d Cpu)) Bytes
  (ite (= d c) x (size d)))
(define-fun in-flight.of.next ((m Node) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite (= (phase d) Charged) (size.next d) (ite (draining d) (batch d) 0))))
(define-fun in-flight.next ((m Node)) Bytes
  (+ (in-flight m) (- (in-flight.of.next m c) (in-flight.of m c))))

; What is to be shown does not hold after the step.
(define-fun size-is-positive.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size.next d))))
(define-fun node-counter.next ((m Node)) Bool
  (= (counter m) (+ (in-flight.next m) (- (sent m (arrived m)) (sent m (drained m))))))
(define-fun size-is-at-most-largest.next ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size.next d)) (<= (size.next d) largest))))
(assert (not (and (size-is-positive.next d) (node-counter.next m) (size-is-at-most-largest.next d))))

(check-sat)
