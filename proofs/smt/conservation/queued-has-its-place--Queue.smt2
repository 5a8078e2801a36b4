; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/queued-has-its-place--Queue
; A packet that was queued is at its one place in the queues' history. Queue: The next packet is queued.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun arrived (Node) Index)
(define-sort Fate () Int)
(declare-fun fate (Node Index) Fate)
(define-fun Queued () Fate
  1)
(declare-fun place (Node Index) Int)
(define-sort Position () Int)
(declare-fun tail () Position)
(declare-fun origin (Position) Node)
(declare-fun index (Position) Index)
(define-fun queued-has-its-place ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate m i) Queued))
    (and
      (<= 0 (place m i))
      (< (place m i) tail)
      (= (origin (place m i)) m)
      (= (index (place m i)) i))))
(assert (queued-has-its-place m i))
(declare-fun at (Cpu) Index)
(assert (queued-has-its-place m (at c)))
(assert (queued-has-its-place m (+ (at c) 1)))
(declare-fun lo (Cpu) Index)
(assert (queued-has-its-place m (lo c)))
(declare-fun hi (Cpu) Index)
(assert (queued-has-its-place m (hi c)))
(assert (queued-has-its-place (node c) i))
(assert (queued-has-its-place (node c) (at c)))
(assert (queued-has-its-place (node c) (+ (at c) 1)))
(assert (queued-has-its-place (node c) (lo c)))
(assert (queued-has-its-place (node c) (hi c)))
(declare-fun head () Position)
(declare-fun spliced () Position)
(define-sort Bytes () Int)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun Listed () Fate
  0)
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
(declare-fun receive-lock () Cpu)
(define-fun listed-until-walked ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)))
    (=
      (= (fate m i) Listed)
      (or
        (<= (drained m) i)
        (and (walking receive-lock) (= (node receive-lock) m) (<= (at receive-lock) i))))))
(assert (listed-until-walked m i))
(assert (listed-until-walked m (at c)))
(assert (listed-until-walked m (+ (at c) 1)))
(assert (listed-until-walked m (lo c)))
(assert (listed-until-walked m (hi c)))
(assert (listed-until-walked (node c) i))
(assert (listed-until-walked (node c) (at c)))
(assert (listed-until-walked (node c) (+ (at c) 1)))
(assert (listed-until-walked (node c) (lo c)))
(assert (listed-until-walked (node c) (hi c)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))

; Queue: The next packet is queued.
(assert (is-cpu c))
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
(define-fun fate.next ((m Node) (i Index)) Fate
  (ite (and (= m (node c)) (= i (at c))) Queued (fate m i)))
(define-fun place.next ((m Node) (i Index)) Int
  (ite (and (= m (node c)) (= i (at c))) tail (place m i)))
(define-fun tail.next () Position
  (+ tail 1))

; What is to be shown does not hold after the step.
(define-fun queued-has-its-place.next ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate.next m i) Queued))
    (and
      (<= 0 (place.next m i))
      (< (place.next m i) tail.next)
      (= (origin.next (place.next m i)) m)
      (= (index.next (place.next m i)) i))))
(assert (not (queued-has-its-place.next m i)))

(check-sat)
