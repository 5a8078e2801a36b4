; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/queue-range--DequeueRefilled
; Packets go from the receive queue to the reader queue to readers. DequeueRefilled: It takes a packet with both locks held.
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
(assert (queue-grows head (+ head 1)))
(assert (queue-grows head spliced))
(assert (queue-grows head tail))
(assert (queue-grows (+ head 1) head))
(assert (queue-grows (+ head 1) spliced))
(assert (queue-grows (+ head 1) tail))
(assert (queue-grows spliced head))
(assert (queue-grows spliced (+ head 1)))
(assert (queue-grows spliced tail))
(assert (queue-grows tail head))
(assert (queue-grows tail (+ head 1)))
(assert (queue-grows tail spliced))

; DequeueRefilled: It takes a packet with both locks held.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Refilled () Phase
  14)
(assert (and (= (phase c) Refilled) (< head spliced)))
(define-fun head.next () Position
  (+ head 1))
(define-fun deficit.next () Bytes
  (+ deficit (- (bytes (+ head 1)) (bytes head))))

; What is to be shown does not hold after the step.
(define-fun queue-range.next () Bool
  (and (<= 0 head.next) (<= head.next spliced) (<= spliced tail) (<= 0 deficit.next)))
(assert (not queue-range.next))

(check-sat)
