; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/queued-has-its-place--Free
; A packet that was queued is at its one place in the queues' history. Free: A packet without memory is freed.
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
(define-sort Slot () Int)
(declare-fun chain (Cpu Slot) Index)
(declare-fun aside (Cpu) Slot)
(assert (queued-has-its-place m (chain c (- (aside c) 1))))
(assert (queued-has-its-place (node c) i))
(assert (queued-has-its-place (node c) (chain c (- (aside c) 1))))
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
(assert (listed-until-walked m i))
(assert (listed-until-walked m (chain c (- (aside c) 1))))
(assert (listed-until-walked (node c) i))
(assert (listed-until-walked (node c) (chain c (- (aside c) 1))))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))

; Free: A packet without memory is freed.
(assert (is-cpu c))
(define-fun Unlocked () Phase
  11)
(assert (and (= (phase c) Unlocked) (< 0 (aside c))))
(define-fun Freed () Fate
  3)
(define-fun fate.next ((m Node) (i Index)) Fate
  (ite (and (= m (node c)) (= i (chain c (- (aside c) 1)))) Freed (fate m i)))

; What is to be shown does not hold after the step.
(define-fun queued-has-its-place.next ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)) (= (fate.next m i) Queued))
    (and
      (<= 0 (place m i))
      (< (place m i) tail)
      (= (origin (place m i)) m)
      (= (index (place m i)) i))))
(assert (not (queued-has-its-place.next m i)))

(check-sat)
