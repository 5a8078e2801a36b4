; SPDX-License-Identifier: MIT OR Apache-2.0
; no-lost-wakeup/sleepers-are-counted--at-first
; The count of sleepers is of those who have announced themselves. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)

; The clause does not hold.
(define-fun sleepers () Int
  0)
(define-fun counted () Int
  0)
(define-fun sleepers-are-counted () Bool
  (= sleepers counted))
(assert (not sleepers-are-counted))

(check-sat)
