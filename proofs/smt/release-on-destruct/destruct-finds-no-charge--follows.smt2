; SPDX-License-Identifier: MIT OR Apache-2.0
; release-on-destruct/destruct-finds-no-charge--follows
; The counter of every node is 0 when the socket is destructed. It follows from the clauses it needs.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)

; What is known.
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(define-sort Index () Int)
(declare-fun drained (Node) Index)
(declare-fun arrived (Node) Index)
(define-fun destruct-finds-empty-lists ((m Node)) Bool
  (=> (not (= life Open)) (= (drained m) (arrived m))))
(assert (destruct-finds-empty-lists m))
(define-sort Bytes () Int)
(declare-fun counter (Node) Bytes)
(declare-fun in-flight (Node) Bytes)
(declare-fun sent (Node Index) Bytes)
(define-fun node-counter ((m Node)) Bool
  (= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m))))))
(assert (node-counter m))
(define-fun nobody-has-bytes-in-flight ((m Node)) Bool
  (=> (not (= life Open)) (= (in-flight m) 0)))
(assert (nobody-has-bytes-in-flight m))

; What is to be shown does not hold.
(assert (not (=> (not (= life Open)) (= (counter m) 0))))

(check-sat)
