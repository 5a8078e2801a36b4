; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/believing--ReadRmemAndAdmit
; ReadRmemAndAdmit changes the sum believing by what it changes for the one who acts. rmem_alloc second; the packet fits.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
(declare-fun b () Bytes)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun HaveNode () Phase
  2)
(declare-fun limit () Bytes)
(declare-fun seen (Cpu) Bytes)
(declare-fun rmem () Bytes)
(declare-fun size (Cpu) Bytes)
(assert (and
    (= (phase c) HaveNode)
    (<= b limit)
    (or (<= (+ (seen c) rmem (size c)) b) (= (+ (seen c) rmem) 0))))
(assert (not (= d c)))
(define-fun HaveRmem () Phase
  1)
(declare-fun largest () Bytes)
(define-fun believing.of ((d Cpu)) Bytes
  (ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0))
(define-fun Admitted () Phase
  4)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) Admitted (phase d)))
(define-fun believing.of.next ((d Cpu)) Bytes
  (ite (and (= (phase.next d) HaveRmem) (< (seen d) limit)) largest 0))
(assert (not (= (believing.of d) (believing.of.next d))))

(check-sat)
