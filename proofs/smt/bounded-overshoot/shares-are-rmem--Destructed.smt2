; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/shares-are-rmem--Destructed
; The nodes' parts make up rmem_alloc. Destructed: It gives back the rest, and the node queues.
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

; Destructed: It gives back the rest, and the node queues.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Closing () Life
  1)
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun tail () Position)
(assert (and (= life Closing) (= head tail)))
(declare-fun part (Node) Bytes)
(declare-fun share (Node) Bytes)
(assert (and (<= 0 (part (node c))) (<= (part (node c)) (share (node c)))))
(declare-fun deficit () Bytes)
(define-fun rmem.next () Bytes
  (- rmem deficit))
(define-fun share.next ((m Node)) Bytes
  (- (share m) (part m)))
(define-fun shares.next () Bytes
  (- shares deficit))

; What is to be shown does not hold after the step.
(define-fun shares-are-rmem.next () Bool
  (= rmem.next shares.next))
(assert (not shares-are-rmem.next))

(check-sat)
