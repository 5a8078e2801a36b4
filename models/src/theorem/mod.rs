// SPDX-License-Identifier: MIT OR Apache-2.0

//! The theorems, one file each. A monitor is told every event together with the ledger as it was
//! before it, and once more at the end.

mod accounting;
mod admitted;
mod bounded_overshoot;
mod conservation;
mod deferred_free;
mod drop_count;
mod memory;
mod no_lost_wakeup;
mod no_stranding;
mod order;
mod progress;
mod questions;
mod refinement;
mod release_on_destruct;

use serde::{Deserialize, Serialize};

use crate::context::{Event, What};
use crate::coverage::{Seen, Watch};
use crate::ledger::Ledger;
use crate::scenario::Scenario;
use crate::world::World;

pub use self::refinement::{design, refines};

/// Watches one execution for one theorem. What it returns is what broke it.
pub trait Monitor {
    /// An event, and the ledger before it.
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String>;
    /// The end of the execution.
    fn end(&mut self, ledger: &Ledger) -> Result<(), String>;
}

macro_rules! theorems {
    (
        theorems { $($theorem:ident, $name:literal, $monitor:path, $statement:literal;)* }
        questions { $($question:ident, $asked:literal, $watch:path, $answer:literal;)* }
    ) => {
        /// A theorem, or a question about the kernel's design.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Theorem {
            $(#[doc = $statement] $theorem,)*
            $(#[doc = $answer] $question,)*
        }

        impl Theorem {
            /// All theorems.
            pub const ALL: &'static [Theorem] = &[$(Theorem::$theorem,)*];
            /// What is asked about the kernel's design and is no theorem; see `findings.rs`.
            pub const QUESTIONS: &'static [Theorem] = &[$(Theorem::$question,)*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Theorem::$theorem => $name,)*
                    $(Theorem::$question => $asked,)*
                }
            }

            /// What it says, in one sentence.
            pub fn statement(self) -> &'static str {
                match self {
                    $(Theorem::$theorem => $statement,)*
                    $(Theorem::$question => $answer,)*
                }
            }

            /// A monitor for one execution of a scenario.
            pub fn monitor(self, scenario: &Scenario) -> Box<dyn Monitor> {
                match self {
                    $(Theorem::$theorem => Box::new(<$monitor>::new(scenario)),)*
                    $(Theorem::$question => Box::new(<$watch>::new(scenario)),)*
                }
            }
        }
    };
}

theorems! {
    theorems {
        NoStranding, "no-stranding", no_stranding::NoStranding,
            "While a node's list is non-empty exactly one CPU of that node is elected and has not yet taken the list; when no CPU is inside enqueue every list is empty.";
        BoundedOvershoot, "bounded-overshoot", bounded_overshoot::BoundedOvershoot,
            "rmem_alloc never exceeds the policy's bound, (K + 1) max(B, s) + (2 C - K) s in the kernel's order, for K nodes, C producers, rcvbuf B and packets of at most s bytes, given loads that are not stale; where the exact value is known, never that. A packet is admitted by what its CPU read, its own node's counter included, and condensed when that is above half of rcvbuf.";
        ReleaseOnDestruct, "release-on-destruct", release_on_destruct::ReleaseOnDestruct,
            "After close and the grace period every packet and the node queues were freed exactly once, rmem_alloc, forward_alloc and charged pages are zero, and nothing was touched after it was freed.";
        Conservation, "conservation", conservation::Conservation,
            "Every packet offered is delivered exactly once or dropped exactly once with a reason that it has, and is handed over without a data race; a reader that finds nothing, or only looks, is told the truth.";
        Order, "order", order::Order,
            "Packets of one CPU, and of one node in the order of their pushes, are delivered in that order.";
        Accounting, "accounting", accounting::Accounting,
            "No counter is ever negative; a node's counter is the bytes charged and not yet handed over; with the lock held charged pages times page size are forward_alloc + rmem_alloc; a policy that reads the node's counter first finds what left it in the socket's; pages are charged as needed and allowed; what is dequeued is released, later only while less than a quarter of rcvbuf is due and more packets are at hand.";
        DropCount, "drop-count", drop_count::DropCount,
            "offered = delivered + queued + dropped, by reason; drop-count stamps never decrease on one socket, and are 0 where nobody asked for them; each drop is counted on its own node's half.";
        NoLostWakeup, "no-lost-wakeup", no_lost_wakeup::NoLostWakeup,
            "A reader never sleeps while a packet is queued for it: when every CPU has finished or waits, no reader is asleep, and a drain of m packets wakes min(m, sleepers).";
        DeferredFree, "deferred-free", deferred_free::DeferredFree,
            "A packet handed to another CPU's free list is freed exactly once, from the list it was put on, and a list that is empty accepts the next one; it is full at its limit and not before.";
        Progress, "progress", progress::Progress,
            "A push is retried at most once for each push or take-all of another CPU on that node; a CPU that is not elected returns without waiting, whoever holds the lock; the elected one waits for nothing but the lock, frees and wakes nobody while it holds it, and wakes no more readers than it queued packets.";
        Refinement, "refinement", refinement::Refinement,
            "Every step is one that the spec allows where it is made.";
    }
    questions {
        NoNeedlessDrop, "no-needless-drop", questions::NoNeedlessDrop,
            "A packet is refused only if, at some moment of its admission, it did not fit beside what the socket held.";
        MemoryMinimum, "memory-minimum", questions::MemoryMinimum,
            "Under memory pressure a packet is queued only while its socket holds less than rmem_min bytes.";
        NoHiddenPacket, "no-hidden-packet", questions::NoHiddenPacket,
            "A reader finds every packet whose enqueue has returned.";
        OrderOfCpu, "order-of-cpu", questions::OrderOfCpu,
            "Packets of one CPU are delivered in the order in which it offered them.";
        HonestReturn, "honest-return", questions::HonestReturn,
            "An enqueue whose own packet was dropped says so.";
    }
}

impl std::fmt::Display for Theorem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Theorem {
    type Err = String;

    fn from_str(name: &str) -> Result<Theorem, String> {
        let found = Theorem::ALL
            .iter()
            .find(|theorem| theorem.name() == name)
            .copied();
        found.ok_or_else(|| {
            let names: Vec<_> = Theorem::ALL.iter().map(|theorem| theorem.name()).collect();
            format!("the theorems are {}", names.join(", "))
        })
    }
}

/// What broke a theorem, and with which event: the event's index, or the number of events at the end.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The theorem.
    pub theorem: Theorem,
    /// What was wrong.
    pub what: String,
    /// How many events it takes to see it.
    pub events: usize,
}

/// What the theorems say of an execution.
pub struct Judgement {
    /// At most one violation a theorem, the first.
    pub violations: Vec<Violation>,
    /// The ledger at the end.
    pub ledger: Ledger,
    /// What the execution has shown.
    pub(crate) seen: Seen,
}

/// Shows the events of a finished execution to the monitors of `theorems`.
pub fn judge(
    scenario: &Scenario,
    theorems: &[Theorem],
    events: &[Event],
    world: World,
) -> Judgement {
    let mut ledger = Ledger::new(scenario, world.is_linear());
    ledger.newest = world.finds_newest();
    let mut watch = Watch::new(scenario, world.is_linear());
    let mut violations = Vec::new();
    let mut monitors: Vec<_> = theorems
        .iter()
        .map(|&theorem| (theorem, theorem.monitor(scenario)))
        .collect();
    for (index, event) in events.iter().enumerate() {
        monitors.retain_mut(|(theorem, monitor)| {
            let Err(what) = monitor.event(&ledger, event) else {
                return true;
            };
            violations.push(Violation {
                theorem: *theorem,
                what,
                events: index + 1,
            });
            false
        });
        watch.event(&ledger, event);
        ledger.enter(event, scenario);
    }
    let seen = watch.seen();
    // Where a CPU was stopped in the middle, nothing else can be asked of the end.
    let stopped = |event: &Event| {
        matches!(
            event.what,
            What::TouchedFreed { .. } | What::DataRace { freeing: false, .. } | What::Stuck
        )
    };
    if events.iter().any(stopped) {
        return Judgement {
            violations,
            ledger,
            seen,
        };
    }
    for (theorem, mut monitor) in monitors {
        if let Err(what) = monitor.end(&ledger) {
            violations.push(Violation {
                theorem,
                what,
                events: events.len(),
            });
        }
    }
    Judgement {
        violations,
        ledger,
        seen,
    }
}

/// An error unless `holds`.
fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(what())
    }
}
