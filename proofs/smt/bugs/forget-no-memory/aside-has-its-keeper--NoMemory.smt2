; SPDX-License-Identifier: MIT OR Apache-2.0
; bugs/forget-no-memory/aside-has-its-keeper--NoMemory
; Seeded bug: A packet without memory is left out of the chain of those to free. NoMemory breaks aside-has-its-keeper: A packet without memory is in the chain of the drain that put it aside.
; Expected: sat. Made by `cargo prove files`.
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
(define-fun Aside () Fate
  2)
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
(declare-fun keeper (Node Index) Cpu)
(declare-fun place (Node Index) Int)
(define-sort Slot () Int)
(declare-fun aside (Cpu) Slot)
(declare-fun chain (Cpu Slot) Index)
(define-fun aside-has-its-keeper ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate m i) Aside))
    (and
      (draining (keeper m i))
      (= (node (keeper m i)) m)
      (<= 0 (place m i))
      (< (place m i) (aside (keeper m i)))
      (= (chain (keeper m i) (place m i)) i))))
(assert (aside-has-its-keeper m i))
(declare-fun at (Cpu) Index)
(assert (aside-has-its-keeper m (at c)))
(assert (aside-has-its-keeper m (+ (at c) 1)))
(declare-fun lo (Cpu) Index)
(assert (aside-has-its-keeper m (lo c)))
(declare-fun hi (Cpu) Index)
(assert (aside-has-its-keeper m (hi c)))
(assert (aside-has-its-keeper (node c) i))
(assert (aside-has-its-keeper (node c) (at c)))
(assert (aside-has-its-keeper (node c) (+ (at c) 1)))
(assert (aside-has-its-keeper (node c) (lo c)))
(assert (aside-has-its-keeper (node c) (hi c)))
(define-fun Listed () Fate
  0)
(declare-fun drained (Node) Index)
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
(define-fun aside-range ((d Cpu)) Bool
  (=> (draining d) (<= 0 (aside d))))
(assert (aside-range (keeper m i)))
(assert (aside-range c))
(assert (aside-range receive-lock))
(declare-fun reader-lock () Cpu)
(assert (aside-range reader-lock))
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
(assert (receive-lock-is-held (keeper m i)))
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(assert (receive-lock-is-held reader-lock))
(define-sort Bytes () Int)
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
(assert (batch-range (keeper m i)))
(assert (batch-range c))
(assert (batch-range receive-lock))
(assert (batch-range reader-lock))

; NoMemory: There are no pages for the next packet, which is put aside.
(assert (is-cpu c))
(declare-fun forward () Bytes)
(assert (and
    (= (phase c) Walking)
    (< (at c) (hi c))
    (< forward (- (sent (node c) (+ (at c) 1)) (sent (node c) (at c))))))
(define-fun chain.next ((d Cpu) (k Slot)) Index
  (ite (and (= d c) (= k (aside c))) (at c) (chain d k)))
(define-fun fate.next ((m Node) (i Index)) Fate
  (ite (and (= m (node c)) (= i (at c))) Aside (fate m i)))
(define-fun place.next ((m Node) (i Index)) Int
  (ite (and (= m (node c)) (= i (at c))) (aside c) (place m i)))
(define-fun keeper.next ((m Node) (i Index)) Cpu
  (ite (and (= m (node c)) (= i (at c))) c (keeper m i)))
(define-fun aside.next ((d Cpu)) Slot
  (ite (= d c) (aside c) (aside d)))

; What is to be shown does not hold after the step.
(define-fun aside-has-its-keeper.next ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate.next m i) Aside))
    (and
      (draining (keeper.next m i))
      (= (node (keeper.next m i)) m)
      (<= 0 (place.next m i))
      (< (place.next m i) (aside.next (keeper.next m i)))
      (= (chain.next (keeper.next m i) (place.next m i)) i))))
(assert (not (aside-has-its-keeper.next m i)))

(check-sat)
