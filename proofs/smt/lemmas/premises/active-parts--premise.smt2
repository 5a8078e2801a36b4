; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/active-parts--premise
; A sum of what is not negative is not less than any part of it. The premise of the lemma non-negative, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; What is known.

; What is to be shown does not hold.
(define-sort Phase () Int)
(define-fun Receiving () Phase
  3)
(declare-fun phase (Cpu) Phase)
(define-fun Spliced () Phase
  12)
(define-fun Finished () Phase
  22)
(define-fun Prepared () Phase
  17)
(define-fun Ready () Phase
  21)
(declare-fun woken (Cpu) Bool)
(define-fun active.of ((d Cpu)) Int
  (ite
    (or
      (and (<= Receiving (phase d)) (<= (phase d) Spliced))
      (= (phase d) Finished)
      (and (<= Prepared (phase d)) (<= (phase d) Ready) (woken d)))
    1
    0))
(assert (not (<= 0 (active.of d))))

(check-sat)
