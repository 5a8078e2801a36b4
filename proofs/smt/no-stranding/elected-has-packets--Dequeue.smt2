; SPDX-License-Identifier: MIT OR Apache-2.0
; no-stranding/elected-has-packets--Dequeue
; An elected CPU's list is not empty, so that it never takes an empty one. Dequeue: It takes a packet from the reader queue.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(define-sort Index () Int)
(declare-fun drained (Node) Index)
(declare-fun arrived (Node) Index)
(define-fun elected-has-packets ((d Cpu)) Bool
  (=> (elected d) (< (drained (node d)) (arrived (node d)))))
(assert (elected-has-packets d))
(assert (elected-has-packets c))
(declare-fun receive-lock () Cpu)
(assert (elected-has-packets receive-lock))
(declare-fun reader-lock () Cpu)
(assert (elected-has-packets reader-lock))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (node d)))
(assert (list-range (node c)))
(define-fun one-elected ((d Cpu) (e Cpu)) Bool
  (=> (and (elected d) (elected e) (= (node d) (node e))) (= d e)))
(assert (one-elected d c))
(assert (one-elected d receive-lock))
(assert (one-elected d reader-lock))
(assert (one-elected c d))
(assert (one-elected c receive-lock))
(assert (one-elected c reader-lock))
(assert (one-elected receive-lock d))
(assert (one-elected receive-lock c))
(assert (one-elected receive-lock reader-lock))
(assert (one-elected reader-lock d))
(assert (one-elected reader-lock c))
(assert (one-elected reader-lock receive-lock))

; Dequeue: It takes a packet from the reader queue.
(assert (is-cpu c))
(define-fun ReaderLocked () Phase
  12)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(assert (and (= (phase c) ReaderLocked) (< head spliced)))
(define-fun Due () Phase
  15)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Due (phase d)))

; What is to be shown does not hold after the step.
(define-fun elected.next ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase.next d) Elected) (= (phase.next d) Locked))))
(define-fun elected-has-packets.next ((d Cpu)) Bool
  (=> (elected.next d) (< (drained (node d)) (arrived (node d)))))
(assert (not (elected-has-packets.next d)))

(check-sat)
