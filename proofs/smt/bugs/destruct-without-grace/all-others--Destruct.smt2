; SPDX-License-Identifier: MIT OR Apache-2.0
; bugs/destruct-without-grace/all-others--Destruct
; Seeded bug: The destructor does not wait for the CPUs inside. Destruct keeps every other clause that it touches: queue-range, destructed-has-nothing.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(declare-fun tail () Position)
(define-sort Bytes () Int)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Dead () Life
  2)
(declare-fun rmem () Bytes)
(declare-fun forward () Bytes)
(declare-fun charged () Bytes)
(define-fun destructed-has-nothing () Bool
  (=> (= life Dead) (and (= head tail) (= deficit 0) (= rmem 0) (= forward 0) (= charged 0))))
(assert destructed-has-nothing)
(declare-fun bytes (Position) Bytes)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(assert (queue-grows head (+ head 1)))
(assert (queue-grows head spliced))
(assert (queue-grows head tail))
(assert (queue-grows (+ head 1) head))
(assert (queue-grows (+ head 1) spliced))
(assert (queue-grows (+ head 1) tail))
(assert (queue-grows spliced head))
(assert (queue-grows spliced (+ head 1)))
(assert (queue-grows spliced tail))
(assert (queue-grows tail head))
(assert (queue-grows tail (+ head 1)))
(assert (queue-grows tail spliced))
(define-fun Open () Life
  0)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Idle () Phase
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (destruct-is-alone c))
(declare-fun receive-lock () Cpu)
(assert (destruct-is-alone receive-lock))
(declare-fun reader-lock () Cpu)
(assert (destruct-is-alone reader-lock))
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(declare-fun accepted (Cpu) Bytes)
(define-fun pending () Bytes
  (ite (walking receive-lock) (accepted receive-lock) 0))
(define-fun rmem-is-what-is-held () Bool
  (= rmem (- (+ (- (bytes tail) (bytes head)) deficit) pending)))
(assert rmem-is-what-is-held)
(define-fun Returned () Phase
  17)
(define-fun returned () Bytes
  (ite (and (is-cpu receive-lock) (= (phase receive-lock) Returned)) deficit 0))
(declare-fun whole (Bytes) Bool)
(define-fun pages-are-forward-and-rmem () Bool
  (and
    (= charged (- (+ forward rmem pending) returned))
    (whole charged)
    (<= 0 forward)
    (<= 0 charged)))
(assert pages-are-forward-and-rmem)
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

; Destruct: After the grace period the last reference goes, and the queues are spliced.
(assert (is-cpu c))
(assert (= life Open))
(define-fun Closing () Life
  1)
(define-fun life.next () Life
  Closing)
(define-fun spliced.next () Position
  tail)

; What is to be shown does not hold after the step.
(define-fun queue-range.next () Bool
  (and (<= 0 head) (<= head spliced.next) (<= spliced.next tail) (<= 0 deficit)))
(define-fun destructed-has-nothing.next () Bool
  (=> (= life.next Dead) (and (= head tail) (= deficit 0) (= rmem 0) (= forward 0) (= charged 0))))
(assert (not (and queue-range.next destructed-has-nothing.next)))

(check-sat)
