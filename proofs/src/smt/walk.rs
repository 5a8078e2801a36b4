// SPDX-License-Identifier: MIT OR Apache-2.0

//! Walks: executions of a few steps from the first state to a state that is asked for. They are `sat`, and
//! show that states which the clauses speak of are reached; or they are not, where the design is sound.

use super::system::{Pool, Proof, Script, System};
use super::{queue, sleep, Condition, Part};

struct Walk {
    name: &'static str,
    theorem: &'static str,
    says: &'static str,
    system: fn() -> System,
    /// Each CPU's number, and the steps it takes.
    steps: &'static [(&'static str, &'static [&'static str])],
    /// Further facts, for example of choices: `(= x.1 100)`.
    also: &'static [&'static str],
    ends: &'static str,
    possible: bool,
}

const FIND_NOTHING: &[&str] = &[
    "Receive",
    "LockReader",
    "LockToRefill",
    "Refill",
    "RefillLeaves",
    "Empty",
    "UnlockReceiveEmpty",
    "UnlockReaderEmpty",
];

/// Two packets are queued and nobody sleeps yet; the reader takes one and leaves the other in the reader
/// queue.
const LEAVE_ONE: &[&str] = &[
    "Queue",
    "FindNoSleeper",
    "FindNoSleeper",
    "EndOfDrain",
    "Receive",
    "LockReader",
    "LockToRefill",
    "Refill",
    "RefillLeaves",
    "DequeueRefilled",
    "UnlockReceive",
    "SubReaderLen",
    "UnlockReader",
];

/// A reader sleeps that looked at the receive queue before the others emptied the reader queue.
const OVERTAKEN: &[(&str, &[&str])] = &[
    ("1", FIND_NOTHING),
    ("2", FIND_NOTHING),
    ("0", LEAVE_ONE),
    ("1", &["Prepare", "AddSleeper"]),
    ("2", &["Prepare", "AddSleeper", "LookReceive"]),
    ("0", &["Queue", "FindSleeper", "Wake", "EndOfDrain"]),
    (
        "1",
        &[
            "LookReceive",
            "FinishWait",
            "SubSleeper",
            "LockReader",
            "Dequeue",
        ],
    ),
    ("2", &["LookReader"]),
    (
        "1",
        &[
            "LockToRelease",
            "Splice",
            "SpliceLeaves",
            "UnlockReceive",
            "SubReaderLen",
            "UnlockReader",
        ],
    ),
];

const SLEEPS_BESIDE_A_PACKET: &str =
    "(and (= (phase 2) Asleep) (waiting 2) (= owed 0) (= active 0) (= packets 1))";

const WALKS: [Walk; 5] = [
    Walk {
        name: "from-enqueue-to-destruct",
        theorem: "release-on-destruct",
        says: "Two CPUs enqueue, one drains both packets, of which one finds no memory; it receives the other, and the socket is destructed.",
        system: queue::system,
        steps: &[
            ("0", &["ReadRmem", "ReadNodeAndAdmit", "Condense", "Charge", "Push"]),
            ("1", &["ReadRmem", "ReadNodeAndAdmit", "Charge", "Push"]),
            (
                "0",
                &["Lock", "TakeAll", "ChargePages", "Queue", "NoMemory", "AddRmem", "Unlock", "Free", "Uncharge"],
            ),
            (
                "0",
                &[
                    "LockReader",
                    "LockToRefill",
                    "SpliceToRefill",
                    "DequeueRefilled",
                    "UnchargePages",
                    "SubRmem",
                    "Splice",
                    "UnlockReceive",
                    "UnlockReader",
                    "Destruct",
                    "Destructed",
                ],
            ),
        ],
        also: &["(= page 4096)", "(= (node 0) 0)", "(= (node 1) 0)"],
        ends: "(and (= life Dead) (= (arrived 0) 2) (= (drained 0) 2) (= tail 1) (= (fate 0 0) Queued) (= (fate 0 1) Freed) (= (counter 0) 0) (= rmem 0) (= forward 0) (= charged 0))",
        possible: true,
    },
    Walk {
        name: "the-kernel-sleeps-beside-a-packet",
        theorem: "no-lost-wakeup",
        says: "Linux 6.18 (the bug look-at-the-receive-queue-only): a reader sleeps beside a packet that another one left in the reader queue.",
        system: kernel,
        steps: &[
            ("2", FIND_NOTHING),
            ("0", LEAVE_ONE),
            ("2", &["Prepare", "AddSleeper", "LookReceive", "LookReader"]),
        ],
        also: &[],
        ends: SLEEPS_BESIDE_A_PACKET,
        possible: true,
    },
    Walk {
        name: "who-looks-at-both-does-not",
        theorem: "no-lost-wakeup",
        says: "The same steps, but the reader looks at both queues: it does not sleep.",
        system: sleep::system,
        steps: &[
            ("2", FIND_NOTHING),
            ("0", LEAVE_ONE),
            ("2", &["Prepare", "AddSleeper", "LookReceive", "LookReader"]),
        ],
        also: &[],
        ends: SLEEPS_BESIDE_A_PACKET,
        possible: false,
    },
    Walk {
        name: "a-length-lowered-at-once-hides-a-packet",
        theorem: "no-lost-wakeup",
        says: "Both queues are looked at, but a packet leaves the reader queue's length before the splice (the bug lower-the-length-at-once): a reader that looks in between sleeps beside a packet.",
        system: at_once,
        steps: OVERTAKEN,
        also: &["(= w.37 1)"],
        ends: SLEEPS_BESIDE_A_PACKET,
        possible: true,
    },
    Walk {
        name: "a-length-lowered-late-does-not",
        theorem: "no-lost-wakeup",
        says: "The same steps, but the length is lowered after the splice: the reader does not sleep.",
        system: sleep::system,
        steps: OVERTAKEN,
        also: &["(= w.37 1)"],
        ends: SLEEPS_BESIDE_A_PACKET,
        possible: false,
    },
];

fn kernel() -> System {
    let mut system = sleep::system();
    sleep::receive_queue_only(&mut system);
    system
}

fn at_once() -> System {
    let mut system = sleep::system();
    sleep::length_at_once(&mut system);
    system
}

/// All walks.
pub(super) fn conditions() -> Vec<Condition> {
    WALKS.iter().map(condition).collect()
}

fn condition(walk: &Walk) -> Condition {
    let system = (walk.system)();
    let steps: Vec<_> = walk
        .steps
        .iter()
        .flat_map(|(cpu, steps)| steps.iter().map(|step| (*cpu, system.action(step))))
        .collect();
    let mut script = Script::new(&system, steps.len());
    script.start();
    script.want(walk.ends);
    for (_, action) in &steps {
        script.want(action.when);
        action.sets.iter().for_each(|set| script.want(set));
    }
    let mut pool = Pool::default();
    pool.add(&["Cpu 0", "Cpu 1", "Cpu 2", "Node 0"]);
    script.assert("(= cpus 3)");
    let fixed = |clause: &&_| matches!(proof(clause), Proof::Given | Proof::Lemma(_, _, "true"));
    let fixed: Vec<_> = system.clauses.iter().filter(fixed).collect();
    for (cpu, action) in steps {
        script.actor(action);
        script.note(&format!("CPU {cpu}: {}: {}", action.name, action.says));
        let mut of_step = Pool::default();
        of_step.add(&["Cpu 0", "Cpu 1", "Cpu 2", "Node 0"]);
        of_step.add(&action.terms);
        script.instances(&fixed, &of_step);
        script.assert(&format!("(= c {cpu})"));
        script.assert(action.when);
        script.knows(action, &pool);
        script.step(action);
    }
    script.note("The end.");
    for term in walk.also {
        script.assert(term);
    }
    script.assert(walk.ends);
    Condition::new(
        format!("walks/{}", walk.name),
        walk.theorem,
        Part::Walk,
        !walk.possible,
        walk.says.to_owned(),
        &script.end(),
    )
}

fn proof(clause: &super::system::Clause) -> Proof {
    clause.proof
}
