; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/kernel-order/believers-are-bounded--at-first
; Above the limit nobody begins to believe, and each believer brings one packet. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Bytes () Int)
(declare-fun largest () Bytes)
(declare-fun limit () Bytes)
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)

; The clause does not hold.
(define-fun rmem () Bytes
  0)
(define-fun under-way () Bytes
  0)
(define-fun believing () Bytes
  0)
(declare-fun nodes*limit () Bytes)
(declare-fun cpus*largest () Bytes)
(declare-fun nodes*largest () Bytes)
(define-fun believers-are-bounded () Bool
  (=>
    (<= limit rmem)
    (<=
      (+ rmem under-way believing)
      (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))))
(assert (not believers-are-bounded))

(check-sat)
