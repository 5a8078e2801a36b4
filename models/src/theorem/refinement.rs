// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every execution is one of the spec's: `proofs/src/spec/`.
//!
//! Where one CPU runs at a time the steps are replayed in the order in which they were made. Among real
//! threads only the order of each CPU's own steps is known, and of those under a lock. There the monitor
//! looks for an order that keeps each CPU's own and that the spec allows: first by letting a step which is
//! not allowed yet wait until other CPUs have gone on, and where that leads nowhere by trying every order.
//! An execution for which that takes too long says nothing. What loads may find is told by [`Loads`]: the newest value
//! in a world without stale loads, what coherence allows in the others.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use prodq_proofs::spec::{Design, InOrder, Loads, Refusal, State};

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::design::Repair;
use crate::ledger::Ledger;
use crate::scenario::Scenario;
use crate::world::World;

/// The machine of a scenario.
pub fn design(scenario: &Scenario) -> Design {
    let repaired = |repair| scenario.repair == Some(repair);
    let [low, _, high] = scenario.mem_limits.unwrap_or([u32::MAX; 3]);
    Design {
        cpus: scenario.cpus.iter().map(|cpu| cpu.node).collect(),
        nodes: scenario.nodes,
        policy: scenario.policy,
        rcvbuf: scenario.rcvbuf,
        rxq_ovfl: scenario.rxq_ovfl,
        stamp_under_lock: repaired(Repair::StampUnderLock),
        count_batch: repaired(Repair::CountBatch),
        sleepers: scenario
            .sleeps()
            .then(|| repaired(Repair::LookAtBothQueues)),
        memory: Some(([low, high], scenario.rmem_min)),
        init_fails: scenario.init_fails,
        table: scenario.needs_table(),
        lock_held: scenario.lock_held,
        defer_max: scenario.defer_max,
        reset_after_take: repaired(Repair::ResetAfterTake),
        loads: Loads::Coherent,
    }
}

pub(super) struct Refinement {
    design: Design,
    state: State<InOrder>,
    /// Events of real threads that the spec does not allow yet, by CPU, and how many there are.
    waiting: Vec<VecDeque<Event>>,
    count: usize,
    /// All events of real threads, by CPU.
    logs: Vec<Vec<Event>>,
}

/// How many steps of a search are too many.
const TOO_LONG: usize = 50_000;

impl Refinement {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let design = design(scenario);
        Refinement {
            state: design.start(),
            waiting: vec![VecDeque::new(); scenario.cpus.len()],
            count: 0,
            logs: vec![Vec::new(); scenario.cpus.len()],
            design,
        }
    }

    /// Enters an event of a world whose events are in order or not, and whose loads are stale or not.
    fn see(&mut self, linear: bool, newest: bool, event: &Event) -> Result<(), String> {
        if linear {
            if newest {
                self.design.loads = Loads::Newest;
            }
            return self
                .enter(event)
                .map_err(|refusal| not_allowed(event, refusal));
        }
        self.logs[event.cpu].push(*event);
        if self.waiting[event.cpu].is_empty() && self.enter(event).is_ok() {
            self.go_on();
        } else {
            self.waiting[event.cpu].push_back(*event);
            self.count += 1;
        }
        Ok(())
    }

    /// What is left at the end.
    fn conclude(&mut self) -> Result<(), String> {
        let heads = self.waiting.iter().filter_map(|events| events.front());
        if let Some(event) = heads.min_by_key(|event| event.ticket).copied() {
            if self.some_order_is_allowed() != Some(false) {
                return Ok(());
            }
            let refusal = self.enter(&event);
            let what = refusal.map_err(|refusal| not_allowed(&event, refusal));
            return what.and_then(|()| ensure(false, || "no order was found".to_owned()));
        }
        self.design
            .end(&self.state)
            .map_err(|why| format!("the spec does not allow this end: {why}"))
    }

    fn enter(&mut self, event: &Event) -> Result<(), Refusal> {
        enter(&self.design, &mut self.state, event)
    }

    /// Whether the spec allows some order of the events that keeps each CPU's own; `None` when the search
    /// takes too long.
    fn some_order_is_allowed(&self) -> Option<bool> {
        let mut seen = HashSet::new();
        let mut open = vec![(vec![0_usize; self.logs.len()], self.design.start())];
        while let Some((places, state)) = open.pop() {
            let heads = self.logs.iter().zip(&places);
            let mut heads: Vec<_> = heads.filter_map(|(log, &place)| log.get(place)).collect();
            if heads.is_empty() && self.design.end(&state).is_ok() {
                return Some(true);
            }
            // The one that was recorded first is tried first, which is last on the stack.
            heads.sort_by_key(|event| std::cmp::Reverse(event.ticket));
            for event in heads {
                let mut next = state.clone();
                if enter(&self.design, &mut next, event).is_ok() {
                    let mut places = places.clone();
                    places[event.cpu] += 1;
                    let mut hasher = DefaultHasher::new();
                    (&places, &next).hash(&mut hasher);
                    if seen.insert(hasher.finish()) {
                        open.push((places, next));
                    }
                }
            }
            if seen.len() > TOO_LONG {
                return None;
            }
        }
        Some(false)
    }

    /// Enters what waits, until the spec allows nothing more of it.
    fn go_on(&mut self) {
        let mut going = true;
        while going && self.count != 0 {
            going = false;
            for cpu in 0..self.waiting.len() {
                while let Some(event) = self.waiting[cpu].front().copied() {
                    if self.enter(&event).is_err() {
                        break;
                    }
                    self.waiting[cpu].pop_front();
                    self.count -= 1;
                    going = true;
                }
            }
        }
    }
}

/// Enters an event.
fn enter(design: &Design, state: &mut State<InOrder>, event: &Event) -> Result<(), Refusal> {
    let cpu = event.cpu;
    match event.what {
        What::Step(step) => design.step(state, cpu, step),
        What::Offer { skb, size, .. } => design.offer(state, cpu, skb, size),
        What::Return { refused, .. } => design.returned(state, cpu, refused),
        What::Deliver { skb, dropcount } => design.delivered(state, cpu, skb, dropcount),
        What::Hand { skb, .. } => design.hand(state, cpu, skb),
        What::Stuck | What::TouchedFreed { .. } | What::DataRace { freeing: false, .. } => {
            design.stop(state, cpu);
            Ok(())
        }
        What::DataRace { freeing: true, .. }
        | What::Freed { .. }
        | What::Flushed
        | What::Told { .. }
        | What::Deadlock
        | What::FinalDrops { .. } => Ok(()),
    }
}

fn not_allowed(event: &Event, refusal: Refusal) -> String {
    let cpu = event.cpu;
    match event.what {
        What::Step(step) => {
            format!("the spec does not allow {step:?} of CPU {cpu}: {refusal}")
        }
        what => format!("the spec does not allow {what:?} of CPU {cpu}: {refusal}"),
    }
}

/// Replays an execution of this world against the spec.
///
/// # Errors
/// The first event that the spec does not allow.
pub fn refines(scenario: &Scenario, events: &[Event], world: World) -> Result<(), String> {
    let mut refinement = Refinement::new(scenario);
    let (linear, newest) = (world.is_linear(), world.finds_newest());
    for event in events {
        refinement.see(linear, newest, event)?;
    }
    refinement.conclude()
}

impl Monitor for Refinement {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        self.see(ledger.linear, ledger.newest, event)
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        self.conclude()
    }
}
