; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/shares--AddRmem
; AddRmem changes the sum shares by what it changes for the one who acts. The batch's bytes are added to rmem_alloc.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Walking () Phase
  9)
(define-sort Index () Int)
(declare-fun at (Cpu) Index)
(declare-fun hi (Cpu) Index)
(assert (and (= (phase c) Walking) (= (at c) (hi c))))
(assert (not (= m (node c))))
(define-sort Bytes () Int)
(declare-fun share (Node) Bytes)
(define-fun share.of ((m Node)) Bytes
  (share m))
(declare-fun accepted (Cpu) Bytes)
(define-fun share.next ((m Node)) Bytes
  (ite (= m (node c)) (+ (share (node c)) (accepted c)) (share m)))
(define-fun share.of.next ((m Node)) Bytes
  (share.next m))
(assert (not (= (share.of m) (share.of.next m))))

(check-sat)
