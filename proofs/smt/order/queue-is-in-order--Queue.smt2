; SPDX-License-Identifier: MIT OR Apache-2.0
; order/queue-is-in-order--Queue
; Packets of one node are queued in the order of their pushes. Queue: The next packet is queued.
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
(declare-fun origin (Position) Node)
(define-sort Index () Int)
(declare-fun index (Position) Index)
(define-fun queue-is-in-order ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (< q tail) (= (origin p) (origin q))) (< (index p) (index q))))
(assert (queue-is-in-order p q))
(assert (queue-is-in-order p tail))
(declare-fun spliced () Position)
(assert (queue-is-in-order p spliced))
(declare-fun head () Position)
(assert (queue-is-in-order p head))
(assert (queue-is-in-order q p))
(assert (queue-is-in-order q tail))
(assert (queue-is-in-order q spliced))
(assert (queue-is-in-order q head))
(assert (queue-is-in-order tail p))
(assert (queue-is-in-order tail q))
(assert (queue-is-in-order tail spliced))
(assert (queue-is-in-order tail head))
(assert (queue-is-in-order spliced p))
(assert (queue-is-in-order spliced q))
(assert (queue-is-in-order spliced tail))
(assert (queue-is-in-order spliced head))
(assert (queue-is-in-order head p))
(assert (queue-is-in-order head q))
(assert (queue-is-in-order head tail))
(assert (queue-is-in-order head spliced))
(declare-fun drained (Node) Index)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(declare-fun at (Cpu) Index)
(define-fun queued-before-walked ((d Cpu) (p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (< (index p) (drained (origin p)))
      (=> (and (walking d) (= (node d) (origin p))) (< (index p) (at d))))))
(assert (queued-before-walked c p))
(assert (queued-before-walked c q))
(assert (queued-before-walked c tail))
(assert (queued-before-walked c spliced))
(assert (queued-before-walked c head))
(declare-fun receive-lock () Cpu)
(assert (queued-before-walked receive-lock p))
(assert (queued-before-walked receive-lock q))
(assert (queued-before-walked receive-lock tail))
(assert (queued-before-walked receive-lock spliced))
(assert (queued-before-walked receive-lock head))
(declare-fun reader-lock () Cpu)
(assert (queued-before-walked reader-lock p))
(assert (queued-before-walked reader-lock q))
(assert (queued-before-walked reader-lock tail))
(assert (queued-before-walked reader-lock spliced))
(assert (queued-before-walked reader-lock head))
(define-sort Bytes () Int)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)

; Queue: The next packet is queued.
(assert (is-cpu c))
(declare-fun hi (Cpu) Index)
(declare-fun sent (Node Index) Bytes)
(declare-fun forward () Bytes)
(assert (and
    (= (phase c) Walking)
    (< (at c) (hi c))
    (<= (- (sent (node c) (+ (at c) 1)) (sent (node c) (at c))) forward)))
(define-fun origin.next ((p Position)) Node
  (ite (= p tail) (node c) (origin p)))
(define-fun index.next ((p Position)) Index
  (ite (= p tail) (at c) (index p)))
(define-fun tail.next () Position
  (+ tail 1))

; What is to be shown does not hold after the step.
(define-fun queue-is-in-order.next ((p Position) (q Position)) Bool
  (=>
    (and (<= 0 p) (< p q) (< q tail.next) (= (origin.next p) (origin.next q)))
    (< (index.next p) (index.next q))))
(assert (not (queue-is-in-order.next p q)))

(check-sat)
