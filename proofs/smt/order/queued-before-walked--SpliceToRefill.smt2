; SPDX-License-Identifier: MIT OR Apache-2.0
; order/queued-before-walked--SpliceToRefill
; What is queued was drained, and lies behind the drain that walks now. SpliceToRefill: It moves the receive queue's packets to the reader queue.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(define-sort Position () Int)
(declare-fun p () Position)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun tail () Position)
(define-sort Index () Int)
(declare-fun index (Position) Index)
(declare-fun drained (Node) Index)
(declare-fun origin (Position) Node)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(declare-fun at (Cpu) Index)
(define-fun queued-before-walked ((d Cpu) (p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (< (index p) (drained (origin p)))
      (=> (and (walking d) (= (node d) (origin p))) (< (index p) (at d))))))
(assert (queued-before-walked d p))
(declare-fun head () Position)
(assert (queued-before-walked d head))
(assert (queued-before-walked d (+ head 1)))
(declare-fun spliced () Position)
(assert (queued-before-walked d spliced))
(assert (queued-before-walked d tail))
(assert (queued-before-walked c p))
(assert (queued-before-walked c head))
(assert (queued-before-walked c (+ head 1)))
(assert (queued-before-walked c spliced))
(assert (queued-before-walked c tail))
(declare-fun receive-lock () Cpu)
(assert (queued-before-walked receive-lock p))
(assert (queued-before-walked receive-lock head))
(assert (queued-before-walked receive-lock (+ head 1)))
(assert (queued-before-walked receive-lock spliced))
(assert (queued-before-walked receive-lock tail))
(declare-fun reader-lock () Cpu)
(assert (queued-before-walked reader-lock p))
(assert (queued-before-walked reader-lock head))
(assert (queued-before-walked reader-lock (+ head 1)))
(assert (queued-before-walked reader-lock spliced))
(assert (queued-before-walked reader-lock tail))
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
(assert (receive-lock-is-held d))
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(assert (receive-lock-is-held reader-lock))
(declare-fun arrived (Node) Index)
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (node d)))
(assert (list-range (origin p)))
(assert (list-range (node c)))
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun lo (Cpu) Index)
(declare-fun hi (Cpu) Index)
(define-sort Bytes () Int)
(declare-fun batch (Cpu) Bytes)
(declare-fun sent (Node Index) Bytes)
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
(assert (batch-range d))
(assert (batch-range c))
(assert (batch-range receive-lock))
(assert (batch-range reader-lock))
(define-fun walk-is-last ((d Cpu)) Bool
  (=> (walking d) (= (hi d) (drained (node d)))))
(assert (walk-is-last d))
(assert (walk-is-last c))
(assert (walk-is-last receive-lock))
(assert (walk-is-last reader-lock))
(define-fun Elected () Phase
  6)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(define-fun elected-has-packets ((d Cpu)) Bool
  (=> (elected d) (< (drained (node d)) (arrived (node d)))))
(assert (elected-has-packets d))
(assert (elected-has-packets c))
(assert (elected-has-packets receive-lock))
(assert (elected-has-packets reader-lock))
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)

; SpliceToRefill: It moves the receive queue's packets to the reader queue.
(assert (is-cpu c))
(assert (= (phase c) Refilling))
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Refilled (phase d)))

; What is to be shown does not hold after the step.
(define-fun walking.next ((d Cpu)) Bool
  (and (is-cpu d) (= (phase.next d) Walking)))
(define-fun queued-before-walked.next ((d Cpu) (p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (< (index p) (drained (origin p)))
      (=> (and (walking.next d) (= (node d) (origin p))) (< (index p) (at d))))))
(assert (not (queued-before-walked.next d p)))

(check-sat)
