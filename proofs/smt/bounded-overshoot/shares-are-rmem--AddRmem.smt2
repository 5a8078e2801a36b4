; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/shares-are-rmem--AddRmem
; The nodes' parts make up rmem_alloc. AddRmem: The batch's bytes are added to rmem_alloc.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Bytes () Int)
(declare-fun rmem () Bytes)
(declare-fun shares () Bytes)
(define-fun shares-are-rmem () Bool
  (= rmem shares))
(assert shares-are-rmem)

; AddRmem: The batch's bytes are added to rmem_alloc.
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
(declare-fun accepted (Cpu) Bytes)
(declare-fun share (Node) Bytes)
(define-fun share.of ((m Node)) Bytes
  (share m))
(define-fun rmem.next () Bytes
  (+ rmem (accepted c)))
(define-fun share.next ((m Node)) Bytes
  (ite (= m (node c)) (+ (share (node c)) (accepted c)) (share m)))
(define-fun share.of.next ((m Node)) Bytes
  (share.next m))
(define-fun shares.next () Bytes
  (+ shares (- (share.of.next (node c)) (share.of (node c)))))

; What is to be shown does not hold after the step.
(define-fun shares-are-rmem.next () Bool
  (= rmem.next shares.next))
(assert (not shares-are-rmem.next))

(check-sat)
