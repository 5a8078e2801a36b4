; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/claims--ReadRmemAgainAndAdmit
; ReadRmemAgainAndAdmit changes the sum claims by what it changes for the one who acts. rmem_alloc once more; the packet fits beside `o` bytes of the other nodes.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Bytes () Int)
(declare-fun t () Bytes)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)
(declare-fun b () Bytes)
(declare-fun o () Bytes)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun HaveOthers () Phase
  3)
(declare-fun limit () Bytes)
(declare-fun seen (Cpu) Bytes)
(declare-fun rmem () Bytes)
(declare-fun size (Cpu) Bytes)
(assert (and
    (= (phase c) HaveOthers)
    (<= b limit)
    (<= 0 o)
    (or (<= (+ (seen c) o rmem (size c)) b) (= (+ (seen c) o rmem) 0))))
(assert (not (= d c)))
(define-fun Admitted () Phase
  4)
(define-fun HaveNode () Phase
  2)
(declare-fun largest () Bytes)
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
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Admitted (phase d)))
(define-fun claims.of.next ((m Node) (t Bytes) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite
      (= (phase.next d) Admitted)
      (size d)
      (ite
        (and
          (or (= (phase.next d) HaveNode) (= (phase.next d) HaveOthers))
          (<= (- (+ (seen d) (size d)) largest) t))
        (size d)
        0))))
(assert (not (= (claims.of m t d) (claims.of.next m t d))))

(check-sat)
