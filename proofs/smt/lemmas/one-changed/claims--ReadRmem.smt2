; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/claims--ReadRmem
; ReadRmem changes the sum claims by what it changes for the one who acts. The kernel's order: rmem_alloc first.
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
(declare-fun x () Bytes)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Idle () Phase
  0)
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(declare-fun largest () Bytes)
(assert (and (= (phase c) Idle) (= life Open) (< 0 x) (<= x largest)))
(assert (not (= d c)))
(define-fun Admitted () Phase
  4)
(declare-fun size (Cpu) Bytes)
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
(define-fun HaveRmem () Phase
  1)
(declare-fun rmem () Bytes)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveRmem (phase d)))
(define-fun size.next ((d Cpu)) Bytes
  (ite (= d c) x (size d)))
(define-fun seen.next ((d Cpu)) Bytes
  (ite (= d c) rmem (seen d)))
(define-fun claims.of.next ((m Node) (t Bytes) (d Cpu)) Bytes
  (ite
    (not (= (node d) m))
    0
    (ite
      (= (phase.next d) Admitted)
      (size.next d)
      (ite
        (and
          (or (= (phase.next d) HaveNode) (= (phase.next d) HaveOthers))
          (<= (- (+ (seen.next d) (size.next d)) largest) t))
        (size.next d)
        0))))
(assert (not (= (claims.of m t d) (claims.of.next m t d))))

(check-sat)
