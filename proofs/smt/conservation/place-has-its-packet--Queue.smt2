; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/place-has-its-packet--Queue
; Each place in the queues' history has one packet, which was queued there and nowhere else. Queue: The next packet is queued.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Position () Int)
(declare-fun p () Position)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun tail () Position)
(define-sort Index () Int)
(declare-fun index (Position) Index)
(declare-fun arrived (Node) Index)
(declare-fun origin (Position) Node)
(define-sort Fate () Int)
(declare-fun fate (Node Index) Fate)
(define-fun Queued () Fate
  1)
(declare-fun place (Node Index) Int)
(define-fun place-has-its-packet ((p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (<= 0 (index p))
      (< (index p) (arrived (origin p)))
      (= (fate (origin p) (index p)) Queued)
      (= (place (origin p) (index p)) p))))
(assert (place-has-its-packet p))
(assert (place-has-its-packet tail))
(declare-fun spliced () Position)
(assert (place-has-its-packet spliced))
(declare-fun head () Position)
(assert (place-has-its-packet head))
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
(declare-fun at (Cpu) Index)
(define-fun listed-until-walked ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)))
    (=
      (= (fate m i) Listed)
      (or
        (<= (drained m) i)
        (and (walking receive-lock) (= (node receive-lock) m) (<= (at receive-lock) i))))))
(assert (listed-until-walked (origin p) (index p)))
(assert (listed-until-walked (origin p) (at c)))
(assert (listed-until-walked (origin p) (+ (at c) 1)))
(declare-fun lo (Cpu) Index)
(assert (listed-until-walked (origin p) (lo c)))
(declare-fun hi (Cpu) Index)
(assert (listed-until-walked (origin p) (hi c)))
(assert (listed-until-walked (node c) (index p)))
(assert (listed-until-walked (node c) (at c)))
(assert (listed-until-walked (node c) (+ (at c) 1)))
(assert (listed-until-walked (node c) (lo c)))
(assert (listed-until-walked (node c) (hi c)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (origin p)))
(assert (list-range (node c)))
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun batch (Cpu) Bytes)
(declare-fun sent (Node Index) Bytes)
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
(assert (batch-range receive-lock))
(declare-fun reader-lock () Cpu)
(assert (batch-range reader-lock))
(define-fun Locked () Phase
  7)
(define-fun Added () Phase
  10)
(define-fun Refilling () Phase
  13)
(define-fun Refilled () Phase
  14)
(define-fun DueBoth () Phase
  16)
(define-fun Leaving () Phase
  19)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (= (phase d) Locked)
      (= (phase d) Walking)
      (= (phase d) Added)
      (= (phase d) Refilling)
      (= (phase d) Refilled)
      (and (<= DueBoth (phase d)) (<= (phase d) Leaving)))))
(define-fun receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(assert (receive-lock-is-held reader-lock))
(define-fun walk-is-last ((d Cpu)) Bool
  (=> (walking d) (= (hi d) (drained (node d)))))
(assert (walk-is-last c))
(assert (walk-is-last receive-lock))
(assert (walk-is-last reader-lock))

; Queue: The next packet is queued.
(assert (is-cpu c))
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
(define-fun place-has-its-packet.next ((p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail.next))
    (and
      (<= 0 (index.next p))
      (< (index.next p) (arrived (origin.next p)))
      (= (fate.next (origin.next p) (index.next p)) Queued)
      (= (place.next (origin.next p) (index.next p)) p))))
(assert (not (place-has-its-packet.next p)))

(check-sat)
