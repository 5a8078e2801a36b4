; SPDX-License-Identifier: MIT OR Apache-2.0
; walks/from-enqueue-to-destruct
; Two CPUs enqueue, one drains both packets, of which one finds no memory; it receives the other, and the socket is destructed.
; Expected: sat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun cpus () Int)
(assert (= cpus 3))
(define-sort Cpu () Int)
(declare-fun c.1 () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun x.1 () Bytes)

; CPU 0: ReadRmem: The kernel's order: rmem_alloc first.
(declare-fun page () Bytes)
(declare-fun whole (Bytes) Bool)
(define-fun page-is-positive () Bool
  (and (< 0 page) (< 0 cpus) (whole 0)))
(assert page-is-positive)
(declare-fun largest () Bytes)
(declare-fun limit () Bytes)
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(declare-fun node-cpus*largest (Node) Bytes)
(define-fun cpu-is-of-a-node ((d Cpu)) Bool
  (=> (is-cpu d) (and (is-node (node d)) (<= largest (node-cpus*largest (node d))))))
(assert (cpu-is-of-a-node 0))
(assert (cpu-is-of-a-node 1))
(assert (cpu-is-of-a-node 2))
(define-fun node-has-a-producer ((m Node)) Bool
  (=> (is-node m) (<= largest (node-cpus*largest m))))
(assert (node-has-a-producer 0))
(assert (= c.1 0))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Idle () Phase
  0)
(define-sort Life () Int)
(define-fun Open () Life
  0)
(define-fun life () Life
  Open)
(assert (and (= (phase c.1) Idle) (= life Open) (< 0 x.1) (<= x.1 largest)))
(define-fun HaveRmem () Phase
  1)
(define-fun size ((d Cpu)) Bytes
  0)
(define-fun rmem () Bytes
  0)
(define-fun seen ((d Cpu)) Bytes
  0)
(define-fun phase.1 ((d Cpu)) Phase
  (ite (= d c.1) HaveRmem (phase d)))
(define-fun size.1 ((d Cpu)) Bytes
  (ite (= d c.1) x.1 (size d)))
(define-fun seen.1 ((d Cpu)) Bytes
  (ite (= d c.1) rmem (seen d)))
(declare-fun c.2 () Cpu)
(declare-fun b.2 () Bytes)

; CPU 0: ReadNodeAndAdmit: The kernel's order: the node's counter second; the packet fits.
(assert (= c.2 0))
(define-fun counter ((m Node)) Bytes
  0)
(assert (and
    (= (phase.1 c.2) HaveRmem)
    (<= b.2 limit)
    (or
      (<= (+ (seen.1 c.2) (counter (node c.2)) (size.1 c.2)) b.2)
      (= (+ (seen.1 c.2) (counter (node c.2))) 0))))
(define-fun Admitted () Phase
  4)
(define-fun phase.2 ((d Cpu)) Phase
  (ite (= d c.2) Admitted (phase.1 d)))
(declare-fun c.3 () Cpu)
(declare-fun x.3 () Bytes)

; CPU 0: Condense: An admitted packet becomes smaller.
(assert (= c.3 0))
(assert (and (= (phase.2 c.3) Admitted) (< 0 x.3) (<= x.3 (size.1 c.3))))
(define-fun size.3 ((d Cpu)) Bytes
  (ite (= d c.3) x.3 (size.1 d)))
(declare-fun c.4 () Cpu)

; CPU 0: Charge: The node's counter is raised.
(assert (= c.4 0))
(assert (= (phase.2 c.4) Admitted))
(define-fun Charged () Phase
  5)
(define-fun phase.4 ((d Cpu)) Phase
  (ite (= d c.4) Charged (phase.2 d)))
(define-fun counter.4 ((m Node)) Bytes
  (ite (= m (node c.4)) (+ (counter (node c.4)) (size.3 c.4)) (counter m)))
(declare-fun c.5 () Cpu)

; CPU 0: Push: The packet is on the list; who found it empty is elected.
(assert (= c.5 0))
(assert (= (phase.4 c.5) Charged))
(define-sort Index () Int)
(define-fun arrived ((m Node)) Index
  0)
(define-fun drained ((m Node)) Index
  0)
(define-fun Elected () Phase
  6)
(define-fun witness ((m Node)) Cpu
  0)
(define-fun sent ((m Node) (i Index)) Bytes
  0)
(define-sort Fate () Int)
(define-fun Listed () Fate
  0)
(define-fun fate ((m Node) (i Index)) Fate
  0)
(define-fun phase.5 ((d Cpu)) Phase
  (ite (= d c.5) (ite (= (arrived (node c.5)) (drained (node c.5))) Elected Idle) (phase.4 d)))
(define-fun witness.5 ((m Node)) Cpu
  (ite
    (= m (node c.5))
    (ite (= (arrived (node c.5)) (drained (node c.5))) c.5 (witness (node c.5)))
    (witness m)))
(define-fun sent.5 ((m Node) (i Index)) Bytes
  (ite
    (and (= m (node c.5)) (= i (+ (arrived (node c.5)) 1)))
    (+ (sent (node c.5) (arrived (node c.5))) (size.3 c.5))
    (sent m i)))
(define-fun fate.5 ((m Node) (i Index)) Fate
  (ite (and (= m (node c.5)) (= i (arrived (node c.5)))) Listed (fate m i)))
(define-fun arrived.5 ((m Node)) Index
  (ite (= m (node c.5)) (+ (arrived (node c.5)) 1) (arrived m)))
(declare-fun c.6 () Cpu)
(declare-fun x.6 () Bytes)

; CPU 1: ReadRmem: The kernel's order: rmem_alloc first.
(assert (= c.6 1))
(assert (and (= (phase.5 c.6) Idle) (= life Open) (< 0 x.6) (<= x.6 largest)))
(define-fun phase.6 ((d Cpu)) Phase
  (ite (= d c.6) HaveRmem (phase.5 d)))
(define-fun size.6 ((d Cpu)) Bytes
  (ite (= d c.6) x.6 (size.3 d)))
(define-fun seen.6 ((d Cpu)) Bytes
  (ite (= d c.6) rmem (seen.1 d)))
(declare-fun c.7 () Cpu)
(declare-fun b.7 () Bytes)

; CPU 1: ReadNodeAndAdmit: The kernel's order: the node's counter second; the packet fits.
(assert (= c.7 1))
(assert (and
    (= (phase.6 c.7) HaveRmem)
    (<= b.7 limit)
    (or
      (<= (+ (seen.6 c.7) (counter.4 (node c.7)) (size.6 c.7)) b.7)
      (= (+ (seen.6 c.7) (counter.4 (node c.7))) 0))))
(define-fun phase.7 ((d Cpu)) Phase
  (ite (= d c.7) Admitted (phase.6 d)))
(declare-fun c.8 () Cpu)

; CPU 1: Charge: The node's counter is raised.
(assert (= c.8 1))
(assert (= (phase.7 c.8) Admitted))
(define-fun phase.8 ((d Cpu)) Phase
  (ite (= d c.8) Charged (phase.7 d)))
(define-fun counter.8 ((m Node)) Bytes
  (ite (= m (node c.8)) (+ (counter.4 (node c.8)) (size.6 c.8)) (counter.4 m)))
(declare-fun c.9 () Cpu)

; CPU 1: Push: The packet is on the list; who found it empty is elected.
(assert (= c.9 1))
(assert (= (phase.8 c.9) Charged))
(define-fun phase.9 ((d Cpu)) Phase
  (ite (= d c.9) (ite (= (arrived.5 (node c.9)) (drained (node c.9))) Elected Idle) (phase.8 d)))
(define-fun witness.9 ((m Node)) Cpu
  (ite
    (= m (node c.9))
    (ite (= (arrived.5 (node c.9)) (drained (node c.9))) c.9 (witness.5 (node c.9)))
    (witness.5 m)))
(define-fun sent.9 ((m Node) (i Index)) Bytes
  (ite
    (and (= m (node c.9)) (= i (+ (arrived.5 (node c.9)) 1)))
    (+ (sent.5 (node c.9) (arrived.5 (node c.9))) (size.6 c.9))
    (sent.5 m i)))
(define-fun fate.9 ((m Node) (i Index)) Fate
  (ite (and (= m (node c.9)) (= i (arrived.5 (node c.9)))) Listed (fate.5 m i)))
(define-fun arrived.9 ((m Node)) Index
  (ite (= m (node c.9)) (+ (arrived.5 (node c.9)) 1) (arrived.5 m)))
(declare-fun c.10 () Cpu)

; CPU 0: Lock: The elected CPU takes the receive queue's lock.
(assert (= c.10 0))
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock () Cpu
  nobody)
(assert (and (= (phase.9 c.10) Elected) (= receive-lock nobody)))
(define-fun Locked () Phase
  7)
(define-fun phase.10 ((d Cpu)) Phase
  (ite (= d c.10) Locked (phase.9 d)))
(define-fun receive-lock.10 () Cpu
  c.10)
(declare-fun c.11 () Cpu)

; CPU 0: TakeAll: The elected CPU takes the whole list.
(assert (= c.11 0))
(assert (= (phase.10 c.11) Locked))
(define-fun Walking () Phase
  9)
(define-fun lo ((d Cpu)) Index
  0)
(define-fun at ((d Cpu)) Index
  0)
(define-fun hi ((d Cpu)) Index
  0)
(define-fun batch ((d Cpu)) Bytes
  0)
(define-fun accepted ((d Cpu)) Bytes
  0)
(define-sort Slot () Int)
(define-fun aside ((d Cpu)) Slot
  0)
(define-fun phase.11 ((d Cpu)) Phase
  (ite (= d c.11) Walking (phase.10 d)))
(define-fun lo.11 ((d Cpu)) Index
  (ite (= d c.11) (drained (node c.11)) (lo d)))
(define-fun at.11 ((d Cpu)) Index
  (ite (= d c.11) (drained (node c.11)) (at d)))
(define-fun hi.11 ((d Cpu)) Index
  (ite (= d c.11) (arrived.9 (node c.11)) (hi d)))
(define-fun batch.11 ((d Cpu)) Bytes
  (ite
    (= d c.11)
    (- (sent.9 (node c.11) (arrived.9 (node c.11))) (sent.9 (node c.11) (drained (node c.11))))
    (batch d)))
(define-fun accepted.11 ((d Cpu)) Bytes
  (ite (= d c.11) 0 (accepted d)))
(define-fun aside.11 ((d Cpu)) Slot
  (ite (= d c.11) 0 (aside d)))
(define-fun drained.11 ((m Node)) Index
  (ite (= m (node c.11)) (arrived.9 (node c.11)) (drained m)))
(declare-fun c.12 () Cpu)
(declare-fun x.12 () Bytes)

; CPU 0: ChargePages: The next packet needs more pages, and gets them.
(declare-fun rounded (Bytes) Bytes)
(define-fun pages-round ((r Bytes)) Bool
  (and
    (whole (rounded r))
    (<= (rounded r) r)
    (< (- r (rounded r)) page)
    (=> (whole r) (= (rounded r) r))
    (=> (<= 0 r) (<= 0 (rounded r)))))
(define-fun charged () Bytes
  0)
(assert (pages-round charged))
(assert (pages-round x.12))
(define-fun pages-add ((r Bytes) (s Bytes)) Bool
  (=> (and (whole r) (whole s)) (and (whole (+ r s)) (whole (- r s)))))
(assert (pages-add charged x.12))
(assert (pages-add x.12 charged))
(assert (= c.12 0))
(define-fun forward () Bytes
  0)
(assert (and
    (= (phase.11 c.12) Walking)
    (< (at.11 c.12) (hi.11 c.12))
    (whole x.12)
    (< 0 x.12)
    (< forward (- (sent.9 (node c.12) (+ (at.11 c.12) 1)) (sent.9 (node c.12) (at.11 c.12))))))
(define-fun forward.12 () Bytes
  (+ forward x.12))
(define-fun charged.12 () Bytes
  (+ charged x.12))
(declare-fun c.13 () Cpu)

; CPU 0: Queue: The next packet is queued.
(assert (pages-round charged.12))
(assert (= c.13 0))
(assert (and
    (= (phase.11 c.13) Walking)
    (< (at.11 c.13) (hi.11 c.13))
    (<= (- (sent.9 (node c.13) (+ (at.11 c.13) 1)) (sent.9 (node c.13) (at.11 c.13))) forward.12)))
(define-sort Position () Int)
(define-fun bytes ((p Position)) Bytes
  0)
(define-fun tail () Position
  0)
(define-fun origin ((p Position)) Node
  0)
(define-fun index ((p Position)) Index
  0)
(define-fun Queued () Fate
  1)
(define-fun place ((m Node) (i Index)) Int
  0)
(define-fun at.13 ((d Cpu)) Index
  (ite (= d c.13) (+ (at.11 c.13) 1) (at.11 d)))
(define-fun accepted.13 ((d Cpu)) Bytes
  (ite
    (= d c.13)
    (+
      (accepted.11 c.13)
      (- (sent.9 (node c.13) (+ (at.11 c.13) 1)) (sent.9 (node c.13) (at.11 c.13))))
    (accepted.11 d)))
(define-fun bytes.13 ((p Position)) Bytes
  (ite
    (= p (+ tail 1))
    (+ (bytes tail) (- (sent.9 (node c.13) (+ (at.11 c.13) 1)) (sent.9 (node c.13) (at.11 c.13))))
    (bytes p)))
(define-fun origin.13 ((p Position)) Node
  (ite (= p tail) (node c.13) (origin p)))
(define-fun index.13 ((p Position)) Index
  (ite (= p tail) (at.11 c.13) (index p)))
(define-fun fate.13 ((m Node) (i Index)) Fate
  (ite (and (= m (node c.13)) (= i (at.11 c.13))) Queued (fate.9 m i)))
(define-fun place.13 ((m Node) (i Index)) Int
  (ite (and (= m (node c.13)) (= i (at.11 c.13))) tail (place m i)))
(define-fun forward.13 () Bytes
  (- forward.12 (- (sent.9 (node c.13) (+ (at.11 c.13) 1)) (sent.9 (node c.13) (at.11 c.13)))))
(define-fun tail.13 () Position
  (+ tail 1))
(declare-fun c.14 () Cpu)

; CPU 0: NoMemory: There are no pages for the next packet, which is put aside.
(assert (= c.14 0))
(assert (and
    (= (phase.11 c.14) Walking)
    (< (at.13 c.14) (hi.11 c.14))
    (< forward.13 (- (sent.9 (node c.14) (+ (at.13 c.14) 1)) (sent.9 (node c.14) (at.13 c.14))))))
(define-fun chain ((d Cpu) (k Slot)) Index
  0)
(define-fun Aside () Fate
  2)
(define-fun keeper ((m Node) (i Index)) Cpu
  0)
(define-fun at.14 ((d Cpu)) Index
  (ite (= d c.14) (+ (at.13 c.14) 1) (at.13 d)))
(define-fun chain.14 ((d Cpu) (k Slot)) Index
  (ite (and (= d c.14) (= k (aside.11 c.14))) (at.13 c.14) (chain d k)))
(define-fun fate.14 ((m Node) (i Index)) Fate
  (ite (and (= m (node c.14)) (= i (at.13 c.14))) Aside (fate.13 m i)))
(define-fun place.14 ((m Node) (i Index)) Int
  (ite (and (= m (node c.14)) (= i (at.13 c.14))) (aside.11 c.14) (place.13 m i)))
(define-fun keeper.14 ((m Node) (i Index)) Cpu
  (ite (and (= m (node c.14)) (= i (at.13 c.14))) c.14 (keeper m i)))
(define-fun aside.14 ((d Cpu)) Slot
  (ite (= d c.14) (+ (aside.11 c.14) 1) (aside.11 d)))
(declare-fun c.15 () Cpu)

; CPU 0: AddRmem: The batch's bytes are added to rmem_alloc.
(assert (= c.15 0))
(assert (and (= (phase.11 c.15) Walking) (= (at.14 c.15) (hi.11 c.15))))
(define-fun Added () Phase
  10)
(define-fun share ((m Node)) Bytes
  0)
(define-fun shares () Bytes
  0)
(define-fun share.of ((m Node)) Bytes
  (share m))
(define-fun phase.15 ((d Cpu)) Phase
  (ite (= d c.15) Added (phase.11 d)))
(define-fun rmem.15 () Bytes
  (+ rmem (accepted.13 c.15)))
(define-fun share.15 ((m Node)) Bytes
  (ite (= m (node c.15)) (+ (share (node c.15)) (accepted.13 c.15)) (share m)))
(define-fun share.of.15 ((m Node)) Bytes
  (share.15 m))
(define-fun shares.15 () Bytes
  (+ shares (- (share.of.15 (node c.15)) (share.of (node c.15)))))
(declare-fun c.16 () Cpu)

; CPU 0: Unlock: The receive queue's lock is given back.
(assert (= c.16 0))
(assert (= (phase.15 c.16) Added))
(define-fun Unlocked () Phase
  11)
(define-fun phase.16 ((d Cpu)) Phase
  (ite (= d c.16) Unlocked (phase.15 d)))
(define-fun receive-lock.16 () Cpu
  nobody)
(declare-fun c.17 () Cpu)

; CPU 0: Free: A packet without memory is freed.
(assert (= c.17 0))
(assert (and (= (phase.16 c.17) Unlocked) (< 0 (aside.14 c.17))))
(define-fun Freed () Fate
  3)
(define-fun fate.17 ((m Node) (i Index)) Fate
  (ite (and (= m (node c.17)) (= i (chain.14 c.17 (- (aside.14 c.17) 1)))) Freed (fate.14 m i)))
(define-fun aside.17 ((d Cpu)) Slot
  (ite (= d c.17) (- (aside.14 c.17) 1) (aside.14 d)))
(declare-fun c.18 () Cpu)

; CPU 0: Uncharge: The batch leaves the node's counter.
(assert (= c.18 0))
(assert (and (= (phase.16 c.18) Unlocked) (= (aside.17 c.18) 0)))
(define-fun phase.18 ((d Cpu)) Phase
  (ite (= d c.18) Idle (phase.16 d)))
(define-fun counter.18 ((m Node)) Bytes
  (ite (= m (node c.18)) (- (counter.8 (node c.18)) (batch.11 c.18)) (counter.8 m)))
(declare-fun c.19 () Cpu)

; CPU 0: LockReader: A reader takes the reader queue's lock.
(assert (= c.19 0))
(define-fun reader-lock () Cpu
  nobody)
(assert (and (= (phase.18 c.19) Idle) (= life Open) (= reader-lock nobody)))
(define-fun ReaderLocked () Phase
  12)
(define-fun phase.19 ((d Cpu)) Phase
  (ite (= d c.19) ReaderLocked (phase.18 d)))
(define-fun reader-lock.19 () Cpu
  c.19)
(declare-fun c.20 () Cpu)

; CPU 0: LockToRefill: The reader queue is empty: it takes the receive queue's lock too.
(assert (= c.20 0))
(define-fun head () Position
  0)
(define-fun spliced () Position
  0)
(assert (and (= (phase.19 c.20) ReaderLocked) (= head spliced) (= receive-lock.16 nobody)))
(define-fun Refilling () Phase
  13)
(define-fun phase.20 ((d Cpu)) Phase
  (ite (= d c.20) Refilling (phase.19 d)))
(define-fun receive-lock.20 () Cpu
  c.20)
(declare-fun c.21 () Cpu)

; CPU 0: SpliceToRefill: It moves the receive queue's packets to the reader queue.
(assert (= c.21 0))
(assert (= (phase.20 c.21) Refilling))
(define-fun Refilled () Phase
  14)
(define-fun phase.21 ((d Cpu)) Phase
  (ite (= d c.21) Refilled (phase.20 d)))
(define-fun spliced.21 () Position
  tail.13)
(declare-fun c.22 () Cpu)

; CPU 0: DequeueRefilled: It takes a packet with both locks held.
(assert (= c.22 0))
(assert (and (= (phase.21 c.22) Refilled) (< head spliced.21)))
(define-fun DueBoth () Phase
  16)
(define-fun deficit () Bytes
  0)
(define-fun phase.22 ((d Cpu)) Phase
  (ite (= d c.22) DueBoth (phase.21 d)))
(define-fun head.22 () Position
  (+ head 1))
(define-fun deficit.22 () Bytes
  (+ deficit (- (bytes.13 (+ head 1)) (bytes.13 head))))
(declare-fun c.23 () Cpu)

; CPU 0: UnchargePages: Whole pages go back to the protocol, but for one byte's.
(assert (pages-round (- (+ forward.13 deficit.22) 1)))
(assert (pages-round (rounded (- (+ forward.13 deficit.22) 1))))
(assert (pages-add (- (+ forward.13 deficit.22) 1) (rounded (- (+ forward.13 deficit.22) 1))))
(assert (pages-add (- (+ forward.13 deficit.22) 1) charged.12))
(assert (pages-add (rounded (- (+ forward.13 deficit.22) 1)) (- (+ forward.13 deficit.22) 1)))
(assert (pages-add (rounded (- (+ forward.13 deficit.22) 1)) charged.12))
(assert (pages-add charged.12 (- (+ forward.13 deficit.22) 1)))
(assert (pages-add charged.12 (rounded (- (+ forward.13 deficit.22) 1))))
(assert (= c.23 0))
(assert (= (phase.22 c.23) DueBoth))
(define-fun Returned () Phase
  17)
(define-fun phase.23 ((d Cpu)) Phase
  (ite (= d c.23) Returned (phase.22 d)))
(define-fun forward.23 () Bytes
  (- (+ forward.13 deficit.22) (rounded (- (+ forward.13 deficit.22) 1))))
(define-fun charged.23 () Bytes
  (- charged.12 (rounded (- (+ forward.13 deficit.22) 1))))
(declare-fun c.24 () Cpu)

; CPU 0: SubRmem: What was due leaves rmem_alloc.
(assert (= c.24 0))
(assert (= (phase.23 c.24) Returned))
(declare-fun part (Node) Bytes)
(assert (and (<= 0 (part 0)) (<= (part 0) (share.15 0))))
(define-fun Released () Phase
  18)
(define-fun phase.24 ((d Cpu)) Phase
  (ite (= d c.24) Released (phase.23 d)))
(define-fun rmem.24 () Bytes
  (- rmem.15 deficit.22))
(define-fun share.24 ((m Node)) Bytes
  (- (share.15 m) (part m)))
(define-fun shares.24 () Bytes
  (- shares.15 deficit.22))
(define-fun deficit.24 () Bytes
  0)
(declare-fun c.25 () Cpu)

; CPU 0: Splice: It moves the receive queue's packets to the reader queue.
(assert (= c.25 0))
(assert (= (phase.24 c.25) Released))
(define-fun Leaving () Phase
  19)
(define-fun phase.25 ((d Cpu)) Phase
  (ite (= d c.25) Leaving (phase.24 d)))
(define-fun spliced.25 () Position
  tail.13)
(declare-fun c.26 () Cpu)

; CPU 0: UnlockReceive: It gives the receive queue's lock back.
(assert (= c.26 0))
(assert (= (phase.25 c.26) Leaving))
(define-fun Left () Phase
  20)
(define-fun phase.26 ((d Cpu)) Phase
  (ite (= d c.26) Left (phase.25 d)))
(define-fun receive-lock.26 () Cpu
  nobody)
(declare-fun c.27 () Cpu)

; CPU 0: UnlockReader: It gives the reader queue's lock back.
(assert (= c.27 0))
(assert (= (phase.26 c.27) Left))
(define-fun phase.27 ((d Cpu)) Phase
  (ite (= d c.27) Idle (phase.26 d)))
(define-fun reader-lock.27 () Cpu
  nobody)
(declare-fun c.28 () Cpu)

; CPU 0: Destruct: After the grace period the last reference goes, and the queues are spliced.
(assert (= c.28 0))
(assert (= life Open))
(assert (=> (is-cpu 0) (= (phase.27 0) Idle)))
(assert (=> (is-cpu 1) (= (phase.27 1) Idle)))
(assert (=> (is-cpu 2) (= (phase.27 2) Idle)))
(define-fun Closing () Life
  1)
(define-fun life.28 () Life
  Closing)
(define-fun spliced.28 () Position
  tail.13)
(declare-fun c.29 () Cpu)

; CPU 0: Destructed: It gives back the rest, and the node queues.
(assert (pages-round (+ forward.23 deficit.24)))
(assert (pages-round (rounded (+ forward.23 deficit.24))))
(assert (pages-round charged.23))
(assert (pages-add (+ forward.23 deficit.24) (rounded (+ forward.23 deficit.24))))
(assert (pages-add (+ forward.23 deficit.24) charged.23))
(assert (pages-add (rounded (+ forward.23 deficit.24)) (+ forward.23 deficit.24)))
(assert (pages-add (rounded (+ forward.23 deficit.24)) charged.23))
(assert (pages-add charged.23 (+ forward.23 deficit.24)))
(assert (pages-add charged.23 (rounded (+ forward.23 deficit.24))))
(assert (= c.29 0))
(assert (and (= life.28 Closing) (= head.22 tail.13)))
(assert (and (<= 0 (part 0)) (<= (part 0) (share.24 0))))
(define-fun Dead () Life
  2)
(define-fun rmem.29 () Bytes
  (- rmem.24 deficit.24))
(define-fun forward.29 () Bytes
  (- (+ forward.23 deficit.24) (rounded (+ forward.23 deficit.24))))
(define-fun charged.29 () Bytes
  (- charged.23 (rounded (+ forward.23 deficit.24))))
(define-fun share.29 ((m Node)) Bytes
  (- (share.24 m) (part m)))
(define-fun shares.29 () Bytes
  (- shares.24 deficit.24))
(define-fun deficit.29 () Bytes
  0)
(define-fun life.29 () Life
  Dead)

; The end.
(assert (= page 4096))
(assert (= (node 0) 0))
(assert (= (node 1) 0))
(assert (and
    (= life.29 Dead)
    (= (arrived.9 0) 2)
    (= (drained.11 0) 2)
    (= tail.13 1)
    (= (fate.17 0 0) Queued)
    (= (fate.17 0 1) Freed)
    (= (counter.18 0) 0)
    (= rmem.29 0)
    (= forward.29 0)
    (= charged.29 0)))

(check-sat)
