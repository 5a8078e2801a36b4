; SPDX-License-Identifier: MIT OR Apache-2.0
; walks/a-length-lowered-at-once-hides-a-packet
; Both queues are looked at, but a packet leaves the reader queue's length before the splice (the bug lower-the-length-at-once): a reader that looks in between sleeps beside a packet.
; Expected: sat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun cpus () Int)
(assert (= cpus 3))
(define-sort Cpu () Int)
(declare-fun c.1 () Cpu)

; CPU 1: Receive: A reader begins.
(assert (= c.1 1))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Out () Phase
  0)
(assert (= (phase c.1) Out))
(define-fun Receiving () Phase
  3)
(define-fun active () Int
  0)
(define-fun Refilled () Phase
  7)
(define-fun Finished () Phase
  22)
(define-fun Prepared () Phase
  17)
(define-fun Ready () Phase
  21)
(define-fun woken ((d Cpu)) Bool
  false)
(define-fun active.of ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase d)) (<= (phase d) Refilled))
      (= (phase d) Finished)
      (and (<= Prepared (phase d)) (<= (phase d) Ready) (woken d)))
    1
    0))
(define-fun phase.1 ((d Cpu)) Phase
  (ite (= d c.1) Receiving (phase d)))
(define-fun active.of.1 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.1 d)) (<= (phase.1 d) Refilled))
      (= (phase.1 d) Finished)
      (and (<= Prepared (phase.1 d)) (<= (phase.1 d) Ready) (woken d)))
    1
    0))
(define-fun active.1 () Int
  (+ active (- (active.of.1 c.1) (active.of c.1))))
(declare-fun c.2 () Cpu)

; CPU 1: LockReader: It takes the reader queue's lock.
(assert (= c.2 1))
(define-fun nobody () Cpu
  (- 1))
(define-fun reader-lock () Cpu
  nobody)
(assert (and (= (phase.1 c.2) Receiving) (= reader-lock nobody)))
(define-fun ReaderLocked () Phase
  4)
(define-fun phase.2 ((d Cpu)) Phase
  (ite (= d c.2) ReaderLocked (phase.1 d)))
(define-fun reader-lock.2 () Cpu
  c.2)
(define-fun active.of.2 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.2 d)) (<= (phase.2 d) Refilled))
      (= (phase.2 d) Finished)
      (and (<= Prepared (phase.2 d)) (<= (phase.2 d) Ready) (woken d)))
    1
    0))
(define-fun active.2 () Int
  (+ active.1 (- (active.of.2 c.2) (active.of.1 c.2))))
(declare-fun c.3 () Cpu)

; CPU 1: LockToRefill: The reader queue is empty.
(assert (= c.3 1))
(define-fun reader () Int
  0)
(define-fun receive-lock () Cpu
  nobody)
(assert (and (= (phase.2 c.3) ReaderLocked) (= reader 0) (= receive-lock nobody)))
(define-fun Refilling () Phase
  5)
(define-fun phase.3 ((d Cpu)) Phase
  (ite (= d c.3) Refilling (phase.2 d)))
(define-fun receive-lock.3 () Cpu
  c.3)
(define-fun active.of.3 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.3 d)) (<= (phase.3 d) Refilled))
      (= (phase.3 d) Finished)
      (and (<= Prepared (phase.3 d)) (<= (phase.3 d) Ready) (woken d)))
    1
    0))
(define-fun active.3 () Int
  (+ active.2 (- (active.of.3 c.3) (active.of.2 c.3))))
(declare-fun c.4 () Cpu)

; CPU 1: Refill: The receive queue's packets count in the reader queue.
(assert (= c.4 1))
(assert (= (phase.3 c.4) Refilling))
(define-fun RefillingTwice () Phase
  6)
(define-fun receive () Int
  0)
(define-fun phase.4 ((d Cpu)) Phase
  (ite (= d c.4) RefillingTwice (phase.3 d)))
(define-fun reader.4 () Int
  (+ reader receive))
(define-fun twice.4 () Int
  receive)
(define-fun active.of.4 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.4 d)) (<= (phase.4 d) Refilled))
      (= (phase.4 d) Finished)
      (and (<= Prepared (phase.4 d)) (<= (phase.4 d) Ready) (woken d)))
    1
    0))
(define-fun active.4 () Int
  (+ active.3 (- (active.of.4 c.4) (active.of.3 c.4))))
(declare-fun c.5 () Cpu)

; CPU 1: RefillLeaves: They count in the receive queue no more.
(assert (= c.5 1))
(assert (= (phase.4 c.5) RefillingTwice))
(define-fun phase.5 ((d Cpu)) Phase
  (ite (= d c.5) Refilled (phase.4 d)))
(define-fun receive.5 () Int
  (- receive twice.4))
(define-fun twice.5 () Int
  0)
(define-fun active.of.5 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.5 d)) (<= (phase.5 d) Refilled))
      (= (phase.5 d) Finished)
      (and (<= Prepared (phase.5 d)) (<= (phase.5 d) Ready) (woken d)))
    1
    0))
(define-fun active.5 () Int
  (+ active.4 (- (active.of.5 c.5) (active.of.4 c.5))))
(declare-fun c.6 () Cpu)

; CPU 1: Empty: Both queues are empty.
(assert (= c.6 1))
(assert (and (= (phase.5 c.6) Refilled) (= reader.4 0)))
(define-fun EmptyBoth () Phase
  14)
(define-fun phase.6 ((d Cpu)) Phase
  (ite (= d c.6) EmptyBoth (phase.5 d)))
(define-fun active.of.6 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.6 d)) (<= (phase.6 d) Refilled))
      (= (phase.6 d) Finished)
      (and (<= Prepared (phase.6 d)) (<= (phase.6 d) Ready) (woken d)))
    1
    0))
(define-fun active.6 () Int
  (+ active.5 (- (active.of.6 c.6) (active.of.5 c.6))))
(declare-fun c.7 () Cpu)

; CPU 1: UnlockReceiveEmpty: It gives the receive queue's lock back.
(assert (= c.7 1))
(assert (= (phase.6 c.7) EmptyBoth))
(define-fun EmptySeen () Phase
  15)
(define-fun phase.7 ((d Cpu)) Phase
  (ite (= d c.7) EmptySeen (phase.6 d)))
(define-fun receive-lock.7 () Cpu
  nobody)
(define-fun active.of.7 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.7 d)) (<= (phase.7 d) Refilled))
      (= (phase.7 d) Finished)
      (and (<= Prepared (phase.7 d)) (<= (phase.7 d) Ready) (woken d)))
    1
    0))
(define-fun active.7 () Int
  (+ active.6 (- (active.of.7 c.7) (active.of.6 c.7))))
(declare-fun c.8 () Cpu)
(declare-fun g.8 () Bool)

; CPU 1: UnlockReaderEmpty: It has nothing, and may wait or go away.
(assert (= c.8 1))
(assert (= (phase.7 c.8) EmptySeen))
(define-fun Waits () Phase
  16)
(define-fun phase.8 ((d Cpu)) Phase
  (ite (= d c.8) (ite g.8 Out Waits) (phase.7 d)))
(define-fun reader-lock.8 () Cpu
  nobody)
(define-fun active.of.8 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.8 d)) (<= (phase.8 d) Refilled))
      (= (phase.8 d) Finished)
      (and (<= Prepared (phase.8 d)) (<= (phase.8 d) Ready) (woken d)))
    1
    0))
(define-fun active.8 () Int
  (+ active.7 (- (active.of.8 c.8) (active.of.7 c.8))))
(declare-fun c.9 () Cpu)

; CPU 2: Receive: A reader begins.
(assert (= c.9 2))
(assert (= (phase.8 c.9) Out))
(define-fun phase.9 ((d Cpu)) Phase
  (ite (= d c.9) Receiving (phase.8 d)))
(define-fun active.of.9 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.9 d)) (<= (phase.9 d) Refilled))
      (= (phase.9 d) Finished)
      (and (<= Prepared (phase.9 d)) (<= (phase.9 d) Ready) (woken d)))
    1
    0))
(define-fun active.9 () Int
  (+ active.8 (- (active.of.9 c.9) (active.of.8 c.9))))
(declare-fun c.10 () Cpu)

; CPU 2: LockReader: It takes the reader queue's lock.
(assert (= c.10 2))
(assert (and (= (phase.9 c.10) Receiving) (= reader-lock.8 nobody)))
(define-fun phase.10 ((d Cpu)) Phase
  (ite (= d c.10) ReaderLocked (phase.9 d)))
(define-fun reader-lock.10 () Cpu
  c.10)
(define-fun active.of.10 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.10 d)) (<= (phase.10 d) Refilled))
      (= (phase.10 d) Finished)
      (and (<= Prepared (phase.10 d)) (<= (phase.10 d) Ready) (woken d)))
    1
    0))
(define-fun active.10 () Int
  (+ active.9 (- (active.of.10 c.10) (active.of.9 c.10))))
(declare-fun c.11 () Cpu)

; CPU 2: LockToRefill: The reader queue is empty.
(assert (= c.11 2))
(assert (and (= (phase.10 c.11) ReaderLocked) (= reader.4 0) (= receive-lock.7 nobody)))
(define-fun phase.11 ((d Cpu)) Phase
  (ite (= d c.11) Refilling (phase.10 d)))
(define-fun receive-lock.11 () Cpu
  c.11)
(define-fun active.of.11 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.11 d)) (<= (phase.11 d) Refilled))
      (= (phase.11 d) Finished)
      (and (<= Prepared (phase.11 d)) (<= (phase.11 d) Ready) (woken d)))
    1
    0))
(define-fun active.11 () Int
  (+ active.10 (- (active.of.11 c.11) (active.of.10 c.11))))
(declare-fun c.12 () Cpu)

; CPU 2: Refill: The receive queue's packets count in the reader queue.
(assert (= c.12 2))
(assert (= (phase.11 c.12) Refilling))
(define-fun phase.12 ((d Cpu)) Phase
  (ite (= d c.12) RefillingTwice (phase.11 d)))
(define-fun reader.12 () Int
  (+ reader.4 receive.5))
(define-fun twice.12 () Int
  receive.5)
(define-fun active.of.12 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.12 d)) (<= (phase.12 d) Refilled))
      (= (phase.12 d) Finished)
      (and (<= Prepared (phase.12 d)) (<= (phase.12 d) Ready) (woken d)))
    1
    0))
(define-fun active.12 () Int
  (+ active.11 (- (active.of.12 c.12) (active.of.11 c.12))))
(declare-fun c.13 () Cpu)

; CPU 2: RefillLeaves: They count in the receive queue no more.
(assert (= c.13 2))
(assert (= (phase.12 c.13) RefillingTwice))
(define-fun phase.13 ((d Cpu)) Phase
  (ite (= d c.13) Refilled (phase.12 d)))
(define-fun receive.13 () Int
  (- receive.5 twice.12))
(define-fun twice.13 () Int
  0)
(define-fun active.of.13 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.13 d)) (<= (phase.13 d) Refilled))
      (= (phase.13 d) Finished)
      (and (<= Prepared (phase.13 d)) (<= (phase.13 d) Ready) (woken d)))
    1
    0))
(define-fun active.13 () Int
  (+ active.12 (- (active.of.13 c.13) (active.of.12 c.13))))
(declare-fun c.14 () Cpu)

; CPU 2: Empty: Both queues are empty.
(assert (= c.14 2))
(assert (and (= (phase.13 c.14) Refilled) (= reader.12 0)))
(define-fun phase.14 ((d Cpu)) Phase
  (ite (= d c.14) EmptyBoth (phase.13 d)))
(define-fun active.of.14 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.14 d)) (<= (phase.14 d) Refilled))
      (= (phase.14 d) Finished)
      (and (<= Prepared (phase.14 d)) (<= (phase.14 d) Ready) (woken d)))
    1
    0))
(define-fun active.14 () Int
  (+ active.13 (- (active.of.14 c.14) (active.of.13 c.14))))
(declare-fun c.15 () Cpu)

; CPU 2: UnlockReceiveEmpty: It gives the receive queue's lock back.
(assert (= c.15 2))
(assert (= (phase.14 c.15) EmptyBoth))
(define-fun phase.15 ((d Cpu)) Phase
  (ite (= d c.15) EmptySeen (phase.14 d)))
(define-fun receive-lock.15 () Cpu
  nobody)
(define-fun active.of.15 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.15 d)) (<= (phase.15 d) Refilled))
      (= (phase.15 d) Finished)
      (and (<= Prepared (phase.15 d)) (<= (phase.15 d) Ready) (woken d)))
    1
    0))
(define-fun active.15 () Int
  (+ active.14 (- (active.of.15 c.15) (active.of.14 c.15))))
(declare-fun c.16 () Cpu)
(declare-fun g.16 () Bool)

; CPU 2: UnlockReaderEmpty: It has nothing, and may wait or go away.
(assert (= c.16 2))
(assert (= (phase.15 c.16) EmptySeen))
(define-fun phase.16 ((d Cpu)) Phase
  (ite (= d c.16) (ite g.16 Out Waits) (phase.15 d)))
(define-fun reader-lock.16 () Cpu
  nobody)
(define-fun active.of.16 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.16 d)) (<= (phase.16 d) Refilled))
      (= (phase.16 d) Finished)
      (and (<= Prepared (phase.16 d)) (<= (phase.16 d) Ready) (woken d)))
    1
    0))
(define-fun active.16 () Int
  (+ active.15 (- (active.of.16 c.16) (active.of.15 c.16))))
(declare-fun c.17 () Cpu)
(declare-fun k.17 () Int)

; CPU 0: Queue: A drain queues `k` packets under the lock, and owes as many wake-ups.
(assert (= c.17 0))
(assert (and (= (phase.16 c.17) Out) (= receive-lock.15 nobody) (< 0 k.17)))
(define-fun Waking () Phase
  1)
(define-fun owes ((d Cpu)) Int
  0)
(define-fun owed () Int
  0)
(define-fun owes.of ((d Cpu)) Int
  (owes d))
(define-fun phase.17 ((d Cpu)) Phase
  (ite (= d c.17) Waking (phase.16 d)))
(define-fun owes.17 ((d Cpu)) Int
  (ite (= d c.17) k.17 (owes d)))
(define-fun receive.17 () Int
  (+ receive.13 k.17))
(define-fun owes.of.17 ((d Cpu)) Int
  (owes.17 d))
(define-fun owed.17 () Int
  (+ owed (- (owes.of.17 c.17) (owes.of c.17))))
(define-fun active.of.17 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.17 d)) (<= (phase.17 d) Refilled))
      (= (phase.17 d) Finished)
      (and (<= Prepared (phase.17 d)) (<= (phase.17 d) Ready) (woken d)))
    1
    0))
(define-fun active.17 () Int
  (+ active.16 (- (active.of.17 c.17) (active.of.16 c.17))))
(declare-fun c.18 () Cpu)

; CPU 0: FindNoSleeper: After its fence it finds no sleeper counted.
(assert (= c.18 0))
(define-fun sleepers () Int
  0)
(assert (and (= (phase.17 c.18) Waking) (< 0 (owes.17 c.18)) (= sleepers 0)))
(define-fun owes.18 ((d Cpu)) Int
  (ite (= d c.18) (- (owes.17 c.18) 1) (owes.17 d)))
(define-fun owes.of.18 ((d Cpu)) Int
  (owes.18 d))
(define-fun owed.18 () Int
  (+ owed.17 (- (owes.of.18 c.18) (owes.of.17 c.18))))
(declare-fun c.19 () Cpu)

; CPU 0: FindNoSleeper: After its fence it finds no sleeper counted.
(assert (= c.19 0))
(assert (and (= (phase.17 c.19) Waking) (< 0 (owes.18 c.19)) (= sleepers 0)))
(define-fun owes.19 ((d Cpu)) Int
  (ite (= d c.19) (- (owes.18 c.19) 1) (owes.18 d)))
(define-fun owes.of.19 ((d Cpu)) Int
  (owes.19 d))
(define-fun owed.19 () Int
  (+ owed.18 (- (owes.of.19 c.19) (owes.of.18 c.19))))
(declare-fun c.20 () Cpu)

; CPU 0: EndOfDrain: All wake-ups are made.
(assert (= c.20 0))
(assert (and (= (phase.17 c.20) Waking) (= (owes.19 c.20) 0)))
(define-fun phase.20 ((d Cpu)) Phase
  (ite (= d c.20) Out (phase.17 d)))
(define-fun active.of.20 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.20 d)) (<= (phase.20 d) Refilled))
      (= (phase.20 d) Finished)
      (and (<= Prepared (phase.20 d)) (<= (phase.20 d) Ready) (woken d)))
    1
    0))
(define-fun active.20 () Int
  (+ active.17 (- (active.of.20 c.20) (active.of.17 c.20))))
(declare-fun c.21 () Cpu)

; CPU 0: Receive: A reader begins.
(assert (= c.21 0))
(assert (= (phase.20 c.21) Out))
(define-fun phase.21 ((d Cpu)) Phase
  (ite (= d c.21) Receiving (phase.20 d)))
(define-fun active.of.21 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.21 d)) (<= (phase.21 d) Refilled))
      (= (phase.21 d) Finished)
      (and (<= Prepared (phase.21 d)) (<= (phase.21 d) Ready) (woken d)))
    1
    0))
(define-fun active.21 () Int
  (+ active.20 (- (active.of.21 c.21) (active.of.20 c.21))))
(declare-fun c.22 () Cpu)

; CPU 0: LockReader: It takes the reader queue's lock.
(assert (= c.22 0))
(assert (and (= (phase.21 c.22) Receiving) (= reader-lock.16 nobody)))
(define-fun phase.22 ((d Cpu)) Phase
  (ite (= d c.22) ReaderLocked (phase.21 d)))
(define-fun reader-lock.22 () Cpu
  c.22)
(define-fun active.of.22 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.22 d)) (<= (phase.22 d) Refilled))
      (= (phase.22 d) Finished)
      (and (<= Prepared (phase.22 d)) (<= (phase.22 d) Ready) (woken d)))
    1
    0))
(define-fun active.22 () Int
  (+ active.21 (- (active.of.22 c.22) (active.of.21 c.22))))
(declare-fun c.23 () Cpu)

; CPU 0: LockToRefill: The reader queue is empty.
(assert (= c.23 0))
(assert (and (= (phase.22 c.23) ReaderLocked) (= reader.12 0) (= receive-lock.15 nobody)))
(define-fun phase.23 ((d Cpu)) Phase
  (ite (= d c.23) Refilling (phase.22 d)))
(define-fun receive-lock.23 () Cpu
  c.23)
(define-fun active.of.23 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.23 d)) (<= (phase.23 d) Refilled))
      (= (phase.23 d) Finished)
      (and (<= Prepared (phase.23 d)) (<= (phase.23 d) Ready) (woken d)))
    1
    0))
(define-fun active.23 () Int
  (+ active.22 (- (active.of.23 c.23) (active.of.22 c.23))))
(declare-fun c.24 () Cpu)

; CPU 0: Refill: The receive queue's packets count in the reader queue.
(assert (= c.24 0))
(assert (= (phase.23 c.24) Refilling))
(define-fun phase.24 ((d Cpu)) Phase
  (ite (= d c.24) RefillingTwice (phase.23 d)))
(define-fun reader.24 () Int
  (+ reader.12 receive.17))
(define-fun twice.24 () Int
  receive.17)
(define-fun active.of.24 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.24 d)) (<= (phase.24 d) Refilled))
      (= (phase.24 d) Finished)
      (and (<= Prepared (phase.24 d)) (<= (phase.24 d) Ready) (woken d)))
    1
    0))
(define-fun active.24 () Int
  (+ active.23 (- (active.of.24 c.24) (active.of.23 c.24))))
(declare-fun c.25 () Cpu)

; CPU 0: RefillLeaves: They count in the receive queue no more.
(assert (= c.25 0))
(assert (= (phase.24 c.25) RefillingTwice))
(define-fun phase.25 ((d Cpu)) Phase
  (ite (= d c.25) Refilled (phase.24 d)))
(define-fun receive.25 () Int
  (- receive.17 twice.24))
(define-fun twice.25 () Int
  0)
(define-fun active.of.25 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.25 d)) (<= (phase.25 d) Refilled))
      (= (phase.25 d) Finished)
      (and (<= Prepared (phase.25 d)) (<= (phase.25 d) Ready) (woken d)))
    1
    0))
(define-fun active.25 () Int
  (+ active.24 (- (active.of.25 c.25) (active.of.24 c.25))))
(declare-fun c.26 () Cpu)

; CPU 0: DequeueRefilled: It takes a packet with both locks held; there is nothing more to splice.
(assert (= c.26 0))
(assert (and (= (phase.25 c.26) Refilled) (< 0 reader.24)))
(define-fun SplicedBoth () Phase
  11)
(define-fun phase.26 ((d Cpu)) Phase
  (ite (= d c.26) SplicedBoth (phase.25 d)))
(define-fun reader.26 () Int
  (- reader.24 1))
(define-fun active.of.26 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.26 d)) (<= (phase.26 d) Refilled))
      (= (phase.26 d) Finished)
      (and (<= Prepared (phase.26 d)) (<= (phase.26 d) Ready) (woken d)))
    1
    0))
(define-fun active.26 () Int
  (+ active.25 (- (active.of.26 c.26) (active.of.25 c.26))))
(declare-fun c.27 () Cpu)

; CPU 0: UnlockReceive: It gives the receive queue's lock back.
(assert (= c.27 0))
(assert (= (phase.26 c.27) SplicedBoth))
(define-fun Spliced () Phase
  12)
(define-fun phase.27 ((d Cpu)) Phase
  (ite (= d c.27) Spliced (phase.26 d)))
(define-fun receive-lock.27 () Cpu
  nobody)
(define-fun active.of.27 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.27 d)) (<= (phase.27 d) Refilled))
      (= (phase.27 d) Finished)
      (and (<= Prepared (phase.27 d)) (<= (phase.27 d) Ready) (woken d)))
    1
    0))
(define-fun active.27 () Int
  (+ active.26 (- (active.of.27 c.27) (active.of.26 c.27))))
(declare-fun c.28 () Cpu)

; CPU 0: SubReaderLen: Its packet leaves the reader queue's length.
(assert (= c.28 0))
(assert (= (phase.27 c.28) Spliced))
(define-fun Got () Phase
  13)
(define-fun phase.28 ((d Cpu)) Phase
  (ite (= d c.28) Got (phase.27 d)))
(define-fun reader.28 () Int
  reader.26)
(define-fun active.of.28 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.28 d)) (<= (phase.28 d) Refilled))
      (= (phase.28 d) Finished)
      (and (<= Prepared (phase.28 d)) (<= (phase.28 d) Ready) (woken d)))
    1
    0))
(define-fun active.28 () Int
  (+ active.27 (- (active.of.28 c.28) (active.of.27 c.28))))
(declare-fun c.29 () Cpu)

; CPU 0: UnlockReader: It returns with a packet.
(assert (= c.29 0))
(assert (= (phase.28 c.29) Got))
(define-fun phase.29 ((d Cpu)) Phase
  (ite (= d c.29) Out (phase.28 d)))
(define-fun reader-lock.29 () Cpu
  nobody)
(define-fun active.of.29 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.29 d)) (<= (phase.29 d) Refilled))
      (= (phase.29 d) Finished)
      (and (<= Prepared (phase.29 d)) (<= (phase.29 d) Ready) (woken d)))
    1
    0))
(define-fun active.29 () Int
  (+ active.28 (- (active.of.29 c.29) (active.of.28 c.29))))
(declare-fun c.30 () Cpu)

; CPU 1: Prepare: A reader enters the wait queue.
(assert (= c.30 1))
(assert (= (phase.29 c.30) Waits))
(define-fun waiting ((d Cpu)) Bool
  false)
(define-fun phase.30 ((d Cpu)) Phase
  (ite (= d c.30) Prepared (phase.29 d)))
(define-fun waiting.30 ((d Cpu)) Bool
  (ite (= d c.30) true (waiting d)))
(define-fun woken.30 ((d Cpu)) Bool
  (ite (= d c.30) false (woken d)))
(define-fun active.of.30 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.30 d)) (<= (phase.30 d) Refilled))
      (= (phase.30 d) Finished)
      (and (<= Prepared (phase.30 d)) (<= (phase.30 d) Ready) (woken.30 d)))
    1
    0))
(define-fun active.30 () Int
  (+ active.29 (- (active.of.30 c.30) (active.of.29 c.30))))
(declare-fun c.31 () Cpu)

; CPU 1: AddSleeper: It counts itself.
(assert (= c.31 1))
(assert (= (phase.30 c.31) Prepared))
(define-fun Announced () Phase
  18)
(define-fun phase.31 ((d Cpu)) Phase
  (ite (= d c.31) Announced (phase.30 d)))
(define-fun sleepers.31 () Int
  (+ sleepers 1))
(define-fun active.of.31 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.31 d)) (<= (phase.31 d) Refilled))
      (= (phase.31 d) Finished)
      (and (<= Prepared (phase.31 d)) (<= (phase.31 d) Ready) (woken.30 d)))
    1
    0))
(define-fun active.31 () Int
  (+ active.30 (- (active.of.31 c.31) (active.of.30 c.31))))
(declare-fun c.32 () Cpu)

; CPU 2: Prepare: A reader enters the wait queue.
(assert (= c.32 2))
(assert (= (phase.31 c.32) Waits))
(define-fun phase.32 ((d Cpu)) Phase
  (ite (= d c.32) Prepared (phase.31 d)))
(define-fun waiting.32 ((d Cpu)) Bool
  (ite (= d c.32) true (waiting.30 d)))
(define-fun woken.32 ((d Cpu)) Bool
  (ite (= d c.32) false (woken.30 d)))
(define-fun active.of.32 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.32 d)) (<= (phase.32 d) Refilled))
      (= (phase.32 d) Finished)
      (and (<= Prepared (phase.32 d)) (<= (phase.32 d) Ready) (woken.32 d)))
    1
    0))
(define-fun active.32 () Int
  (+ active.31 (- (active.of.32 c.32) (active.of.31 c.32))))
(declare-fun c.33 () Cpu)

; CPU 2: AddSleeper: It counts itself.
(assert (= c.33 2))
(assert (= (phase.32 c.33) Prepared))
(define-fun phase.33 ((d Cpu)) Phase
  (ite (= d c.33) Announced (phase.32 d)))
(define-fun sleepers.33 () Int
  (+ sleepers.31 1))
(define-fun active.of.33 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.33 d)) (<= (phase.33 d) Refilled))
      (= (phase.33 d) Finished)
      (and (<= Prepared (phase.33 d)) (<= (phase.33 d) Ready) (woken.32 d)))
    1
    0))
(define-fun active.33 () Int
  (+ active.32 (- (active.of.33 c.33) (active.of.32 c.33))))
(declare-fun c.34 () Cpu)

; CPU 2: LookReceive: After its fence it looks at the receive queue.
(assert (= c.34 2))
(assert (= (phase.33 c.34) Announced))
(define-fun Looked () Phase
  19)
(define-fun phase.34 ((d Cpu)) Phase
  (ite (= d c.34) (ite (= receive.25 0) Looked Ready) (phase.33 d)))
(define-fun active.of.34 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.34 d)) (<= (phase.34 d) Refilled))
      (= (phase.34 d) Finished)
      (and (<= Prepared (phase.34 d)) (<= (phase.34 d) Ready) (woken.32 d)))
    1
    0))
(define-fun active.34 () Int
  (+ active.33 (- (active.of.34 c.34) (active.of.33 c.34))))
(declare-fun c.35 () Cpu)
(declare-fun k.35 () Int)

; CPU 0: Queue: A drain queues `k` packets under the lock, and owes as many wake-ups.
(assert (= c.35 0))
(assert (and (= (phase.34 c.35) Out) (= receive-lock.27 nobody) (< 0 k.35)))
(define-fun phase.35 ((d Cpu)) Phase
  (ite (= d c.35) Waking (phase.34 d)))
(define-fun owes.35 ((d Cpu)) Int
  (ite (= d c.35) k.35 (owes.19 d)))
(define-fun receive.35 () Int
  (+ receive.25 k.35))
(define-fun owes.of.35 ((d Cpu)) Int
  (owes.35 d))
(define-fun owed.35 () Int
  (+ owed.19 (- (owes.of.35 c.35) (owes.of.19 c.35))))
(define-fun active.of.35 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.35 d)) (<= (phase.35 d) Refilled))
      (= (phase.35 d) Finished)
      (and (<= Prepared (phase.35 d)) (<= (phase.35 d) Ready) (woken.32 d)))
    1
    0))
(define-fun active.35 () Int
  (+ active.34 (- (active.of.35 c.35) (active.of.34 c.35))))
(declare-fun c.36 () Cpu)

; CPU 0: FindSleeper: After its fence it finds a sleeper counted.
(assert (= c.36 0))
(assert (and (= (phase.35 c.36) Waking) (< 0 (owes.35 c.36)) (not (= sleepers.33 0))))
(define-fun Ringing () Phase
  2)
(define-fun phase.36 ((d Cpu)) Phase
  (ite (= d c.36) Ringing (phase.35 d)))
(define-fun active.of.36 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.36 d)) (<= (phase.36 d) Refilled))
      (= (phase.36 d) Finished)
      (and (<= Prepared (phase.36 d)) (<= (phase.36 d) Ready) (woken.32 d)))
    1
    0))
(define-fun active.36 () Int
  (+ active.35 (- (active.of.36 c.36) (active.of.35 c.36))))
(declare-fun c.37 () Cpu)
(declare-fun w.37 () Cpu)

; CPU 0: Wake: It wakes a waiter `w`.
(assert (= c.37 0))
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (and (= (phase.36 c.37) Ringing) (is-cpu w.37) (waiting.32 w.37)))
(define-fun phase.37 ((d Cpu)) Phase
  (ite (= d c.37) Waking (phase.36 d)))
(define-fun owes.37 ((d Cpu)) Int
  (ite (= d c.37) (- (owes.35 c.37) 1) (owes.35 d)))
(define-fun waiting.37 ((d Cpu)) Bool
  (ite (= d w.37) false (waiting.32 d)))
(define-fun woken.37 ((d Cpu)) Bool
  (ite (= d w.37) true (woken.32 d)))
(define-fun owes.of.37 ((d Cpu)) Int
  (owes.37 d))
(define-fun owed.37 () Int
  (+ owed.35 (- (owes.of.37 c.37) (owes.of.35 c.37))))
(define-fun active.of.37 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.37 d)) (<= (phase.37 d) Refilled))
      (= (phase.37 d) Finished)
      (and (<= Prepared (phase.37 d)) (<= (phase.37 d) Ready) (woken.37 d)))
    1
    0))
(define-fun active.37 () Int
  (+ active.36 (- (active.of.37 w.37) (active.of.36 w.37))))
(declare-fun c.38 () Cpu)

; CPU 0: EndOfDrain: All wake-ups are made.
(assert (= c.38 0))
(assert (and (= (phase.37 c.38) Waking) (= (owes.37 c.38) 0)))
(define-fun phase.38 ((d Cpu)) Phase
  (ite (= d c.38) Out (phase.37 d)))
(define-fun active.of.38 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.38 d)) (<= (phase.38 d) Refilled))
      (= (phase.38 d) Finished)
      (and (<= Prepared (phase.38 d)) (<= (phase.38 d) Ready) (woken.37 d)))
    1
    0))
(define-fun active.38 () Int
  (+ active.37 (- (active.of.38 c.38) (active.of.37 c.38))))
(declare-fun c.39 () Cpu)

; CPU 1: LookReceive: After its fence it looks at the receive queue.
(assert (= c.39 1))
(assert (= (phase.38 c.39) Announced))
(define-fun phase.39 ((d Cpu)) Phase
  (ite (= d c.39) (ite (= receive.35 0) Looked Ready) (phase.38 d)))
(define-fun active.of.39 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.39 d)) (<= (phase.39 d) Refilled))
      (= (phase.39 d) Finished)
      (and (<= Prepared (phase.39 d)) (<= (phase.39 d) Ready) (woken.37 d)))
    1
    0))
(define-fun active.39 () Int
  (+ active.38 (- (active.of.39 c.39) (active.of.38 c.39))))
(declare-fun c.40 () Cpu)

; CPU 1: FinishWait: It leaves the wait queue, if it is there.
(assert (= c.40 1))
(assert (= (phase.39 c.40) Ready))
(define-fun phase.40 ((d Cpu)) Phase
  (ite (= d c.40) Finished (phase.39 d)))
(define-fun waiting.40 ((d Cpu)) Bool
  (ite (= d c.40) false (waiting.37 d)))
(define-fun woken.40 ((d Cpu)) Bool
  (ite (= d c.40) false (woken.37 d)))
(define-fun active.of.40 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.40 d)) (<= (phase.40 d) Refilled))
      (= (phase.40 d) Finished)
      (and (<= Prepared (phase.40 d)) (<= (phase.40 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.40 () Int
  (+ active.39 (- (active.of.40 c.40) (active.of.39 c.40))))
(declare-fun c.41 () Cpu)

; CPU 1: SubSleeper: It does not count any more, and looks for packets.
(assert (= c.41 1))
(assert (= (phase.40 c.41) Finished))
(define-fun phase.41 ((d Cpu)) Phase
  (ite (= d c.41) Receiving (phase.40 d)))
(define-fun sleepers.41 () Int
  (- sleepers.33 1))
(define-fun active.of.41 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.41 d)) (<= (phase.41 d) Refilled))
      (= (phase.41 d) Finished)
      (and (<= Prepared (phase.41 d)) (<= (phase.41 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.41 () Int
  (+ active.40 (- (active.of.41 c.41) (active.of.40 c.41))))
(declare-fun c.42 () Cpu)

; CPU 1: LockReader: It takes the reader queue's lock.
(assert (= c.42 1))
(assert (and (= (phase.41 c.42) Receiving) (= reader-lock.29 nobody)))
(define-fun phase.42 ((d Cpu)) Phase
  (ite (= d c.42) ReaderLocked (phase.41 d)))
(define-fun reader-lock.42 () Cpu
  c.42)
(define-fun active.of.42 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.42 d)) (<= (phase.42 d) Refilled))
      (= (phase.42 d) Finished)
      (and (<= Prepared (phase.42 d)) (<= (phase.42 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.42 () Int
  (+ active.41 (- (active.of.42 c.42) (active.of.41 c.42))))
(declare-fun c.43 () Cpu)

; CPU 1: Dequeue: It takes a packet off the reader queue.
(assert (= c.43 1))
(assert (and (= (phase.42 c.43) ReaderLocked) (< 0 reader.28)))
(define-fun Popped () Phase
  8)
(define-fun phase.43 ((d Cpu)) Phase
  (ite (= d c.43) Popped (phase.42 d)))
(define-fun reader.43 () Int
  (- reader.28 1))
(define-fun active.of.43 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.43 d)) (<= (phase.43 d) Refilled))
      (= (phase.43 d) Finished)
      (and (<= Prepared (phase.43 d)) (<= (phase.43 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.43 () Int
  (+ active.42 (- (active.of.43 c.43) (active.of.42 c.43))))
(declare-fun c.44 () Cpu)

; CPU 2: LookReader: It looks at the reader queue, and sleeps if that is empty too.
(assert (= c.44 2))
(assert (= (phase.43 c.44) Looked))
(define-fun Asleep () Phase
  20)
(define-fun phase.44 ((d Cpu)) Phase
  (ite (= d c.44) (ite (= reader.43 0) Asleep Ready) (phase.43 d)))
(define-fun active.of.44 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.44 d)) (<= (phase.44 d) Refilled))
      (= (phase.44 d) Finished)
      (and (<= Prepared (phase.44 d)) (<= (phase.44 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.44 () Int
  (+ active.43 (- (active.of.44 c.44) (active.of.43 c.44))))
(declare-fun c.45 () Cpu)

; CPU 1: LockToRelease: It takes the receive queue's lock to release.
(assert (= c.45 1))
(assert (and (= (phase.44 c.45) Popped) (= receive-lock.27 nobody)))
(define-fun Splicing () Phase
  9)
(define-fun phase.45 ((d Cpu)) Phase
  (ite (= d c.45) Splicing (phase.44 d)))
(define-fun receive-lock.45 () Cpu
  c.45)
(define-fun active.of.45 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.45 d)) (<= (phase.45 d) Refilled))
      (= (phase.45 d) Finished)
      (and (<= Prepared (phase.45 d)) (<= (phase.45 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.45 () Int
  (+ active.44 (- (active.of.45 c.45) (active.of.44 c.45))))
(declare-fun c.46 () Cpu)

; CPU 1: Splice: The receive queue's packets count in the reader queue.
(assert (= c.46 1))
(assert (= (phase.45 c.46) Splicing))
(define-fun SplicingTwice () Phase
  10)
(define-fun phase.46 ((d Cpu)) Phase
  (ite (= d c.46) SplicingTwice (phase.45 d)))
(define-fun reader.46 () Int
  (+ reader.43 receive.35))
(define-fun twice.46 () Int
  receive.35)
(define-fun active.of.46 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.46 d)) (<= (phase.46 d) Refilled))
      (= (phase.46 d) Finished)
      (and (<= Prepared (phase.46 d)) (<= (phase.46 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.46 () Int
  (+ active.45 (- (active.of.46 c.46) (active.of.45 c.46))))
(declare-fun c.47 () Cpu)

; CPU 1: SpliceLeaves: They count in the receive queue no more.
(assert (= c.47 1))
(assert (= (phase.46 c.47) SplicingTwice))
(define-fun phase.47 ((d Cpu)) Phase
  (ite (= d c.47) SplicedBoth (phase.46 d)))
(define-fun receive.47 () Int
  (- receive.35 twice.46))
(define-fun twice.47 () Int
  0)
(define-fun active.of.47 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.47 d)) (<= (phase.47 d) Refilled))
      (= (phase.47 d) Finished)
      (and (<= Prepared (phase.47 d)) (<= (phase.47 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.47 () Int
  (+ active.46 (- (active.of.47 c.47) (active.of.46 c.47))))
(declare-fun c.48 () Cpu)

; CPU 1: UnlockReceive: It gives the receive queue's lock back.
(assert (= c.48 1))
(assert (= (phase.47 c.48) SplicedBoth))
(define-fun phase.48 ((d Cpu)) Phase
  (ite (= d c.48) Spliced (phase.47 d)))
(define-fun receive-lock.48 () Cpu
  nobody)
(define-fun active.of.48 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.48 d)) (<= (phase.48 d) Refilled))
      (= (phase.48 d) Finished)
      (and (<= Prepared (phase.48 d)) (<= (phase.48 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.48 () Int
  (+ active.47 (- (active.of.48 c.48) (active.of.47 c.48))))
(declare-fun c.49 () Cpu)

; CPU 1: SubReaderLen: Its packet leaves the reader queue's length.
(assert (= c.49 1))
(assert (= (phase.48 c.49) Spliced))
(define-fun phase.49 ((d Cpu)) Phase
  (ite (= d c.49) Got (phase.48 d)))
(define-fun reader.49 () Int
  reader.46)
(define-fun active.of.49 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.49 d)) (<= (phase.49 d) Refilled))
      (= (phase.49 d) Finished)
      (and (<= Prepared (phase.49 d)) (<= (phase.49 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.49 () Int
  (+ active.48 (- (active.of.49 c.49) (active.of.48 c.49))))
(declare-fun c.50 () Cpu)

; CPU 1: UnlockReader: It returns with a packet.
(assert (= c.50 1))
(assert (= (phase.49 c.50) Got))
(define-fun phase.50 ((d Cpu)) Phase
  (ite (= d c.50) Out (phase.49 d)))
(define-fun reader-lock.50 () Cpu
  nobody)
(define-fun active.of.50 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.50 d)) (<= (phase.50 d) Refilled))
      (= (phase.50 d) Finished)
      (and (<= Prepared (phase.50 d)) (<= (phase.50 d) Ready) (woken.40 d)))
    1
    0))
(define-fun active.50 () Int
  (+ active.49 (- (active.of.50 c.50) (active.of.49 c.50))))

; The end.
(assert (= w.37 1))
(define-fun packets.49 () Int
  (- (+ receive.47 reader.49) twice.47))
(assert (and (= (phase.50 2) Asleep) (waiting.40 2) (= owed.37 0) (= active.50 0) (= packets.49 1)))

(check-sat)
