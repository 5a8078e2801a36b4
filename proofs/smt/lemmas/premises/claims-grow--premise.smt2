; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/premises/claims-grow--premise
; A sum of larger parts is larger. The premise of the lemma monotone, for which this is used.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Bytes () Int)
(declare-fun t () Bytes)
(declare-fun u () Bytes)
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

; What is to be shown does not hold.
(declare-fun node (Cpu) Node)
(define-fun Admitted () Phase
  4)
(define-fun HaveNode () Phase
  2)
(define-fun HaveOthers () Phase
  3)
(declare-fun seen (Cpu) Bytes)
(define-fun claims.of ((m Node) (t Bytes) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite
      (= (phase d) Admitted)
      (size d)
      (ite
        (and
          (or (= (phase d) HaveNode) (= (phase d) HaveOthers))
          (<= (- (+ (seen d) (size d)) largest) t))
        (size d)
        0))))
(assert (not (=> (and (is-cpu d) (<= t u)) (<= (claims.of m t d) (claims.of m u d)))))

(check-sat)
