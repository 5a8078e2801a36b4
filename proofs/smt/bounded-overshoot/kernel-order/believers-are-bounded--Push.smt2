; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/kernel-order/believers-are-bounded--Push
; Above the limit nobody begins to believe, and each believer brings one packet. Push: The packet is on the list; who found it empty is elected.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Bytes () Int)
(declare-fun limit () Bytes)
(declare-fun rmem () Bytes)
(declare-fun under-way () Bytes)
(declare-fun believing () Bytes)
(declare-fun nodes*limit () Bytes)
(declare-fun cpus*largest () Bytes)
(declare-fun nodes*largest () Bytes)
(define-fun believers-are-bounded () Bool
  (=>
    (<= limit rmem)
    (<=
      (+ rmem under-way believing)
      (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))))
(assert believers-are-bounded)
(declare-fun largest () Bytes)
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
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
(declare-fun receive-lock () Cpu)
(assert (size-is-at-most-largest receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-at-most-largest reader-lock))
(define-fun under-way-is-bounded () Bool
  (and (<= 0 under-way) (<= under-way (- (+ nodes*limit cpus*largest) nodes*largest))))
(assert under-way-is-bounded)
(declare-fun seen (Cpu) Bytes)
(define-fun believing.of ((d Cpu)) Bytes
  (ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0))
(define-fun believing-parts ((d Cpu)) Bool
  (and (<= 0 believing) (<= believing cpus*largest) (=> (is-cpu d) (<= (believing.of d) believing))))
(assert (believing-parts c))
(assert (believing-parts receive-lock))
(assert (believing-parts reader-lock))
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
(declare-fun accepted (Cpu) Bytes)
(define-fun accepted-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (accepted d))
      (<= (accepted d) (- (sent (node d) (at d)) (sent (node d) (lo d))))
      (=> (= (phase d) Taken) (= (accepted d) 0)))))
(assert (accepted-range c))
(assert (accepted-range receive-lock))
(assert (accepted-range reader-lock))
(declare-fun counter (Node) Bytes)
(define-fun node-counter-is-not-negative ((m Node)) Bool
  (<= 0 (counter m)))
(assert (node-counter-is-not-negative (node c)))
(define-fun HaveOthers () Phase
  3)
(define-fun seen-is-not-negative ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) HaveOthers)) (<= 0 (seen d))))
(assert (seen-is-not-negative c))
(assert (seen-is-not-negative receive-lock))
(assert (seen-is-not-negative reader-lock))
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(declare-fun tail () Position)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun Due () Phase
  15)
(define-fun Returned () Phase
  17)
(define-fun due-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= Due (phase d)) (<= (phase d) Returned)) (< 0 deficit)))
(assert (due-is-positive c))
(assert (due-is-positive receive-lock))
(assert (due-is-positive reader-lock))
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

; Push: The packet is on the list; who found it empty is elected.
(assert (is-cpu c))
(assert (= (phase c) Charged))
(declare-fun arrived (Node) Index)
(define-fun Elected () Phase
  6)
(define-fun Idle () Phase
  0)
(declare-fun handed (Node) Bytes)
(define-fun handed.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining d) (< Walking (phase d))) (batch d) 0))
(declare-fun admitted (Node) Bytes)
(define-fun Admitted () Phase
  4)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(define-fun under-way.of ((m Node)) Bytes
  (+ (fresh m) (admitted m)))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) (ite (= (arrived (node c)) (drained (node c))) Elected Idle) (phase d)))
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun handed.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining.next d) (< Walking (phase.next d))) (batch d) 0))
(define-fun handed.next ((m Node)) Bytes
  (+ (handed m) (- (handed.of.next m c) (handed.of m c))))
(define-fun admitted.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase.next d) Admitted)) (size d) 0))
(define-fun admitted.next ((m Node)) Bytes
  (+ (admitted m) (- (admitted.of.next m c) (admitted.of m c))))
(define-fun fresh.next ((m Node)) Bytes
  (- (counter m) (handed.next m)))
(define-fun under-way.of.next ((m Node)) Bytes
  (+ (fresh.next m) (admitted.next m)))
(define-fun under-way.next () Bytes
  (+ under-way (- (under-way.of.next (node c)) (under-way.of (node c)))))
(define-fun believing.of.next ((d Cpu)) Bytes
  (ite (and (= (phase.next d) HaveRmem) (< (seen d) limit)) largest 0))
(define-fun believing.next () Bytes
  (+ believing (- (believing.of.next c) (believing.of c))))

; What is to be shown does not hold after the step.
(define-fun believers-are-bounded.next () Bool
  (=>
    (<= limit rmem)
    (<=
      (+ rmem under-way.next believing.next)
      (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))))
(assert (not believers-are-bounded.next))

(check-sat)
