; SPDX-License-Identifier: MIT OR Apache-2.0
; walks/the-kernel-sleeps-beside-a-packet
; Linux 6.18 (the bug look-at-the-receive-queue-only): a reader sleeps beside a packet that another one left in the reader queue.
; Expected: sat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(declare-fun cpus () Int)
(assert (= cpus 3))
(define-sort Cpu () Int)
(declare-fun c.1 () Cpu)

; CPU 2: Receive: A reader begins.
(assert (= c.1 2))
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
(define-fun Spliced () Phase
  12)
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
      (and (<= Receiving (phase d)) (<= (phase d) Spliced))
      (= (phase d) Finished)
      (and (<= Prepared (phase d)) (<= (phase d) Ready) (woken d)))
    1
    0))
(define-fun phase.1 ((d Cpu)) Phase
  (ite (= d c.1) Receiving (phase d)))
(define-fun active.of.1 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.1 d)) (<= (phase.1 d) Spliced))
      (= (phase.1 d) Finished)
      (and (<= Prepared (phase.1 d)) (<= (phase.1 d) Ready) (woken d)))
    1
    0))
(define-fun active.1 () Int
  (+ active (- (active.of.1 c.1) (active.of c.1))))
(declare-fun c.2 () Cpu)

; CPU 2: LockReader: It takes the reader queue's lock.
(assert (= c.2 2))
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
      (and (<= Receiving (phase.2 d)) (<= (phase.2 d) Spliced))
      (= (phase.2 d) Finished)
      (and (<= Prepared (phase.2 d)) (<= (phase.2 d) Ready) (woken d)))
    1
    0))
(define-fun active.2 () Int
  (+ active.1 (- (active.of.2 c.2) (active.of.1 c.2))))
(declare-fun c.3 () Cpu)

; CPU 2: LockToRefill: The reader queue is empty.
(assert (= c.3 2))
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
      (and (<= Receiving (phase.3 d)) (<= (phase.3 d) Spliced))
      (= (phase.3 d) Finished)
      (and (<= Prepared (phase.3 d)) (<= (phase.3 d) Ready) (woken d)))
    1
    0))
(define-fun active.3 () Int
  (+ active.2 (- (active.of.3 c.3) (active.of.2 c.3))))
(declare-fun c.4 () Cpu)

; CPU 2: Refill: The receive queue's packets count in the reader queue.
(assert (= c.4 2))
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
      (and (<= Receiving (phase.4 d)) (<= (phase.4 d) Spliced))
      (= (phase.4 d) Finished)
      (and (<= Prepared (phase.4 d)) (<= (phase.4 d) Ready) (woken d)))
    1
    0))
(define-fun active.4 () Int
  (+ active.3 (- (active.of.4 c.4) (active.of.3 c.4))))
(declare-fun c.5 () Cpu)

; CPU 2: RefillLeaves: They count in the receive queue no more.
(assert (= c.5 2))
(assert (= (phase.4 c.5) RefillingTwice))
(define-fun Refilled () Phase
  7)
(define-fun phase.5 ((d Cpu)) Phase
  (ite (= d c.5) Refilled (phase.4 d)))
(define-fun receive.5 () Int
  (- receive twice.4))
(define-fun twice.5 () Int
  0)
(define-fun active.of.5 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.5 d)) (<= (phase.5 d) Spliced))
      (= (phase.5 d) Finished)
      (and (<= Prepared (phase.5 d)) (<= (phase.5 d) Ready) (woken d)))
    1
    0))
(define-fun active.5 () Int
  (+ active.4 (- (active.of.5 c.5) (active.of.4 c.5))))
(declare-fun c.6 () Cpu)

; CPU 2: Empty: Both queues are empty.
(assert (= c.6 2))
(assert (and (= (phase.5 c.6) Refilled) (= reader.4 0)))
(define-fun EmptyBoth () Phase
  14)
(define-fun phase.6 ((d Cpu)) Phase
  (ite (= d c.6) EmptyBoth (phase.5 d)))
(define-fun active.of.6 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.6 d)) (<= (phase.6 d) Spliced))
      (= (phase.6 d) Finished)
      (and (<= Prepared (phase.6 d)) (<= (phase.6 d) Ready) (woken d)))
    1
    0))
(define-fun active.6 () Int
  (+ active.5 (- (active.of.6 c.6) (active.of.5 c.6))))
(declare-fun c.7 () Cpu)

; CPU 2: UnlockReceiveEmpty: It gives the receive queue's lock back.
(assert (= c.7 2))
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
      (and (<= Receiving (phase.7 d)) (<= (phase.7 d) Spliced))
      (= (phase.7 d) Finished)
      (and (<= Prepared (phase.7 d)) (<= (phase.7 d) Ready) (woken d)))
    1
    0))
(define-fun active.7 () Int
  (+ active.6 (- (active.of.7 c.7) (active.of.6 c.7))))
(declare-fun c.8 () Cpu)
(declare-fun g.8 () Bool)

; CPU 2: UnlockReaderEmpty: It has nothing, and may wait or go away.
(assert (= c.8 2))
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
      (and (<= Receiving (phase.8 d)) (<= (phase.8 d) Spliced))
      (= (phase.8 d) Finished)
      (and (<= Prepared (phase.8 d)) (<= (phase.8 d) Ready) (woken d)))
    1
    0))
(define-fun active.8 () Int
  (+ active.7 (- (active.of.8 c.8) (active.of.7 c.8))))
(declare-fun c.9 () Cpu)
(declare-fun k.9 () Int)

; CPU 0: Queue: A drain queues `k` packets under the lock, and owes as many wake-ups.
(assert (= c.9 0))
(assert (and (= (phase.8 c.9) Out) (= receive-lock.7 nobody) (< 0 k.9)))
(define-fun Waking () Phase
  1)
(define-fun owes ((d Cpu)) Int
  0)
(define-fun owed () Int
  0)
(define-fun owes.of ((d Cpu)) Int
  (owes d))
(define-fun phase.9 ((d Cpu)) Phase
  (ite (= d c.9) Waking (phase.8 d)))
(define-fun owes.9 ((d Cpu)) Int
  (ite (= d c.9) k.9 (owes d)))
(define-fun receive.9 () Int
  (+ receive.5 k.9))
(define-fun owes.of.9 ((d Cpu)) Int
  (owes.9 d))
(define-fun owed.9 () Int
  (+ owed (- (owes.of.9 c.9) (owes.of c.9))))
(define-fun active.of.9 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.9 d)) (<= (phase.9 d) Spliced))
      (= (phase.9 d) Finished)
      (and (<= Prepared (phase.9 d)) (<= (phase.9 d) Ready) (woken d)))
    1
    0))
(define-fun active.9 () Int
  (+ active.8 (- (active.of.9 c.9) (active.of.8 c.9))))
(declare-fun c.10 () Cpu)

; CPU 0: FindNoSleeper: After its fence it finds no sleeper counted.
(assert (= c.10 0))
(define-fun sleepers () Int
  0)
(assert (and (= (phase.9 c.10) Waking) (< 0 (owes.9 c.10)) (= sleepers 0)))
(define-fun owes.10 ((d Cpu)) Int
  (ite (= d c.10) (- (owes.9 c.10) 1) (owes.9 d)))
(define-fun owes.of.10 ((d Cpu)) Int
  (owes.10 d))
(define-fun owed.10 () Int
  (+ owed.9 (- (owes.of.10 c.10) (owes.of.9 c.10))))
(declare-fun c.11 () Cpu)

; CPU 0: FindNoSleeper: After its fence it finds no sleeper counted.
(assert (= c.11 0))
(assert (and (= (phase.9 c.11) Waking) (< 0 (owes.10 c.11)) (= sleepers 0)))
(define-fun owes.11 ((d Cpu)) Int
  (ite (= d c.11) (- (owes.10 c.11) 1) (owes.10 d)))
(define-fun owes.of.11 ((d Cpu)) Int
  (owes.11 d))
(define-fun owed.11 () Int
  (+ owed.10 (- (owes.of.11 c.11) (owes.of.10 c.11))))
(declare-fun c.12 () Cpu)

; CPU 0: EndOfDrain: All wake-ups are made.
(assert (= c.12 0))
(assert (and (= (phase.9 c.12) Waking) (= (owes.11 c.12) 0)))
(define-fun phase.12 ((d Cpu)) Phase
  (ite (= d c.12) Out (phase.9 d)))
(define-fun active.of.12 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.12 d)) (<= (phase.12 d) Spliced))
      (= (phase.12 d) Finished)
      (and (<= Prepared (phase.12 d)) (<= (phase.12 d) Ready) (woken d)))
    1
    0))
(define-fun active.12 () Int
  (+ active.9 (- (active.of.12 c.12) (active.of.9 c.12))))
(declare-fun c.13 () Cpu)

; CPU 0: Receive: A reader begins.
(assert (= c.13 0))
(assert (= (phase.12 c.13) Out))
(define-fun phase.13 ((d Cpu)) Phase
  (ite (= d c.13) Receiving (phase.12 d)))
(define-fun active.of.13 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.13 d)) (<= (phase.13 d) Spliced))
      (= (phase.13 d) Finished)
      (and (<= Prepared (phase.13 d)) (<= (phase.13 d) Ready) (woken d)))
    1
    0))
(define-fun active.13 () Int
  (+ active.12 (- (active.of.13 c.13) (active.of.12 c.13))))
(declare-fun c.14 () Cpu)

; CPU 0: LockReader: It takes the reader queue's lock.
(assert (= c.14 0))
(assert (and (= (phase.13 c.14) Receiving) (= reader-lock.8 nobody)))
(define-fun phase.14 ((d Cpu)) Phase
  (ite (= d c.14) ReaderLocked (phase.13 d)))
(define-fun reader-lock.14 () Cpu
  c.14)
(define-fun active.of.14 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.14 d)) (<= (phase.14 d) Spliced))
      (= (phase.14 d) Finished)
      (and (<= Prepared (phase.14 d)) (<= (phase.14 d) Ready) (woken d)))
    1
    0))
(define-fun active.14 () Int
  (+ active.13 (- (active.of.14 c.14) (active.of.13 c.14))))
(declare-fun c.15 () Cpu)

; CPU 0: LockToRefill: The reader queue is empty.
(assert (= c.15 0))
(assert (and (= (phase.14 c.15) ReaderLocked) (= reader.4 0) (= receive-lock.7 nobody)))
(define-fun phase.15 ((d Cpu)) Phase
  (ite (= d c.15) Refilling (phase.14 d)))
(define-fun receive-lock.15 () Cpu
  c.15)
(define-fun active.of.15 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.15 d)) (<= (phase.15 d) Spliced))
      (= (phase.15 d) Finished)
      (and (<= Prepared (phase.15 d)) (<= (phase.15 d) Ready) (woken d)))
    1
    0))
(define-fun active.15 () Int
  (+ active.14 (- (active.of.15 c.15) (active.of.14 c.15))))
(declare-fun c.16 () Cpu)

; CPU 0: Refill: The receive queue's packets count in the reader queue.
(assert (= c.16 0))
(assert (= (phase.15 c.16) Refilling))
(define-fun phase.16 ((d Cpu)) Phase
  (ite (= d c.16) RefillingTwice (phase.15 d)))
(define-fun reader.16 () Int
  (+ reader.4 receive.9))
(define-fun twice.16 () Int
  receive.9)
(define-fun active.of.16 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.16 d)) (<= (phase.16 d) Spliced))
      (= (phase.16 d) Finished)
      (and (<= Prepared (phase.16 d)) (<= (phase.16 d) Ready) (woken d)))
    1
    0))
(define-fun active.16 () Int
  (+ active.15 (- (active.of.16 c.16) (active.of.15 c.16))))
(declare-fun c.17 () Cpu)

; CPU 0: RefillLeaves: They count in the receive queue no more.
(assert (= c.17 0))
(assert (= (phase.16 c.17) RefillingTwice))
(define-fun phase.17 ((d Cpu)) Phase
  (ite (= d c.17) Refilled (phase.16 d)))
(define-fun receive.17 () Int
  (- receive.9 twice.16))
(define-fun twice.17 () Int
  0)
(define-fun active.of.17 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.17 d)) (<= (phase.17 d) Spliced))
      (= (phase.17 d) Finished)
      (and (<= Prepared (phase.17 d)) (<= (phase.17 d) Ready) (woken d)))
    1
    0))
(define-fun active.17 () Int
  (+ active.16 (- (active.of.17 c.17) (active.of.16 c.17))))
(declare-fun c.18 () Cpu)

; CPU 0: DequeueRefilled: It takes a packet with both locks held; there is nothing more to splice.
(assert (= c.18 0))
(assert (and (= (phase.17 c.18) Refilled) (< 0 reader.16)))
(define-fun SplicedBoth () Phase
  11)
(define-fun phase.18 ((d Cpu)) Phase
  (ite (= d c.18) SplicedBoth (phase.17 d)))
(define-fun active.of.18 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.18 d)) (<= (phase.18 d) Spliced))
      (= (phase.18 d) Finished)
      (and (<= Prepared (phase.18 d)) (<= (phase.18 d) Ready) (woken d)))
    1
    0))
(define-fun active.18 () Int
  (+ active.17 (- (active.of.18 c.18) (active.of.17 c.18))))
(declare-fun c.19 () Cpu)

; CPU 0: UnlockReceive: It gives the receive queue's lock back.
(assert (= c.19 0))
(assert (= (phase.18 c.19) SplicedBoth))
(define-fun phase.19 ((d Cpu)) Phase
  (ite (= d c.19) Spliced (phase.18 d)))
(define-fun receive-lock.19 () Cpu
  nobody)
(define-fun active.of.19 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.19 d)) (<= (phase.19 d) Spliced))
      (= (phase.19 d) Finished)
      (and (<= Prepared (phase.19 d)) (<= (phase.19 d) Ready) (woken d)))
    1
    0))
(define-fun active.19 () Int
  (+ active.18 (- (active.of.19 c.19) (active.of.18 c.19))))
(declare-fun c.20 () Cpu)

; CPU 0: SubReaderLen: Its packet leaves the reader queue's length.
(assert (= c.20 0))
(assert (= (phase.19 c.20) Spliced))
(define-fun Got () Phase
  13)
(define-fun phase.20 ((d Cpu)) Phase
  (ite (= d c.20) Got (phase.19 d)))
(define-fun reader.20 () Int
  (- reader.16 1))
(define-fun active.of.20 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.20 d)) (<= (phase.20 d) Spliced))
      (= (phase.20 d) Finished)
      (and (<= Prepared (phase.20 d)) (<= (phase.20 d) Ready) (woken d)))
    1
    0))
(define-fun active.20 () Int
  (+ active.19 (- (active.of.20 c.20) (active.of.19 c.20))))
(declare-fun c.21 () Cpu)

; CPU 0: UnlockReader: It returns with a packet.
(assert (= c.21 0))
(assert (= (phase.20 c.21) Got))
(define-fun phase.21 ((d Cpu)) Phase
  (ite (= d c.21) Out (phase.20 d)))
(define-fun reader-lock.21 () Cpu
  nobody)
(define-fun active.of.21 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.21 d)) (<= (phase.21 d) Spliced))
      (= (phase.21 d) Finished)
      (and (<= Prepared (phase.21 d)) (<= (phase.21 d) Ready) (woken d)))
    1
    0))
(define-fun active.21 () Int
  (+ active.20 (- (active.of.21 c.21) (active.of.20 c.21))))
(declare-fun c.22 () Cpu)

; CPU 2: Prepare: A reader enters the wait queue.
(assert (= c.22 2))
(assert (= (phase.21 c.22) Waits))
(define-fun waiting ((d Cpu)) Bool
  false)
(define-fun phase.22 ((d Cpu)) Phase
  (ite (= d c.22) Prepared (phase.21 d)))
(define-fun waiting.22 ((d Cpu)) Bool
  (ite (= d c.22) true (waiting d)))
(define-fun woken.22 ((d Cpu)) Bool
  (ite (= d c.22) false (woken d)))
(define-fun active.of.22 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.22 d)) (<= (phase.22 d) Spliced))
      (= (phase.22 d) Finished)
      (and (<= Prepared (phase.22 d)) (<= (phase.22 d) Ready) (woken.22 d)))
    1
    0))
(define-fun active.22 () Int
  (+ active.21 (- (active.of.22 c.22) (active.of.21 c.22))))
(declare-fun c.23 () Cpu)

; CPU 2: AddSleeper: It counts itself.
(assert (= c.23 2))
(assert (= (phase.22 c.23) Prepared))
(define-fun Announced () Phase
  18)
(define-fun phase.23 ((d Cpu)) Phase
  (ite (= d c.23) Announced (phase.22 d)))
(define-fun sleepers.23 () Int
  (+ sleepers 1))
(define-fun active.of.23 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.23 d)) (<= (phase.23 d) Spliced))
      (= (phase.23 d) Finished)
      (and (<= Prepared (phase.23 d)) (<= (phase.23 d) Ready) (woken.22 d)))
    1
    0))
(define-fun active.23 () Int
  (+ active.22 (- (active.of.23 c.23) (active.of.22 c.23))))
(declare-fun c.24 () Cpu)

; CPU 2: LookReceive: After its fence it looks at the receive queue.
(assert (= c.24 2))
(assert (= (phase.23 c.24) Announced))
(define-fun Looked () Phase
  19)
(define-fun phase.24 ((d Cpu)) Phase
  (ite (= d c.24) (ite (= receive.17 0) Looked Ready) (phase.23 d)))
(define-fun active.of.24 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.24 d)) (<= (phase.24 d) Spliced))
      (= (phase.24 d) Finished)
      (and (<= Prepared (phase.24 d)) (<= (phase.24 d) Ready) (woken.22 d)))
    1
    0))
(define-fun active.24 () Int
  (+ active.23 (- (active.of.24 c.24) (active.of.23 c.24))))
(declare-fun c.25 () Cpu)

; CPU 2: LookReader: It looks at the reader queue, and sleeps if that is empty too.
(assert (= c.25 2))
(assert (= (phase.24 c.25) Looked))
(define-fun Asleep () Phase
  20)
(define-fun phase.25 ((d Cpu)) Phase
  (ite (= d c.25) Asleep (phase.24 d)))
(define-fun active.of.25 ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.25 d)) (<= (phase.25 d) Spliced))
      (= (phase.25 d) Finished)
      (and (<= Prepared (phase.25 d)) (<= (phase.25 d) Ready) (woken.22 d)))
    1
    0))
(define-fun active.25 () Int
  (+ active.24 (- (active.of.25 c.25) (active.of.24 c.25))))

; The end.
(define-fun packets.20 () Int
  (- (+ receive.17 reader.20) twice.17))
(assert (and (= (phase.25 2) Asleep) (waiting.22 2) (= owed.11 0) (= active.25 0) (= packets.20 1)))

(check-sat)
