; SPDX-License-Identifier: MIT OR Apache-2.0
; lemmas/one-changed/believing--ReadNode
; ReadNode changes the sum believing by what it changes for the one who acts. The own node's counter first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun d () Cpu)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)
(define-sort Bytes () Int)
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
(define-fun HaveRmem () Phase
  1)
(declare-fun seen (Cpu) Bytes)
(declare-fun limit () Bytes)
(define-fun believing.of ((d Cpu)) Bytes
  (ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0))
(define-fun HaveNode () Phase
  2)
(declare-fun counter (Node) Bytes)
(define-fun phase.next ((d Cpu)) Phase
  (ite (= d c) HaveNode (phase d)))
(define-fun seen.next ((d Cpu)) Bytes
  (ite (= d c) (counter (node c)) (seen d)))
(define-fun believing.of.next ((d Cpu)) Bytes
  (ite (and (= (phase.next d) HaveRmem) (< (seen.next d) limit)) largest 0))
(assert (not (= (believing.of d) (believing.of.next d))))

(check-sat)
