; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/aside-has-its-keeper--SubRmem
; A packet without memory is in the chain of the drain that put it aside. SubRmem: What was due leaves rmem_alloc.
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
(assert (aside-has-its-keeper (node c) i))
(define-fun Listed () Fate
  0)
(declare-fun drained (Node) Index)
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
(assert (listed-until-walked m i))
(assert (listed-until-walked (node c) i))
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
(declare-fun lo (Cpu) Index)
(declare-fun hi (Cpu) Index)
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

; SubRmem: What was due leaves rmem_alloc.
(assert (is-cpu c))
(define-fun Returned () Phase
  17)
(assert (= (phase c) Returned))
(declare-fun part (Node) Bytes)
(declare-fun share (Node) Bytes)
(assert (and (<= 0 (part m)) (<= (part m) (share m))))
(assert (and (<= 0 (part (node c))) (<= (part (node c)) (share (node c)))))
(define-fun Released () Phase
  18)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Released (phase d)))

; What is to be shown does not hold after the step.
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun aside-has-its-keeper.next ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate m i) Aside))
    (and
      (draining.next (keeper m i))
      (= (node (keeper m i)) m)
      (<= 0 (place m i))
      (< (place m i) (aside (keeper m i)))
      (= (chain (keeper m i) (place m i)) i))))
(assert (not (aside-has-its-keeper.next m i)))

(check-sat)
