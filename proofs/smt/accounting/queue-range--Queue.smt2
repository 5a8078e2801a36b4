; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/queue-range--Queue
; Packets go from the receive queue to the reader queue to readers. Queue: The next packet is queued.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(declare-fun tail () Position)
(define-sort Bytes () Int)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(declare-fun bytes (Position) Bytes)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(assert (queue-grows tail spliced))
(assert (queue-grows tail head))
(assert (queue-grows spliced tail))
(assert (queue-grows spliced head))
(assert (queue-grows head tail))
(assert (queue-grows head spliced))

; Queue: The next packet is queued.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Walking () Phase
  9)
(define-sort Index () Int)
(declare-fun at (Cpu) Index)
(declare-fun hi (Cpu) Index)
(declare-fun sent (Node Index) Bytes)
(declare-fun forward () Bytes)
(assert (and
    (= (phase c) Walking)
    (< (at c) (hi c))
    (<= (- (sent (node c) (+ (at c) 1)) (sent (node c) (at c))) forward)))
(define-fun tail.next () Position
  (+ tail 1))

; What is to be shown does not hold after the step.
(define-fun queue-range.next () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail.next) (<= 0 deficit)))
(assert (not queue-range.next))

(check-sat)
