; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/queue-range--DestructRelease
; Packets go from the receive queue to the reader queue to readers. DestructRelease: It gives back what it has summed so far, so that the sum fits 32 bits.
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

; DestructRelease: It gives back what it has summed so far, so that the sum fits 32 bits.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Closing () Life
  1)
(assert (= life Closing))
(declare-fun part (Node) Bytes)
(declare-fun share (Node) Bytes)
(assert (and (<= 0 (part (node c))) (<= (part (node c)) (share (node c)))))
(define-fun deficit.next () Bytes
  0)

; What is to be shown does not hold after the step.
(define-fun queue-range.next () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit.next)))
(assert (not queue-range.next))

(check-sat)
