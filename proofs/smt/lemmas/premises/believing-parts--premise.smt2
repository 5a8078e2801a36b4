; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/believing-parts--premise
; At most s for each CPU. The premise of the lemma bounded-parts, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)

; What is known.
(define-sort Bytes () Int)
(declare-fun largest () Bytes)
(declare-fun limit () Bytes)
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)

; What is to be shown does not hold.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun HaveRmem () Phase
  1)
(declare-fun seen (Cpu) Bytes)
(define-fun believing.of ((d Cpu)) Bytes
  (ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0))
(assert (not (=> (is-cpu d) (and (<= 0 (believing.of d)) (<= (believing.of d) largest)))))

(check-sat)
