; SPDX-License-Identifier: MIT OR Apache-2.0
; conservation/listed-until-walked--at-first
; A packet is without a fate as long as it is listed or ahead of the drain that took it. It is so at first.
; Expected: unsat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Node () Int)
(declare-fun m () Node)
(define-sort Index () Int)
(declare-fun i () Index)

; The clause does not hold.
(define-fun arrived ((m Node)) Index
  0)
(define-sort Fate () Int)
(define-fun fate ((m Node) (i Index)) Fate
  0)
(define-fun Listed () Fate
  0)
(define-fun drained ((m Node)) Index
  0)
(define-sort Cpu () Int)
(declare-fun cpus () Int)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(define-fun phase ((d Cpu)) Phase
  0)
(define-fun Walking () Phase
  9)
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock () Cpu
  nobody)
(declare-fun node (Cpu) Node)
(define-fun at ((d Cpu)) Index
  0)
(define-fun listed-until-walked ((m Node) (i Index)) Bool
  (=>
    (and (<= 0 i) (< i (arrived m)))
    (=
      (= (fate m i) Listed)
      (or
        (<= (drained m) i)
        (and (walking receive-lock) (= (node receive-lock) m) (<= (at receive-lock) i))))))
(assert (not (listed-until-walked m i)))

(check-sat)
