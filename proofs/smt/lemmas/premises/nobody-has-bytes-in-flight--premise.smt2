; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/nobody-has-bytes-in-flight--premise
; A sum of zeros is zero. The premise of the lemma all-zero, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; What is known.
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
(declare-fun receive-lock () Cpu)
(assert (destruct-is-alone receive-lock))
(declare-fun reader-lock () Cpu)
(assert (destruct-is-alone reader-lock))

; What is to be shown does not hold.
(define-sort Bytes () Int)
(declare-fun node (Cpu) Node)
(define-fun Charged () Phase
  5)
(declare-fun size (Cpu) Bytes)
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun batch (Cpu) Bytes)
(define-fun in-flight.of ((m Node) (d Cpu)) Bytes
  (ite (not (= (node d) m)) 0 (ite (= (phase d) Charged) (size d) (ite (draining d) (batch d) 0))))
(assert (not (=> (and (not (= life Open)) (is-cpu d)) (= (in-flight.of m d) 0))))

(check-sat)
