; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/pages-are-forward-and-rmem--ReadRmemAgainAndAdmit
; With the lock held and nothing half done, charged pages are forward_alloc and rmem_alloc. ReadRmemAgainAndAdmit: rmem_alloc once more; the packet fits beside `o` bytes of the other nodes.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun b () Bytes)
(declare-fun o () Bytes)

; What is known before the step.
(declare-fun charged () Bytes)
(declare-fun forward () Bytes)
(declare-fun rmem () Bytes)
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
(define-fun Returned () Phase
  17)
(declare-fun deficit () Bytes)
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
(declare-fun reader-lock () Cpu)
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
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(assert (receive-lock-is-held reader-lock))
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert receive-lock-is-left)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(declare-fun tail () Position)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(define-fun ReaderLocked () Phase
  12)
(define-fun Left () Phase
  20)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) Left)))
(define-fun reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (reader-lock-is-held c))
(assert (reader-lock-is-held receive-lock))
(assert (reader-lock-is-held reader-lock))
(declare-fun page () Bytes)
(define-fun page-is-positive () Bool
  (and (< 0 page) (< 0 cpus) (whole 0)))
(assert page-is-positive)
(define-fun Due () Phase
  15)
(define-fun due-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= Due (phase d)) (<= (phase d) Returned)) (< 0 deficit)))
(assert (due-is-positive c))
(assert (due-is-positive receive-lock))
(assert (due-is-positive reader-lock))
(declare-fun bytes (Position) Bytes)
(define-fun rmem-is-what-is-held () Bool
  (= rmem (- (+ (- (bytes tail) (bytes head)) deficit) pending)))
(assert rmem-is-what-is-held)
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(define-fun Idle () Phase
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (destruct-is-alone c))
(assert (destruct-is-alone receive-lock))
(assert (destruct-is-alone reader-lock))

; ReadRmemAgainAndAdmit: rmem_alloc once more; the packet fits beside `o` bytes of the other nodes.
(assert (is-cpu c))
(define-fun HaveOthers () Phase
  3)
(declare-fun limit () Bytes)
(declare-fun seen (Cpu) Bytes)
(declare-fun size (Cpu) Bytes)
(assert (and
    (= (phase c) HaveOthers)
    (<= b limit)
    (<= 0 o)
    (or (<= (+ (seen c) o rmem (size c)) b) (= (+ (seen c) o rmem) 0))))
(define-fun Admitted () Phase
  4)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Admitted (phase d)))

; What is to be shown does not hold after the step.
(define-fun walking.next ((d Cpu)) Bool
  (and (is-cpu d) (= (phase.next d) Walking)))
(define-fun pending.next () Bytes
  (ite (walking.next receive-lock) (accepted receive-lock) 0))
(define-fun returned.next () Bytes
  (ite (and (is-cpu receive-lock) (= (phase.next receive-lock) Returned)) deficit 0))
(define-fun pages-are-forward-and-rmem.next () Bool
  (and
    (= charged (- (+ forward rmem pending.next) returned.next))
    (whole charged)
    (<= 0 forward)
    (<= 0 charged)))
(assert (not pages-are-forward-and-rmem.next))

(check-sat)
