; SPDX-License-Identifier: MIT OR Apache-2.0
; bounded-overshoot/share-is-not-negative--Destructed
; A node's part of rmem_alloc is not negative. Destructed: It gives back the rest, and the node queues.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(define-sort Bytes () Int)
(declare-fun share (Node) Bytes)
(define-fun share-is-not-negative ((m Node)) Bool
  (<= 0 (share m)))
(assert (share-is-not-negative m))
(assert (share-is-not-negative (node c)))
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun Taken () Phase
  8)
(declare-fun phase (Cpu) Phase)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun accepted (Cpu) Bytes)
(define-sort Index () Int)
(declare-fun sent (Node Index) Bytes)
(declare-fun at (Cpu) Index)
(declare-fun lo (Cpu) Index)
(define-fun accepted-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (accepted d))
      (<= (accepted d) (- (sent (node d) (at d)) (sent (node d) (lo d))))
      (=> (= (phase d) Taken) (= (accepted d) 0)))))
(assert (accepted-range c))
(declare-fun receive-lock () Cpu)
(assert (accepted-range receive-lock))
(declare-fun reader-lock () Cpu)
(assert (accepted-range reader-lock))

; Destructed: It gives back the rest, and the node queues.
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
(assert (and (<= 0 (part m)) (<= (part m) (share m))))
(assert (and (<= 0 (part (node c))) (<= (part (node c)) (share (node c)))))
(define-fun share.next ((m Node)) Bytes
  (- (share m) (part m)))

; What is to be shown does not hold after the step.
(define-fun share-is-not-negative.next ((m Node)) Bool
  (<= 0 (share.next m)))
(assert (not (share-is-not-negative.next m)))

(check-sat)
