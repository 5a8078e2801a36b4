; SPDX-License-Identifier: MIT OR Apache-2.0
; accounting/sent-grows--Push
; Each arrival adds bytes to what was sent to its node. Push: The packet is on the list; who found it empty is elected.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)
(declare-fun j () Index)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(declare-fun node (Cpu) Node)

; What is known before the step.
(declare-fun arrived (Node) Index)
(define-sort Bytes () Int)
(declare-fun sent (Node Index) Bytes)
(define-fun sent-grows ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j))))
(assert (sent-grows m i j))
(assert (sent-grows m i (arrived m)))
(assert (sent-grows m i (arrived (node c))))
(declare-fun drained (Node) Index)
(assert (sent-grows m i (drained (node c))))
(assert (sent-grows m j i))
(assert (sent-grows m j (arrived m)))
(assert (sent-grows m j (arrived (node c))))
(assert (sent-grows m j (drained (node c))))
(assert (sent-grows m (arrived m) i))
(assert (sent-grows m (arrived m) j))
(assert (sent-grows m (arrived m) (arrived (node c))))
(assert (sent-grows m (arrived m) (drained (node c))))
(assert (sent-grows m (arrived (node c)) i))
(assert (sent-grows m (arrived (node c)) j))
(assert (sent-grows m (arrived (node c)) (arrived m)))
(assert (sent-grows m (arrived (node c)) (drained (node c))))
(assert (sent-grows m (drained (node c)) i))
(assert (sent-grows m (drained (node c)) j))
(assert (sent-grows m (drained (node c)) (arrived m)))
(assert (sent-grows m (drained (node c)) (arrived (node c))))
(assert (sent-grows (node c) i j))
(assert (sent-grows (node c) i (arrived m)))
(assert (sent-grows (node c) i (arrived (node c))))
(assert (sent-grows (node c) i (drained (node c))))
(assert (sent-grows (node c) j i))
(assert (sent-grows (node c) j (arrived m)))
(assert (sent-grows (node c) j (arrived (node c))))
(assert (sent-grows (node c) j (drained (node c))))
(assert (sent-grows (node c) (arrived m) i))
(assert (sent-grows (node c) (arrived m) j))
(assert (sent-grows (node c) (arrived m) (arrived (node c))))
(assert (sent-grows (node c) (arrived m) (drained (node c))))
(assert (sent-grows (node c) (arrived (node c)) i))
(assert (sent-grows (node c) (arrived (node c)) j))
(assert (sent-grows (node c) (arrived (node c)) (arrived m)))
(assert (sent-grows (node c) (arrived (node c)) (drained (node c))))
(assert (sent-grows (node c) (drained (node c)) i))
(assert (sent-grows (node c) (drained (node c)) j))
(assert (sent-grows (node c) (drained (node c)) (arrived m)))
(assert (sent-grows (node c) (drained (node c)) (arrived (node c))))
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun HaveRmem () Phase
  1)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(declare-fun size (Cpu) Bytes)
(define-fun size-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size d))))
(assert (size-is-positive c))
(declare-fun receive-lock () Cpu)
(assert (size-is-positive receive-lock))
(declare-fun reader-lock () Cpu)
(assert (size-is-positive reader-lock))
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range m))
(assert (list-range (node c)))

; Push: The packet is on the list; who found it empty is elected.
(assert (is-cpu c))
(assert (= (phase c) Charged))
(define-fun sent.next ((m Node) (i Index)) Bytes
  (ite
    (and (= m (node c)) (= i (+ (arrived (node c)) 1)))
    (+ (sent (node c) (arrived (node c))) (size c))
    (sent m i)))
(define-fun arrived.next ((m Node)) Index
  (ite (= m (node c)) (+ (arrived (node c)) 1) (arrived m)))

; What is to be shown does not hold after the step.
(define-fun sent-grows.next ((m Node) (i Index) (j Index)) Bool
  (=> (and (<= 0 i) (< i j) (<= j (arrived.next m))) (< (sent.next m i) (sent.next m j))))
(assert (not (sent-grows.next m i j)))

(check-sat)
