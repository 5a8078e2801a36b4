; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/rmem-is-what-is-held--TakeAll
; rmem_alloc is what is queued and what is dequeued and not released, but for the batch that is being queued. TakeAll: The elected CPU takes the whole list.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Bytes () Int)
(declare-fun rmem () Bytes)
(define-sort Position () Int)
(declare-fun bytes (Position) Bytes)
(declare-fun tail () Position)
(declare-fun head () Position)
(declare-fun deficit () Bytes)
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
(declare-fun accepted (Cpu) Bytes)
(define-fun pending () Bytes
  (ite (walking receive-lock) (accepted receive-lock) 0))
(define-fun rmem-is-what-is-held () Bool
  (= rmem (- (+ (- (bytes tail) (bytes head)) deficit) pending)))
(assert rmem-is-what-is-held)
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
(declare-fun reader-lock () Cpu)
(assert (receive-lock-is-held reader-lock))
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert receive-lock-is-left)
(declare-fun spliced () Position)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
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

; TakeAll: The elected CPU takes the whole list.
(assert (is-cpu c))
(assert (= (phase c) Locked))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Walking (phase d)))
(define-fun accepted.next ((d Cpu)) Bytes
  (ite (= d c) 0 (accepted d)))

; What is to be shown does not hold after the step.
(define-fun walking.next ((d Cpu)) Bool
  (and (is-cpu d) (= (phase.next d) Walking)))
(define-fun pending.next () Bytes
  (ite (walking.next receive-lock) (accepted.next receive-lock) 0))
(define-fun rmem-is-what-is-held.next () Bool
  (= rmem (- (+ (- (bytes tail) (bytes head)) deficit) pending.next)))
(assert (not rmem-is-what-is-held.next))

(check-sat)
