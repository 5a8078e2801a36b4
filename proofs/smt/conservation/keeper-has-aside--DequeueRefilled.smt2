; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/keeper-has-aside--DequeueRefilled
; A drain's chain is of packets that wait to be freed, each once. DequeueRefilled: It takes a packet with both locks held.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(define-sort Slot () Int)
(declare-fun k () Slot)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
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
(declare-fun aside (Cpu) Slot)
(define-sort Index () Int)
(declare-fun chain (Cpu Slot) Index)
(declare-fun arrived (Node) Index)
(define-sort Fate () Int)
(declare-fun fate (Node Index) Fate)
(define-fun Aside () Fate
  2)
(declare-fun keeper (Node Index) Cpu)
(declare-fun place (Node Index) Int)
(define-fun keeper-has-aside ((d Cpu) (k Slot)) Bool
  (=>
    (and (draining d) (<= 0 k) (< k (aside d)))
    (and
      (<= 0 (chain d k))
      (< (chain d k) (arrived (node d)))
      (= (fate (node d) (chain d k)) Aside)
      (= (keeper (node d) (chain d k)) d)
      (= (place (node d) (chain d k)) k))))
(assert (keeper-has-aside d k))
(assert (keeper-has-aside c k))
(declare-fun receive-lock () Cpu)
(assert (keeper-has-aside receive-lock k))
(declare-fun reader-lock () Cpu)
(assert (keeper-has-aside reader-lock k))
(define-fun Listed () Fate
  0)
(declare-fun drained (Node) Index)
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(declare-fun at (Cpu) Index)
(define-fun listed-until-walked ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)))
    (=
      (= (fate m i) Listed)
      (or
        (<= (drained m) i)
        (and (walking receive-lock) (= (node receive-lock) m) (<= (at receive-lock) i))))))
(assert (listed-until-walked (node d) (chain d k)))
(assert (listed-until-walked (node c) (chain d k)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (node d)))
(assert (list-range (node c)))
(define-fun aside-range ((d Cpu)) Bool
  (=> (draining d) (<= 0 (aside d))))
(assert (aside-range d))
(assert (aside-range c))
(assert (aside-range receive-lock))
(assert (aside-range reader-lock))
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
(assert (batch-range d))
(assert (batch-range c))
(assert (batch-range receive-lock))
(assert (batch-range reader-lock))
(define-fun walk-is-last ((d Cpu)) Bool
  (=> (walking d) (= (hi d) (drained (node d)))))
(assert (walk-is-last d))
(assert (walk-is-last c))
(assert (walk-is-last receive-lock))
(assert (walk-is-last reader-lock))
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
(assert (receive-lock-is-held d))
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(assert (receive-lock-is-held reader-lock))

; DequeueRefilled: It takes a packet with both locks held.
(assert (is-cpu c))
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(assert (and (= (phase c) Refilled) (< head spliced)))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) DueBoth (phase d)))

; What is to be shown does not hold after the step.
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun keeper-has-aside.next ((d Cpu) (k Slot)) Bool
  (=>
    (and (draining.next d) (<= 0 k) (< k (aside d)))
    (and
      (<= 0 (chain d k))
      (< (chain d k) (arrived (node d)))
      (= (fate (node d) (chain d k)) Aside)
      (= (keeper (node d) (chain d k)) d)
      (= (place (node d) (chain d k)) k))))
(assert (not (keeper-has-aside.next d k)))

(check-sat)
