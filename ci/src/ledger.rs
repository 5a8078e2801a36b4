// SPDX-License-Identifier: MIT OR Apache-2.0

//! The ledger, `proofs/README.md`: what is known of each theorem, by which means, and what is not.
//!
//! Figures come from the catalog, the manifest of pinned runs and the conditions; only what no program
//! can know is written here.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use prodq_models::catalog::{applies, cases, concerns, Case, Tier};
use prodq_models::theorem::Theorem;
use prodq_models::verify::{Manifest, Verdict};
use prodq_proofs::smt::{clauses, conditions, folder, Condition, Part};

/// Its file.
pub fn path() -> PathBuf {
    let smt = folder();
    smt.parent().unwrap_or(&smt).join("README.md")
}

/// What a person has to say of a theorem.
struct Words {
    theorem: Theorem,
    /// What else bears on it.
    also: &'static [&'static str],
    /// What nobody has checked.
    open: &'static [&'static str],
}

const WORDS: &[Words] = &[
    Words {
        theorem: Theorem::NoStranding,
        also: &["`models/tests/controls.rs`: broken on purpose, on the code."],
        open: &[],
    },
    Words {
        theorem: Theorem::BoundedOvershoot,
        also: &[
            "Exact values for small sizes, each with a witness on the code: `models/tests/overshoot.rs`.",
            "The bounds, with K nodes that have producers, C producers, s the largest truesize and L = max(B, s) for the largest rcvbuf B: `kernel-order` (K + 1) L + (2 C - K) s, an upper bound that is not tight; `node-first` K L + (C - K) s, on one node L + (C - 1) s, which is reached; `all-nodes`: the same as for `node-first`, proved of its own steps, an upper bound that makes no use of the other nodes' counters.",
            "Accepting a packet at an empty socket (the exemption) is in the model, and why L and not B is in the bounds; so is rcvbuf that changes, and condensing, which may not make a packet larger.",
        ],
        open: &[
            "Loads that are stale: no finite bound follows from C11 (README, \"Stale loads\").",
            "A tight bound for `kernel-order` and for `all-nodes` in general.",
            "Counters that wrap: all sums are mathematical integers here and 32 bits in the code, which is the same below 2 GiB.",
        ],
    },
    Words {
        theorem: Theorem::ReleaseOnDestruct,
        also: &["The toy grace period of the models is exact for one retirement; crossbeam-epoch itself is run under loom in the smallest scope (`models/tests/epoch.rs`)."],
        open: &[
            "That the grace period does what it should: the proof assumes that no CPU is inside when the destructor runs.",
            "\"Nothing was touched after it was freed\" for any number of CPUs: the poison of the models looks for it in their scenarios.",
        ],
    },
    Words {
        theorem: Theorem::Conservation,
        also: &["A fate for each packet and a place for each that was queued; the destructor frees what no reader took."],
        open: &["Data races on packets, for any number of CPUs: loom and the explorer look for them in their scenarios."],
    },
    Words {
        theorem: Theorem::Order,
        also: &["A CPU's packets are pushed one after the other, on one node, so that the order of a node's pushes is that of each CPU."],
        open: &[],
    },
    Words {
        theorem: Theorem::Accounting,
        also: &["`cargo conform`: rmem_alloc, fwd_alloc and pages of the core are those of a live 6.18 kernel after each of a million steps, on one thread ([kernel.md](kernel.md))."],
        open: &["Pages that other sockets charge: the proof lets every charge fail or succeed."],
    },
    Words {
        theorem: Theorem::DropCount,
        also: &["`cargo conform` compares drops and stamps with the live kernel."],
        open: &["Any number of CPUs: there is no proof of it."],
    },
    Words {
        theorem: Theorem::NoLostWakeup,
        also: &[
            "What is proved is the repair `BothQueues`: a reader looks at both queues before it sleeps, and a dequeued packet leaves the reader queue's length last, after the splice. An earlier version of the core lowered the length at once. The proof found that out (`bugs/lower-the-length-at-once`): `walks/a-length-lowered-at-once-hides-a-packet` is an execution of three CPUs and three packets at whose end a reader sleeps beside a packet, and a schedule made from it played on the core as it was. 7,500,000 sampled executions of that very scenario had not found it, and the explorer's scenarios of sleeping readers are smaller.",
            "Linux 6.18 looks at one queue: `walks/the-kernel-sleeps-beside-a-packet`; on the code it is finding H6.",
        ],
        open: &["The dead socket (`orphan`), which wakes everybody; busy readers.", "Load buffering and stale loads: the fences are in the model as the order of steps."],
    },
    Words {
        theorem: Theorem::DeferredFree,
        also: &[],
        open: &["Any number of CPUs: there is no proof of it."],
    },
    Words {
        theorem: Theorem::Progress,
        also: &[],
        open: &["Any number of CPUs: there is no proof of it; a push's retries are not steps of the model."],
    },
    Words {
        theorem: Theorem::Refinement,
        also: &["The spec is `src/spec/`; every execution of the node queues in the four worlds is replayed against it, with each CPU's steps in their order. The exact search (`cargo prove overshoot`) walks the same machine, and its maxima are shown on the code."],
        open: &["The three reductions of the search (moves of several steps, symmetry of CPUs, refused packets left out) are argued where they are made, not proved; memory, drops and stamps are not part of it.", "That this machine and the model of the SMT proofs agree: they are two, and nothing but their readers compares them.", "An execution of real threads for which no order was found in 50,000 steps of a search says nothing.", "Where loads may be stale, a load may find any value since the CPU's own last access: coherence, and no more."],
    },
];

const HEAD: &str = "\
<!-- Made by `cargo prove ledger`. -->
# What is known, and how

Each theorem below was looked at in several ways, which do not show the same thing. This page says which way
covers what, under which memory model and bounds, and what no way covers. [kernel.md](kernel.md) tells what of
the core was compared with the live kernel.

## In five minutes

1. **The code that is checked is the code that is used.** The explorer, loom, shuttle and real threads run
   `core/` itself. They are bounded: small scenarios, or samples.
2. **The proofs are about a model of it**, for any number of CPUs, nodes and packets of any size, under
   sequential consistency. The model is three tables in `src/smt/`: what there is (`queue.rs`), what CPUs do
   (`steps.rs`, `bounds.rs`), what is always true. `sleep.rs` is a second, smaller one for sleeping readers.
   Its actions bear the names of the core's `Step`s. Read `steps.rs` beside `core/src/enqueue.rs`.
3. **Each condition is a file** in `smt/`, free of quantifiers, that you can give to any solver. `cargo prove`
   asks z3 and cvc5, and demands the same answer of both.
4. **It can fail.** Seeded bugs of the model break the clauses that they should and no others; every step can be
   taken from a state in which all clauses hold; walks lead from the first state to the states that matter.
5. **What links model and code** is said [below](#what-links-the-model-and-the-code), and so is
   [what has to be trusted](#what-has-to-be-trusted).

What the words mean: *proved* is a complete exploration of a scenario's executions, or a proof; *holds* is
sampled or bounded, and nothing was found; *truncated* came to its limit; *refuted* has a witness.

";

const TAIL: &str = "\
## What links the model and the code

Nothing here was generated from the Rust code. A reader has to agree that:

- **Steps are as fine as they need to be.** A step of the model makes at most one access to a word that others
  read or write without a lock: the two loads of admission, the node counter's addition, the successful push, the
  take-all, the addition to rmem_alloc, its subtraction, the last subtraction. What is only seen under a lock
  goes with the lock's holder. A push that is tried again is no step: its failed exchange changes nothing.
- **Loads read the newest value**, and fences order what they stand between: sequential consistency. That
  weaker orderings suffice is what the explorer (RC11) and loom check, in their scenarios. The bounds are false
  without this assumption.
- **A CPU is one call.** CPUs have a fixed node and do one thing at a time. A thread that enqueues on two nodes
  is two of them, so the proofs hold for it; it counts twice in C.
- **A lock** lets one in. `mem_info` and `is_readable` take locks and change nothing; they are left out. The
  drop counters are left out.
- **Charging pages** is one step: charged and, if refused, taken back, which the socket itself cannot see, since
  it holds its lock. Pages may be refused at any time.
- **Sizes are mathematical integers**, positive for packets.
- **The grace period** is a guard: the destructor starts when no CPU is inside.
- **Admission by an arbitrary rule**: every clause but those of the bounds is proved for the steps of all three
  policies at once.

A check of the core's executions against an abstract machine, step by step, is not part of these proofs.

## What has to be trusted

- The tables are what is meant. They are about as long as the code they mirror.
- The generator (`src/smt/system.rs`): that the file of a clause and a step has the right premises. What it
  assumes in each file is written there in full.
- Instances: a clause is used for the terms that are listed with it. Too few lose a proof; they cannot make one.
- The argument that base, step and one more clause make an invariant; sums over CPUs by the lemmas in
  `smt/lemmas/`, each with its induction, whose premises are conditions too.
- z3 and cvc5 are not both wrong in the same way.

## What nobody has checked

- LKMM itself: no herd, no GenMC. The kernel's orderings are mapped to C11 by hand (`core/src/ordering.rs`).
- Load buffering.
- Interrupts and preemption inside a step, memory cgroups, the per-CPU page reserve.
- Anything on more than two cores, or on more than one NUMA node of hardware.
- Compilers and processors.
";

/// The page.
///
/// # Errors
/// The manifest cannot be read.
pub fn ledger() -> Result<String, String> {
    let manifest = Manifest::load(&Manifest::path())?;
    let conditions = conditions();
    let cases = cases(Tier::Quick);
    let mut page = HEAD.to_owned();
    for words in WORDS {
        section(&mut page, words, &manifest, &cases, &conditions);
    }
    page += TAIL;
    Ok(page)
}

fn section(
    page: &mut String,
    words: &Words,
    manifest: &Manifest,
    cases: &[Case],
    conditions: &[Condition],
) {
    let theorem = words.theorem;
    let _ = writeln!(page, "## `{theorem}`\n\n{}\n", theorem.statement());
    let _ = writeln!(
        page,
        "| by | memory model | of what | executions or conditions | result |"
    );
    let _ = writeln!(page, "|---|---|---|---|---|");
    for ((world, model, expected), seen) in runs(theorem, manifest, cases) {
        let executions = if world == "threads" {
            "not pinned".to_owned()
        } else {
            seen.executions.to_string()
        };
        let _ = writeln!(
            page,
            "| {world} | {model} | {} scenarios, to {} nodes, {} CPUs, {} packets | {executions} | {expected} |",
            seen.scenarios, seen.nodes, seen.cpus, seen.packets
        );
    }
    let name = theorem.name();
    let result = match theorem {
        Theorem::NoLostWakeup => {
            "proved, of readers that look at both queues (`BothQueues`); the kernel's look at one"
        }
        _ => "proved",
    };
    let proofs = conditions
        .iter()
        .filter(|c| c.part == Part::Theorem && c.theorem == name);
    let proofs = proofs.count();
    if proofs != 0 {
        let _ = writeln!(
            page,
            "| z3 and cvc5 | SC | the model, any number of CPUs, nodes and packets, any sizes | {proofs} | {result} |"
        );
        let _ = writeln!(page, "\nThe proof's clauses, each true at first and kept by every step, or implied by the others:\n");
        for (clause, says) in clauses(name) {
            let _ = writeln!(page, "- `{clause}`: {says}");
        }
        let broken: BTreeMap<_, Vec<_>> = broken(name, conditions);
        if !broken.is_empty() {
            let _ = writeln!(page, "\nSeeded bugs of the model that break them:\n");
            for (bug, clauses) in broken {
                let clauses: Vec<_> = clauses.iter().map(|c| format!("`{c}`")).collect();
                let _ = writeln!(page, "- `{bug}`: {}", clauses.join(", "));
            }
        }
    }
    if !words.also.is_empty() {
        let _ = writeln!(page, "\nTo this belongs:\n");
        for line in words.also {
            let _ = writeln!(page, "- {line}");
        }
    }
    if !words.open.is_empty() {
        let _ = writeln!(page, "\nNot checked:\n");
        for line in words.open {
            let _ = writeln!(page, "- {line}");
        }
    }
    page.push('\n');
}

#[derive(Default)]
struct Seen {
    scenarios: usize,
    nodes: usize,
    cpus: usize,
    packets: usize,
    executions: u64,
}

/// What the quick tier expects of a theorem, by world, model and verdict.
fn runs(
    theorem: Theorem,
    manifest: &Manifest,
    cases: &[Case],
) -> BTreeMap<(String, String, String), Seen> {
    let mut runs: BTreeMap<_, Seen> = BTreeMap::new();
    let of = |case: &&Case| applies(theorem, case.world) && concerns(theorem, &case.scenario);
    for case in cases.iter().filter(of) {
        let executions = manifest.executions(Tier::Quick, case);
        let world = case.world.name();
        let scenario = &case.scenario;
        let model = if world == "threads" {
            "the machine's".to_owned()
        } else {
            case.world.model()
        };
        let verdict = match manifest.expected(Tier::Quick, case, theorem) {
            Some(Verdict::Refuted) => format!("refuted in `{}`, as expected", scenario.name),
            Some(verdict) => verdict.to_string(),
            None if world == "threads" => Verdict::Holds.to_string(),
            None => "not pinned: nothing is claimed".to_owned(),
        };
        let seen = runs.entry((world.to_owned(), model, verdict)).or_default();
        seen.scenarios += 1;
        seen.nodes = seen.nodes.max(scenario.nodes);
        seen.cpus = seen.cpus.max(scenario.cpus.len());
        seen.packets = seen.packets.max(scenario.packets());
        seen.executions += executions;
    }
    runs
}

/// The seeded bugs that break a clause of the theorem.
fn broken<'a>(theorem: &str, conditions: &'a [Condition]) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut broken: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let bugs = conditions
        .iter()
        .filter(|c| c.part == Part::Bug && !c.unsat);
    for bug in bugs.filter(|bug| bug.theorem == theorem) {
        let mut parts = bug.name.split('/').skip(1);
        let (Some(name), Some(pair)) = (parts.next(), parts.next()) else {
            continue;
        };
        let clause = pair.split("--").next().unwrap_or(pair);
        let of_bug = broken.entry(name).or_default();
        if !of_bug.contains(&clause) {
            of_bug.push(clause);
        }
    }
    broken
}
