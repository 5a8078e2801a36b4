; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destruct-is-alone--ReadNodeAndAdmit
; After the grace period no CPU is inside the socket. ReadNodeAndAdmit: The kernel's order: the node's counter second; the packet fits.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun b () Bytes)

; What is known before the step.
(define-sort Life () Int)
(declare-fun life () Life)
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
(assert (destruct-is-alone d))
(assert (destruct-is-alone c))
(declare-fun receive-lock () Cpu)
(assert (destruct-is-alone receive-lock))
(declare-fun reader-lock () Cpu)
(assert (destruct-is-alone reader-lock))

; ReadNodeAndAdmit: The kernel's order: the node's counter second; the packet fits.
(assert (is-cpu c))
(define-fun HaveRmem () Phase
  1)
(declare-fun limit () Bytes)
(declare-fun seen (Cpu) Bytes)
(declare-fun counter (Node) Bytes)
(declare-fun size (Cpu) Bytes)
(assert (and
    (= (phase c) HaveRmem)
    (<= b limit)
    (or (<= (+ (seen c) (counter (node c)) (size c)) b) (= (+ (seen c) (counter (node c))) 0))))
(define-fun Admitted () Phase
  4)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Admitted (phase d)))

; What is to be shown does not hold after the step.
(define-fun destruct-is-alone.next ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase.next d) Idle)))
(assert (not (destruct-is-alone.next d)))

(check-sat)
