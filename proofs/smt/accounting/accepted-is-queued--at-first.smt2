; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/accepted-is-queued--at-first
; What a drain has accepted is at the end of the receive queue. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(define-sort Bytes () Int)
(define-fun accepted ((d Cpu)) Bytes
  0)
(define-sort Position () Int)
(define-fun bytes ((p Position)) Bytes
  0)
(define-fun tail () Position
  0)
(define-fun spliced () Position
  0)
(define-fun accepted-is-queued ((d Cpu)) Bool
  (=> (walking d) (<= (accepted d) (- (bytes tail) (bytes spliced)))))
(assert (not (accepted-is-queued d)))

(check-sat)
