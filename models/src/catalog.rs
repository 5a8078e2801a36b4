// SPDX-License-Identifier: MIT OR Apache-2.0

//! The scenarios that are always played, and how much of them in each tier.

use serde::{Deserialize, Serialize};

use crate::design::{Baseline, Policy, Repair};
use crate::scenario::{Op, Scenario};
use crate::theorem::Theorem;
use crate::world::{MemoryModel, World};

use Op::{Busy, Close, Defer, Flush, Offer, Open, Peek, Recv, SetRcvbuf, Wait};

/// How long a verification may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Under a minute on two cores.
    Quick,
    /// Under a quarter of an hour.
    Full,
    /// As long as it takes.
    Deep,
}

impl Tier {
    /// The explorer's limit for one scenario, in executions.
    fn explore_limit(self) -> u64 {
        match self {
            Tier::Quick => 300_000,
            Tier::Full => 1_000_000,
            Tier::Deep => u64::MAX,
        }
    }

    /// Loom's limit for one scenario, in executions.
    fn loom_limit(self) -> u64 {
        match self {
            Tier::Quick => 12_000,
            Tier::Full => 100_000,
            Tier::Deep => u64::MAX - 1,
        }
    }

    /// Executions of each of shuttle's schedulers.
    fn shuttle(self) -> u64 {
        match self {
            Tier::Quick => 1_500,
            Tier::Full => 50_000,
            Tier::Deep => 2_000_000,
        }
    }

    /// Executions on real threads.
    fn threads(self) -> u64 {
        match self {
            Tier::Quick => 300,
            Tier::Full => 10_000,
            Tier::Deep => 500_000,
        }
    }
}

/// The seed of shuttle's schedulers.
pub const SEED: u64 = 618;

/// One scenario in one world.
#[derive(Clone, Debug)]
pub struct Case {
    /// The scenario.
    pub scenario: Scenario,
    /// The world.
    pub world: World,
}

/// The theorems that a world can be asked about: a bound on `rmem_alloc` is stated for loads that are
/// not stale, and C11 alone gives none.
pub fn applies(theorem: Theorem, world: World) -> bool {
    let stale = matches!(
        world,
        World::Loom {
            newest_loads: false,
            ..
        } | World::Explore {
            memory: MemoryModel::Rc11,
            ..
        }
    );
    theorem != Theorem::BoundedOvershoot || !stale
}

/// Whether a scenario has what the theorem is about.
pub fn concerns(theorem: Theorem, scenario: &Scenario) -> bool {
    match theorem {
        Theorem::NoLostWakeup => scenario.sleeps(),
        Theorem::DeferredFree => !scenario.owners().is_empty(),
        Theorem::Progress => true,
        // The spec is of the patch, not of what it replaced.
        Theorem::Refinement => scenario.baseline.is_none(),
        // The designs before the patch have no lists.
        Theorem::NoStranding if scenario.baseline.is_some() => false,
        // Where a lock is held for ever nothing comes to its end.
        _ => !scenario.lock_held,
    }
}

const SMALL: u32 = 100;
const PAGE: u32 = 4096;

/// The scenarios, by name.
pub fn scenarios() -> Vec<Scenario> {
    let scenario = Scenario::new;
    let one = [Offer(SMALL)];
    let two = [Offer(SMALL), Offer(SMALL)];
    let mut all = vec![
        scenario("two-cpus", 1, 250).cpus_on_each_node(2, &one),
        scenario("two-cpus-two-packets", 1, 250).cpus_on_each_node(2, &two),
        scenario("three-cpus", 1, 250).cpus_on_each_node(3, &one),
        scenario("order-of-one-cpu", 1, 10 * SMALL)
            .cpu(0, one)
            .cpu(0, two),
        scenario("two-nodes", 2, 250).cpus_on_each_node(1, &two),
        scenario("two-nodes-four-cpus", 2, 250).cpus_on_each_node(2, &one),
        scenario("reader", 1, 250)
            .cpu(0, [Offer(SMALL), Recv])
            .cpu(0, one),
        scenario("reader-apart", 1, 250)
            .cpu(0, two)
            .cpu(0, [Recv, Recv]),
        scenario("two-readers", 1, 400)
            .cpu(0, two)
            .cpu(0, [Recv, Peek])
            .cpu(0, [Peek, Recv]),
        scenario("full-buffer", 1, SMALL).cpus_on_each_node(2, &two),
        scenario("overshoot", 1, 2 * SMALL).cpus_on_each_node(2, &[Offer(SMALL); 3]),
        scenario("oversize", 1, SMALL)
            .cpu(0, [Offer(10 * SMALL)])
            .cpu(0, [Offer(10 * SMALL)]),
        scenario("tiny-rcvbuf", 1, 1).cpus_on_each_node(2, &one),
        scenario("resize", 1, 250)
            .cpu(0, two)
            .cpu(0, [SetRcvbuf(50), Recv]),
        scenario("open", 1, 250)
            .cpu(0, [Open])
            .cpu(0, [Offer(SMALL), Recv]),
        scenario("open-close", 1, 250)
            .cpu(0, [Open])
            .cpu(0, [Close]),
        scenario("close", 1, 250).cpu(0, one).cpu(0, [Close]),
        scenario("close-two-producers", 1, 250)
            .cpu(0, one)
            .cpu(0, [Offer(SMALL), Close]),
        scenario("close-twice", 1, 250)
            .cpu(0, [Offer(SMALL), Close])
            .cpu(0, [Recv, Close]),
    ];
    all.push(Scenario {
        rxq_ovfl: true,
        prefill: vec![SMALL],
        // Refused, then accepted; the other CPU's batch comes before or after.
        ..scenario("stamps", 1, 4 * SMALL)
            .cpu(0, [Offer(10 * SMALL), Offer(SMALL)])
            .cpu(0, one)
    });
    all.push(Scenario {
        rxq_ovfl: true,
        prefill: vec![SMALL],
        // A third CPU drops, which the first elected one learns only after its push.
        ..scenario("stamps-third-cpu", 1, 4 * SMALL)
            .cpu(0, [Offer(10 * SMALL)])
            .cpu(0, one)
            .cpu(0, one)
    });
    all.push(Scenario {
        rxq_ovfl: true,
        // The kernel samples the count before it takes the lock, so that the batches of two nodes can
        // be queued in the opposite order of their samples.
        ..scenario("two-nodes-stamps", 2, 4 * SMALL)
            .cpu(0, one)
            .cpu(1, [Offer(SMALL), Offer(10 * SMALL), Offer(SMALL)])
    });
    let repaired = all.last().cloned().map(|scenario| Scenario {
        name: "two-nodes-stamps-repaired".to_owned(),
        repair: Some(Repair::StampUnderLock),
        ..scenario
    });
    all.extend(repaired);
    all.push(Scenario {
        condense_to: Some(SMALL / 2),
        ..scenario("condense", 1, 4 * SMALL)
            .cpu(0, [Offer(5 * SMALL / 2), Recv])
            .cpu(0, [Offer(3 * SMALL / 2), Recv])
    });
    all.push(Scenario {
        mem_limits: Some([1, 2, 3]),
        rmem_min: 0,
        ..scenario("memory-pressure", 1, 10 * PAGE).cpus_on_each_node(2, &[Offer(PAGE)])
    });
    all.push(Scenario {
        mem_limits: Some([0, 1, 2]),
        rmem_min: PAGE,
        ..scenario("memory-minimum", 1, 10 * PAGE)
            .cpu(0, [Offer(PAGE), Offer(PAGE)])
            .cpu(0, [Offer(PAGE), Recv])
    });
    all.push(Scenario {
        leave_queued: true,
        ..scenario("left-queued", 1, 250)
            .cpu(0, [Offer(SMALL), Recv])
            .cpu(0, one)
    });
    all.push(Scenario {
        init_fails: true,
        ..scenario("init-fails", 1, 250).cpus_on_each_node(2, &[Offer(SMALL), Recv])
    });
    for (name, nodes, cpus) in [("lock-held", 1, 2), ("lock-held-two-nodes", 2, 2)] {
        all.push(Scenario {
            lock_held: true,
            ..scenario(name, nodes, 250).cpus_on_each_node(cpus, &two)
        });
    }
    all.extend(limits());
    all.extend(closes());
    all.extend(sleepers());
    all.extend(free_lists());
    all.extend(overshoot());
    all.extend(Baseline::ALL.into_iter().flat_map(before));
    all.push(flood());
    all
}

/// The edges of rcvbuf and of the release threshold.
fn limits() -> Vec<Scenario> {
    let scenario = Scenario::new;
    const LARGE: u32 = 1 << 30;
    vec![
        // The limit is reached to the byte, and what is left queued makes a sum of INT_MAX and a page that
        // is not quite used.
        Scenario {
            leave_queued: true,
            ..scenario("largest-rcvbuf", 1, i32::MAX as u32)
                .cpu(0, [Offer(LARGE), Offer(LARGE - 1), Offer(1)])
                .cpu(0, [Peek])
        },
        // So large a socket refuses what exceeds rcvbuf even when it is empty.
        Scenario {
            overshoot: Some(0),
            ..scenario("oversize-at-large-rcvbuf", 1, LARGE)
                .cpu(0, [Offer(LARGE + 1)])
                .cpu(0, [Recv])
        },
        // The release of two packets is held back until the socket dies.
        Scenario {
            leave_queued: true,
            ..scenario("held-back", 1, 10 * SMALL)
                .cpu(0, [Offer(SMALL), Offer(SMALL), Recv, Recv])
                .cpu(0, [Offer(SMALL)])
        },
        // A release refills the reader queue while there is something in it.
        scenario("refill", 1, 4 * SMALL)
            .cpu(0, [Offer(SMALL); 4])
            .cpu(0, [Recv]),
        // The larger limit lets a packet in, and a release be held back.
        scenario("resize-up", 1, 250)
            .cpu(
                0,
                [Offer(SMALL), SetRcvbuf(8 * SMALL), Offer(3 * SMALL), Recv],
            )
            .cpu(0, [Offer(SMALL)]),
        // Both nodes are looked at when the socket is more than half full and the packet still fits.
        Scenario {
            policy: Policy::AllNodes,
            ..scenario("all-nodes", 2, 3 * SMALL).cpus_on_each_node(1, &[Offer(SMALL); 3])
        },
    ]
}

/// A socket that is closed while producers and readers are at it.
fn closes() -> Vec<Scenario> {
    let scenario = Scenario::new;
    let one = [Offer(SMALL)];
    let mut all = vec![
        scenario("close-under-fire", 1, 10 * SMALL)
            .cpu(0, [Offer(SMALL), Close])
            .cpu(0, one)
            .cpu(0, [Recv])
            .cpu(0, [Recv]),
        scenario("close-under-fire-two-nodes", 2, 10 * SMALL)
            .cpu(0, [Close])
            .cpu(0, one)
            .cpu(1, one)
            .cpu(1, [Recv]),
        // A reader that sleeps is woken by the close.
        scenario("close-under-fire-asleep", 1, 10 * SMALL)
            .cpu(0, [Close])
            .cpu(0, one)
            .cpu(0, [Wait])
            .cpu(0, [Wait]),
    ];
    all.push(Scenario {
        init_fails: true,
        ..scenario("init-fails-close", 1, 250)
            .cpu(0, [Offer(SMALL), Close])
            .cpu(0, [Recv, Close])
            .cpu(0, one)
    });
    let mut fire = scenario("close-under-heavy-fire", 4, 20 * SMALL)
        .cpus_on_each_node(4, &[Offer(SMALL), Offer(2 * SMALL), Offer(SMALL)])
        .cpu(0, [Wait; 8])
        .cpu(1, [Wait; 8]);
    fire = fire.cpu(2, [Recv, Close]).cpu(3, [Recv, Recv, Close]);
    all.push(fire);
    all
}

/// Readers that sleep, in the kernel's design and with the repair of its sleep test.
fn sleepers() -> Vec<Scenario> {
    let scenario = Scenario::new;
    let one = [Offer(SMALL)];
    let two = [Offer(SMALL), Offer(SMALL)];
    let two_readers = |name: &str| {
        scenario(name, 1, 10 * SMALL)
            .cpu(0, two)
            .cpu(0, [Wait])
            .cpu(0, [Wait])
    };
    let repaired = |scenario: Scenario| Scenario {
        repair: Some(Repair::LookAtBothQueues),
        ..scenario
    };
    vec![
        scenario("sleep", 1, 250).cpu(0, one).cpu(0, [Wait]),
        scenario("sleep-two-packets", 1, 250)
            .cpu(0, two)
            .cpu(0, [Wait, Wait]),
        scenario("sleep-two-producers", 1, 10 * SMALL)
            .cpu(0, one)
            .cpu(0, one)
            .cpu(0, [Wait, Wait]),
        // What another reader has spliced does not keep a reader of the kernel's design awake.
        two_readers("sleep-two-readers"),
        repaired(two_readers("sleep-two-readers-repaired")),
        repaired(
            scenario("sleep-spliced-repaired", 1, 10 * SMALL)
                .cpu(0, [Offer(SMALL), Offer(SMALL), Recv])
                .cpu(0, [Wait]),
        ),
        repaired(
            scenario("sleep-batch", 1, 10 * SMALL)
                .cpu(0, one)
                .cpu(0, one)
                .cpu(0, [Wait])
                .cpu(0, [Wait]),
        ),
        // Both readers sleep before the first packet comes.
        Scenario {
            readers_asleep: true,
            ..scenario("asleep-batch", 1, 10 * SMALL)
                .cpu(0, one)
                .cpu(0, one)
                .cpu(0, [Wait])
                .cpu(0, [Wait])
        },
        repaired(
            scenario("sleep-two-nodes", 2, 10 * SMALL)
                .cpu(0, one)
                .cpu(1, one)
                .cpu(0, [Wait])
                .cpu(1, [Wait]),
        ),
        scenario("sleep-until-close", 1, 250)
            .cpu(0, [Close])
            .cpu(0, [Wait]),
        scenario("sleep-close", 1, 250)
            .cpu(0, [Offer(SMALL), Close])
            .cpu(0, [Wait, Wait]),
        scenario("busy", 1, 250)
            .cpu(0, two)
            .cpu(0, [Busy(1), Busy(0)]),
    ]
}

/// Free lists, with a limit of two: in the kernel's design, which stops one for ever, and repaired.
fn free_lists() -> Vec<Scenario> {
    let kernel = Scenario {
        defer_max: 2,
        ..Scenario::new("free-list", 1, 250)
            .cpu(0, [Flush])
            .cpu(0, [Defer(0), Defer(0), Defer(0)])
    };
    let repaired = |name: &str, scenario: &Scenario| Scenario {
        name: name.to_owned(),
        repair: Some(Repair::ResetAfterTake),
        ..scenario.clone()
    };
    let two_producers = Scenario {
        defer_max: 3,
        ..Scenario::new("", 2, 250)
            .cpu(0, [Flush, Flush])
            .cpu(0, [Defer(0), Defer(0)])
            .cpu(1, [Defer(0), Defer(0)])
    };
    let both_ways = Scenario {
        defer_max: 2,
        ..Scenario::new("", 1, 250)
            .cpu(0, [Defer(1), Flush, Defer(1)])
            .cpu(0, [Defer(0), Flush, Defer(0)])
    };
    vec![
        repaired("free-list-repaired", &kernel),
        repaired("free-list-two-nodes", &two_producers),
        repaired("free-list-both-ways", &both_ways),
        kernel,
    ]
}

/// The exact overshoot of one and two nodes: packets of `SMALL` bytes, and rcvbuf a multiple of it.
/// The largest `rmem_alloc` of any sequentially consistent interleaving, by the exact search, is stated
/// where the search has been made; a world reaches it or a smaller one.
fn overshoot() -> Vec<Scenario> {
    use Policy::{AllNodes, KernelOrder, NodeFirst};
    // Nodes, CPUs on each, rcvbuf in packets, packets of each CPU, policy, the largest in packets.
    let exact = [
        (1, 2, 1, 2, KernelOrder, 3),
        (1, 2, 2, 3, KernelOrder, 4),
        (2, 1, 2, 3, KernelOrder, 3),
        (1, 2, 1, 2, NodeFirst, 2),
        (1, 2, 2, 3, NodeFirst, 3),
        (2, 1, 2, 3, NodeFirst, 3),
        (1, 2, 1, 2, AllNodes, 2),
        (1, 2, 2, 3, AllNodes, 3),
        (2, 1, 2, 3, AllNodes, 3),
    ];
    exact
        .map(|(nodes, cpus, rcvbuf, packets, policy, largest)| {
            let name = format!("overshoot-{nodes}x{cpus}-at-{rcvbuf}-{}", policy.name());
            Scenario {
                policy,
                overshoot: Some(u64::from(largest * SMALL)),
                ..Scenario::new(&name, nodes, rcvbuf * SMALL)
                    .cpus_on_each_node(cpus, &vec![Offer(SMALL); packets])
            }
        })
        .into()
}

/// A design that the patch replaced. `progress` is refuted in all of them: that is why there is a patch.
fn before(baseline: Baseline) -> Vec<Scenario> {
    let scenario = |what: &str, nodes, rcvbuf| Scenario {
        baseline: Some(baseline),
        ..Scenario::new(&format!("{}-{what}", baseline.name()), nodes, rcvbuf)
    };
    let one = [Offer(SMALL)];
    let two = [Offer(SMALL), Offer(SMALL)];
    // rcvbuf in packets is 2; the exact values are the bounds.
    let largest = match baseline {
        Baseline::PlainLock | Baseline::HashedBusylock => 4,
        Baseline::SocketBusylock => 3,
    };
    vec![
        Scenario {
            rxq_ovfl: true,
            ..scenario("stamps", 2, 3 * SMALL)
                .cpu(0, [Offer(10 * SMALL), Offer(SMALL), Recv])
                .cpu(1, two)
        },
        Scenario {
            mem_limits: Some([1, 2, 3]),
            ..scenario("memory-pressure", 1, 10 * PAGE).cpus_on_each_node(2, &[Offer(PAGE)])
        },
        Scenario {
            condense_to: Some(SMALL / 2),
            leave_queued: true,
            ..scenario("condense", 1, 4 * SMALL).cpus_on_each_node(2, &[Offer(3 * SMALL), Recv])
        },
        Scenario {
            prefill: vec![SMALL],
            overshoot: Some(u64::from(largest * SMALL)),
            ..scenario("overshoot", 1, 2 * SMALL).cpus_on_each_node(2, &two)
        },
        Scenario {
            lock_held: true,
            ..scenario("lock-held", 1, 250).cpus_on_each_node(2, &one)
        },
        scenario("close", 1, 250)
            .cpu(0, [Offer(SMALL), Close])
            .cpu(0, one),
        scenario("sleep", 1, 250).cpu(0, two).cpu(0, [Wait, Wait]),
    ]
}

/// Six nodes of sixteen CPUs against one reader, with a buffer that overflows.
fn flood() -> Scenario {
    Scenario::new("flood", 6, 40 * SMALL)
        .cpus_on_each_node(16, &[Offer(SMALL), Offer(2 * SMALL), Offer(SMALL)])
        .cpu(0, [Recv; 64])
}

/// Scenarios for the tiers above the quick one: the explorer needs minutes for them, or does not finish.
pub fn large_scenarios() -> Vec<Scenario> {
    let large = |name, cpus, packets| {
        Scenario::new(name, 1, 250).cpus_on_each_node(cpus, &vec![Offer(SMALL); packets])
    };
    vec![
        large("two-cpus-three-packets", 2, 3),
        large("three-cpus-two-packets", 3, 2),
        large("four-cpus", 4, 1),
    ]
}

/// Scenarios that the explorer needs more than ten seconds for, or does not finish: for the tiers above
/// the quick one.
const LONG: &[&str] = &[
    "close-under-fire",
    "close-under-fire-asleep",
    "sleep-two-producers",
    "sleep-two-readers",
    "sleep-two-readers-repaired",
    "sleep-batch",
    "asleep-batch",
    "sleep-two-nodes",
];

/// The same under RC11.
const LONG_RC11: &[&str] = &[
    "overshoot",
    "overshoot-1x2-at-2-kernel-order",
    "three-cpus",
    "two-nodes-four-cpus",
];

fn is_long(scenario: &Scenario, memory: MemoryModel) -> bool {
    let name = scenario.name.as_str();
    LONG.contains(&name) || (memory == MemoryModel::Rc11 && LONG_RC11.contains(&name))
}

/// Where loom does not come to an end anyway and shuttle reaches what there is to see, loom plays this
/// fraction of its limit.
fn loom_share(scenario: &Scenario) -> u64 {
    let crowded_close = scenario.needs_table() && scenario.cpus.len() > 2;
    let looks_on = scenario.overshoot.is_some() || scenario.sleeps() || scenario.lock_held;
    if looks_on || crowded_close || scenario.baseline.is_some() {
        12
    } else {
        1
    }
}

/// All cases of a tier.
pub fn cases(tier: Tier) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut scenarios = scenarios();
    if tier > Tier::Quick {
        scenarios.extend(large_scenarios());
    }
    for scenario in scenarios {
        let many = scenario.cpus.len() > 4;
        let mut worlds = Vec::new();
        if !many {
            for memory in [MemoryModel::Sc, MemoryModel::Rc11] {
                if tier == Tier::Quick && is_long(&scenario, memory) {
                    continue;
                }
                worlds.push(World::Explore {
                    memory,
                    limit: tier.explore_limit(),
                });
            }
            let share = loom_share(&scenario);
            for newest_loads in [false, true] {
                worlds.push(World::Loom {
                    newest_loads,
                    limit: tier.loom_limit() / share,
                    preemption_bound: None,
                });
            }
        }
        let share = if many { 50 } else { 1 };
        worlds.push(World::Shuttle {
            seed: SEED,
            executions: tier.shuttle() / share,
        });
        worlds.push(World::Threads {
            executions: tier.threads() / share.min(10),
        });
        cases.extend(worlds.into_iter().map(|world| Case {
            scenario: scenario.clone(),
            world,
        }));
    }
    cases
}
