; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/queue-grows--Queue
; Each packet of the queues has bytes. Queue: The next packet is queued.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Position () Int)
(declare-fun p () Position)
(declare-fun q () Position)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun tail () Position)
(define-sort Bytes () Int)
(declare-fun bytes (Position) Bytes)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(assert (queue-grows p q))
(assert (queue-grows p tail))
(declare-fun spliced () Position)
(assert (queue-grows p spliced))
(declare-fun head () Position)
(assert (queue-grows p head))
(assert (queue-grows q p))
(assert (queue-grows q tail))
(assert (queue-grows q spliced))
(assert (queue-grows q head))
(assert (queue-grows tail p))
(assert (queue-grows tail q))
(assert (queue-grows tail spliced))
(assert (queue-grows tail head))
(assert (queue-grows spliced p))
(assert (queue-grows spliced q))
(assert (queue-grows spliced tail))
(assert (queue-grows spliced head))
(assert (queue-grows head p))
(assert (queue-grows head q))
(assert (queue-grows head tail))
(assert (queue-grows head spliced))
(define-sort Index () Int)
(declare-fun arrived (Node) Index)
(declare-fun sent (Node Index) Bytes)
(define-fun sent-grows ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j))))
(declare-fun at (Cpu) Index)
(assert (sent-grows (node c) (at c) (+ (at c) 1)))
(declare-fun lo (Cpu) Index)
(assert (sent-grows (node c) (at c) (lo c)))
(declare-fun hi (Cpu) Index)
(assert (sent-grows (node c) (at c) (hi c)))
(assert (sent-grows (node c) (+ (at c) 1) (at c)))
(assert (sent-grows (node c) (+ (at c) 1) (lo c)))
(assert (sent-grows (node c) (+ (at c) 1) (hi c)))
(assert (sent-grows (node c) (lo c) (at c)))
(assert (sent-grows (node c) (lo c) (+ (at c) 1)))
(assert (sent-grows (node c) (lo c) (hi c)))
(assert (sent-grows (node c) (hi c) (at c)))
(assert (sent-grows (node c) (hi c) (+ (at c) 1)))
(assert (sent-grows (node c) (hi c) (lo c)))
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
(assert (batch-range c))
(declare-fun receive-lock () Cpu)
(assert (batch-range receive-lock))
(declare-fun reader-lock () Cpu)
(assert (batch-range reader-lock))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (node c)))
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)

; Queue: The next packet is queued.
(assert (is-cpu c))
(declare-fun forward () Bytes)
(assert (and
    (= (phase c) Walking)
    (< (at c) (hi c))
    (<= (- (sent (node c) (+ (at c) 1)) (sent (node c) (at c))) forward)))
(define-fun bytes.next ((p Position)) Bytes
  (ite
    (= p (+ tail 1))
    (+ (bytes tail) (- (sent (node c) (+ (at c) 1)) (sent (node c) (at c))))
    (bytes p)))
(define-fun tail.next () Position
  (+ tail 1))

; What is to be shown does not hold after the step.
(define-fun queue-grows.next ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail.next)) (< (bytes.next p) (bytes.next q))))
(assert (not (queue-grows.next p q)))

(check-sat)
