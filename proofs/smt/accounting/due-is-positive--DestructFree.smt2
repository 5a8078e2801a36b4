; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/due-is-positive--DestructFree
; A reader gives back some bytes. DestructFree: It frees a packet.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Due () Phase
  15)
(declare-fun phase (Cpu) Phase)
(define-fun Returned () Phase
  17)
(define-sort Bytes () Int)
(declare-fun deficit () Bytes)
(define-fun due-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= Due (phase d)) (<= (phase d) Returned)) (< 0 deficit)))
(assert (due-is-positive d))
(assert (due-is-positive c))
(declare-fun receive-lock () Cpu)
(assert (due-is-positive receive-lock))
(declare-fun reader-lock () Cpu)
(assert (due-is-positive reader-lock))
(define-sort Position () Int)
(declare-fun tail () Position)
(declare-fun bytes (Position) Bytes)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(declare-fun head () Position)
(assert (queue-grows head (+ head 1)))
(declare-fun spliced () Position)
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
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun ReaderLocked () Phase
  12)
(define-fun Left () Phase
  20)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) Left)))
(define-fun reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (reader-lock-is-held d))
(assert (reader-lock-is-held c))
(assert (reader-lock-is-held receive-lock))
(assert (reader-lock-is-held reader-lock))
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(define-fun Idle () Phase
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (destruct-is-alone d))
(assert (destruct-is-alone c))
(assert (destruct-is-alone receive-lock))
(assert (destruct-is-alone reader-lock))

; DestructFree: It frees a packet.
(assert (is-cpu c))
(define-fun Closing () Life
  1)
(assert (and (= life Closing) (< head tail)))
(define-fun deficit.next () Bytes
  (+ deficit (- (bytes (+ head 1)) (bytes head))))

; What is to be shown does not hold after the step.
(define-fun due-is-positive.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= Due (phase d)) (<= (phase d) Returned)) (< 0 deficit.next)))
(assert (not (due-is-positive.next d)))

(check-sat)
