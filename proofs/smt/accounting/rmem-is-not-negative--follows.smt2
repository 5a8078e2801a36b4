; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/rmem-is-not-negative--follows
; rmem_alloc is never negative. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; What is known.
(define-sort Bytes () Int)
(declare-fun rmem () Bytes)
(define-sort Position () Int)
(declare-fun bytes (Position) Bytes)
(declare-fun tail () Position)
(declare-fun head () Position)
(declare-fun deficit () Bytes)
(define-sort Cpu () Int)
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
(declare-fun spliced () Position)
(define-fun accepted-is-queued ((d Cpu)) Bool
  (=> (walking d) (<= (accepted d) (- (bytes tail) (bytes spliced)))))
(assert (accepted-is-queued receive-lock))
(declare-fun reader-lock () Cpu)
(assert (accepted-is-queued reader-lock))
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(assert (queue-grows head spliced))
(assert (queue-grows head tail))
(assert (queue-grows spliced head))
(assert (queue-grows spliced tail))
(assert (queue-grows tail head))
(assert (queue-grows tail spliced))
(define-fun nobody () Cpu
  (- 1))
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
(define-fun receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert receive-lock-is-left)

; What is to be shown does not hold.
(assert (not (<= 0 rmem)))

(check-sat)
