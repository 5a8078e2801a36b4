; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/nobody-looks-away-from-a-packet--at-first
; While a reader has found the receive queue empty, each packet there has a wake-up or an active reader, or it will find the reader queue not empty. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-fun waiting ((d Cpu)) Bool
  false)
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Looked () Phase
  19)
(define-fun reader () Int
  0)
(define-fun receive () Int
  0)
(define-fun owed () Int
  0)
(define-fun active () Int
  0)
(define-fun nobody-looks-away-from-a-packet ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (waiting d) (= (phase d) Looked))
    (or (< 0 reader) (<= receive (+ owed active)))))
(assert (not (nobody-looks-away-from-a-packet d)))

(check-sat)
