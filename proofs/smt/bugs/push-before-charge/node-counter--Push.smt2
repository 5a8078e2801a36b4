; SPDX-License-Identifier: MIT OR Apache-2.0
; bugs/push-before-charge/node-counter--Push
; Seeded bug: The packet is on the list before the node's counter is raised. Push breaks node-counter: A node's counter is what was charged there, is listed or is being drained.
; Expected: sat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun in-flight (Node) Bytes)
(define-sort Index () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun arrived (Node) Index)
(declare-fun drained (Node) Index)
(define-fun node-counter ((m Node)) Bool
  (= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m))))))
(assert (node-counter m))
(assert (node-counter (node c)))
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
(assert (batch-range c))
(declare-fun receive-lock () Cpu)
(assert (batch-range receive-lock))
(declare-fun reader-lock () Cpu)
(assert (batch-range reader-lock))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
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
(assert (elected-has-packets c))
(assert (elected-has-packets receive-lock))
(assert (elected-has-packets reader-lock))

; Push: The packet is on the list; who found it empty is elected.
(assert (is-cpu c))
(define-fun Admitted () Phase
  4)
(assert (= (phase c) Admitted))
(define-fun Idle () Phase
  0)
(declare-fun size (Cpu) Bytes)
(define-fun Charged () Phase
  5)
(define-fun in-flight.of ((m Node) (d Cpu)) Bytes
  (ite (not (= (node d) m)) 0 (ite (= (phase d) Charged) (size d) (ite (draining d) (batch d) 0))))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) (ite (= (arrived (node c)) (drained (node c))) Elected Idle) (phase d)))
(define-fun sent.next ((m Node) (i Index)) Bytes
  (ite
    (and (= m (node c)) (= i (+ (arrived (node c)) 1)))
    (+ (sent (node c) (arrived (node c))) (size c))
    (sent m i)))
(define-fun arrived.next ((m Node)) Index
  (ite (= m (node c)) (+ (arrived (node c)) 1) (arrived m)))
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun in-flight.of.next ((m Node) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite (= (phase.next d) Charged) (size d) (ite (draining.next d) (batch d) 0))))
(define-fun in-flight.next ((m Node)) Bytes
  (+ (in-flight m) (- (in-flight.of.next m c) (in-flight.of m c))))

; What is to be shown does not hold after the step.
(define-fun node-counter.next ((m Node)) Bool
  (=
    (counter m)
    (+ (in-flight.next m) (- (sent.next m (arrived.next m)) (sent.next m (drained m))))))
(assert (not (node-counter.next m)))

(check-sat)
