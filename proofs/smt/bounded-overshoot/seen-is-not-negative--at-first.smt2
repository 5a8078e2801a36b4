; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/seen-is-not-negative--at-first
; What a CPU read is not negative. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; The clause does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun HaveRmem () Phase
  1)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun HaveOthers () Phase
  3)
(define-sort Bytes () Int)
(define-fun seen ((d Cpu)) Bytes
  0)
(define-fun seen-is-not-negative ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) HaveOthers)) (<= 0 (seen d))))
(assert (not (seen-is-not-negative d)))

(check-sat)
