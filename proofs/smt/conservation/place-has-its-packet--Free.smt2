; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/place-has-its-packet--Free
; Each place in the queues' history has one packet, which was queued there and nowhere else. Free: A packet without memory is freed.
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
(define-sort Slot () Int)
(declare-fun chain (Cpu Slot) Index)
(declare-fun aside (Cpu) Slot)
(assert (listed-until-walked (origin p) (chain c (- (aside c) 1))))
(assert (listed-until-walked (node c) (index p)))
(assert (listed-until-walked (node c) (chain c (- (aside c) 1))))
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
(declare-fun lo (Cpu) Index)
(declare-fun hi (Cpu) Index)
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
(define-fun Aside () Fate
  2)
(declare-fun keeper (Node Index) Cpu)
(define-fun keeper-has-aside ((d Cpu) (k Slot)) Bool
  (=>
    (and (draining d) (<= 0 k) (< k (aside d)))
    (and
      (<= 0 (chain d k))
      (< (chain d k) (arrived (node d)))
      (= (fate (node d) (chain d k)) Aside)
      (= (keeper (node d) (chain d k)) d)
      (= (place (node d) (chain d k)) k))))
(assert (keeper-has-aside c (- (aside c) 1)))
(assert (keeper-has-aside receive-lock (- (aside c) 1)))
(assert (keeper-has-aside reader-lock (- (aside c) 1)))

; Free: A packet without memory is freed.
(assert (is-cpu c))
(assert (and (= (phase c) Unlocked) (< 0 (aside c))))
(define-fun Freed () Fate
  3)
(define-fun fate.next ((m Node) (i Index)) Fate
  (ite (and (= m (node c)) (= i (chain c (- (aside c) 1)))) Freed (fate m i)))

; What is to be shown does not hold after the step.
(define-fun place-has-its-packet.next ((p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (<= 0 (index p))
      (< (index p) (arrived (origin p)))
      (= (fate.next (origin p) (index p)) Queued)
      (= (place (origin p) (index p)) p))))
(assert (not (place-has-its-packet.next p)))

(check-sat)
