; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/believing--Push
; Push changes the sum believing by what it changes for the one who acts. The packet is on the list; who found it empty is elected.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(assert (= (phase c) Charged))
(assert (not (= d c)))
(define-sort Bytes () Int)
(define-fun HaveRmem () Phase
  1)
(declare-fun seen (Cpu) Bytes)
(declare-fun limit () Bytes)
(declare-fun largest () Bytes)
(define-fun believing.of ((d Cpu)) Bytes
  (ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0))
(define-sort Index () Int)
(declare-fun arrived (Node) Index)
(declare-fun drained (Node) Index)
(define-fun Elected () Phase
  6)
(define-fun Idle () Phase
  0)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) (ite (= (arrived (node c)) (drained (node c))) Elected Idle) (phase d)))
(define-fun believing.of.next ((d Cpu)) Bytes
  (ite (and (= (phase.next d) HaveRmem) (< (seen d) limit)) largest 0))
(assert (not (= (believing.of d) (believing.of.next d))))

(check-sat)
