; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/nothing-is-forgotten--follows
; When no CPU is inside enqueue, each packet that arrived was queued or freed. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)

; What is known.
(declare-fun arrived (Node) Index)
(define-sort Fate () Int)
(declare-fun fate (Node Index) Fate)
(define-fun Listed () Fate
  0)
(declare-fun drained (Node) Index)
(define-sort Cpu () Int)
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
(declare-fun node (Cpu) Node)
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
(define-fun Aside () Fate
  2)
(define-fun Taken () Phase
  8)
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
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(declare-fun witness (Node) Cpu)
(define-fun list-has-elected ((m Node)) Bool
  (=> (< (drained m) (arrived m)) (and (elected (witness m)) (= (node (witness m)) m))))
(assert (list-has-elected m))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(define-fun Freed () Fate
  3)
(define-fun fate-range ((m Node) (i Index)) Bool
  (and (<= Listed (fate m i)) (<= (fate m i) Freed)))
(assert (fate-range m i))

; What is to be shown does not hold.
(define-fun Idle () Phase
  0)
(define-fun nobody () Cpu
  (- 1))
(define-fun Queued () Fate
  1)
(assert (not
    (=>
      (and
        (<= 0 i)
        (< i (arrived m))
        (<= 0 (witness m))
        (= (phase (witness m)) Idle)
        (= (phase (keeper m i)) Idle)
        (or (= receive-lock nobody) (= (phase receive-lock) Idle)))
      (or (= (fate m i) Queued) (= (fate m i) Freed)))))

(check-sat)
