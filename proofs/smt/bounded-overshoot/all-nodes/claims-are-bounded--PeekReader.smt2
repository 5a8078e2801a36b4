; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/all-nodes/claims-are-bounded--PeekReader
; What a node has under way, and what is claimed at a level t that admission can still reach. PeekReader: It looks at the packet and leaves it.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Bytes () Int)
(declare-fun t () Bytes)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(declare-fun limit () Bytes)
(declare-fun largest () Bytes)
(declare-fun share (Node) Bytes)
(declare-fun counter (Node) Bytes)
(declare-fun handed (Node) Bytes)
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(declare-fun claims (Node Bytes) Bytes)
(declare-fun node-cpus*largest (Node) Bytes)
(define-fun claims-are-bounded ((m Node) (t Bytes)) Bool
  (=>
    (and (is-node m) (<= (- limit largest (share m)) t))
    (<= (+ (fresh m) (claims m t)) (+ t (node-cpus*largest m)))))
(assert (claims-are-bounded m t))
(declare-fun accepted (Cpu) Bytes)
(assert (claims-are-bounded m (+ t (accepted c))))
(assert (claims-are-bounded (node c) t))
(assert (claims-are-bounded (node c) (+ t (accepted c))))
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
(define-fun HaveNode () Phase
  2)
(define-fun HaveOthers () Phase
  3)
(declare-fun seen (Cpu) Bytes)
(define-fun claims.of ((m Node) (t Bytes) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite
      (= (phase d) Admitted)
      (size d)
      (ite
        (and
          (or (= (phase d) HaveNode) (= (phase d) HaveOthers))
          (<= (- (+ (seen d) (size d)) largest) t))
        (size d)
        0))))
(define-fun claims-parts ((m Node) (t Bytes) (d Cpu)) Bool
  (and
    (<= 0 (claims m t))
    (<= (claims m t) (node-cpus*largest m))
    (=>
      (and (is-cpu d) (= (node d) m))
      (and
        (<= (claims.of m t d) (claims m t))
        (<= (claims m t) (+ (- (node-cpus*largest m) largest) (claims.of m t d)))))))
(assert (claims-parts m t c))
(assert (claims-parts m t receive-lock))
(assert (claims-parts m t reader-lock))
(assert (claims-parts m (+ t (accepted c)) c))
(assert (claims-parts m (+ t (accepted c)) receive-lock))
(assert (claims-parts m (+ t (accepted c)) reader-lock))
(assert (claims-parts (node c) t c))
(assert (claims-parts (node c) t receive-lock))
(assert (claims-parts (node c) t reader-lock))
(assert (claims-parts (node c) (+ t (accepted c)) c))
(assert (claims-parts (node c) (+ t (accepted c)) receive-lock))
(assert (claims-parts (node c) (+ t (accepted c)) reader-lock))
(define-fun claims-grow ((m Node) (t Bytes) (u Bytes)) Bool
  (=> (<= t u) (<= (claims m t) (claims m u))))
(assert (claims-grow m t (+ t (accepted c))))
(assert (claims-grow m (+ t (accepted c)) t))
(assert (claims-grow (node c) t (+ t (accepted c))))
(assert (claims-grow (node c) (+ t (accepted c)) t))
(declare-fun shares () Bytes)
(define-fun shares-parts ((m Node)) Bool
  (and (<= 0 shares) (=> (is-node m) (<= (share m) shares))))
(assert (shares-parts m))
(assert (shares-parts (node c)))
(declare-fun rmem () Bytes)
(define-fun shares-are-rmem () Bool
  (= rmem shares))
(assert shares-are-rmem)
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(define-fun Walking () Phase
  9)
(declare-fun batch (Cpu) Bytes)
(define-fun handed.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining d) (< Walking (phase d))) (batch d) 0))
(define-fun handed-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (handed m))
    (=> (is-cpu d) (and (<= 0 (handed.of m d)) (<= (handed.of m d) (handed m))))))
(assert (handed-parts m c))
(assert (handed-parts m receive-lock))
(assert (handed-parts m reader-lock))
(assert (handed-parts (node c) c))
(assert (handed-parts (node c) receive-lock))
(assert (handed-parts (node c) reader-lock))
(define-sort Index () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun at (Cpu) Index)
(declare-fun lo (Cpu) Index)
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
(declare-fun hi (Cpu) Index)
(declare-fun drained (Node) Index)
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
(assert (sent-grows m (drained m) (arrived m)))
(assert (sent-grows (node c) (arrived m) (drained m)))
(assert (sent-grows (node c) (drained m) (arrived m)))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))
(define-fun share-is-not-negative ((m Node)) Bool
  (<= 0 (share m)))
(assert (share-is-not-negative m))
(assert (share-is-not-negative (node c)))

; PeekReader: It looks at the packet and leaves it.
(assert (is-cpu c))
(define-fun ReaderLocked () Phase
  12)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(assert (and (= (phase c) ReaderLocked) (< head spliced)))
(define-fun Left () Phase
  20)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Left (phase d)))
(define-fun draining.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase.next d)) (<= (phase.next d) Unlocked)))
(define-fun handed.of.next ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining.next d) (< Walking (phase.next d))) (batch d) 0))
(define-fun handed.next ((m Node)) Bytes
  (+ (handed m) (- (handed.of.next m c) (handed.of m c))))
(define-fun claims.of.next ((m Node) (t Bytes) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite
      (= (phase.next d) Admitted)
      (size d)
      (ite
        (and
          (or (= (phase.next d) HaveNode) (= (phase.next d) HaveOthers))
          (<= (- (+ (seen d) (size d)) largest) t))
        (size d)
        0))))
(define-fun claims.next ((m Node) (t Bytes)) Bytes
  (+ (claims m t) (- (claims.of.next m t c) (claims.of m t c))))

; What is to be shown does not hold after the step.
(define-fun fresh.next ((m Node)) Bytes
  (- (counter m) (handed.next m)))
(define-fun claims-are-bounded.next ((m Node) (t Bytes)) Bool
  (=>
    (and (is-node m) (<= (- limit largest (share m)) t))
    (<= (+ (fresh.next m) (claims.next m t)) (+ t (node-cpus*largest m)))))
(assert (not (claims-are-bounded.next m t)))

(check-sat)
