; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/admitted-parts--premise
; As many packets as there are other CPUs, each at most s, and one's own. The premise of the lemma bounded-parts, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; What is known.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun HaveRmem () Phase
  1)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(define-sort Bytes () Int)
(declare-fun size (Cpu) Bytes)
(declare-fun largest () Bytes)
(define-fun size-is-at-most-largest ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (size-is-at-most-largest d))
(declare-fun receive-lock () Cpu)
(assert (size-is-at-most-largest receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-at-most-largest reader-lock))
(declare-fun limit () Bytes)
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)

; What is to be shown does not hold.
(declare-fun node (Cpu) Node)
(define-fun Admitted () Phase
  4)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(assert (not
    (=>
      (and (is-cpu d) (= (node d) m))
      (and (<= 0 (admitted.of m d)) (<= (admitted.of m d) largest)))))

(check-sat)
