; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/kernel-order/node-and-admitted--TakeAll
; A node's counter and the admitted packets that it has not yet: the limit and one packet for each other CPU. TakeAll: The elected CPU takes the whole list.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun admitted (Node) Bytes)
(declare-fun limit () Bytes)
(declare-fun node-cpus*largest (Node) Bytes)
(declare-fun largest () Bytes)
(define-fun node-and-admitted ((m Node)) Bool
  (=> (is-node m) (<= (+ (counter m) (admitted m)) (- (+ limit (node-cpus*largest m)) largest))))
(assert (node-and-admitted m))
(assert (node-and-admitted (node c)))
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-fun cpu-is-of-a-node ((d Cpu)) Bool
  (=> (is-cpu d) (and (is-node (node d)) (<= largest (node-cpus*largest (node d))))))
(assert (cpu-is-of-a-node c))
(declare-fun receive-lock () Cpu)
(assert (cpu-is-of-a-node receive-lock))
(declare-fun reader-lock () Cpu)
(assert (cpu-is-of-a-node reader-lock))
(define-fun node-has-a-producer ((m Node)) Bool
  (=> (is-node m) (<= largest (node-cpus*largest m))))
(assert (node-has-a-producer m))
(assert (node-has-a-producer (node c)))
(define-sort Phase () Int)
(define-fun HaveRmem () Phase
  1)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(declare-fun size (Cpu) Bytes)
(define-fun size-is-at-most-largest ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (size-is-at-most-largest c))
(assert (size-is-at-most-largest receive-lock))
(assert (size-is-at-most-largest reader-lock))
(define-fun Admitted () Phase
  4)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun admitted-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (admitted m))
    (<= (admitted m) (node-cpus*largest m))
    (=>
      (and (is-cpu d) (= (node d) m))
      (and
        (<= (admitted.of m d) (admitted m))
        (<= (admitted m) (+ (- (node-cpus*largest m) largest) (admitted.of m d)))))))
(assert (admitted-parts m c))
(assert (admitted-parts m receive-lock))
(assert (admitted-parts m reader-lock))
(assert (admitted-parts (node c) c))
(assert (admitted-parts (node c) receive-lock))
(assert (admitted-parts (node c) reader-lock))
(declare-fun rmem () Bytes)
(define-fun rmem-is-not-negative () Bool
  (<= 0 rmem))
(assert rmem-is-not-negative)
(define-fun HaveOthers () Phase
  3)
(declare-fun seen (Cpu) Bytes)
(define-fun seen-is-not-negative ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) HaveOthers)) (<= 0 (seen d))))
(assert (seen-is-not-negative c))
(assert (seen-is-not-negative receive-lock))
(assert (seen-is-not-negative reader-lock))
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(define-sort Index () Int)
(declare-fun lo (Cpu) Index)
(declare-fun hi (Cpu) Index)
(declare-fun at (Cpu) Index)
(declare-fun drained (Node) Index)
(declare-fun batch (Cpu) Bytes)
(declare-fun sent (Node Index) Bytes)
(define-fun Walking () Phase
  9)
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
(assert (batch-range reader-lock))
(declare-fun arrived (Node) Index)
(define-fun sent-grows ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j))))
(assert (sent-grows m (arrived m) (drained m)))
(assert (sent-grows m (arrived m) (arrived (node c))))
(assert (sent-grows m (arrived m) (drained (node c))))
(assert (sent-grows m (drained m) (arrived m)))
(assert (sent-grows m (drained m) (arrived (node c))))
(assert (sent-grows m (drained m) (drained (node c))))
(assert (sent-grows m (arrived (node c)) (arrived m)))
(assert (sent-grows m (arrived (node c)) (drained m)))
(assert (sent-grows m (arrived (node c)) (drained (node c))))
(assert (sent-grows m (drained (node c)) (arrived m)))
(assert (sent-grows m (drained (node c)) (drained m)))
(assert (sent-grows m (drained (node c)) (arrived (node c))))
(assert (sent-grows (node c) (arrived m) (drained m)))
(assert (sent-grows (node c) (arrived m) (arrived (node c))))
(assert (sent-grows (node c) (arrived m) (drained (node c))))
(assert (sent-grows (node c) (drained m) (arrived m)))
(assert (sent-grows (node c) (drained m) (arrived (node c))))
(assert (sent-grows (node c) (drained m) (drained (node c))))
(assert (sent-grows (node c) (arrived (node c)) (arrived m)))
(assert (sent-grows (node c) (arrived (node c)) (drained m)))
(assert (sent-grows (node c) (arrived (node c)) (drained (node c))))
(assert (sent-grows (node c) (drained (node c)) (arrived m)))
(assert (sent-grows (node c) (drained (node c)) (drained m)))
(assert (sent-grows (node c) (drained (node c)) (arrived (node c))))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))

; TakeAll: The elected CPU takes the whole list.
(assert (is-cpu c))
(define-fun Locked () Phase
  7)
(assert (= (phase c) Locked))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Walking (phase d)))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase.next d) Admitted)) (size d) 0))
(define-fun admitted.next ((m Node)) Bytes
  (+ (admitted m) (- (admitted.of.next m c) (admitted.of m c))))

; What is to be shown does not hold after the step.
(define-fun node-and-admitted.next ((m Node)) Bool
  (=>
    (is-node m)
    (<= (+ (counter m) (admitted.next m)) (- (+ limit (node-cpus*largest m)) largest))))
(assert (not (node-and-admitted.next m)))

(check-sat)
