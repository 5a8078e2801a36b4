// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the CPUs do, step by step, and what goes wrong when they do something else.
//!
//! `c` is the CPU that acts and `n` its node. A step makes at most one access to a shared word that
//! others may read without a lock; what only the holder of a lock can see goes with it.

use super::bounds;
use super::system::{Action, System};

/// A step of every admission policy.
pub(super) fn step(
    name: &'static str,
    says: &'static str,
    when: &'static str,
    sets: &[&'static str],
) -> Action {
    Action {
        name,
        says,
        policies: &[],
        chooses: "",
        when,
        sets: sets.to_vec(),
        knows: Vec::new(),
        terms: Vec::new(),
        other: None,
    }
}

impl Action {
    pub(super) fn chooses(mut self, chooses: &'static str) -> Action {
        self.chooses = chooses;
        self
    }

    pub(super) fn of(mut self, policies: &'static [&'static str]) -> Action {
        self.policies = policies;
        self
    }

    pub(super) fn acts_on(mut self, sum: &'static str, other: &'static str) -> Action {
        self.other = Some((sum, other));
        self
    }

    pub(super) fn knows(mut self, known: &'static str) -> Action {
        self.knows.push(known);
        self
    }

    pub(super) fn with(mut self, terms: &[&'static str]) -> Action {
        self.terms.extend(terms);
        self
    }
}

/// Every step.
pub(super) fn actions() -> Vec<Action> {
    let mut all = bounds::admission();
    all.extend(producer());
    all.extend(reader());
    all.extend(destructor());
    all
}

fn producer() -> Vec<Action> {
    let list = ["Index (arrived n)", "Index (drained n)"];
    let batch = [
        "Index (at c)",
        "Index (+ (at c) 1)",
        "Index (lo c)",
        "Index (hi c)",
    ];
    vec![
        step(
            "Condense",
            "An admitted packet becomes smaller.",
            "(and (= (phase c) Admitted) (< 0 x) (<= x (size c)))",
            &["(size c) := x"],
        )
        .chooses("x Bytes"),
        step(
            "Charge",
            "The node's counter is raised.",
            "(= (phase c) Admitted)",
            &["(phase c) := Charged", "(counter n) := (+ (counter n) (size c))"],
        )
        .with(&list),
        step(
            "Push",
            "The packet is on the list; who found it empty is elected.",
            "(= (phase c) Charged)",
            &[
                "(phase c) := (ite (= (arrived n) (drained n)) Elected Idle)",
                "(witness n) := (ite (= (arrived n) (drained n)) c (witness n))",
                "(sent n (+ (arrived n) 1)) := (+ (sent n (arrived n)) (size c))",
                "(fate n (arrived n)) := Listed",
                "(arrived n) := (+ (arrived n) 1)",
            ],
        )
        .with(&list),
        step(
            "Lock",
            "The elected CPU takes the receive queue's lock.",
            "(and (= (phase c) Elected) (= receive-lock nobody))",
            &["(phase c) := Locked", "receive-lock := c"],
        )
        .with(&list),
        step(
            "TakeAll",
            "The elected CPU takes the whole list.",
            "(= (phase c) Locked)",
            &[
                "(phase c) := Walking",
                "(lo c) := (drained n)",
                "(at c) := (drained n)",
                "(hi c) := (arrived n)",
                "(batch c) := (- (sent n (arrived n)) (sent n (drained n)))",
                "(accepted c) := 0",
                "(aside c) := 0",
                "(drained n) := (arrived n)",
            ],
        )
        .with(&list),
        step(
            "ChargePages",
            "The next packet needs more pages, and gets them.",
            "(and (= (phase c) Walking) (< (at c) (hi c)) (whole x) (< 0 x) (< forward (- (sent n (+ (at c) 1)) (sent n (at c)))))",
            &["forward := (+ forward x)", "charged := (+ charged x)"],
        )
        .chooses("x Bytes")
        .with(&batch)
        .with(&["Bytes charged", "Bytes x"]),
        step(
            "Queue",
            "The next packet is queued.",
            "(and (= (phase c) Walking) (< (at c) (hi c)) (<= (- (sent n (+ (at c) 1)) (sent n (at c))) forward))",
            &[
                "(at c) := (+ (at c) 1)",
                "(accepted c) := (+ (accepted c) (- (sent n (+ (at c) 1)) (sent n (at c))))",
                "(bytes (+ tail 1)) := (+ (bytes tail) (- (sent n (+ (at c) 1)) (sent n (at c))))",
                "(origin tail) := n",
                "(index tail) := (at c)",
                "(fate n (at c)) := Queued",
                "(place n (at c)) := tail",
                "forward := (- forward (- (sent n (+ (at c) 1)) (sent n (at c))))",
                "tail := (+ tail 1)",
            ],
        )
        .with(&batch)
        .with(&["Position tail", "Position spliced", "Position head", "Bytes charged"]),
        step(
            "NoMemory",
            "There are no pages for the next packet, which is put aside.",
            "(and (= (phase c) Walking) (< (at c) (hi c)) (< forward (- (sent n (+ (at c) 1)) (sent n (at c)))))",
            &[
                "(at c) := (+ (at c) 1)",
                "(chain c (aside c)) := (at c)",
                "(fate n (at c)) := Aside",
                "(place n (at c)) := (aside c)",
                "(keeper n (at c)) := c",
                "(aside c) := (+ (aside c) 1)",
            ],
        )
        .with(&batch),
        step(
            "AddRmem",
            "The batch's bytes are added to rmem_alloc.",
            "(and (= (phase c) Walking) (= (at c) (hi c)))",
            &[
                "(phase c) := Added",
                "rmem := (+ rmem (accepted c))",
                "(share n) := (+ (share n) (accepted c))",
            ],
        )
        .with(&batch)
        .with(&["Position tail", "Position head", "Position spliced"]),
        step(
            "Unlock",
            "The receive queue's lock is given back.",
            "(= (phase c) Added)",
            &["(phase c) := Unlocked", "receive-lock := nobody"],
        )
        .with(&batch),
        step(
            "Free",
            "A packet without memory is freed.",
            "(and (= (phase c) Unlocked) (< 0 (aside c)))",
            &[
                "(fate n (chain c (- (aside c) 1))) := Freed",
                "(aside c) := (- (aside c) 1)",
            ],
        )
        .with(&["Slot (- (aside c) 1)", "Index (chain c (- (aside c) 1))"]),
        step(
            "Uncharge",
            "The batch leaves the node's counter.",
            "(and (= (phase c) Unlocked) (= (aside c) 0))",
            &["(phase c) := Idle", "(counter n) := (- (counter n) (batch c))"],
        )
        .with(&list)
        .with(&batch),
    ]
}

fn reader() -> Vec<Action> {
    let queue = [
        "Position head",
        "Position (+ head 1)",
        "Position spliced",
        "Position tail",
    ];
    let take = [
        "head := (+ head 1)",
        "deficit := (+ deficit (- (bytes (+ head 1)) (bytes head)))",
    ];
    vec![
        step(
            "LockReader",
            "A reader takes the reader queue's lock.",
            "(and (= (phase c) Idle) (= life Open) (= reader-lock nobody))",
            &["(phase c) := ReaderLocked", "reader-lock := c"],
        ),
        step(
            "Dequeue",
            "It takes a packet from the reader queue.",
            "(and (= (phase c) ReaderLocked) (< head spliced))",
            &["(phase c) := Due", take[0], take[1]],
        )
        .with(&queue),
        step(
            "PeekReader",
            "It looks at the packet and leaves it.",
            "(and (= (phase c) ReaderLocked) (< head spliced))",
            &["(phase c) := Left"],
        ),
        step(
            "LockToRefill",
            "The reader queue is empty: it takes the receive queue's lock too.",
            "(and (= (phase c) ReaderLocked) (= head spliced) (= receive-lock nobody))",
            &["(phase c) := Refilling", "receive-lock := c"],
        ),
        step(
            "SpliceToRefill",
            "It moves the receive queue's packets to the reader queue.",
            "(= (phase c) Refilling)",
            &["(phase c) := Refilled", "spliced := tail"],
        )
        .with(&queue),
        step(
            "DequeueRefilled",
            "It takes a packet with both locks held.",
            "(and (= (phase c) Refilled) (< head spliced))",
            &["(phase c) := DueBoth", take[0], take[1]],
        )
        .with(&queue),
        step(
            "Empty",
            "Both queues are empty, or it only peeks.",
            "(= (phase c) Refilled)",
            &["(phase c) := Leaving"],
        ),
        step(
            "HoldBack",
            "The release waits for more.",
            "(and (= (phase c) Due) (< head spliced))",
            &["(phase c) := Left"],
        ),
        step(
            "HoldBackRefilled",
            "The release waits for more, with both locks held.",
            "(and (= (phase c) DueBoth) (< head spliced))",
            &["(phase c) := Leaving"],
        ),
        step(
            "LockToRelease",
            "It takes the receive queue's lock to give back what is due.",
            "(and (= (phase c) Due) (= receive-lock nobody))",
            &["(phase c) := DueBoth", "receive-lock := c"],
        ),
        step(
            "UnchargePages",
            "Whole pages go back to the protocol, but for one byte's.",
            "(= (phase c) DueBoth)",
            &[
                "(phase c) := Returned",
                "forward := (- (+ forward deficit) (rounded (- (+ forward deficit) 1)))",
                "charged := (- charged (rounded (- (+ forward deficit) 1)))",
            ],
        )
        .with(&queue)
        .with(&[
            "Bytes (- (+ forward deficit) 1)",
            "Bytes (rounded (- (+ forward deficit) 1))",
            "Bytes charged",
        ]),
        step(
            "SubRmem",
            "What was due leaves rmem_alloc.",
            "(= (phase c) Returned)",
            &[
                "(phase c) := Released",
                "rmem := (- rmem deficit)",
                "(share m) := (- (share m) (part m))",
                "shares := (- shares deficit)",
                "deficit := 0",
            ],
        )
        .knows(PARTS)
        .with(&queue),
        step(
            "Splice",
            "It moves the receive queue's packets to the reader queue.",
            "(= (phase c) Released)",
            &["(phase c) := Leaving", "spliced := tail"],
        )
        .with(&queue),
        step(
            "UnlockReceive",
            "It gives the receive queue's lock back.",
            "(= (phase c) Leaving)",
            &["(phase c) := Left", "receive-lock := nobody"],
        ),
        step(
            "UnlockReader",
            "It gives the reader queue's lock back.",
            "(= (phase c) Left)",
            &["(phase c) := Idle", "reader-lock := nobody"],
        ),
    ]
}

/// What is released can be split among the nodes (lemma `split`).
const PARTS: &str = "m Node: (and (<= 0 (part m)) (<= (part m) (share m)))";

fn destructor() -> Vec<Action> {
    let queue = [
        "Position head",
        "Position (+ head 1)",
        "Position spliced",
        "Position tail",
    ];
    vec![
        step(
            "Destruct",
            "After the grace period the last reference goes, and the queues are spliced.",
            "(= life Open)",
            &["life := Closing", "spliced := tail"],
        )
        .knows("d Cpu: (=> (is-cpu d) (= (phase d) Idle))")
        .with(&queue),
        step(
            "DestructFree",
            "It frees a packet.",
            "(and (= life Closing) (< head tail))",
            &[
                "head := (+ head 1)",
                "spliced := tail",
                "deficit := (+ deficit (- (bytes (+ head 1)) (bytes head)))",
            ],
        )
        .with(&queue),
        step(
            "DestructRelease",
            "It gives back what it has summed so far, so that the sum fits 32 bits.",
            "(= life Closing)",
            &[
                "rmem := (- rmem deficit)",
                "forward := (- (+ forward deficit) (rounded (+ forward deficit)))",
                "charged := (- charged (rounded (+ forward deficit)))",
                "(share m) := (- (share m) (part m))",
                "shares := (- shares deficit)",
                "deficit := 0",
            ],
        )
        .knows(PARTS)
        .with(&queue)
        .with(&[
            "Bytes (+ forward deficit)",
            "Bytes (rounded (+ forward deficit))",
            "Bytes charged",
        ]),
        step(
            "Destructed",
            "It gives back the rest, and the node queues.",
            "(and (= life Closing) (= head tail))",
            &[
                "rmem := (- rmem deficit)",
                "forward := (- (+ forward deficit) (rounded (+ forward deficit)))",
                "charged := (- charged (rounded (+ forward deficit)))",
                "(share m) := (- (share m) (part m))",
                "shares := (- shares deficit)",
                "deficit := 0",
                "life := Dead",
            ],
        )
        .knows(PARTS)
        .with(&queue)
        .with(&[
            "Bytes (+ forward deficit)",
            "Bytes (rounded (+ forward deficit))",
            "Bytes charged",
        ]),
    ]
}

/// A seeded bug of a model.
pub(super) struct Mutant {
    pub(super) name: &'static str,
    pub(super) says: &'static str,
    /// The policy whose bound it breaks, if it is about one.
    pub(super) policy: Option<&'static str>,
    pub(super) change: fn(&mut System),
    /// The clauses that it must break, and no others.
    pub(super) breaks: &'static [&'static str],
}

impl System {
    /// The action of this name, to be changed.
    pub(super) fn change(&mut self, name: &str) -> &mut Action {
        let found = self.actions.iter_mut().find(|action| action.name == name);
        found.unwrap_or_else(|| panic!("no action is called {name}"))
    }
}

/// The seeded bugs of the socket.
pub(super) fn mutants() -> Vec<Mutant> {
    let mutant = |name, says, change, breaks| Mutant {
        name,
        says,
        policy: None,
        change,
        breaks,
    };
    let mut all = vec![
        mutant(
            "push-elects-nobody",
            "Who finds the list empty returns like everybody else.",
            |system| system.change("Push").set(&["(phase c) := Idle"]),
            &["list-has-elected--Push"],
        ),
        mutant(
            "push-elects-everybody",
            "Every push elects.",
            |system| system.change("Push").set(&["(phase c) := Elected"]),
            &["one-elected--Push"],
        ),
        mutant(
            "take-one",
            "The elected CPU takes the oldest packet and leaves the others.",
            |system| {
                system.change("TakeAll").set(&[
                    "(hi c) := (+ (drained n) 1)",
                    "(batch c) := (- (sent n (+ (drained n) 1)) (sent n (drained n)))",
                    "(drained n) := (+ (drained n) 1)",
                ]);
                system
                    .change("TakeAll")
                    .terms
                    .push("Index (+ (drained n) 1)");
            },
            &["list-has-elected--TakeAll"],
        ),
        mutant(
            "take-before-lock",
            "The elected CPU takes the list, then the lock.",
            |system| {
                system.change("TakeAll").when = "(= (phase c) Elected)";
                system.change("TakeAll").set(&["(phase c) := Taken"]);
                let lock = system.change("Lock");
                lock.when = "(and (= (phase c) Taken) (= receive-lock nobody))";
                lock.set(&["(phase c) := Walking"]);
            },
            &[
                "listed-until-walked--Lock",
                "listed-until-walked--TakeAll",
                "queued-before-walked--Lock",
                "walk-is-last--Lock",
                "walk-is-last--TakeAll",
            ],
        ),
        mutant(
            "push-before-charge",
            "The packet is on the list before the node's counter is raised.",
            |system| system.change("Push").when = "(= (phase c) Admitted)",
            &["node-counter--Push"],
        ),
        mutant(
            "newest-first",
            "The batch is queued as it was taken, newest first.",
            |system| {
                system
                    .change("Queue")
                    .set(&["(index tail) := (- (- (+ (hi c) (lo c)) 1) (at c))"]);
            },
            &[
                "place-has-its-packet--Queue",
                "queue-is-in-order--Queue",
                "queued-before-walked--Queue",
                "queued-has-its-place--Queue",
            ],
        ),
        mutant(
            "add-the-whole-batch",
            "Packets without memory are added to rmem_alloc too.",
            |system| {
                system
                    .change("AddRmem")
                    .set(&["rmem := (+ rmem (batch c))"])
            },
            &[
                "pages-are-forward-and-rmem--AddRmem",
                "rmem-is-what-is-held--AddRmem",
                "shares-are-rmem--AddRmem",
            ],
        ),
        mutant(
            "uncharge-what-was-queued",
            "Packets without memory stay in the node's counter.",
            |system| {
                system
                    .change("Uncharge")
                    .set(&["(counter n) := (- (counter n) (accepted c))"]);
            },
            &["node-counter--Uncharge"],
        ),
        mutant(
            "queue-without-forward",
            "A queued packet is not taken from forward_alloc.",
            |system| system.change("Queue").set(&["forward := forward"]),
            &["pages-are-forward-and-rmem--Queue"],
        ),
        mutant(
            "forget-no-memory",
            "A packet without memory is left out of the chain of those to free.",
            |system| system.change("NoMemory").set(&["(aside c) := (aside c)"]),
            &["aside-has-its-keeper--NoMemory"],
        ),
        mutant(
            "keep-the-deficit",
            "What was released is still due.",
            |system| system.change("SubRmem").set(&["deficit := deficit"]),
            &["rmem-is-what-is-held--SubRmem"],
        ),
        mutant(
            "destruct-partially",
            "The destructor keeps one byte's page, as a reader does.",
            |system| {
                let destructed = system.change("Destructed");
                destructed.set(&[
                    "forward := (- (+ forward deficit) (rounded (- (+ forward deficit) 1)))",
                    "charged := (- charged (rounded (- (+ forward deficit) 1)))",
                ]);
                destructed.terms.extend([
                    "Bytes (- (+ forward deficit) 1)",
                    "Bytes (rounded (- (+ forward deficit) 1))",
                ]);
            },
            &["destructed-has-nothing--Destructed"],
        ),
        mutant(
            "destruct-without-grace",
            "The destructor does not wait for the CPUs inside.",
            |system| system.change("Destruct").knows.clear(),
            &[
                "accepted-is-queued--Destruct",
                "destruct-is-alone--Destruct",
            ],
        ),
        mutant(
            "enqueue-after-destruct",
            "A CPU comes in when the socket is closing.",
            |system| {
                system.change("LockReader").when = "(and (= (phase c) Idle) (= reader-lock nobody))"
            },
            &["destruct-is-alone--LockReader"],
        ),
        mutant(
            "splice-without-lock",
            "A reader refills without the receive queue's lock.",
            |system| {
                let lock = system.change("LockToRefill");
                lock.when = "(and (= (phase c) ReaderLocked) (= head spliced))";
                lock.set(&["receive-lock := receive-lock"]);
            },
            &["receive-lock-is-held--LockToRefill"],
        ),
    ];
    all.extend(bounds::mutants());
    all
}
