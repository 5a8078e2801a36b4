; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/accepted-is-queued--ReadRmem
; What a drain has accepted is at the end of the receive queue. ReadRmem: The kernel's order: rmem_alloc first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun x () Bytes)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(declare-fun accepted (Cpu) Bytes)
(define-sort Position () Int)
(declare-fun bytes (Position) Bytes)
(declare-fun tail () Position)
(declare-fun spliced () Position)
(define-fun accepted-is-queued ((d Cpu)) Bool
  (=> (walking d) (<= (accepted d) (- (bytes tail) (bytes spliced)))))
(assert (accepted-is-queued d))
(assert (accepted-is-queued c))
(declare-fun receive-lock () Cpu)
(assert (accepted-is-queued receive-lock))
(declare-fun reader-lock () Cpu)
(assert (accepted-is-queued reader-lock))
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
(assert (accepted-range d))
(assert (accepted-range c))
(assert (accepted-range receive-lock))
(assert (accepted-range reader-lock))
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
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert receive-lock-is-left)
(declare-fun head () Position)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(assert (queue-grows tail spliced))
(assert (queue-grows spliced tail))
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(define-fun Idle () Phase
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (destruct-is-alone d))
(assert (destruct-is-alone c))
(assert (destruct-is-alone receive-lock))
(assert (destruct-is-alone reader-lock))

; ReadRmem: The kernel's order: rmem_alloc first.
(assert (is-cpu c))
(declare-fun largest () Bytes)
(assert (and (= (phase c) Idle) (= life Open) (< 0 x) (<= x largest)))
(define-fun HaveRmem () Phase
  1)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveRmem (phase d)))

; What is to be shown does not hold after the step.
(define-fun walking.next ((d Cpu)) Bool
  (and (is-cpu d) (= (phase.next d) Walking)))
(define-fun accepted-is-queued.next ((d Cpu)) Bool
  (=> (walking.next d) (<= (accepted d) (- (bytes tail) (bytes spliced)))))
(assert (not (accepted-is-queued.next d)))

(check-sat)
