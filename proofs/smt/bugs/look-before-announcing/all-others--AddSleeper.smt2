; SPDX-License-Identifier: MIT OR Apache-2.0
; bugs/look-before-announcing/all-others--AddSleeper
; Seeded bug: A reader looks at the queues before it counts itself: what a missing fence allows. AddSleeper keeps every other clause that it touches: the-receive-lock-is-held, the-receive-lock-is-left, the-reader-lock-is-held, owes-while-waking, lengths, refilled-is-all, popped-is-counted, in-the-wait-queue, nobody-sleeps-beside-a-packet, nobody-looks-away-from-a-packet, the-last-splice-saw-all.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun e () Cpu)
(declare-fun c () Cpu)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Refilling () Phase
  5)
(declare-fun phase (Cpu) Phase)
(define-fun Refilled () Phase
  7)
(define-fun Splicing () Phase
  9)
(define-fun SplicedBoth () Phase
  11)
(define-fun EmptyBoth () Phase
  14)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase d)) (<= (phase d) Refilled))
      (and (<= Splicing (phase d)) (<= (phase d) SplicedBoth))
      (= (phase d) EmptyBoth))))
(declare-fun receive-lock () Cpu)
(define-fun the-receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (the-receive-lock-is-held d))
(assert (the-receive-lock-is-held e))
(assert (the-receive-lock-is-held c))
(assert (the-receive-lock-is-held receive-lock))
(declare-fun reader-lock () Cpu)
(assert (the-receive-lock-is-held reader-lock))
(define-fun nobody () Cpu
  (- 1))
(define-fun the-receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert the-receive-lock-is-left)
(define-fun ReaderLocked () Phase
  4)
(define-fun EmptySeen () Phase
  15)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) EmptySeen)))
(define-fun the-reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (the-reader-lock-is-held d))
(assert (the-reader-lock-is-held e))
(assert (the-reader-lock-is-held c))
(assert (the-reader-lock-is-held receive-lock))
(assert (the-reader-lock-is-held reader-lock))
(declare-fun owes (Cpu) Int)
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
(assert (owes-while-waking e))
(assert (owes-while-waking c))
(assert (owes-while-waking receive-lock))
(assert (owes-while-waking reader-lock))
(declare-fun receive () Int)
(declare-fun twice () Int)
(declare-fun reader () Int)
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
(define-fun refilled-is-all ((d Cpu)) Bool
  (=> (and (is-cpu d) (or (= (phase d) Refilled) (= (phase d) SplicedBoth))) (= receive 0)))
(assert (refilled-is-all d))
(assert (refilled-is-all e))
(assert (refilled-is-all c))
(assert (refilled-is-all receive-lock))
(assert (refilled-is-all reader-lock))
(define-fun Popped () Phase
  8)
(define-fun Spliced () Phase
  12)
(define-fun has-popped ((d Cpu)) Bool
  (and (is-cpu d) (<= Popped (phase d)) (<= (phase d) Spliced)))
(define-fun popped-is-counted ((d Cpu)) Bool
  (=> (has-popped d) (< 0 (- reader twice))))
(assert (popped-is-counted d))
(assert (popped-is-counted e))
(assert (popped-is-counted c))
(assert (popped-is-counted receive-lock))
(assert (popped-is-counted reader-lock))
(define-fun Prepared () Phase
  17)
(define-fun Asleep () Phase
  20)
(declare-fun waiting (Cpu) Bool)
(declare-fun woken (Cpu) Bool)
(define-fun Ready () Phase
  21)
(define-fun in-the-wait-queue ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (=> (and (<= Prepared (phase d)) (<= (phase d) Asleep)) (or (waiting d) (woken d)))
      (=> (waiting d) (and (not (woken d)) (<= Prepared (phase d)) (<= (phase d) Ready))))))
(assert (in-the-wait-queue d))
(assert (in-the-wait-queue e))
(assert (in-the-wait-queue c))
(assert (in-the-wait-queue receive-lock))
(assert (in-the-wait-queue reader-lock))
(define-fun packets () Int
  (- (+ receive reader) twice))
(declare-fun owed () Int)
(declare-fun active () Int)
(define-fun nobody-sleeps-beside-a-packet ((d Cpu)) Bool
  (=> (and (is-cpu d) (waiting d) (= (phase d) Asleep)) (<= packets (+ owed active))))
(assert (nobody-sleeps-beside-a-packet d))
(assert (nobody-sleeps-beside-a-packet e))
(assert (nobody-sleeps-beside-a-packet c))
(assert (nobody-sleeps-beside-a-packet receive-lock))
(assert (nobody-sleeps-beside-a-packet reader-lock))
(define-fun Looked () Phase
  19)
(define-fun nobody-looks-away-from-a-packet ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (waiting d) (= (phase d) Looked))
    (or (< 0 reader) (<= receive (+ owed active)))))
(assert (nobody-looks-away-from-a-packet d))
(assert (nobody-looks-away-from-a-packet e))
(assert (nobody-looks-away-from-a-packet c))
(assert (nobody-looks-away-from-a-packet receive-lock))
(assert (nobody-looks-away-from-a-packet reader-lock))
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
(assert (the-last-splice-saw-all d e))
(assert (the-last-splice-saw-all d c))
(assert (the-last-splice-saw-all d receive-lock))
(assert (the-last-splice-saw-all d reader-lock))
(assert (the-last-splice-saw-all e d))
(assert (the-last-splice-saw-all e c))
(assert (the-last-splice-saw-all e receive-lock))
(assert (the-last-splice-saw-all e reader-lock))
(assert (the-last-splice-saw-all c d))
(assert (the-last-splice-saw-all c e))
(assert (the-last-splice-saw-all c receive-lock))
(assert (the-last-splice-saw-all c reader-lock))
(assert (the-last-splice-saw-all receive-lock d))
(assert (the-last-splice-saw-all receive-lock e))
(assert (the-last-splice-saw-all receive-lock c))
(assert (the-last-splice-saw-all receive-lock reader-lock))
(assert (the-last-splice-saw-all reader-lock d))
(assert (the-last-splice-saw-all reader-lock e))
(assert (the-last-splice-saw-all reader-lock c))
(assert (the-last-splice-saw-all reader-lock receive-lock))
(define-fun owed-parts ((d Cpu)) Bool
  (and (<= 0 owed) (=> (is-cpu d) (and (<= 0 (owes d)) (<= (owes d) owed)))))
(assert (owed-parts d))
(assert (owed-parts e))
(assert (owed-parts c))
(assert (owed-parts receive-lock))
(assert (owed-parts reader-lock))
(define-fun Receiving () Phase
  3)
(define-fun Finished () Phase
  22)
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
(assert (active-parts e))
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
(assert (counted-parts e))
(assert (counted-parts c))
(assert (counted-parts receive-lock))
(assert (counted-parts reader-lock))
(declare-fun sleepers () Int)
(define-fun sleepers-are-counted () Bool
  (= sleepers counted))
(assert sleepers-are-counted)

; AddSleeper: It counts itself.
(assert (is-cpu c))
(assert (= (phase c) Asleep))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Asleep (phase d)))
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
(define-fun has-receive-lock.next ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (and (<= Refilling (phase.next d)) (<= (phase.next d) Refilled))
      (and (<= Splicing (phase.next d)) (<= (phase.next d) SplicedBoth))
      (= (phase.next d) EmptyBoth))))
(define-fun the-receive-lock-is-held.next ((d Cpu)) Bool
  (=> (has-receive-lock.next d) (= receive-lock d)))
(define-fun the-receive-lock-is-left.next () Bool
  (or (= receive-lock nobody) (has-receive-lock.next receive-lock)))
(define-fun has-reader-lock.next ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase.next d)) (<= (phase.next d) EmptySeen)))
(define-fun the-reader-lock-is-held.next ((d Cpu)) Bool
  (=> (has-reader-lock.next d) (= reader-lock d)))
(define-fun owes-while-waking.next ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (<= 0 (owes d))
      (=> (= (phase.next d) Ringing) (< 0 (owes d)))
      (=> (and (not (= (phase.next d) Waking)) (not (= (phase.next d) Ringing))) (= (owes d) 0)))))
(define-fun splicing.next ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase.next d) RefillingTwice) (= (phase.next d) SplicingTwice))))
(define-fun lengths.next () Bool
  (and
    (<= 0 receive)
    (<= 0 twice)
    (<= twice reader)
    (= twice (ite (splicing.next receive-lock) receive 0))))
(define-fun refilled-is-all.next ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (or (= (phase.next d) Refilled) (= (phase.next d) SplicedBoth)))
    (= receive 0)))
(define-fun has-popped.next ((d Cpu)) Bool
  (and (is-cpu d) (<= Popped (phase.next d)) (<= (phase.next d) Spliced)))
(define-fun popped-is-counted.next ((d Cpu)) Bool
  (=> (has-popped.next d) (< 0 (- reader twice))))
(define-fun in-the-wait-queue.next ((d Cpu)) Bool
  (=>
    (is-cpu d)
    (and
      (=> (and (<= Prepared (phase.next d)) (<= (phase.next d) Asleep)) (or (waiting d) (woken d)))
      (=> (waiting d) (and (not (woken d)) (<= Prepared (phase.next d)) (<= (phase.next d) Ready))))))
(define-fun nobody-sleeps-beside-a-packet.next ((d Cpu)) Bool
  (=> (and (is-cpu d) (waiting d) (= (phase.next d) Asleep)) (<= packets (+ owed active.next))))
(define-fun nobody-looks-away-from-a-packet.next ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (waiting d) (= (phase.next d) Looked))
    (or (< 0 reader) (<= receive (+ owed active.next)))))
(define-fun the-last-splice-saw-all.next ((d Cpu) (e Cpu)) Bool
  (=>
    (and
      (is-cpu d)
      (waiting d)
      (= (phase.next d) Looked)
      (is-cpu e)
      (or (= (phase.next e) SplicedBoth) (= (phase.next e) Spliced))
      (<= reader 1))
    (<= receive (- (+ owed active.next) 1))))
(assert (not (and (the-receive-lock-is-held.next d) the-receive-lock-is-left.next (the-reader-lock-is-held.next d) (owes-while-waking.next d) lengths.next (refilled-is-all.next d) (popped-is-counted.next d) (in-the-wait-queue.next d) (nobody-sleeps-beside-a-packet.next d) (nobody-looks-away-from-a-packet.next d) (the-last-splice-saw-all.next d e))))

(check-sat)
