// SPDX-License-Identifier: MIT OR Apache-2.0

//! The refinement check can fail: every kind of step, corrupted in a good execution, is refused by the
//! spec, and so is what a broken core does.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{outcome, scenario, SHUTTLE, THREADS};
use prodq::{DropReason, LockName, Site, SkbId, Step};
use prodq_models::catalog::scenarios;
use prodq_models::fault::Fault;
use prodq_models::scenario::{Op, Scenario};
use prodq_models::theorem::{refines, Theorem};
use prodq_models::world::{Job, World};
use prodq_models::{Event, What};

/// Declares the kinds of steps and, for each, how its fields are told wrongly. A step that is not listed
/// does not compile.
macro_rules! kinds {
    ($($kind:ident { $($field:ident),* },)*) => {
        /// Every kind of step.
        const KINDS: &[&str] = &[$(stringify!($kind),)*];

        fn kind(step: Step) -> &'static str {
            match step { $(Step::$kind { .. } => stringify!($kind),)* }
        }

        /// The step with one of its fields changed, for each field.
        fn wrong_values(step: Step) -> Vec<Step> {
            match step {
                $(Step::$kind { $($field: _),* } => vec![$({
                    let mut changed = step;
                    if let Step::$kind { $field, .. } = &mut changed {
                        *$field = $field.wrong();
                    }
                    changed
                }),*],)*
            }
        }
    };
}

kinds! {
    ReadRmem { value },
    ReadNode { node, value },
    Refuse { node, skb, size, reason },
    Condense { skb, from, to },
    ChargeSock { skb, size, old },
    UnchargeSock { skb, size, old },
    Charge { node, skb, size, old },
    Retry { skb },
    Push { node, skb, was_empty },
    ReadDrops { value },
    Lock { lock },
    TakeAll { node, empty },
    ChargePages { pages, old },
    ReadPressure { value },
    UnchargePages { pages, old },
    Queue { skb, dropcount },
    NoMemory { skb },
    AddRmem { size, old },
    Unlock { lock, forward_alloc },
    Free { skb, reason },
    AddDrops { slot, count, old },
    Uncharge { node, size, old },
    Dequeue { skb },
    Peek { skb },
    Empty {},
    HoldBack { deficit },
    SubRmem { size, old },
    Splice { count },
    Len { queue, by, old },
    Sleepers { by, old },
    Sleep {},
    Awake { woken },
    Wake { woken },
    Orphan {},
    DeferCount { owner, node, old },
    DeferFull { owner, node, skb },
    Defer { owner, node, skb, was_empty },
    DeferReset { owner, node, old },
    DeferTake { owner, node },
    SetRcvbuf { from, to },
    SetThreshold { to },
    Init { nodes },
    Destruct {},
    FreeNodes {},
    Destructed { forward_alloc },
    Publish { slot },
    LookUp { slot, found },
    Unpublish { slot },
}

/// A value that is not this one.
trait Wrong {
    fn wrong(&self) -> Self;
}

macro_rules! wrong {
    ($($type:ty: $this:ident => $wrong:expr;)*) => {
        $(impl Wrong for $type {
            fn wrong(&self) -> Self {
                let $this = *self;
                $wrong
            }
        })*
    };
}

wrong! {
    i32: this => this + 1;
    u32: this => this + 1;
    isize: this => this + 1;
    usize: this => this + 1;
    bool: this => !this;
    SkbId: this => SkbId(this.0 + 1);
    LockName: this => match this {
        LockName::Reader => LockName::Receive,
        LockName::Busy | LockName::Receive => LockName::Reader,
    };
    DropReason: this => match this {
        DropReason::RcvbufFull => DropReason::ProtoMem,
        DropReason::ProtoMem => DropReason::Closed,
        DropReason::Closed => DropReason::RcvbufFull,
    };
}

/// Steps of the designs before the patch, which the spec does not tell.
const BEFORE: &[&str] = &["ChargeSock", "UnchargeSock"];

/// How a step is corrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Corruption {
    /// One of its fields is another.
    Wrong,
    /// It is made twice.
    Doubled,
    /// It is left out.
    Dropped,
    /// It changes places with the CPU's step before it.
    Swapped,
}

/// What the spec leaves open, kind by kind, and why.
const OPEN: &[(&str, Corruption, &str)] = &[
    ("Awake", Corruption::Wrong, "a sleep may be interrupted"),
    ("Empty", Corruption::Swapped, "with the unlock it is a peek"),
    ("Unlock", Corruption::Swapped, "with `Empty` it is a peek"),
    ("LookUp", Corruption::Doubled, "it changes nothing"),
    ("LookUp", Corruption::Dropped, "it changes nothing"),
    ("Orphan", Corruption::Doubled, "a dead socket stays dead"),
    (
        "Orphan",
        Corruption::Dropped,
        "a caller may close without it",
    ),
    ("Orphan", Corruption::Swapped, "the table is no part of it"),
    ("Unpublish", Corruption::Swapped, "with `Orphan`"),
    (
        "ReadDrops",
        Corruption::Doubled,
        "anybody may ask for the figures",
    ),
    (
        "ReadDrops",
        Corruption::Dropped,
        "anybody may ask for the figures",
    ),
    (
        "ReadDrops",
        Corruption::Swapped,
        "anybody may ask for the figures",
    ),
    ("Retry", Corruption::Dropped, "it changes nothing"),
    (
        "SetRcvbuf",
        Corruption::Wrong,
        "the limit is the caller's, up to a quarter",
    ),
    (
        "Wake",
        Corruption::Doubled,
        "whom a drain wakes is left to the wait queue",
    ),
    (
        "Wake",
        Corruption::Dropped,
        "whom a drain wakes is left to the wait queue",
    ),
    (
        "Wake",
        Corruption::Wrong,
        "whom a drain wakes is left to the wait queue",
    ),
];

/// Scenarios that together make every kind of step.
fn rich() -> Vec<Scenario> {
    let names = [
        "two-cpus-two-packets",
        "two-nodes",
        "reader-apart",
        "two-readers",
        "stamps",
        "two-nodes-stamps",
        "condense",
        "memory-pressure",
        "memory-minimum",
        "left-queued",
        "open",
        "close",
        "resize",
        "sleep",
        "sleep-two-packets",
        "sleep-close",
        "free-list",
        "free-list-repaired",
        "overshoot-1x2-at-2-node-first",
        "overshoot-2x1-at-2-all-nodes",
    ];
    let mut all: Vec<_> = names.into_iter().map(scenario).collect();
    all.push(Scenario {
        condense_to: Some(50),
        ..Scenario::new("condensed", 1, 500)
            .cpu(0, [Op::Offer(300), Op::Offer(100)])
            .cpu(0, [Op::Offer(100)])
    });
    // A threshold that holds the release of a packet back.
    let packets = [Op::Offer(100); 3];
    all.push(
        Scenario::new("hold-back", 1, 1000)
            .cpu(0, packets)
            .cpu(0, [Op::Recv; 3]),
    );
    all
}

/// Good executions, under sequential consistency.
fn recordings(scenario: &Scenario) -> Vec<Vec<Event>> {
    let world = World::Shuttle {
        seed: 618,
        executions: 8,
    };
    let mut job = Job::new(scenario.clone(), world, &[Theorem::Refinement]);
    job.keep = true;
    let outcome = outcome(&job);
    assert!(outcome.findings.is_empty(), "{}", scenario.name);
    outcome.kept
}

fn is_refused(scenario: &Scenario, events: &[Event]) -> bool {
    refines(scenario, events, SHUTTLE).is_err()
}

/// All ways to corrupt the event of this index.
fn corruptions(events: &[Event], index: usize, step: Step) -> Vec<(Corruption, Vec<Event>)> {
    let mut all = Vec::new();
    for wrong in wrong_values(step) {
        let mut events = events.to_vec();
        events[index].what = What::Step(wrong);
        all.push((Corruption::Wrong, events));
    }
    let mut doubled = events.to_vec();
    doubled.insert(index, events[index]);
    all.push((Corruption::Doubled, doubled));
    let mut dropped = events.to_vec();
    dropped.remove(index);
    all.push((Corruption::Dropped, dropped));
    let cpu = events[index].cpu;
    let before = events[..index].iter().rposition(|event| event.cpu == cpu);
    if let Some(before) = before {
        let neighbour = events[before].what;
        if matches!(neighbour, What::Step(other) if other != step) {
            let mut swapped = events.to_vec();
            swapped[before].what = events[index].what;
            swapped[index].what = neighbour;
            all.push((Corruption::Swapped, swapped));
        }
    }
    all
}

#[test]
fn every_kind_of_step_is_refused_when_it_is_corrupted() {
    let mut seen = BTreeSet::new();
    // How many of each kind and corruption were refused and accepted.
    let mut counts: BTreeMap<(&str, Corruption), [usize; 2]> = BTreeMap::new();
    for scenario in rich() {
        for events in recordings(&scenario) {
            for (index, event) in events.iter().enumerate() {
                let What::Step(step) = event.what else {
                    continue;
                };
                seen.insert(kind(step));
                for (corruption, events) in corruptions(&events, index, step) {
                    let accepted = !is_refused(&scenario, &events);
                    let count = counts.entry((kind(step), corruption)).or_default();
                    count[usize::from(accepted)] += 1;
                }
            }
        }
    }
    let of_the_patch = |kind: &&str| !BEFORE.contains(kind);
    let all: BTreeSet<_> = KINDS.iter().copied().filter(of_the_patch).collect();
    assert_eq!(seen, all, "every kind of step is recorded");
    let accepted: BTreeSet<_> = counts
        .iter()
        .filter(|(_, [_, accepted])| *accepted != 0)
        .map(|(key, _)| *key)
        .collect();
    let open: BTreeSet<_> = OPEN.iter().map(|(kind, how, _)| (*kind, *how)).collect();
    assert_eq!(
        accepted, open,
        "what the spec leaves open is what the table says"
    );
}

/// A broken core is refused, in the words of the step that the spec does not allow.
#[test]
fn a_broken_core_does_not_refine_the_spec() {
    let omitted = [
        ("two-cpus", Site::Charge),
        ("two-cpus", Site::AddRmem),
        ("two-cpus", Site::Uncharge),
        ("reader", Site::SubRmem),
        ("reader", Site::ChargePages),
        ("left-queued", Site::UnchargePages),
        ("full-buffer", Site::AddDrops),
    ];
    let omitted = omitted.map(|(name, site)| (name, Fault::omit(site)));
    let others = [
        ("two-cpus", Fault::ChargeAfterPush),
        ("two-cpus", Fault::TakeBeforeLock),
        ("two-cpus-two-packets", Fault::NoReversal),
        ("two-cpus", Fault::BlindPush),
        ("two-cpus", Fault::SpuriousRetry),
    ];
    for (name, fault) in omitted.into_iter().chain(others) {
        for world in [SHUTTLE, THREADS] {
            // What only some interleavings show need not be seen on real threads, and whether a push
            // was retried for nothing cannot be.
            let rare = matches!(
                fault,
                Fault::NoReversal | Fault::BlindPush | Fault::SpuriousRetry
            );
            if world == THREADS && rare {
                continue;
            }
            let theorems = [Theorem::Refinement];
            let job = Job::new(scenario(name), world, &theorems).with_fault(fault.clone());
            let found = outcome(&job).findings;
            let what = &found[&Theorem::Refinement].what;
            assert!(what.contains("the spec does not allow"), "{what}");
        }
    }
}

#[test]
fn every_scenario_of_the_catalog_refines_the_spec() {
    for scenario in scenarios().into_iter().filter(|it| it.baseline.is_none()) {
        for world in [
            World::Shuttle {
                seed: 618,
                executions: 20,
            },
            World::Threads { executions: 20 },
        ] {
            let job = Job::new(scenario.clone(), world, &[Theorem::Refinement]);
            let outcome = outcome(&job);
            common::assert_nothing_found(&job, &outcome);
            assert!(outcome.steps > 0, "{}", job.scenario.name);
        }
    }
}

/// Real threads write their steps down a little later than they make them: a take before a push that it
/// took along, for one.
#[test]
fn an_order_is_found_whatever_the_order_of_the_records() {
    for name in ["two-cpus", "two-cpus-two-packets", "close", "reader-apart"] {
        let scenario = scenario(name);
        for events in recordings(&scenario) {
            let mut of_cpu_1_first = events.clone();
            of_cpu_1_first.sort_by_key(|event| std::cmp::Reverse(event.cpu));
            for (ticket, event) in of_cpu_1_first.iter_mut().enumerate() {
                event.ticket = ticket as u64;
            }
            let found = refines(&scenario, &of_cpu_1_first, THREADS);
            assert!(found.is_ok(), "{name}: {found:?}");
        }
    }
}
