// SPDX-License-Identifier: MIT OR Apache-2.0

//! One socket with any number of CPUs, nodes and packets: its state, and what is always true of it.
//!
//! A CPU here is one enqueue, recv or peek that is under way; a thread that changes nodes is several of
//! them. A node's list is an interval of arrival numbers: what arrived and was not drained. `sent` and
//! `bytes` are sums of sizes from the start, so that the size of packet i is `sent(i + 1) - sent(i)`.

use super::system::{Clause, Kind, Proof, Symbol, System};
use super::{bounds, steps};

/// The socket.
pub(super) fn system() -> System {
    let mut symbols = symbols();
    symbols.extend(bounds::symbols());
    let mut clauses = clauses();
    clauses.extend(bounds::clauses());
    System {
        name: "queue",
        symbols,
        first: &[
            ("receive-lock", "nobody"),
            ("reader-lock", "nobody"),
            ("life", "Open"),
        ],
        clauses,
        actions: steps::actions(),
        terms: &["Cpu c", "Node n", "Cpu receive-lock", "Cpu reader-lock"],
    }
}

/// A part of the state, a definition, or a number that never changes.
pub(super) const fn symbol(
    name: &'static str,
    params: &'static str,
    sort: &'static str,
    kind: Kind,
) -> Symbol {
    Symbol {
        name,
        params,
        sort,
        kind,
    }
}

fn symbols() -> Vec<Symbol> {
    use Kind::{Is, Rigid, State, Sum};
    let mut all = Vec::new();
    // Where a CPU is. Admission's phases come first, the drain's next, the reader's last.
    let phases = [
        ("Idle", "0"),
        ("HaveRmem", "1"),
        ("HaveNode", "2"),
        ("HaveOthers", "3"),
        ("Admitted", "4"),
        ("Charged", "5"),
        ("Elected", "6"),
        ("Locked", "7"),
        // Of a seeded bug: it has the list and not the lock.
        ("Taken", "8"),
        ("Walking", "9"),
        ("Added", "10"),
        ("Unlocked", "11"),
        ("ReaderLocked", "12"),
        ("Refilling", "13"),
        ("Refilled", "14"),
        ("Due", "15"),
        ("DueBoth", "16"),
        ("Returned", "17"),
        ("Released", "18"),
        ("Leaving", "19"),
        ("Left", "20"),
    ];
    all.extend(phases.map(|(name, number)| symbol(name, "", "Phase", Is(number))));
    // What became of a packet that arrived at its node.
    let fates = [
        ("Listed", "0"),
        ("Queued", "1"),
        ("Aside", "2"),
        ("Freed", "3"),
    ];
    all.extend(fates.map(|(name, number)| symbol(name, "", "Fate", Is(number))));
    let lives = [("Open", "0"), ("Closing", "1"), ("Dead", "2")];
    all.extend(lives.map(|(name, number)| symbol(name, "", "Life", Is(number))));
    all.extend([
        symbol("nobody", "", "Cpu", Is("(- 1)")),
        symbol("cpus", "", "Int", Rigid),
        symbol("node", "d Cpu", "Node", Rigid),
        symbol("page", "", "Bytes", Rigid),
        // The largest multiple of a page that is not more; whether a number is one.
        symbol("rounded", "r Bytes", "Bytes", Rigid),
        symbol("whole", "r Bytes", "Bool", Rigid),
        // Each CPU.
        symbol("phase", "d Cpu", "Phase", State),
        symbol("size", "d Cpu", "Bytes", State),
        symbol("lo", "d Cpu", "Index", State),
        symbol("at", "d Cpu", "Index", State),
        symbol("hi", "d Cpu", "Index", State),
        symbol("batch", "d Cpu", "Bytes", State),
        symbol("accepted", "d Cpu", "Bytes", State),
        symbol("aside", "d Cpu", "Slot", State),
        symbol("chain", "d Cpu, k Slot", "Index", State),
        // Each node.
        symbol("counter", "m Node", "Bytes", State),
        symbol("arrived", "m Node", "Index", State),
        symbol("drained", "m Node", "Index", State),
        symbol("sent", "m Node, i Index", "Bytes", State),
        symbol("witness", "m Node", "Cpu", State),
        symbol("fate", "m Node, i Index", "Fate", State),
        symbol("place", "m Node, i Index", "Int", State),
        symbol("keeper", "m Node, i Index", "Cpu", State),
        // The socket. The reader queue is [head, spliced), the receive queue [spliced, tail).
        symbol("receive-lock", "", "Cpu", State),
        symbol("reader-lock", "", "Cpu", State),
        symbol("head", "", "Position", State),
        symbol("spliced", "", "Position", State),
        symbol("tail", "", "Position", State),
        symbol("bytes", "p Position", "Bytes", State),
        symbol("origin", "p Position", "Node", State),
        symbol("index", "p Position", "Index", State),
        symbol("rmem", "", "Bytes", State),
        symbol("deficit", "", "Bytes", State),
        symbol("forward", "", "Bytes", State),
        symbol("charged", "", "Bytes", State),
        symbol("life", "", "Life", State),
        // Abbreviations.
        symbol("is-cpu", "d Cpu", "Bool", Is("(and (<= 0 d) (< d cpus))")),
        symbol(
            "elected",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (or (= (phase d) Elected) (= (phase d) Locked)))"),
        ),
        symbol(
            "draining",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (<= Taken (phase d)) (<= (phase d) Unlocked))"),
        ),
        symbol(
            "walking",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (= (phase d) Walking))"),
        ),
        symbol(
            "has-receive-lock",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (or (= (phase d) Locked) (= (phase d) Walking) (= (phase d) Added) (= (phase d) Refilling) (= (phase d) Refilled) (and (<= DueBoth (phase d)) (<= (phase d) Leaving))))"),
        ),
        symbol(
            "has-reader-lock",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) Left))"),
        ),
        symbol(
            "in-flight.of",
            "m Node, d Cpu",
            "Bytes",
            Is("(ite (not (= (node d) m)) 0 (ite (= (phase d) Charged) (size d) (ite (draining d) (batch d) 0)))"),
        ),
        symbol(
            "in-flight",
            "m Node",
            "Bytes",
            Sum {
                of: "in-flight.of",
                actor: "c",
            },
        ),
        symbol(
            "pending",
            "",
            "Bytes",
            Is("(ite (walking receive-lock) (accepted receive-lock) 0)"),
        ),
        symbol(
            "returned",
            "",
            "Bytes",
            Is("(ite (and (is-cpu receive-lock) (= (phase receive-lock) Returned)) deficit 0)"),
        ),
    ]);
    all
}

/// A clause that every action keeps.
const INDUCTIVE: Clause = Clause {
    name: "",
    theorem: "",
    says: "",
    params: "",
    holds: "",
    proof: Proof::Inductive,
    terms: &[],
    needs: &[],
};

fn clauses() -> Vec<Clause> {
    let mut all = Vec::new();
    all.extend(given());
    all.extend(no_stranding());
    all.extend(accounting());
    all.extend(conservation());
    all.extend(order());
    all.extend(release());
    all
}

/// What is assumed of pages, and the lemma about sums.
fn given() -> [Clause; 4] {
    [
        Clause {
            name: "page-is-positive",
            theorem: "given",
            says: "A page has bytes.",
            holds: "(and (< 0 page) (< 0 cpus) (whole 0))",
            proof: Proof::Given,
            ..INDUCTIVE
        },
        Clause {
            name: "pages-round",
            theorem: "lemma",
            says: "Rounding to pages takes away less than a page, and nothing from whole pages.",
            params: "r Bytes",
            holds: "(and (whole (rounded r)) (<= (rounded r) r) (< (- r (rounded r)) page) (=> (whole r) (= (rounded r) r)) (=> (<= 0 r) (<= 0 (rounded r))))",
            proof: Proof::Lemma("pages-round", "", "true"),
            ..INDUCTIVE
        },
        Clause {
            name: "pages-add",
            theorem: "lemma",
            says: "Sums and differences of whole pages are whole pages.",
            params: "r Bytes, s Bytes",
            holds: "(=> (and (whole r) (whole s)) (and (whole (+ r s)) (whole (- r s))))",
            proof: Proof::Lemma("pages-add", "", "true"),
            ..INDUCTIVE
        },
        Clause {
            name: "in-flight-parts",
            theorem: "lemma",
            says: "A sum of what is not negative is not less than any part of it; it is 0 when all are.",
            params: "m Node, d Cpu",
            holds: "(and (<= 0 (in-flight m)) (=> (is-cpu d) (and (<= 0 (in-flight.of m d)) (<= (in-flight.of m d) (in-flight m)))))",
            proof: Proof::Lemma("non-negative", "", "(=> (is-cpu d) (<= 0 (in-flight.of m d)))"),
            needs: &["size-is-positive", "batch-range", "sent-grows", "list-range"],
            terms: &["Index (lo d)", "Index (hi d)"],
        },
    ]
}

fn no_stranding() -> [Clause; 9] {
    let theorem = "no-stranding";
    [
        Clause {
            name: "list-range",
            theorem,
            says: "What was drained had arrived.",
            params: "m Node",
            holds: "(and (<= 0 (drained m)) (<= (drained m) (arrived m)))",
            needs: &["elected-has-packets"],
            ..INDUCTIVE
        },
        Clause {
            name: "elected-has-packets",
            theorem,
            says: "An elected CPU's list is not empty, so that it never takes an empty one.",
            params: "d Cpu",
            holds: "(=> (elected d) (< (drained (node d)) (arrived (node d))))",
            needs: &["list-range", "one-elected"],
            ..INDUCTIVE
        },
        Clause {
            name: "one-elected",
            theorem,
            says: "A node has at most one elected CPU.",
            params: "d Cpu, e Cpu",
            holds: "(=> (and (elected d) (elected e) (= (node d) (node e))) (= d e))",
            needs: &["elected-has-packets"],
            ..INDUCTIVE
        },
        Clause {
            name: "list-has-elected",
            theorem,
            says: "A list that is not empty has an elected CPU, which has not taken it.",
            params: "m Node",
            holds: "(=> (< (drained m) (arrived m)) (and (elected (witness m)) (= (node (witness m)) m)))",
            terms: &["Cpu (witness m)"],
            needs: &["list-range", "one-elected"],
            ..INDUCTIVE
        },
        Clause {
            name: "receive-lock-is-held",
            theorem,
            says: "A CPU inside the receive queue's lock holds it, so that there is one.",
            params: "d Cpu",
            holds: "(=> (has-receive-lock d) (= receive-lock d))",
            ..INDUCTIVE
        },
        Clause {
            name: "receive-lock-is-left",
            theorem,
            says: "Who holds the receive queue's lock is inside it.",
            holds: "(or (= receive-lock nobody) (has-receive-lock receive-lock))",
            needs: &["receive-lock-is-held"],
            ..INDUCTIVE
        },
        Clause {
            name: "reader-lock-is-held",
            theorem,
            says: "A CPU inside the reader queue's lock holds it, so that there is one.",
            params: "d Cpu",
            holds: "(=> (has-reader-lock d) (= reader-lock d))",
            ..INDUCTIVE
        },
        Clause {
            name: "reader-lock-is-left",
            theorem,
            says: "Who holds the reader queue's lock is inside it.",
            holds: "(or (= reader-lock nobody) (has-reader-lock reader-lock))",
            needs: &["reader-lock-is-held"],
            ..INDUCTIVE
        },
        Clause {
            name: "idle-means-empty",
            theorem,
            says: "When no CPU is inside enqueue every list is empty.",
            params: "m Node",
            holds: "(=> (and (<= 0 (witness m)) (= (phase (witness m)) Idle)) (= (drained m) (arrived m)))",
            proof: Proof::Follows,
            terms: &["Cpu (witness m)"],
            needs: &["list-range", "list-has-elected"],
        },
    ]
}

fn accounting() -> [Clause; 12] {
    let theorem = "accounting";
    [
        Clause {
            name: "size-is-positive",
            theorem,
            says: "A packet has bytes.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (<= HaveRmem (phase d)) (<= (phase d) Charged)) (< 0 (size d)))",
            ..INDUCTIVE
        },
        Clause {
            name: "sent-grows",
            theorem,
            says: "Each arrival adds bytes to what was sent to its node.",
            params: "m Node, i Index, j Index",
            holds: "(=> (and (<= 0 i) (< i j) (<= j (arrived m))) (< (sent m i) (sent m j)))",
            terms: &["Index (arrived m)"],
            needs: &["size-is-positive", "list-range"],
            ..INDUCTIVE
        },
        Clause {
            name: "batch-range",
            theorem,
            says: "A batch is a part of what was drained, and weighs what its packets weigh.",
            params: "d Cpu",
            holds: "(=> (draining d) (and (<= 0 (lo d)) (< (lo d) (hi d)) (<= (lo d) (at d)) (<= (at d) (hi d)) (<= (hi d) (drained (node d))) (= (batch d) (- (sent (node d) (hi d)) (sent (node d) (lo d)))) (=> (< Walking (phase d)) (= (at d) (hi d)))))",
            needs: &["list-range", "elected-has-packets"],
            ..INDUCTIVE
        },
        Clause {
            name: "walk-is-last",
            theorem,
            says: "The batch that is walked under the lock is the node's newest.",
            params: "d Cpu",
            holds: "(=> (walking d) (= (hi d) (drained (node d))))",
            needs: &["receive-lock-is-held", "list-range"],
            ..INDUCTIVE
        },
        Clause {
            name: "accepted-range",
            theorem,
            says: "What a drain has queued is a part of what it has walked.",
            params: "d Cpu",
            holds: "(=> (draining d) (and (<= 0 (accepted d)) (<= (accepted d) (- (sent (node d) (at d)) (sent (node d) (lo d)))) (=> (= (phase d) Taken) (= (accepted d) 0))))",
            terms: &["Index (at d)", "Index (lo d)"],
            needs: &["batch-range", "sent-grows", "list-range"],
            ..INDUCTIVE
        },
        Clause {
            name: "node-counter",
            theorem,
            says: "A node's counter is what was charged there, is listed or is being drained.",
            params: "m Node",
            holds: "(= (counter m) (+ (in-flight m) (- (sent m (arrived m)) (sent m (drained m)))))",
            terms: &["Index (arrived m)", "Index (drained m)"],
            needs: &["batch-range", "list-range", "elected-has-packets"],
            ..INDUCTIVE
        },
        Clause {
            name: "node-counter-is-not-negative",
            theorem,
            says: "A node's counter is never negative.",
            params: "m Node",
            holds: "(<= 0 (counter m))",
            proof: Proof::Follows,
            terms: &["Index (arrived m)", "Index (drained m)"],
            needs: &["node-counter", "in-flight-parts", "sent-grows", "list-range"],
        },
        Clause {
            name: "queue-range",
            theorem,
            says: "Packets go from the receive queue to the reader queue to readers.",
            holds: "(and (<= 0 head) (<= head spliced) (<= spliced tail) (<= 0 deficit))",
            needs: &["queue-grows"],
            ..INDUCTIVE
        },
        Clause {
            name: "queue-grows",
            theorem,
            says: "Each packet of the queues has bytes.",
            params: "p Position, q Position",
            holds: "(=> (and (<= 0 p) (< p q) (<= q tail)) (< (bytes p) (bytes q)))",
            needs: &["sent-grows", "batch-range", "list-range", "queue-range"],
            ..INDUCTIVE
        },
        Clause {
            name: "rmem-is-what-is-held",
            theorem,
            says: "rmem_alloc is what is queued and what is dequeued and not released, but for the batch that is being queued.",
            holds: "(= rmem (- (+ (- (bytes tail) (bytes head)) deficit) pending))",
            needs: &["receive-lock-is-held", "receive-lock-is-left", "queue-range", "accepted-range"],
            ..INDUCTIVE
        },
        Clause {
            name: "pages-are-forward-and-rmem",
            theorem,
            says: "With the lock held and nothing half done, charged pages are forward_alloc and rmem_alloc.",
            holds: "(and (= charged (- (+ forward rmem pending) returned)) (whole charged) (<= 0 forward) (<= 0 charged))",
            needs: &["accepted-range", "receive-lock-is-held", "receive-lock-is-left", "pages-add", "pages-round", "queue-range", "reader-lock-is-held", "page-is-positive", "due-is-positive", "rmem-is-what-is-held", "queue-grows", "destruct-is-alone"],
            ..INDUCTIVE
        },
        Clause {
            name: "due-is-positive",
            theorem,
            says: "A reader gives back some bytes.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (<= Due (phase d)) (<= (phase d) Returned)) (< 0 deficit))",
            needs: &["queue-grows", "queue-range", "reader-lock-is-held", "destruct-is-alone"],
            ..INDUCTIVE
        },
    ]
}

fn conservation() -> [Clause; 7] {
    let theorem = "conservation";
    [
        Clause {
            name: "listed-until-walked",
            theorem,
            says: "A packet is without a fate as long as it is listed or ahead of the drain that took it.",
            params: "m Node, i Index",
            holds: "(=> (and (<= 0 i) (< i (arrived m))) (= (= (fate m i) Listed) (or (<= (drained m) i) (and (walking receive-lock) (= (node receive-lock) m) (<= (at receive-lock) i)))))",
            needs: &["receive-lock-is-held", "receive-lock-is-left", "list-range", "batch-range", "walk-is-last", "keeper-has-aside"],
            ..INDUCTIVE
        },
        Clause {
            name: "queued-has-its-place",
            theorem,
            says: "A packet that was queued is at its one place in the queues' history.",
            params: "m Node, i Index",
            holds: "(=> (and (<= 0 i) (< i (arrived m)) (= (fate m i) Queued)) (and (<= 0 (place m i)) (< (place m i) tail) (= (origin (place m i)) m) (= (index (place m i)) i)))",
            needs: &["queue-range", "listed-until-walked", "list-range"],
            ..INDUCTIVE
        },
        Clause {
            name: "place-has-its-packet",
            theorem,
            says: "Each place in the queues' history has one packet, which was queued there and nowhere else.",
            params: "p Position",
            holds: "(=> (and (<= 0 p) (< p tail)) (and (<= 0 (index p)) (< (index p) (arrived (origin p))) (= (fate (origin p) (index p)) Queued) (= (place (origin p) (index p)) p)))",
            terms: &["Node (origin p)", "Index (index p)"],
            needs: &["queue-range", "listed-until-walked", "list-range", "batch-range", "receive-lock-is-held", "walk-is-last", "keeper-has-aside"],
            ..INDUCTIVE
        },
        Clause {
            name: "aside-has-its-keeper",
            theorem,
            says: "A packet without memory is in the chain of the drain that put it aside.",
            params: "m Node, i Index",
            holds: "(=> (and (<= 0 i) (< i (arrived m)) (= (fate m i) Aside)) (and (draining (keeper m i)) (= (node (keeper m i)) m) (<= 0 (place m i)) (< (place m i) (aside (keeper m i))) (= (chain (keeper m i) (place m i)) i)))",
            needs: &["listed-until-walked", "list-range", "aside-range", "receive-lock-is-held", "batch-range"],
            terms: &["Cpu (keeper m i)"],
            ..INDUCTIVE
        },
        Clause {
            name: "keeper-has-aside",
            theorem,
            says: "A drain's chain is of packets that wait to be freed, each once.",
            params: "d Cpu, k Slot",
            holds: "(=> (and (draining d) (<= 0 k) (< k (aside d))) (and (<= 0 (chain d k)) (< (chain d k) (arrived (node d))) (= (fate (node d) (chain d k)) Aside) (= (keeper (node d) (chain d k)) d) (= (place (node d) (chain d k)) k)))",
            terms: &["Index (chain d k)"],
            needs: &["listed-until-walked", "list-range", "aside-range", "batch-range", "walk-is-last", "receive-lock-is-held"],
            ..INDUCTIVE
        },
        Clause {
            name: "aside-range",
            theorem,
            says: "A chain is empty at first and when its drain ends.",
            params: "d Cpu",
            holds: "(=> (draining d) (<= 0 (aside d)))",
            ..INDUCTIVE
        },
        Clause {
            name: "nothing-is-forgotten",
            theorem,
            says: "When no CPU is inside enqueue, each packet that arrived was queued or freed.",
            params: "m Node, i Index",
            holds: "(=> (and (<= 0 i) (< i (arrived m)) (<= 0 (witness m)) (= (phase (witness m)) Idle) (= (phase (keeper m i)) Idle) (or (= receive-lock nobody) (= (phase receive-lock) Idle))) (or (= (fate m i) Queued) (= (fate m i) Freed)))",
            proof: Proof::Follows,
            terms: &["Cpu (witness m)", "Cpu (keeper m i)"],
            needs: &["listed-until-walked", "aside-has-its-keeper", "list-has-elected", "list-range", "fate-range"],
        },
    ]
}

fn order() -> [Clause; 3] {
    [
        Clause {
            name: "fate-range",
            theorem: "conservation",
            says: "There are four fates.",
            params: "m Node, i Index",
            holds: "(and (<= Listed (fate m i)) (<= (fate m i) Freed))",
            ..INDUCTIVE
        },
        Clause {
            name: "queue-is-in-order",
            theorem: "order",
            says: "Packets of one node are queued in the order of their pushes.",
            params: "p Position, q Position",
            holds: "(=> (and (<= 0 p) (< p q) (< q tail) (= (origin p) (origin q))) (< (index p) (index q)))",
            terms: &["Node (origin p)"],
            needs: &["queued-before-walked", "queue-range"],
            ..INDUCTIVE
        },
        Clause {
            name: "queued-before-walked",
            theorem: "order",
            says: "What is queued was drained, and lies behind the drain that walks now.",
            params: "d Cpu, p Position",
            holds: "(=> (and (<= 0 p) (< p tail)) (and (< (index p) (drained (origin p))) (=> (and (walking d) (= (node d) (origin p))) (< (index p) (at d)))))",
            terms: &["Node (origin p)"],
            needs: &["receive-lock-is-held", "list-range", "batch-range", "walk-is-last", "elected-has-packets", "queue-range"],
            ..INDUCTIVE
        },
    ]
}

fn release() -> [Clause; 5] {
    let theorem = "release-on-destruct";
    [
        Clause {
            name: "destruct-is-alone",
            theorem,
            says: "After the grace period no CPU is inside the socket.",
            params: "d Cpu",
            holds: "(=> (and (not (= life Open)) (is-cpu d)) (= (phase d) Idle))",
            ..INDUCTIVE
        },
        Clause {
            name: "destructed-has-nothing",
            theorem,
            says: "A destructed socket has no packet, rmem_alloc, forward_alloc or charged page.",
            holds: "(=> (= life Dead) (and (= head tail) (= deficit 0) (= rmem 0) (= forward 0) (= charged 0)))",
            needs: &["destruct-is-alone", "rmem-is-what-is-held", "pages-are-forward-and-rmem", "pages-round", "receive-lock-is-left"],
            ..INDUCTIVE
        },
        Clause {
            name: "destruct-finds-empty-lists",
            theorem,
            says: "The destructor, which does not look at the lists, would find them empty.",
            params: "m Node",
            holds: "(=> (not (= life Open)) (= (drained m) (arrived m)))",
            proof: Proof::Follows,
            terms: &["Cpu (witness m)"],
            needs: &["list-range", "list-has-elected", "destruct-is-alone"],
        },
        Clause {
            name: "nobody-has-bytes-in-flight",
            theorem: "lemma",
            says: "A sum of zeros is zero.",
            params: "m Node",
            holds: "(=> (not (= life Open)) (= (in-flight m) 0))",
            proof: Proof::Lemma("all-zero", "d Cpu", "(=> (and (not (= life Open)) (is-cpu d)) (= (in-flight.of m d) 0))"),
            needs: &["destruct-is-alone"],
            terms: &[],
        },
        Clause {
            name: "destruct-finds-no-charge",
            theorem,
            says: "The counter of every node is 0 when the socket is destructed.",
            params: "m Node",
            holds: "(=> (not (= life Open)) (= (counter m) 0))",
            proof: Proof::Follows,
            terms: &["Index (arrived m)", "Index (drained m)"],
            needs: &["destruct-finds-empty-lists", "node-counter", "nobody-has-bytes-in-flight"],
        },
    ]
}
