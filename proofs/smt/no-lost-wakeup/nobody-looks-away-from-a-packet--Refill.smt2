; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/nobody-looks-away-from-a-packet--Refill
; While a reader has found the receive queue empty, each packet there has a wake-up or an active reader, or it will find the reader queue not empty. Refill: The receive queue's packets count in the reader queue.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(declare-fun waiting (Cpu) Bool)
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Looked () Phase
  19)
(declare-fun reader () Int)
(declare-fun receive () Int)
(declare-fun owed () Int)
(declare-fun active () Int)
(define-fun nobody-looks-away-from-a-packet ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (waiting d) (= (phase d) Looked))
    (or (< 0 reader) (<= receive (+ owed active)))))
(assert (nobody-looks-away-from-a-packet d))
(assert (nobody-looks-away-from-a-packet c))
(declare-fun receive-lock () Cpu)
(assert (nobody-looks-away-from-a-packet receive-lock))
(declare-fun reader-lock () Cpu)
(assert (nobody-looks-away-from-a-packet reader-lock))
(define-fun SplicedBoth () Phase
  11)
(define-fun Spliced () Phase
  12)
(define-fun the-last-splice-saw-all ((d Cpu) (e Cpu)) Bool
  (=>
    (and
      (is-cpu d)
      (waiting d)
      (= (phase d) Looked)
      (is-cpu e)
      (or (= (phase e) SplicedBoth) (= (phase e) Spliced))
      (<= reader 1))
    (<= receive (- (+ owed active) 1))))
(assert (the-last-splice-saw-all d c))
(assert (the-last-splice-saw-all d receive-lock))
(assert (the-last-splice-saw-all d reader-lock))
(assert (the-last-splice-saw-all c d))
(assert (the-last-splice-saw-all c receive-lock))
(assert (the-last-splice-saw-all c reader-lock))
(assert (the-last-splice-saw-all receive-lock d))
(assert (the-last-splice-saw-all receive-lock c))
(assert (the-last-splice-saw-all receive-lock reader-lock))
(assert (the-last-splice-saw-all reader-lock d))
(assert (the-last-splice-saw-all reader-lock c))
(assert (the-last-splice-saw-all reader-lock receive-lock))
(declare-fun owes (Cpu) Int)
(define-fun owed-parts ((d Cpu)) Bool
  (and (<= 0 owed) (=> (is-cpu d) (and (<= 0 (owes d)) (<= (owes d) owed)))))
(assert (owed-parts d))
(assert (owed-parts c))
(assert (owed-parts receive-lock))
(assert (owed-parts reader-lock))
(define-fun Receiving () Phase
  3)
(define-fun Finished () Phase
  22)
(define-fun Prepared () Phase
  17)
(define-fun Ready () Phase
  21)
(declare-fun woken (Cpu) Bool)
(define-fun active.of ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase d)) (<= (phase d) Spliced))
      (= (phase d) Finished)
      (and (<= Prepared (phase d)) (<= (phase d) Ready) (woken d)))
    1
    0))
(define-fun active-parts ((d Cpu)) Bool
  (and (<= 0 active) (=> (is-cpu d) (<= (active.of d) active))))
(assert (active-parts d))
(assert (active-parts c))
(assert (active-parts receive-lock))
(assert (active-parts reader-lock))
(declare-fun counted () Int)
(define-fun Announced () Phase
  18)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(define-fun counted-parts ((d Cpu)) Bool
  (and (<= 0 counted) (=> (is-cpu d) (<= (counted.of d) counted))))
(assert (counted-parts d))
(assert (counted-parts c))
(assert (counted-parts receive-lock))
(assert (counted-parts reader-lock))
(declare-fun twice () Int)
(define-fun RefillingTwice () Phase
  6)
(define-fun SplicingTwice () Phase
  10)
(define-fun splicing ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) RefillingTwice) (= (phase d) SplicingTwice))))
(define-fun lengths () Bool
  (and
    (<= 0 receive)
    (<= 0 twice)
    (<= twice reader)
    (= twice (ite (splicing receive-lock) receive 0))))
(assert lengths)
(define-fun Refilled () Phase
  7)
(define-fun refilled-is-all ((d Cpu)) Bool
  (=> (and (is-cpu d) (or (= (phase d) Refilled) (= (phase d) SplicedBoth))) (= receive 0)))
(assert (refilled-is-all d))
(assert (refilled-is-all c))
(assert (refilled-is-all receive-lock))
(assert (refilled-is-all reader-lock))
(define-fun Popped () Phase
  8)
(define-fun has-popped ((d Cpu)) Bool
  (and (is-cpu d) (<= Popped (phase d)) (<= (phase d) Spliced)))
(define-fun popped-is-counted ((d Cpu)) Bool
  (=> (has-popped d) (< 0 (- reader twice))))
(assert (popped-is-counted d))
(assert (popped-is-counted c))
(assert (popped-is-counted receive-lock))
(assert (popped-is-counted reader-lock))
(define-fun Asleep () Phase
  20)
(define-fun in-the-wait-queue ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (=> (and (<= Prepared (phase d)) (<= (phase d) Asleep)) (or (waiting d) (woken d)))
      (=> (waiting d) (and (not (woken d)) (<= Prepared (phase d)) (<= (phase d) Ready))))))
(assert (in-the-wait-queue d))
(assert (in-the-wait-queue c))
(assert (in-the-wait-queue receive-lock))
(assert (in-the-wait-queue reader-lock))
(declare-fun sleepers () Int)
(define-fun sleepers-are-counted () Bool
  (= sleepers counted))
(assert sleepers-are-counted)
(define-fun Ringing () Phase
  2)
(define-fun Waking () Phase
  1)
(define-fun owes-while-waking ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (<= 0 (owes d))
      (=> (= (phase d) Ringing) (< 0 (owes d)))
      (=> (and (not (= (phase d) Waking)) (not (= (phase d) Ringing))) (= (owes d) 0)))))
(assert (owes-while-waking d))
(assert (owes-while-waking c))
(assert (owes-while-waking receive-lock))
(assert (owes-while-waking reader-lock))
(define-fun Refilling () Phase
  5)
(define-fun Splicing () Phase
  9)
(define-fun EmptyBoth () Phase
  14)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase d)) (<= (phase d) Refilled))
      (and (<= Splicing (phase d)) (<= (phase d) SplicedBoth))
      (= (phase d) EmptyBoth))))
(define-fun the-receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (the-receive-lock-is-held d))
(assert (the-receive-lock-is-held c))
(assert (the-receive-lock-is-held receive-lock))
(assert (the-receive-lock-is-held reader-lock))
(define-fun ReaderLocked () Phase
  4)
(define-fun EmptySeen () Phase
  15)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) EmptySeen)))
(define-fun the-reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (the-reader-lock-is-held d))
(assert (the-reader-lock-is-held c))
(assert (the-reader-lock-is-held receive-lock))
(assert (the-reader-lock-is-held reader-lock))
(define-fun nobody () Cpu
  (- 1))
(define-fun the-receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert the-receive-lock-is-left)

; Refill: The receive queue's packets count in the reader queue.
(assert (is-cpu c))
(assert (= (phase c) Refilling))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) RefillingTwice (phase d)))
(define-fun reader.next () Int
  (+ reader receive))
(define-fun active.of.next ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase.next d)) (<= (phase.next d) Spliced))
      (= (phase.next d) Finished)
      (and (<= Prepared (phase.next d)) (<= (phase.next d) Ready) (woken d)))
    1
    0))
(define-fun active.next () Int
  (+ active (- (active.of.next c) (active.of c))))

; What is to be shown does not hold after the step.
(define-fun nobody-looks-away-from-a-packet.next ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (waiting d) (= (phase.next d) Looked))
    (or (< 0 reader.next) (<= receive (+ owed active.next)))))
(assert (not (nobody-looks-away-from-a-packet.next d)))

(check-sat)
