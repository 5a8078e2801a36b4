// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much a socket can hold: the admission policies, and why each has a bound.
//!
//! `largest` is s, the largest truesize; `limit` is max(B, s) with B the largest rcvbuf of the socket's
//! life; there are K nodes with producers and C producers. A load reads the newest value.
//!
//! In the kernel's order a CPU that read rmem_alloc when it was below the limit may be admitted long
//! after it is above: it is believing. Each such CPU brings one packet at most, and none begins to
//! believe while rmem_alloc is above the limit. Where the node's counter is read first, a CPU that read
//! it claims its packet only while its node stays below what it will compare with.

use super::queue::symbol;
use super::steps::{step, Mutant};
use super::system::{Action, Clause, Kind, Proof, Symbol};

/// Policies, as `prodq::Admission::NAME` has them.
pub(super) const POLICIES: [&str; 3] = ["kernel-order", "node-first", "all-nodes"];

pub(super) fn symbols() -> Vec<Symbol> {
    use Kind::{Is, Rigid, State, Sum};
    vec![
        symbol("nodes", "", "Int", Rigid),
        symbol("largest", "", "Bytes", Rigid),
        symbol("limit", "", "Bytes", Rigid),
        // C_m s for the C_m CPUs of node m; and K max(B, s), C s, K s.
        symbol("node-cpus*largest", "m Node", "Bytes", Rigid),
        symbol("nodes*limit", "", "Bytes", Rigid),
        symbol("cpus*largest", "", "Bytes", Rigid),
        symbol("nodes*largest", "", "Bytes", Rigid),
        symbol("part", "m Node", "Bytes", Rigid),
        // What a CPU has read, and the part of rmem_alloc that came from a node.
        symbol("seen", "d Cpu", "Bytes", State),
        symbol("share", "m Node", "Bytes", State),
        symbol("is-node", "m Node", "Bool", Is("(and (<= 0 m) (< m nodes))")),
        symbol(
            "handed.of",
            "m Node, d Cpu",
            "Bytes",
            Is("(ite (and (= (node d) m) (draining d) (< Walking (phase d))) (batch d) 0)"),
        ),
        symbol("handed", "m Node", "Bytes", Sum { of: "handed.of", actor: "c" }),
        // Charged on a node and not yet in rmem_alloc.
        symbol("fresh", "m Node", "Bytes", Is("(- (counter m) (handed m))")),
        symbol(
            "admitted.of",
            "m Node, d Cpu",
            "Bytes",
            Is("(ite (and (= (node d) m) (= (phase d) Admitted)) (size d) 0)"),
        ),
        symbol("admitted", "m Node", "Bytes", Sum { of: "admitted.of", actor: "c" }),
        symbol("under-way.of", "m Node", "Bytes", Is("(+ (fresh m) (admitted m))")),
        symbol("under-way", "", "Bytes", Sum { of: "under-way.of", actor: "n" }),
        symbol(
            "believing.of",
            "d Cpu",
            "Bytes",
            Is("(ite (and (= (phase d) HaveRmem) (< (seen d) limit)) largest 0)"),
        ),
        symbol("believing", "", "Bytes", Sum { of: "believing.of", actor: "c" }),
        symbol(
            "claims.of",
            "m Node, t Bytes, d Cpu",
            "Bytes",
            Is("(ite (not (= (node d) m)) 0 (ite (= (phase d) Admitted) (size d) (ite (and (or (= (phase d) HaveNode) (= (phase d) HaveOthers)) (<= (- (+ (seen d) (size d)) largest) t)) (size d) 0)))"),
        ),
        symbol("claims", "m Node, t Bytes", "Bytes", Sum { of: "claims.of", actor: "c" }),
        symbol("share.of", "m Node", "Bytes", Is("(share m)")),
        symbol("shares", "", "Bytes", Sum { of: "share.of", actor: "n" }),
    ]
}

/// How a CPU comes to be admitted. `b` is the rcvbuf that it read first, which may change while it goes on.
pub(super) fn admission() -> Vec<Action> {
    let begin = "(and (= (phase c) Idle) (= life Open) (< 0 x) (<= x largest))";
    let node_first: &[&str] = &["node-first", "all-nodes"];
    vec![
        step(
            "ReadRmem",
            "The kernel's order: rmem_alloc first.",
            begin,
            &["(phase c) := HaveRmem", "(size c) := x", "(seen c) := rmem"],
        )
        .of(&["kernel-order"])
        .chooses("x Bytes"),
        step(
            "ReadNodeAndAdmit",
            "The kernel's order: the node's counter second; the packet fits.",
            "(and (= (phase c) HaveRmem) (<= b limit) (or (<= (+ (seen c) (counter n) (size c)) b) (= (+ (seen c) (counter n)) 0)))",
            &["(phase c) := Admitted"],
        )
        .of(&["kernel-order"])
        .chooses("b Bytes"),
        step(
            "ReadNode",
            "The own node's counter first.",
            begin,
            &["(phase c) := HaveNode", "(size c) := x", "(seen c) := (counter n)"],
        )
        .of(node_first)
        .chooses("x Bytes"),
        step(
            "ReadRmemAndAdmit",
            "rmem_alloc second; the packet fits.",
            "(and (= (phase c) HaveNode) (<= b limit) (or (<= (+ (seen c) rmem (size c)) b) (= (+ (seen c) rmem) 0)))",
            &["(phase c) := Admitted"],
        )
        .of(node_first)
        .chooses("b Bytes"),
        step(
            "ReadOthers",
            "The socket is more than half full: the other nodes' counters, whose sum is no less than 0.",
            "(= (phase c) HaveNode)",
            &["(phase c) := HaveOthers"],
        )
        .of(&["all-nodes"]),
        step(
            "ReadRmemAgainAndAdmit",
            "rmem_alloc once more; the packet fits beside `o` bytes of the other nodes.",
            "(and (= (phase c) HaveOthers) (<= b limit) (<= 0 o) (or (<= (+ (seen c) o rmem (size c)) b) (= (+ (seen c) o rmem) 0)))",
            &["(phase c) := Admitted"],
        )
        .of(&["all-nodes"])
        .chooses("b Bytes, o Bytes"),
        step(
            "Refuse",
            "The packet does not fit.",
            "(or (= (phase c) HaveRmem) (= (phase c) HaveNode) (= (phase c) HaveOthers))",
            &["(phase c) := Idle"],
        ),
    ]
}

const BOUND: Clause = Clause {
    name: "",
    theorem: "bounded-overshoot",
    says: "",
    params: "",
    holds: "",
    proof: Proof::Inductive,
    terms: &[],
    needs: &[],
};

const LEMMA: Clause = Clause {
    theorem: "lemma",
    ..BOUND
};

/// The clauses that the bound of a policy is made of.
pub(super) fn of_policy(policy: &str) -> &'static [&'static str] {
    match policy {
        "kernel-order" => &[
            "size-is-at-most-largest",
            "node-and-admitted",
            "fresh-is-charged",
            "believers-are-bounded",
            "kernel-order-bound",
        ],
        _ => &[
            "size-is-at-most-largest",
            "claims-are-bounded",
            "node-share-bound",
            "node-first-bound",
            "one-node-bound",
        ],
    }
}

pub(super) fn clauses() -> Vec<Clause> {
    vec![
        Clause {
            name: "limit-is-largest",
            theorem: "given",
            says: "The limit is rcvbuf or the largest packet, whichever is more.",
            holds: "(and (< 0 largest) (<= largest limit))",
            proof: Proof::Given,
            ..BOUND
        },
        Clause {
            name: "cpu-is-of-a-node",
            theorem: "given",
            says: "A CPU is one of the producers of its node.",
            params: "d Cpu",
            holds: "(=> (is-cpu d) (and (is-node (node d)) (<= largest (node-cpus*largest (node d)))))",
            proof: Proof::Given,
            ..BOUND
        },
        Clause {
            name: "node-has-a-producer",
            theorem: "given",
            says: "K counts the nodes that have a producer.",
            params: "m Node",
            holds: "(=> (is-node m) (<= largest (node-cpus*largest m)))",
            proof: Proof::Given,
            ..BOUND
        },
        Clause {
            name: "size-is-at-most-largest",
            says: "A packet weighs at most s.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (and (< 0 (size d)) (<= (size d) largest)))",
            ..BOUND
        },
        Clause {
            name: "handed-parts",
            says: "A sum of what is not negative is not less than any part of it.",
            params: "m Node, d Cpu",
            holds: "(and (<= 0 (handed m)) (=> (is-cpu d) (and (<= 0 (handed.of m d)) (<= (handed.of m d) (handed m)))))",
            proof: Proof::Lemma("non-negative", "", "(=> (is-cpu d) (<= 0 (handed.of m d)))"),
            needs: &["batch-range", "sent-grows", "list-range"],
            terms: &["Index (lo d)", "Index (hi d)"],
            ..LEMMA
        },
        Clause {
            name: "admitted-parts",
            says: "As many packets as there are other CPUs, each at most s, and one's own.",
            params: "m Node, d Cpu",
            holds: "(and (<= 0 (admitted m)) (<= (admitted m) (node-cpus*largest m)) (=> (and (is-cpu d) (= (node d) m)) (and (<= (admitted.of m d) (admitted m)) (<= (admitted m) (+ (- (node-cpus*largest m) largest) (admitted.of m d))))))",
            proof: Proof::Lemma("bounded-parts", "", "(=> (and (is-cpu d) (= (node d) m)) (and (<= 0 (admitted.of m d)) (<= (admitted.of m d) largest)))"),
            needs: &["size-is-at-most-largest", "limit-is-largest"],
            ..LEMMA
        },
        Clause {
            name: "believing-parts",
            says: "At most s for each CPU.",
            params: "d Cpu",
            holds: "(and (<= 0 believing) (<= believing cpus*largest) (=> (is-cpu d) (<= (believing.of d) believing)))",
            proof: Proof::Lemma("bounded-parts", "", "(=> (is-cpu d) (and (<= 0 (believing.of d)) (<= (believing.of d) largest)))"),
            needs: &["limit-is-largest"],
            ..LEMMA
        },
        Clause {
            name: "node-and-admitted",
            says: "A node's counter and the admitted packets that it has not yet: the limit and one packet for each other CPU.",
            params: "m Node",
            holds: "(=> (is-node m) (<= (+ (counter m) (admitted m)) (- (+ limit (node-cpus*largest m)) largest)))",
            terms: &["Index (arrived m)", "Index (drained m)"],
            needs: &["limit-is-largest", "cpu-is-of-a-node", "node-has-a-producer", "size-is-at-most-largest", "admitted-parts", "rmem-is-not-negative", "seen-is-not-negative", "batch-range", "sent-grows", "list-range"],
            ..BOUND
        },
        Clause {
            name: "seen-is-not-negative",
            says: "What a CPU read is not negative.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) HaveOthers)) (<= 0 (seen d)))",
            needs: &["rmem-is-not-negative", "node-counter-is-not-negative"],
            ..BOUND
        },
        Clause {
            name: "rmem-is-not-negative",
            theorem: "accounting",
            says: "rmem_alloc is never negative.",
            holds: "(<= 0 rmem)",
            proof: Proof::Follows,
            terms: &["Position head", "Position spliced", "Position tail"],
            needs: &["rmem-is-what-is-held", "accepted-is-queued", "queue-range", "queue-grows", "receive-lock-is-left"],
            ..BOUND
        },
        Clause {
            name: "accepted-is-queued",
            theorem: "accounting",
            says: "What a drain has accepted is at the end of the receive queue.",
            params: "d Cpu",
            holds: "(=> (walking d) (<= (accepted d) (- (bytes tail) (bytes spliced))))",
            terms: &["Position tail", "Position spliced"],
            needs: &["accepted-range", "receive-lock-is-held", "receive-lock-is-left", "queue-range", "queue-grows", "destruct-is-alone"],
            ..BOUND
        },
        Clause {
            name: "fresh-is-charged",
            says: "What a node has under way is not negative, and at most the limit and one packet for each other CPU.",
            params: "m Node",
            holds: "(and (<= 0 (under-way.of m)) (=> (is-node m) (<= (under-way.of m) (- (+ limit (node-cpus*largest m)) largest))))",
            proof: Proof::Follows,
            terms: &["Index (arrived m)", "Index (drained m)"],
            needs: &["node-and-admitted", "handed-is-in-flight", "handed-parts", "admitted-parts", "node-counter", "sent-grows", "list-range"],
            ..BOUND
        },
        Clause {
            name: "handed-is-in-flight",
            says: "A sum of larger parts is larger.",
            params: "m Node",
            holds: "(<= (handed m) (in-flight m))",
            proof: Proof::Lemma("monotone", "d Cpu", "(=> (is-cpu d) (<= (handed.of m d) (in-flight.of m d)))"),
            terms: &["Index (lo d)", "Index (hi d)"],
            needs: &["size-is-positive", "batch-range", "sent-grows", "list-range"],
            ..LEMMA
        },
        Clause {
            name: "under-way-is-bounded",
            says: "Summed over the nodes: K max(B, s) + (C - K) s.",
            holds: "(and (<= 0 under-way) (<= under-way (- (+ nodes*limit cpus*largest) nodes*largest)))",
            proof: Proof::Lemma("bounded-nodes", "m Node", "(=> (is-node m) (and (<= 0 (under-way.of m)) (<= (under-way.of m) (- (+ limit (node-cpus*largest m)) largest))))"),
            needs: &["fresh-is-charged"],
            ..LEMMA
        },
        Clause {
            name: "believers-are-bounded",
            says: "Above the limit nobody begins to believe, and each believer brings one packet.",
            holds: "(=> (<= limit rmem) (<= (+ rmem under-way believing) (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest)))",
            needs: &["limit-is-largest", "size-is-at-most-largest", "under-way-is-bounded", "believing-parts", "batch-range", "accepted-range", "node-counter-is-not-negative", "seen-is-not-negative", "queue-range", "due-is-positive", "receive-lock-is-held"],
            ..BOUND
        },
        Clause {
            name: "kernel-order-bound",
            says: "rmem_alloc and all that is under way to it: (K + 1) max(B, s) + (2 C - K) s.",
            holds: "(and (<= (+ rmem under-way) (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest)) (<= rmem (- (+ nodes*limit limit cpus*largest cpus*largest) nodes*largest)))",
            proof: Proof::Follows,
            needs: &["believers-are-bounded", "under-way-is-bounded", "believing-parts"],
            ..BOUND
        },
        Clause {
            name: "claims-parts",
            says: "At most s for each CPU of the node, and one's own.",
            params: "m Node, t Bytes, d Cpu",
            holds: "(and (<= 0 (claims m t)) (<= (claims m t) (node-cpus*largest m)) (=> (and (is-cpu d) (= (node d) m)) (and (<= (claims.of m t d) (claims m t)) (<= (claims m t) (+ (- (node-cpus*largest m) largest) (claims.of m t d))))))",
            proof: Proof::Lemma("bounded-parts", "", "(=> (and (is-cpu d) (= (node d) m)) (and (<= 0 (claims.of m t d)) (<= (claims.of m t d) largest)))"),
            needs: &["size-is-at-most-largest", "limit-is-largest"],
            ..LEMMA
        },
        Clause {
            name: "claims-grow",
            says: "A sum of larger parts is larger.",
            params: "m Node, t Bytes, u Bytes",
            holds: "(=> (<= t u) (<= (claims m t) (claims m u)))",
            proof: Proof::Lemma("monotone", "d Cpu", "(=> (and (is-cpu d) (<= t u)) (<= (claims.of m t d) (claims.of m u d)))"),
            needs: &["size-is-at-most-largest"],
            ..LEMMA
        },
        Clause {
            name: "share-is-not-negative",
            says: "A node's part of rmem_alloc is not negative.",
            params: "m Node",
            holds: "(<= 0 (share m))",
            needs: &["accepted-range"],
            ..BOUND
        },
        Clause {
            name: "shares-parts",
            says: "A sum of what is not negative is not less than any part of it.",
            params: "m Node",
            holds: "(and (<= 0 shares) (=> (is-node m) (<= (share m) shares)))",
            proof: Proof::Lemma("non-negative", "", "(<= 0 (share m))"),
            needs: &["share-is-not-negative"],
            ..LEMMA
        },
        Clause {
            name: "shares-are-rmem",
            says: "The nodes' parts make up rmem_alloc.",
            holds: "(= rmem shares)",
            ..BOUND
        },
        Clause {
            name: "claims-are-bounded",
            says: "What a node has under way, and what is claimed at a level t that admission can still reach.",
            params: "m Node, t Bytes",
            holds: "(=> (and (is-node m) (<= (- limit largest (share m)) t)) (<= (+ (fresh m) (claims m t)) (+ t (node-cpus*largest m))))",
            terms: &["Bytes (+ t (accepted c))", "Index (arrived m)", "Index (drained m)"],
            needs: &["limit-is-largest", "cpu-is-of-a-node", "node-has-a-producer", "size-is-at-most-largest", "claims-parts", "claims-grow", "shares-parts", "shares-are-rmem", "handed-parts", "accepted-range", "batch-range", "sent-grows", "list-range", "share-is-not-negative"],
            ..BOUND
        },
        Clause {
            name: "node-share-bound",
            says: "A node's part of rmem_alloc and what is charged there and not yet in it: max(B, s) + (C_m - 1) s.",
            params: "m Node",
            holds: "(=> (is-node m) (and (<= 0 (fresh m)) (<= (+ (share m) (fresh m)) (- (+ limit (node-cpus*largest m)) largest))))",
            proof: Proof::Follows,
            terms: &["Bytes (- limit largest (share m))", "Index (arrived m)", "Index (drained m)"],
            needs: &["claims-are-bounded", "claims-parts", "handed-is-in-flight", "node-counter", "sent-grows", "list-range"],
            ..BOUND
        },
        Clause {
            name: "shares-are-bounded",
            says: "Summed over the nodes: K max(B, s) + (C - K) s.",
            holds: "(<= shares (- (+ nodes*limit cpus*largest) nodes*largest))",
            proof: Proof::Lemma("bounded-nodes", "m Node", "(=> (is-node m) (<= (share m) (- (+ limit (node-cpus*largest m)) largest)))"),
            needs: &["node-share-bound"],
            ..LEMMA
        },
        Clause {
            name: "node-first-bound",
            says: "rmem_alloc: K max(B, s) + (C - K) s.",
            holds: "(<= rmem (- (+ nodes*limit cpus*largest) nodes*largest))",
            proof: Proof::Follows,
            needs: &["shares-are-bounded", "shares-are-rmem"],
            ..BOUND
        },
        Clause {
            name: "one-node-bound",
            says: "On one node and with B no less than s: rmem_alloc is at most B + (C - 1) s.",
            holds: "(=> (and (= nodes*limit limit) (= nodes*largest largest)) (<= rmem (+ limit (- cpus*largest largest))))",
            proof: Proof::Follows,
            needs: &["shares-are-bounded", "shares-are-rmem"],
            ..BOUND
        },
    ]
}

/// Seeded bugs of admission.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        Mutant {
            name: "forget-the-packet",
            says: "The packet's own size is left out of the test.",
            policy: Some("kernel-order"),
            change: |system| {
                system.change("ReadNodeAndAdmit").when =
                    "(and (= (phase c) HaveRmem) (<= b limit) (<= (+ (seen c) (counter n)) b))";
            },
            breaks: &[
                "believers-are-bounded--ReadNodeAndAdmit",
                "node-and-admitted--ReadNodeAndAdmit",
            ],
        },
        Mutant {
            name: "always-exempt",
            says: "An empty node is enough for the exemption of an empty socket.",
            policy: Some("kernel-order"),
            change: |system| {
                system.change("ReadNodeAndAdmit").when = "(and (= (phase c) HaveRmem) (<= b limit) (or (<= (+ (seen c) (counter n) (size c)) b) (= (counter n) 0)))";
            },
            breaks: &["believers-are-bounded--ReadNodeAndAdmit"],
        },
        Mutant {
            name: "reads-swapped",
            says: "A policy that reads the node's counter first reads rmem_alloc first.",
            policy: Some("node-first"),
            change: |system| {
                system.change("ReadNode").set(&["(seen c) := rmem"]);
                system.change("ReadRmemAndAdmit").when = "(and (= (phase c) HaveNode) (<= b limit) (or (<= (+ (seen c) (counter n) (size c)) b) (= (+ (seen c) (counter n)) 0)))";
            },
            breaks: &[
                "claims-are-bounded--ReadNode",
                "claims-are-bounded--ReadRmemAndAdmit",
            ],
        },
        Mutant {
            name: "uncharge-before-add",
            says: "The batch leaves the node's counter before it is in rmem_alloc.",
            policy: Some("node-first"),
            change: |system| {
                system.change("AddRmem").set(&[
                    "rmem := rmem",
                    "(share n) := (share n)",
                    "(counter n) := (- (counter n) (batch c))",
                ]);
                system.change("Uncharge").set(&[
                    "(counter m) := (counter m)",
                    "rmem := (+ rmem (accepted c))",
                    "(share n) := (+ (share n) (accepted c))",
                ]);
            },
            breaks: &[
                "claims-are-bounded--Uncharge",
                "node-counter--AddRmem",
                "node-counter--Uncharge",
                "pages-are-forward-and-rmem--AddRmem",
                "pages-are-forward-and-rmem--Uncharge",
                "rmem-is-what-is-held--AddRmem",
                "rmem-is-what-is-held--Uncharge",
            ],
        },
        Mutant {
            name: "condense-grows",
            says: "Condensing makes a packet larger.",
            policy: Some("node-first"),
            change: |system| {
                system.change("Condense").when =
                    "(and (= (phase c) Admitted) (< 0 x) (<= x largest))"
            },
            breaks: &["claims-are-bounded--Condense"],
        },
    ]
}
