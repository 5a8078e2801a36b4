// SPDX-License-Identifier: MIT OR Apache-2.0

//! Sleeping readers: nobody sleeps beside a packet, for any number of readers and producers.
//!
//! The queues are their lengths. A packet that a drain has queued is followed by its wake-up, which the
//! drain still owes; a reader that was woken, or has not begun to wait, will look at the queues again and
//! is active. While somebody sleeps there are no more packets than wake-ups owed and active readers.
//!
//! The sound design looks at both queues before it sleeps (`BothQueues`) and takes a packet from the
//! reader queue's length only after it has spliced. What the kernel does (`ReceiveQueueOnly`), and a length
//! that is lowered first, are among the seeded bugs, each with a walk from the first state to a reader
//! that sleeps beside a packet.

use super::queue::symbol;
use super::steps::{step, Mutant};
use super::system::{Action, Clause, Kind, Proof, Symbol, System};

/// The readers and producers of a socket.
pub(super) fn system() -> System {
    System {
        name: "sleep",
        symbols: symbols(),
        first: &[("receive-lock", "nobody"), ("reader-lock", "nobody")],
        clauses: clauses(),
        actions: actions(),
        terms: &["Cpu c", "Cpu receive-lock", "Cpu reader-lock"],
    }
}

fn symbols() -> Vec<Symbol> {
    use Kind::{Is, Rigid, State, Sum};
    let mut all = Vec::new();
    let phases = [
        ("Out", "0"),
        ("Waking", "1"),
        ("Ringing", "2"),
        ("Receiving", "3"),
        ("ReaderLocked", "4"),
        ("Refilling", "5"),
        ("RefillingTwice", "6"),
        ("Refilled", "7"),
        ("Popped", "8"),
        ("Splicing", "9"),
        ("SplicingTwice", "10"),
        ("SplicedBoth", "11"),
        ("Spliced", "12"),
        ("Got", "13"),
        ("EmptyBoth", "14"),
        ("EmptySeen", "15"),
        ("Waits", "16"),
        ("Prepared", "17"),
        ("Announced", "18"),
        ("Looked", "19"),
        ("Asleep", "20"),
        ("Ready", "21"),
        ("Finished", "22"),
        ("Interrupted", "23"),
    ];
    all.extend(phases.map(|(name, number)| symbol(name, "", "Phase", Is(number))));
    all.extend([
        symbol("nobody", "", "Cpu", Is("(- 1)")),
        symbol("cpus", "", "Int", Rigid),
        symbol("phase", "d Cpu", "Phase", State),
        // Wake-ups that a drain still owes; whether a reader is in the wait queue, or was woken out of it.
        symbol("owes", "d Cpu", "Int", State),
        symbol("waiting", "d Cpu", "Bool", State),
        symbol("woken", "d Cpu", "Bool", State),
        // The words that are read without a lock; what a splice has counted twice for the moment.
        symbol("receive", "", "Int", State),
        symbol("reader", "", "Int", State),
        symbol("sleepers", "", "Int", State),
        symbol("twice", "", "Int", State),
        symbol("receive-lock", "", "Cpu", State),
        symbol("reader-lock", "", "Cpu", State),
        symbol("is-cpu", "d Cpu", "Bool", Is("(and (<= 0 d) (< d cpus))")),
        symbol(
            "has-receive-lock",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (or (and (<= Refilling (phase d)) (<= (phase d) Refilled)) (and (<= Splicing (phase d)) (<= (phase d) SplicedBoth)) (= (phase d) EmptyBoth)))"),
        ),
        symbol(
            "has-reader-lock",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (<= ReaderLocked (phase d)) (<= (phase d) EmptySeen))"),
        ),
        symbol(
            "splicing",
            "d Cpu",
            "Bool",
            Is("(and (is-cpu d) (or (= (phase d) RefillingTwice) (= (phase d) SplicingTwice)))"),
        ),
        symbol("has-popped", "d Cpu", "Bool", Is("(and (is-cpu d) (<= Popped (phase d)) (<= (phase d) Spliced))")),
        symbol("packets", "", "Int", Is("(- (+ receive reader) twice)")),
        symbol("owed", "", "Int", Sum { of: "owes.of", actor: "c" }),
        symbol("owes.of", "d Cpu", "Int", Is("(owes d)")),
        symbol(
            "active.of",
            "d Cpu",
            "Int",
            Is("(ite (or (and (<= Receiving (phase d)) (<= (phase d) Spliced)) (= (phase d) Finished) (and (<= Prepared (phase d)) (<= (phase d) Ready) (woken d))) 1 0)"),
        ),
        symbol("active", "", "Int", Sum { of: "active.of", actor: "c" }),
        symbol(
            "counted.of",
            "d Cpu",
            "Int",
            Is("(ite (and (<= Announced (phase d)) (<= (phase d) Interrupted)) 1 0)"),
        ),
        symbol("counted", "", "Int", Sum { of: "counted.of", actor: "c" }),
    ]);
    all
}

const CLAUSE: Clause = Clause {
    name: "",
    theorem: "no-lost-wakeup",
    says: "",
    params: "",
    holds: "",
    proof: Proof::Inductive,
    terms: &[],
    needs: &[],
};

const LEMMA: Clause = Clause {
    theorem: "lemma",
    says: "A sum of what is not negative is not less than any part of it.",
    params: "d Cpu",
    ..CLAUSE
};

fn clauses() -> Vec<Clause> {
    vec![
        Clause {
            name: "owed-parts",
            holds: "(and (<= 0 owed) (=> (is-cpu d) (and (<= 0 (owes d)) (<= (owes d) owed))))",
            proof: Proof::Lemma("non-negative", "", "(=> (is-cpu d) (<= 0 (owes d)))"),
            needs: &["owes-while-waking"],
            ..LEMMA
        },
        Clause {
            name: "active-parts",
            holds: "(and (<= 0 active) (=> (is-cpu d) (<= (active.of d) active)))",
            proof: Proof::Lemma("non-negative", "", "(<= 0 (active.of d))"),
            ..LEMMA
        },
        Clause {
            name: "counted-parts",
            holds: "(and (<= 0 counted) (=> (is-cpu d) (<= (counted.of d) counted)))",
            proof: Proof::Lemma("non-negative", "", "(<= 0 (counted.of d))"),
            ..LEMMA
        },
        Clause {
            name: "the-receive-lock-is-held",
            says: "A CPU inside the receive queue's lock holds it.",
            params: "d Cpu",
            holds: "(=> (has-receive-lock d) (= receive-lock d))",
            ..CLAUSE
        },
        Clause {
            name: "the-receive-lock-is-left",
            says: "Who holds the receive queue's lock is inside it.",
            holds: "(or (= receive-lock nobody) (has-receive-lock receive-lock))",
            needs: &["the-receive-lock-is-held"],
            ..CLAUSE
        },
        Clause {
            name: "the-reader-lock-is-held",
            says: "A CPU inside the reader queue's lock holds it.",
            params: "d Cpu",
            holds: "(=> (has-reader-lock d) (= reader-lock d))",
            ..CLAUSE
        },
        Clause {
            name: "owes-while-waking",
            says: "A drain owes wake-ups until it has made them.",
            params: "d Cpu",
            holds: "(=> (is-cpu d) (and (<= 0 (owes d)) (=> (= (phase d) Ringing) (< 0 (owes d))) (=> (and (not (= (phase d) Waking)) (not (= (phase d) Ringing))) (= (owes d) 0))))",
            ..CLAUSE
        },
        Clause {
            name: "lengths",
            says: "The lengths are those of the queues, but for what a splice counts twice.",
            holds: "(and (<= 0 receive) (<= 0 twice) (<= twice reader) (= twice (ite (splicing receive-lock) receive 0)))",
            needs: &["the-receive-lock-is-held", "the-receive-lock-is-left", "the-reader-lock-is-held", "popped-is-counted"],
            ..CLAUSE
        },
        Clause {
            name: "refilled-is-all",
            says: "A reader that has refilled, and holds both locks, has left nothing in the receive queue.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (or (= (phase d) Refilled) (= (phase d) SplicedBoth))) (= receive 0))",
            needs: &["lengths", "the-receive-lock-is-held"],
            ..CLAUSE
        },
        Clause {
            name: "popped-is-counted",
            says: "A packet in a reader's hand still counts.",
            params: "d Cpu",
            holds: "(=> (has-popped d) (< 0 (- reader twice)))",
            needs: &["lengths", "the-reader-lock-is-held", "the-receive-lock-is-held", "the-receive-lock-is-left"],
            ..CLAUSE
        },
        Clause {
            name: "in-the-wait-queue",
            says: "A reader that is about to sleep is in the wait queue or was woken.",
            params: "d Cpu",
            holds: "(=> (is-cpu d) (and (=> (and (<= Prepared (phase d)) (<= (phase d) Asleep)) (or (waiting d) (woken d))) (=> (waiting d) (and (not (woken d)) (<= Prepared (phase d)) (<= (phase d) Ready)))))",
            ..CLAUSE
        },
        Clause {
            name: "sleepers-are-counted",
            says: "The count of sleepers is of those who have announced themselves.",
            holds: "(= sleepers counted)",
            ..CLAUSE
        },
        Clause {
            name: "nobody-sleeps-beside-a-packet",
            says: "While a reader sleeps, each packet has a wake-up that is owed or an active reader.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (waiting d) (= (phase d) Asleep)) (<= packets (+ owed active)))",
            needs: &["nobody-looks-away-from-a-packet", "owed-parts", "active-parts", "counted-parts", "lengths", "refilled-is-all", "in-the-wait-queue", "sleepers-are-counted", "owes-while-waking", "the-receive-lock-is-left", "the-receive-lock-is-held"],
            ..CLAUSE
        },
        Clause {
            name: "nobody-looks-away-from-a-packet",
            says: "While a reader has found the receive queue empty, each packet there has a wake-up or an active reader, or it will find the reader queue not empty.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (waiting d) (= (phase d) Looked)) (or (< 0 reader) (<= receive (+ owed active))))",
            needs: &["the-last-splice-saw-all", "owed-parts", "active-parts", "counted-parts", "lengths", "refilled-is-all", "popped-is-counted", "in-the-wait-queue", "sleepers-are-counted", "owes-while-waking", "the-receive-lock-is-held", "the-reader-lock-is-held", "the-receive-lock-is-left"],
            ..CLAUSE
        },
        Clause {
            name: "the-last-splice-saw-all",
            says: "A reader that has spliced all and still counts its packet: what came to the receive queue since has a wake-up or another active reader.",
            params: "d Cpu, e Cpu",
            holds: "(=> (and (is-cpu d) (waiting d) (= (phase d) Looked) (is-cpu e) (or (= (phase e) SplicedBoth) (= (phase e) Spliced)) (<= reader 1)) (<= receive (- (+ owed active) 1)))",
            needs: &["owed-parts", "active-parts", "counted-parts", "lengths", "refilled-is-all", "popped-is-counted", "in-the-wait-queue", "sleepers-are-counted", "owes-while-waking", "the-receive-lock-is-held", "the-reader-lock-is-held", "the-receive-lock-is-left"],
            ..CLAUSE
        },
        Clause {
            name: "no-lost-wakeup",
            says: "When drains owe no wake-up and no reader is active, no packet is queued while a reader sleeps.",
            params: "d Cpu",
            holds: "(=> (and (is-cpu d) (waiting d) (= (phase d) Asleep) (= owed 0) (= active 0)) (<= packets 0))",
            proof: Proof::Follows,
            needs: &["nobody-sleeps-beside-a-packet"],
            ..CLAUSE
        },
    ]
}

fn actions() -> Vec<Action> {
    let mut all = producer();
    all.extend(receive());
    all.extend(wait());
    all
}

fn producer() -> Vec<Action> {
    vec![
        step(
            "Queue",
            "A drain queues `k` packets under the lock, and owes as many wake-ups.",
            "(and (= (phase c) Out) (= receive-lock nobody) (< 0 k))",
            &[
                "(phase c) := Waking",
                "(owes c) := k",
                "receive := (+ receive k)",
            ],
        )
        .chooses("k Int"),
        step(
            "FindNoSleeper",
            "After its fence it finds no sleeper counted.",
            "(and (= (phase c) Waking) (< 0 (owes c)) (= sleepers 0))",
            &["(owes c) := (- (owes c) 1)"],
        ),
        step(
            "FindSleeper",
            "After its fence it finds a sleeper counted.",
            "(and (= (phase c) Waking) (< 0 (owes c)) (not (= sleepers 0)))",
            &["(phase c) := Ringing"],
        ),
        step(
            "Wake",
            "It wakes a waiter `w`.",
            "(and (= (phase c) Ringing) (is-cpu w) (waiting w))",
            &[
                "(phase c) := Waking",
                "(owes c) := (- (owes c) 1)",
                "(waiting w) := false",
                "(woken w) := true",
            ],
        )
        .chooses("w Cpu")
        .with(&["Cpu w"])
        .acts_on("active", "w"),
        step(
            "WakeNobody",
            "Nobody is in the wait queue any more.",
            "(= (phase c) Ringing)",
            &["(phase c) := Waking", "(owes c) := (- (owes c) 1)"],
        )
        .knows("d Cpu: (not (and (is-cpu d) (waiting d)))"),
        step(
            "EndOfDrain",
            "All wake-ups are made.",
            "(and (= (phase c) Waking) (= (owes c) 0))",
            &["(phase c) := Out"],
        ),
    ]
}

fn receive() -> Vec<Action> {
    let splice = ["reader := (+ reader receive)", "twice := receive"];
    let leave = ["receive := (- receive twice)", "twice := 0"];
    vec![
        step(
            "Receive",
            "A reader begins.",
            "(= (phase c) Out)",
            &["(phase c) := Receiving"],
        ),
        step(
            "LockReader",
            "It takes the reader queue's lock.",
            "(and (= (phase c) Receiving) (= reader-lock nobody))",
            &["(phase c) := ReaderLocked", "reader-lock := c"],
        ),
        step(
            "Dequeue",
            "It takes a packet off the reader queue.",
            "(and (= (phase c) ReaderLocked) (< 0 reader))",
            &["(phase c) := Popped"],
        ),
        step(
            "HoldBack",
            "There are more packets, and the release waits for more.",
            "(and (= (phase c) Popped) (< 1 reader))",
            &["(phase c) := Spliced"],
        ),
        step(
            "LockToRelease",
            "It takes the receive queue's lock to release.",
            "(and (= (phase c) Popped) (= receive-lock nobody))",
            &["(phase c) := Splicing", "receive-lock := c"],
        ),
        step(
            "Splice",
            "The receive queue's packets count in the reader queue.",
            "(= (phase c) Splicing)",
            &["(phase c) := SplicingTwice", splice[0], splice[1]],
        ),
        step(
            "SpliceLeaves",
            "They count in the receive queue no more.",
            "(= (phase c) SplicingTwice)",
            &["(phase c) := SplicedBoth", leave[0], leave[1]],
        ),
        step(
            "UnlockReceive",
            "It gives the receive queue's lock back.",
            "(= (phase c) SplicedBoth)",
            &["(phase c) := Spliced", "receive-lock := nobody"],
        ),
        step(
            "SubReaderLen",
            "Its packet leaves the reader queue's length.",
            "(= (phase c) Spliced)",
            &["(phase c) := Got", "reader := (- reader 1)"],
        ),
        step(
            "UnlockReader",
            "It returns with a packet.",
            "(= (phase c) Got)",
            &["(phase c) := Out", "reader-lock := nobody"],
        ),
        step(
            "LockToRefill",
            "The reader queue is empty.",
            "(and (= (phase c) ReaderLocked) (= reader 0) (= receive-lock nobody))",
            &["(phase c) := Refilling", "receive-lock := c"],
        ),
        step(
            "Refill",
            "The receive queue's packets count in the reader queue.",
            "(= (phase c) Refilling)",
            &["(phase c) := RefillingTwice", splice[0], splice[1]],
        ),
        step(
            "RefillLeaves",
            "They count in the receive queue no more.",
            "(= (phase c) RefillingTwice)",
            &["(phase c) := Refilled", leave[0], leave[1]],
        ),
        step(
            "DequeueRefilled",
            "It takes a packet with both locks held; there is nothing more to splice.",
            "(and (= (phase c) Refilled) (< 0 reader))",
            &["(phase c) := SplicedBoth"],
        ),
        step(
            "Empty",
            "Both queues are empty.",
            "(and (= (phase c) Refilled) (= reader 0))",
            &["(phase c) := EmptyBoth"],
        ),
        step(
            "UnlockReceiveEmpty",
            "It gives the receive queue's lock back.",
            "(= (phase c) EmptyBoth)",
            &["(phase c) := EmptySeen", "receive-lock := nobody"],
        ),
        step(
            "UnlockReaderEmpty",
            "It has nothing, and may wait or go away.",
            "(= (phase c) EmptySeen)",
            &["(phase c) := (ite g Out Waits)", "reader-lock := nobody"],
        )
        .chooses("g Bool"),
    ]
}

fn wait() -> Vec<Action> {
    vec![
        step(
            "Prepare",
            "A reader enters the wait queue.",
            "(= (phase c) Waits)",
            &[
                "(phase c) := Prepared",
                "(waiting c) := true",
                "(woken c) := false",
            ],
        ),
        step(
            "AddSleeper",
            "It counts itself.",
            "(= (phase c) Prepared)",
            &["(phase c) := Announced", "sleepers := (+ sleepers 1)"],
        ),
        step(
            "LookReceive",
            "After its fence it looks at the receive queue.",
            "(= (phase c) Announced)",
            &["(phase c) := (ite (= receive 0) Looked Ready)"],
        ),
        step(
            "LookReader",
            "It looks at the reader queue, and sleeps if that is empty too.",
            "(= (phase c) Looked)",
            &["(phase c) := (ite (= reader 0) Asleep Ready)"],
        ),
        step(
            "Awake",
            "It was woken.",
            "(and (= (phase c) Asleep) (woken c))",
            &["(phase c) := Ready"],
        ),
        step(
            "Interrupt",
            "It sleeps no more, although it was not woken, and will not look again.",
            "(and (= (phase c) Asleep) (waiting c))",
            &["(phase c) := Interrupted", "(waiting c) := false"],
        ),
        step(
            "SubSleeperInterrupted",
            "It does not count any more.",
            "(= (phase c) Interrupted)",
            &["(phase c) := Out", "sleepers := (- sleepers 1)"],
        ),
        step(
            "FinishWait",
            "It leaves the wait queue, if it is there.",
            "(= (phase c) Ready)",
            &[
                "(phase c) := Finished",
                "(waiting c) := false",
                "(woken c) := false",
            ],
        ),
        step(
            "SubSleeper",
            "It does not count any more, and looks for packets.",
            "(= (phase c) Finished)",
            &["(phase c) := Receiving", "sleepers := (- sleepers 1)"],
        ),
    ]
}

/// The length is lowered when the packet is taken, before a splice.
pub(super) fn length_at_once(system: &mut System) {
    system.change("Dequeue").set(&["reader := (- reader 1)"]);
    system.change("HoldBack").when = "(and (= (phase c) Popped) (< 0 reader))";
    system
        .change("DequeueRefilled")
        .set(&["reader := (- reader 1)"]);
    system.change("SubReaderLen").set(&["reader := reader"]);
    for symbol in &mut system.symbols {
        if symbol.name == "active.of" {
            symbol.kind = Kind::Is("(ite (or (and (<= Receiving (phase d)) (<= (phase d) Refilled)) (= (phase d) Finished) (and (<= Prepared (phase d)) (<= (phase d) Ready) (woken d))) 1 0)");
        }
    }
}

pub(super) fn receive_queue_only(system: &mut System) {
    system.change("LookReader").set(&["(phase c) := Asleep"]);
}

/// The seeded bugs of sleeping readers.
pub(super) fn mutants() -> Vec<Mutant> {
    let mutant = |name, says, change, breaks| Mutant {
        name,
        says,
        policy: None,
        change,
        breaks,
    };
    vec![
        mutant(
            "look-at-the-receive-queue-only",
            "A reader looks at the receive queue only before it sleeps: Linux 6.18.",
            receive_queue_only,
            &["nobody-sleeps-beside-a-packet--LookReader"],
        ),
        mutant(
            "lower-the-length-at-once",
            "A packet leaves the reader queue's length before the splice.",
            length_at_once,
            &[
                "nobody-looks-away-from-a-packet--Dequeue",
                "popped-is-counted--Dequeue",
                "popped-is-counted--DequeueRefilled",
                "the-last-splice-saw-all--DequeueRefilled",
                "the-last-splice-saw-all--HoldBack",
            ],
        ),
        mutant(
            "look-before-announcing",
            "A reader looks at the queues before it counts itself: what a missing fence allows.",
            |system| {
                system.change("LookReceive").when = "(= (phase c) Prepared)";
                system.change("AddSleeper").when = "(= (phase c) Asleep)";
                system.change("AddSleeper").set(&["(phase c) := Asleep"]);
            },
            &[
                "sleepers-are-counted--AddSleeper",
                "sleepers-are-counted--LookReceive",
            ],
        ),
        mutant(
            "wake-before-queueing",
            "A drain looks for sleepers before its packets are seen: what a missing fence allows.",
            |system| {
                system.change("Queue").set(&["receive := receive"]);
                system
                    .change("EndOfDrain")
                    .set(&["receive := (+ receive 1)"]);
            },
            &[
                "lengths--EndOfDrain",
                "nobody-looks-away-from-a-packet--EndOfDrain",
                "nobody-sleeps-beside-a-packet--EndOfDrain",
                "refilled-is-all--EndOfDrain",
                "the-last-splice-saw-all--EndOfDrain",
            ],
        ),
        mutant(
            "wake-once-per-batch",
            "A drain owes one wake-up, whatever it has queued.",
            |system| system.change("Queue").set(&["(owes c) := 1"]),
            &[
                "nobody-looks-away-from-a-packet--Queue",
                "nobody-sleeps-beside-a-packet--Queue",
                "the-last-splice-saw-all--Queue",
            ],
        ),
        mutant(
            "leave-before-entering",
            "A splice lowers the receive queue's length before it raises the reader queue's.",
            |system| {
                for (first, second) in [("Splice", "SpliceLeaves"), ("Refill", "RefillLeaves")] {
                    system.change(first).set(&[
                        "reader := reader",
                        "receive := 0",
                        "twice := (- 0 receive)",
                    ]);
                    system.change(second).set(&[
                        "receive := receive",
                        "reader := (- reader twice)",
                        "twice := 0",
                    ]);
                }
            },
            &[
                "lengths--Refill",
                "lengths--Splice",
                "nobody-looks-away-from-a-packet--RefillLeaves",
                "refilled-is-all--RefillLeaves",
                "refilled-is-all--SpliceLeaves",
                "the-last-splice-saw-all--SpliceLeaves",
            ],
        ),
    ]
}
