; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/queued-has-its-place--Push
; A packet that was queued is at its one place in the queues' history. Push: The packet is on the list; who found it empty is elected.
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
(assert (queued-has-its-place m (arrived (node c))))
(declare-fun drained (Node) Index)
(assert (queued-has-its-place m (drained (node c))))
(assert (queued-has-its-place (node c) i))
(assert (queued-has-its-place (node c) (arrived (node c))))
(assert (queued-has-its-place (node c) (drained (node c))))
(declare-fun head () Position)
(declare-fun spliced () Position)
(define-sort Bytes () Int)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun Listed () Fate
  0)
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
(assert (listed-until-walked m (arrived (node c))))
(assert (listed-until-walked m (drained (node c))))
(assert (listed-until-walked (node c) i))
(assert (listed-until-walked (node c) (arrived (node c))))
(assert (listed-until-walked (node c) (drained (node c))))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))

; Push: The packet is on the list; who found it empty is elected.
(assert (is-cpu c))
(define-fun Charged () Phase
  5)
(assert (= (phase c) Charged))
(define-fun fate.next ((m Node) (i Index)) Fate
  (ite (and (= m (node c)) (= i (arrived (node c)))) Listed (fate m i)))
(define-fun arrived.next ((m Node)) Index
  (ite (= m (node c)) (+ (arrived (node c)) 1) (arrived m)))

; What is to be shown does not hold after the step.
(define-fun queued-has-its-place.next ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived.next m)) (= (fate.next m i) Queued))
    (and
      (<= 0 (place m i))
      (< (place m i) tail)
      (= (origin (place m i)) m)
      (= (index (place m i)) i))))
(assert (not (queued-has-its-place.next m i)))

(check-sat)
