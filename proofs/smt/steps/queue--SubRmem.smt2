; SPDX-License-Identifier: MIT OR Apache-2.0
; steps/queue--SubRmem
; SubRmem: What was due leaves rmem_alloc. It can be taken.
; Expected: sat. Made by `cargo prove files`.
(set-logic QF_UFLIA)
(define-sort Cpu () Int)
(declare-fun c () Cpu)
(define-sort Node () Int)
(declare-fun node (Cpu) Node)

; What is always true.
(define-sort Bytes () Int)
(declare-fun page () Bytes)
(declare-fun cpus () Int)
(declare-fun whole (Bytes) Bool)
(define-fun page-is-positive () Bool
  (and (< 0 page) (< 0 cpus) (whole 0)))
(assert page-is-positive)
(declare-fun in-flight (Node) Bytes)
(define-fun is-cpu ((d Cpu)) Bool
  (and (<= 0 d) (< d cpus)))
(define-sort Phase () Int)
(declare-fun phase (Cpu) Phase)
(define-fun Charged () Phase
  5)
(declare-fun size (Cpu) Bytes)
(define-fun Taken () Phase
  8)
(define-fun Unlocked () Phase
  11)
(define-fun draining ((d Cpu)) Bool
  (and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked)))
(declare-fun batch (Cpu) Bytes)
(define-fun in-flight.of ((m Node) (d Cpu)) Bytes
  (ite (not (= (node d) m)) 0 (ite (= (phase d) Charged) (size d) (ite (draining d) (batch d) 0))))
(define-fun in-flight-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (in-flight m))
    (=> (is-cpu d) (and (<= 0 (in-flight.of m d)) (<= (in-flight.of m d) (in-flight m))))))
(assert (in-flight-parts (node c) c))
(declare-fun receive-lock () Cpu)
(assert (in-flight-parts (node c) receive-lock))
(declare-fun reader-lock () Cpu)
(assert (in-flight-parts (node c) reader-lock))
(define-sort Index () Int)
(declare-fun drained (Node) Index)
(declare-fun arrived (Node) Index)
(define-fun list-range ((m Node)) Bool
  (and (<= 0 (drained m)) (<= (drained m) (arrived m))))
(assert (list-range (node c)))
(define-fun Elected () Phase
  6)
(define-fun Locked () Phase
  7)
(define-fun elected ((d Cpu)) Bool
  (and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked))))
(define-fun elected-has-packets ((d Cpu)) Bool
  (=> (elected d) (< (drained (node d)) (arrived (node d)))))
(assert (elected-has-packets c))
(assert (elected-has-packets receive-lock))
(assert (elected-has-packets reader-lock))
(define-fun one-elected ((d Cpu) (e Cpu)) Bool
  (=> (and (elected d) (elected e) (= (node d) (node e))) (= d e)))
(assert (one-elected c receive-lock))
(assert (one-elected c reader-lock))
(assert (one-elected receive-lock c))
(assert (one-elected receive-lock reader-lock))
(assert (one-elected reader-lock c))
(assert (one-elected reader-lock receive-lock))
(declare-fun witness (Node) Cpu)
(define-fun list-has-elected ((m Node)) Bool
  (=> (< (drained m) (arrived m)) (and (elected (witness m)) (= (node (witness m)) m))))
(assert (list-has-elected (node c)))
(define-fun Walking () Phase
  9)
(define-fun Added () Phase
  10)
(define-fun Refilling () Phase
  13)
(define-fun Refilled () Phase
  14)
(define-fun DueBoth () Phase
  16)
(define-fun Leaving () Phase
  19)
(define-fun has-receive-lock ((d Cpu)) Bool
  (and
    (is-cpu d)
    (or
      (= (phase d) Locked)
      (= (phase d) Walking)
      (= (phase d) Added)
      (= (phase d) Refilling)
      (= (phase d) Refilled)
      (and (<= DueBoth (phase d)) (<= (phase d) Leaving)))))
(define-fun receive-lock-is-held ((d Cpu)) Bool
  (=> (has-receive-lock d) (= receive-lock d)))
(assert (receive-lock-is-held c))
(assert (receive-lock-is-held receive-lock))
(assert (receive-lock-is-held reader-lock))
(define-fun nobody () Cpu
  (- 1))
(define-fun receive-lock-is-left () Bool
  (or (= receive-lock nobody) (has-receive-lock receive-lock)))
(assert receive-lock-is-left)
(define-fun ReaderLocked () Phase
  12)
(define-fun Left () Phase
  20)
(define-fun has-reader-lock ((d Cpu)) Bool
  (and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) Left)))
(define-fun reader-lock-is-held ((d Cpu)) Bool
  (=> (has-reader-lock d) (= reader-lock d)))
(assert (reader-lock-is-held c))
(assert (reader-lock-is-held receive-lock))
(assert (reader-lock-is-held reader-lock))
(define-fun reader-lock-is-left () Bool
  (or (= reader-lock nobody) (has-reader-lock reader-lock)))
(assert reader-lock-is-left)
(define-fun Idle () Phase
  0)
(define-fun idle-means-empty ((m Node)) Bool
  (=> (and (<= 0 (witness m)) (= (phase (witness m)) Idle)) (= (drained m) (arrived m))))
(assert (idle-means-empty (node c)))
(define-fun HaveRmem () Phase
  1)
(define-fun size-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size d))))
(assert (size-is-positive c))
(assert (size-is-positive receive-lock))
(assert (size-is-positive reader-lock))
(declare-fun lo (Cpu) Index)
(declare-fun hi (Cpu) Index)
(declare-fun at (Cpu) Index)
(declare-fun sent (Node Index) Bytes)
(define-fun batch-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (lo d))
      (< (lo d) (hi d))
      (<= (lo d) (at d))
      (<= (at d) (hi d))
      (<= (hi d) (drained (node d)))
      (= (batch d) (- (sent (node d) (hi d)) (sent (node d) (lo d))))
      (=> (< Walking (phase d)) (= (at d) (hi d))))))
(assert (batch-range c))
(assert (batch-range receive-lock))
(assert (batch-range reader-lock))
(define-fun walking ((d Cpu)) Bool
  (and (is-cpu d) (= (phase d) Walking)))
(define-fun walk-is-last ((d Cpu)) Bool
  (=> (walking d) (= (hi d) (drained (node d)))))
(assert (walk-is-last c))
(assert (walk-is-last receive-lock))
(assert (walk-is-last reader-lock))
(declare-fun accepted (Cpu) Bytes)
(define-fun accepted-range ((d Cpu)) Bool
  (=>
    (draining d)
    (and
      (<= 0 (accepted d))
      (<= (accepted d) (- (sent (node d) (at d)) (sent (node d) (lo d))))
      (=> (= (phase d) Taken) (= (accepted d) 0)))))
(assert (accepted-range c))
(assert (accepted-range receive-lock))
(assert (accepted-range reader-lock))
(declare-fun counter (Node) Bytes)
(define-fun node-counter ((m Node)) Bool
  (= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m))))))
(assert (node-counter (node c)))
(define-fun node-counter-is-not-negative ((m Node)) Bool
  (<= 0 (counter m)))
(assert (node-counter-is-not-negative (node c)))
(define-sort Position () Int)
(declare-fun head () Position)
(declare-fun spliced () Position)
(declare-fun tail () Position)
(declare-fun deficit () Bytes)
(define-fun queue-range () Bool
  (and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit)))
(assert queue-range)
(declare-fun bytes (Position) Bytes)
(define-fun queue-grows ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q))))
(assert (queue-grows head (+ head 1)))
(assert (queue-grows head spliced))
(assert (queue-grows head tail))
(assert (queue-grows (+ head 1) head))
(assert (queue-grows (+ head 1) spliced))
(assert (queue-grows (+ head 1) tail))
(assert (queue-grows spliced head))
(assert (queue-grows spliced (+ head 1)))
(assert (queue-grows spliced tail))
(assert (queue-grows tail head))
(assert (queue-grows tail (+ head 1)))
(assert (queue-grows tail spliced))
(declare-fun rmem () Bytes)
(define-fun pending () Bytes
  (ite (walking receive-lock) (accepted receive-lock) 0))
(define-fun rmem-is-what-is-held () Bool
  (= rmem (- (+ (- (bytes tail) (bytes head)) deficit) pending)))
(assert rmem-is-what-is-held)
(declare-fun charged () Bytes)
(declare-fun forward () Bytes)
(define-fun Returned () Phase
  17)
(define-fun returned () Bytes
  (ite (and (is-cpu receive-lock) (= (phase receive-lock) Returned)) deficit 0))
(define-fun pages-are-forward-and-rmem () Bool
  (and
    (= charged (- (+ forward rmem pending) returned))
    (whole charged)
    (<= 0 forward)
    (<= 0 charged)))
(assert pages-are-forward-and-rmem)
(define-fun Due () Phase
  15)
(define-fun due-is-positive ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= Due (phase d)) (<= (phase d) Returned)) (< 0 deficit)))
(assert (due-is-positive c))
(assert (due-is-positive receive-lock))
(assert (due-is-positive reader-lock))
(declare-fun index (Position) Index)
(declare-fun origin (Position) Node)
(define-sort Fate () Int)
(declare-fun fate (Node Index) Fate)
(define-fun Queued () Fate
  1)
(declare-fun place (Node Index) Int)
(define-fun place-has-its-packet ((p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (<= 0 (index p))
      (< (index p) (arrived (origin p)))
      (= (fate (origin p) (index p)) Queued)
      (= (place (origin p) (index p)) p))))
(assert (place-has-its-packet head))
(assert (place-has-its-packet (+ head 1)))
(assert (place-has-its-packet spliced))
(assert (place-has-its-packet tail))
(define-sort Slot () Int)
(declare-fun aside (Cpu) Slot)
(define-fun aside-range ((d Cpu)) Bool
  (=> (draining d) (<= 0 (aside d))))
(assert (aside-range c))
(assert (aside-range receive-lock))
(assert (aside-range reader-lock))
(define-fun queue-is-in-order ((p Position) (q Position)) Bool
  (=> (and (<= 0 p) (< p q) (< q tail) (= (origin p) (origin q))) (< (index p) (index q))))
(assert (queue-is-in-order head (+ head 1)))
(assert (queue-is-in-order head spliced))
(assert (queue-is-in-order head tail))
(assert (queue-is-in-order (+ head 1) head))
(assert (queue-is-in-order (+ head 1) spliced))
(assert (queue-is-in-order (+ head 1) tail))
(assert (queue-is-in-order spliced head))
(assert (queue-is-in-order spliced (+ head 1)))
(assert (queue-is-in-order spliced tail))
(assert (queue-is-in-order tail head))
(assert (queue-is-in-order tail (+ head 1)))
(assert (queue-is-in-order tail spliced))
(define-fun queued-before-walked ((d Cpu) (p Position)) Bool
  (=>
    (and (<= 0 p) (< p tail))
    (and
      (< (index p) (drained (origin p)))
      (=> (and (walking d) (= (node d) (origin p))) (< (index p) (at d))))))
(assert (queued-before-walked c head))
(assert (queued-before-walked c (+ head 1)))
(assert (queued-before-walked c spliced))
(assert (queued-before-walked c tail))
(assert (queued-before-walked receive-lock head))
(assert (queued-before-walked receive-lock (+ head 1)))
(assert (queued-before-walked receive-lock spliced))
(assert (queued-before-walked receive-lock tail))
(assert (queued-before-walked reader-lock head))
(assert (queued-before-walked reader-lock (+ head 1)))
(assert (queued-before-walked reader-lock spliced))
(assert (queued-before-walked reader-lock tail))
(define-sort Life () Int)
(declare-fun life () Life)
(define-fun Open () Life
  0)
(define-fun destruct-is-alone ((d Cpu)) Bool
  (=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle)))
(assert (destruct-is-alone c))
(assert (destruct-is-alone receive-lock))
(assert (destruct-is-alone reader-lock))
(define-fun Dead () Life
  2)
(define-fun destructed-has-nothing () Bool
  (=> (= life Dead) (and (= head tail) (= deficit 0) (= rmem 0) (= forward 0) (= charged 0))))
(assert destructed-has-nothing)
(define-fun destruct-finds-empty-lists ((m Node)) Bool
  (=> (not (= life Open)) (= (drained m) (arrived m))))
(assert (destruct-finds-empty-lists (node c)))
(define-fun nobody-has-bytes-in-flight ((m Node)) Bool
  (=> (not (= life Open)) (= (in-flight m) 0)))
(assert (nobody-has-bytes-in-flight (node c)))
(define-fun destruct-finds-no-charge ((m Node)) Bool
  (=> (not (= life Open)) (= (counter m) 0)))
(assert (destruct-finds-no-charge (node c)))
(declare-fun largest () Bytes)
(declare-fun limit () Bytes)
(define-fun limit-is-largest () Bool
  (and (< 0 largest) (<= largest limit)))
(assert limit-is-largest)
(declare-fun nodes () Int)
(define-fun is-node ((m Node)) Bool
  (and (<= 0 m) (< m nodes)))
(declare-fun node-cpus*largest (Node) Bytes)
(define-fun cpu-is-of-a-node ((d Cpu)) Bool
  (=> (is-cpu d) (and (is-node (node d)) (<= largest (node-cpus*largest (node d))))))
(assert (cpu-is-of-a-node c))
(assert (cpu-is-of-a-node receive-lock))
(assert (cpu-is-of-a-node reader-lock))
(define-fun node-has-a-producer ((m Node)) Bool
  (=> (is-node m) (<= largest (node-cpus*largest m))))
(assert (node-has-a-producer (node c)))
(define-fun size-is-at-most-largest ((d Cpu)) Bool
  (=>
    (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged))
    (and (< 0 (size d)) (<= (size d) largest))))
(assert (size-is-at-most-largest c))
(assert (size-is-at-most-largest receive-lock))
(assert (size-is-at-most-largest reader-lock))
(declare-fun handed (Node) Bytes)
(define-fun handed.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (draining d) (< Walking (phase d))) (batch d) 0))
(define-fun handed-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (handed m))
    (=> (is-cpu d) (and (<= 0 (handed.of m d)) (<= (handed.of m d) (handed m))))))
(assert (handed-parts (node c) c))
(assert (handed-parts (node c) receive-lock))
(assert (handed-parts (node c) reader-lock))
(declare-fun admitted (Node) Bytes)
(define-fun Admitted () Phase
  4)
(define-fun admitted.of ((m Node) (d Cpu)) Bytes
  (ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0))
(define-fun admitted-parts ((m Node) (d Cpu)) Bool
  (and
    (<= 0 (admitted m))
    (<= (admitted m) (node-cpus*largest m))
    (=>
      (and (is-cpu d) (= (node d) m))
      (and
        (<= (admitted.of m d) (admitted m))
        (<= (admitted m) (+ (- (node-cpus*largest m) largest) (admitted.of m d)))))))
(assert (admitted-parts (node c) c))
(assert (admitted-parts (node c) receive-lock))
(assert (admitted-parts (node c) reader-lock))
(declare-fun believing () Bytes)
(declare-fun cpus*largest () Bytes)
(declare-fun seen (Cpu) Bytes)
(define-fun believing.of ((d Cpu)) Bytes
  (ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0))
(define-fun believing-parts ((d Cpu)) Bool
  (and (<= 0 believing) (<= believing cpus*largest) (=> (is-cpu d) (<= (believing.of d) believing))))
(assert (believing-parts c))
(assert (believing-parts receive-lock))
(assert (believing-parts reader-lock))
(define-fun node-and-admitted ((m Node)) Bool
  (=> (is-node m) (<= (+ (counter m) (admitted m)) (- (+ limit (node-cpus*largest m)) largest))))
(assert (node-and-admitted (node c)))
(define-fun HaveOthers () Phase
  3)
(define-fun seen-is-not-negative ((d Cpu)) Bool
  (=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) HaveOthers)) (<= 0 (seen d))))
(assert (seen-is-not-negative c))
(assert (seen-is-not-negative receive-lock))
(assert (seen-is-not-negative reader-lock))
(define-fun rmem-is-not-negative () Bool
  (<= 0 rmem))
(assert rmem-is-not-negative)
(define-fun accepted-is-queued ((d Cpu)) Bool
  (=> (walking d) (<= (accepted d) (- (bytes tail) (bytes spliced)))))
(assert (accepted-is-queued c))
(assert (accepted-is-queued receive-lock))
(assert (accepted-is-queued reader-lock))
(define-fun fresh ((m Node)) Bytes
  (- (counter m) (handed m)))
(define-fun under-way.of ((m Node)) Bytes
  (+ (fresh m) (admitted m)))
(define-fun fresh-is-charged ((m Node)) Bool
  (and
    (<= 0 (under-way.of m))
    (=> (is-node m) (<= (under-way.of m) (- (+ limit (node-cpus*largest m)) largest)))))
(assert (fresh-is-charged (node c)))
(define-fun handed-is-in-flight ((m Node)) Bool
  (<= (handed m) (in-flight m)))
(assert (handed-is-in-flight (node c)))
(declare-fun under-way () Bytes)
(declare-fun nodes*limit () Bytes)
(declare-fun nodes*largest () Bytes)
(define-fun under-way-is-bounded () Bool
  (and (<= 0 under-way) (<= under-way (- (+ nodes*limit cpus*largest) nodes*largest))))
(assert under-way-is-bounded)
(define-fun believers-are-bounded () Bool
  (=>
    (<= limit rmem)
    (<=
      (+ rmem under-way believing)
      (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))))
(assert believers-are-bounded)
(define-fun kernel-order-bound () Bool
  (and
    (<= (+ rmem under-way) (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))
    (<= rmem (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest))))
(assert kernel-order-bound)
(declare-fun share (Node) Bytes)
(define-fun share-is-not-negative ((m Node)) Bool
  (<= 0 (share m)))
(assert (share-is-not-negative (node c)))
(declare-fun shares () Bytes)
(define-fun shares-parts ((m Node)) Bool
  (and (<= 0 shares) (=> (is-node m) (<= (share m) shares))))
(assert (shares-parts (node c)))
(define-fun shares-are-rmem () Bool
  (= rmem shares))
(assert shares-are-rmem)
(define-fun node-share-bound ((m Node)) Bool
  (=>
    (is-node m)
    (and (<= 0 (fresh m)) (<= (+ (share m) (fresh m)) (- (+ limit (node-cpus*largest m)) largest)))))
(assert (node-share-bound (node c)))
(define-fun shares-are-bounded () Bool
  (<= shares (- (+ nodes*limit cpus*largest) nodes*largest)))
(assert shares-are-bounded)
(define-fun node-first-bound () Bool
  (<= rmem (- (+ nodes*limit cpus*largest) nodes*largest)))
(assert node-first-bound)
(define-fun one-node-bound () Bool
  (=>
    (and (= nodes*limit limit) (= nodes*largest largest))
    (<= rmem (+ limit (- cpus*largest largest)))))
(assert one-node-bound)

; SubRmem: What was due leaves rmem_alloc.
(assert (is-cpu c))
(assert (= (phase c) Returned))
(declare-fun part (Node) Bytes)
(assert (and (<= 0 (part (node c))) (<= (part (node c)) (share (node c)))))

(check-sat)
