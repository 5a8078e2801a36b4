; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destructed-has-nothing--Dequeue
; A destructed socket has no packet, rmem_alloc, forward_alloc or charged page. Dequeue: It takes a packet from the reader queue.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Dead () Life
  2)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun tail () Position)
(define-sort Bytes () Int)
(declare-fun deficit () Bytes)
(declare-fun rmem () Bytes)
(declare-fun forward () Bytes)
(declare-fun charged () Bytes)
(define-fun destructed-has-nothing () Bool
  (=> (= life Dead) (and (= head tail) (= deficit 0) (= rmem 0) (= forward 0) (= charged 0))))
(assert destructed-has-nothing)
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
(declare-fun bytes (Position) Bytes)
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

; Dequeue: It takes a packet from the reader queue.
(assert (is-cpu c))
(define-fun ReaderLocked () Phase
  12)
(declare-fun spliced () Position)
(assert (and (= (phase c) ReaderLocked) (< head spliced)))
(define-fun head.next () Position
  (+ head 1))
(define-fun deficit.next () Bytes
  (+ deficit (- (bytes (+ head 1)) (bytes head))))

; What is to be shown does not hold after the step.
(define-fun destructed-has-nothing.next () Bool
  (=>
    (= life Dead)
    (and (= head.next tail) (= deficit.next 0) (= rmem 0) (= forward 0) (= charged 0))))
(assert (not destructed-has-nothing.next))

(check-sat)
