; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/shares-are-rmem--DestructRelease
; The nodes' parts make up rmem_alloc. DestructRelease: It gives back what it has summed so far, so that the sum fits 32 bits.
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

; DestructRelease: It gives back what it has summed so far, so that the sum fits 32 bits.
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(assert (is-cpu c))
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Closing () Life
  1)
(assert (= life Closing))
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
