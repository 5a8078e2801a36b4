// SPDX-License-Identifier: MIT OR Apache-2.0

//! The open questions about the kernel's design, each with a scenario, the verdict that is expected and
//! the repairs that were tried. `findings.md` tells them as stories.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::context::What;
use crate::design::{Policy, Repair};
use crate::scenario::{Op, Scenario};
use crate::theorem::Theorem;
use crate::verify::Verdict;
use crate::witness::{Witness, WitnessError};
use crate::world::{run, Finding, Job, World};

use Op::{Defer, Flush, Offer, Recv, Wait};

/// A question about the kernel's design.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    /// Its number among the hypotheses.
    pub id: &'static str,
    /// What is asked.
    pub question: &'static str,
    /// The theorem or question whose monitor answers.
    pub asked: Theorem,
    /// The smallest scenario that is known to answer it, in the kernel's design.
    pub scenario: Scenario,
    /// The verdict that is expected: `refuted` when the hypothesis is right.
    pub expected: Verdict,
    /// The same scenario in other designs.
    pub repairs: Vec<Attempt>,
}

/// A design that may repair what a hypothesis is about.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The scenario in that design.
    pub scenario: Scenario,
    /// The verdict that is expected of it.
    pub expected: Verdict,
    /// What it costs.
    pub cost: &'static str,
}

/// A line of the table of findings.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The hypothesis.
    pub hypothesis: &'static str,
    /// What is asked.
    pub question: &'static str,
    /// The theorem or question whose monitor answers.
    pub theorem: Theorem,
    /// The design.
    pub design: String,
    /// Whether the design is a repair and not the kernel's own.
    pub repair: bool,
    /// What the repair costs.
    pub cost: &'static str,
    /// The scenario.
    pub scenario: String,
    /// The world.
    pub world: &'static str,
    /// The memory model.
    pub model: String,
    /// CPUs in the scenario.
    pub cpus: usize,
    /// Nodes in it.
    pub nodes: usize,
    /// Packets in it.
    pub packets: usize,
    /// Executions played.
    pub executions: u64,
    /// Steps of the shortest witness found.
    pub steps: Option<usize>,
    /// What it showed.
    pub verdict: Verdict,
    /// What it should show.
    pub expected: Verdict,
    /// What the witness says.
    pub what: Option<String>,
    /// The witness file.
    pub witness: Option<PathBuf>,
}

impl Row {
    /// Whether the row says what it should.
    pub fn is_expected(&self) -> bool {
        self.verdict == self.expected
    }
}

const SMALL: u32 = 100;
const PAGE: u32 = 4096;

/// How many runs look for a short witness, each with a seed of its own.
pub const SEEDS: u64 = 60;
/// Executions of each of shuttle's schedulers in such a run.
const EXECUTIONS: u64 = 500;

fn repaired(scenario: &Scenario, repair: Repair) -> Scenario {
    Scenario {
        repair: Some(repair),
        ..scenario.clone()
    }
}

fn policy(scenario: &Scenario, policy: Policy) -> Scenario {
    Scenario {
        policy,
        ..scenario.clone()
    }
}

fn holds(scenario: Scenario, cost: &'static str) -> Attempt {
    Attempt {
        scenario,
        expected: Verdict::Holds,
        cost,
    }
}

/// All of them, in the order of their numbers.
pub fn hypotheses() -> Vec<Hypothesis> {
    vec![
        stamps_go_back(),
        nodes_overshoot(),
        batch_is_missed(),
        batch_is_counted_twice(),
        minimum_is_for_a_batch(),
        spliced_is_overlooked(),
        elected_is_stalled(),
        loss_is_hidden(),
        free_list_sticks(),
    ]
}

fn stamps_go_back() -> Hypothesis {
    // So large a socket refuses what exceeds rcvbuf even when it is empty.
    let rcvbuf = 1 << 30;
    let scenario = Scenario {
        rxq_ovfl: true,
        ..Scenario::new("h1-stamps-go-back", 2, rcvbuf)
            .cpu(0, [Offer(SMALL)])
            .cpu(1, [Offer(rcvbuf + 1), Offer(SMALL)])
    };
    Hypothesis {
        id: "H1",
        question:
            "Can SO_RXQ_OVFL go back on one socket, because the drop count is sampled before the \
                   lock is taken?",
        asked: Theorem::DropCount,
        expected: Verdict::Refuted,
        repairs: vec![holds(
            repaired(&scenario, Repair::StampUnderLock),
            "two loads with the lock held",
        )],
        scenario,
    }
}

fn nodes_overshoot() -> Hypothesis {
    // While the elected CPU of each node has not taken the lock, the other one fills the node to rcvbuf.
    let filler = [Offer(SMALL); 4];
    let scenario = Scenario {
        overshoot: Some(u64::from(9 * SMALL)),
        ..Scenario::new("h2-nodes-overshoot", 2, 5 * SMALL)
            .cpu(0, [Offer(SMALL)])
            .cpu(0, filler)
            .cpu(1, [Offer(SMALL)])
            .cpu(1, filler)
    };
    Hypothesis {
        id: "H2",
        question: "Can rmem_alloc exceed rcvbuf by more than one packet for each producing CPU, because a \
                   node does not see what the others hold back?",
        asked: Theorem::BoundedOvershoot,
        expected: Verdict::Refuted,
        repairs: vec![
            Attempt {
                scenario: policy(&scenario, Policy::NodeFirst),
                expected: Verdict::Refuted,
                cost: "no repair of this: it looks at the own node only",
            },
            holds(
                policy(&scenario, Policy::AllNodes),
                "a read of every node's counter for each packet above half of rcvbuf",
            ),
        ],
        scenario,
    }
}

fn batch_is_missed() -> Hypothesis {
    let scenario = Scenario {
        overshoot: Some(u64::from(2 * SMALL)),
        ..Scenario::new("h3-batch-is-missed", 1, SMALL)
            .cpu(0, [Offer(SMALL)])
            .cpu(0, [Offer(SMALL), Offer(SMALL)])
    };
    Hypothesis {
        id: "H3",
        question: "Can one node exceed rcvbuf by more than one packet for each other CPU, because a batch \
                   handed over between admission's two reads is seen in neither?",
        asked: Theorem::BoundedOvershoot,
        expected: Verdict::Refuted,
        repairs: vec![holds(
            policy(&scenario, Policy::NodeFirst),
            "an acquire load and a release subtraction instead of relaxed ones; H4 stays",
        )],
        scenario,
    }
}

fn batch_is_counted_twice() -> Hypothesis {
    let scenario = Scenario::new("h4-batch-is-counted-twice", 1, 2 * SMALL)
        .cpu(0, [Offer(SMALL)])
        .cpu(0, [Offer(SMALL)]);
    Hypothesis {
        id: "H4",
        question: "Can a packet be refused that fits, because a batch is in both counters from its addition \
                   to rmem_alloc until the drain's last step?",
        asked: Theorem::NoNeedlessDrop,
        expected: Verdict::Refuted,
        repairs: vec![Attempt {
            scenario: policy(&scenario, Policy::NodeFirst),
            expected: Verdict::Refuted,
            cost: "no repair of this: it trades a batch missed for a batch seen twice",
        }],
        scenario,
    }
}

fn minimum_is_for_a_batch() -> Hypothesis {
    let scenario = Scenario {
        mem_limits: Some([0, 9, 9]),
        rmem_min: PAGE,
        ..Scenario::new("h5-minimum-is-for-a-batch", 1, 10 * PAGE)
            .cpu(0, [Offer(PAGE)])
            .cpu(0, [Offer(PAGE)])
    };
    Hypothesis {
        id: "H5",
        question:
            "Can a socket get more than udp_rmem_min under memory pressure, because rmem_alloc is \
                   raised after the whole batch?",
        asked: Theorem::MemoryMinimum,
        expected: Verdict::Refuted,
        repairs: vec![holds(
            repaired(&scenario, Repair::CountBatch),
            "an addition for each packet under pressure",
        )],
        scenario,
    }
}

fn spliced_is_overlooked() -> Hypothesis {
    let scenario = Scenario::new("h6-spliced-is-overlooked", 1, 10 * SMALL)
        .cpu(0, [Offer(SMALL), Offer(SMALL), Recv])
        .cpu(0, [Wait]);
    Hypothesis {
        id: "H6",
        question: "Can a reader sleep while a packet is in the reader queue, because its sleep test looks at \
                   the receive queue only?",
        asked: Theorem::NoLostWakeup,
        expected: Verdict::Refuted,
        repairs: vec![holds(
            repaired(&scenario, Repair::LookAtBothQueues),
            "one load for a reader about to sleep",
        )],
        scenario,
    }
}

fn elected_is_stalled() -> Hypothesis {
    let scenario = Scenario::new("h7-elected-is-stalled", 1, 10 * SMALL)
        .cpu(0, [Offer(SMALL)])
        .cpu(0, [Offer(SMALL), Recv]);
    Hypothesis {
        id: "H7",
        question: "Can a packet whose enqueue has returned be invisible to readers, because the elected CPU \
                   is stalled between its push and the lock?",
        asked: Theorem::NoHiddenPacket,
        expected: Verdict::Refuted,
        repairs: Vec::new(),
        scenario,
    }
}

fn loss_is_hidden() -> Hypothesis {
    let scenario = Scenario {
        mem_limits: Some([0, 0, 0]),
        ..Scenario::new("h8-loss-is-hidden", 1, 10 * SMALL).cpu(0, [Offer(SMALL)])
    };
    Hypothesis {
        id: "H8",
        question:
            "Does enqueue return success although its own packet was dropped for want of memory?",
        asked: Theorem::HonestReturn,
        expected: Verdict::Refuted,
        repairs: Vec::new(),
        scenario,
    }
}

fn free_list_sticks() -> Hypothesis {
    let scenario = Scenario {
        defer_max: 2,
        ..Scenario::new("h10-free-list-sticks", 1, SMALL)
            .cpu(0, [Flush])
            .cpu(0, [Defer(0), Defer(0)])
    };
    Hypothesis {
        id: "H10",
        question: "Can a CPU's free list stop accepting for ever, because its counter is reset before the \
                   list is taken?",
        asked: Theorem::DeferredFree,
        expected: Verdict::Refuted,
        repairs: vec![holds(
            repaired(&scenario, Repair::ResetAfterTake),
            "nothing; the list may grow past its limit by what is counted in between",
        )],
        scenario,
    }
}

impl Hypothesis {
    /// Plays the scenario in the kernel's design and in the repairs, and leaves the shortest witnesses in
    /// `folder`.
    ///
    /// # Errors
    /// [`WitnessError`] when a scenario makes no sense or a witness cannot be written.
    pub fn examine(&self, folder: &Path) -> Result<Vec<Row>, WitnessError> {
        let mut rows = vec![self.look(&self.scenario, None, folder)?];
        for attempt in &self.repairs {
            rows.push(self.look(&attempt.scenario, Some(attempt), folder)?);
        }
        Ok(rows)
    }

    fn look(
        &self,
        scenario: &Scenario,
        attempt: Option<&Attempt>,
        folder: &Path,
    ) -> Result<Row, WitnessError> {
        let (executions, shortest) = shortest(scenario, self.asked, SEEDS)?;
        let (job, finding) = match shortest {
            Some((job, finding)) => (job, Some(finding)),
            None => (job(scenario, self.asked, 0), None),
        };
        let witness = match &finding {
            Some(finding) => {
                let design = scenario.design().replace(", ", "-").replace(' ', "-");
                let path = folder.join(format!("{}-{design}.json", scenario.name));
                Witness::new(&job, self.asked, finding).write(&path)?;
                Some(path)
            }
            None => None,
        };
        Ok(Row {
            hypothesis: self.id,
            question: self.question,
            theorem: self.asked,
            design: scenario.design(),
            repair: attempt.is_some(),
            cost: attempt.map_or("", |attempt| attempt.cost),
            scenario: scenario.name.clone(),
            world: job.world.name(),
            model: job.world.model(),
            cpus: scenario.cpus.len(),
            nodes: scenario.nodes,
            packets: scenario.packets(),
            executions,
            steps: finding.as_ref().map(steps),
            verdict: match finding {
                Some(_) => Verdict::Refuted,
                None => Verdict::Holds,
            },
            expected: attempt.map_or(self.expected, |attempt| attempt.expected),
            what: finding.map(|finding| finding.what),
            witness,
        })
    }
}

fn job(scenario: &Scenario, asked: Theorem, seed: u64) -> Job {
    let world = World::Shuttle {
        seed: 3 * seed,
        executions: EXECUTIONS,
    };
    Job::new(scenario.clone(), world, &[asked])
}

/// The steps of the core in a witness.
fn steps(finding: &Finding) -> usize {
    let step = |what: &What| matches!(what, What::Step(_));
    finding.events.iter().filter(|e| step(&e.what)).count()
}

/// The executions played in so many runs, and the shortest counterexample that they had: each run ends
/// with its first.
///
/// # Errors
/// [`WitnessError`] when the scenario makes no sense.
pub fn shortest(
    scenario: &Scenario,
    asked: Theorem,
    seeds: u64,
) -> Result<(u64, Option<(Job, Finding)>), WitnessError> {
    let mut executions = 0;
    let mut shortest: Option<(Job, Finding)> = None;
    for seed in 0..seeds {
        let job = job(scenario, asked, seed);
        let mut outcome = run(&job)?;
        executions += outcome.executions;
        if let Some(finding) = outcome.findings.remove(&asked) {
            let shorter = |(_, best): &(Job, Finding)| steps(&finding) < steps(best);
            if shortest.as_ref().is_none_or(shorter) {
                shortest = Some((job, finding));
            }
        }
    }
    Ok((executions, shortest))
}
