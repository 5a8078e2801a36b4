; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/counted-parts--premise
; A sum of what is not negative is not less than any part of it. The premise of the lemma non-negative, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; What is known.

; What is to be shown does not hold.
(define-sort Phase () Int)
(define-fun Announced () Phase
  18)
(declare-fun phase (Cpu) Phase)
(define-fun Interrupted () Phase
  23)
(define-fun counted.of ((d Cpu)) Int
  (ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0))
(assert (not (<= 0 (counted.of d))))

(check-sat)
