// SPDX-License-Identifier: MIT OR Apache-2.0

//! Virtual time on shuttle's coroutines: every CPU has a clock, the one whose clock is behind goes on,
//! and an access moves the clock by what the state of its cache line makes it cost.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::ops::Range;

use shuttle::scheduler::{Schedule, Scheduler, Task, TaskId};

use super::costs::Costs;
use crate::scenario::{Op, Scenario};

/// As many as a scenario may have, with a bit each.
const WORDS: usize = 8;

/// A cache line: one CPU owns it, or some share it.
#[derive(Clone, Default)]
struct Line {
    owner: Option<usize>,
    sharers: [u64; WORDS],
    /// The nodes of those who have it.
    nodes: u64,
    /// Until when it is on its way to whoever asked last.
    busy_until: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Load,
    /// A read-modify-write, or a store: needs the line alone.
    Change,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Ready,
    Parked,
    Finished,
}

#[derive(Clone, Copy)]
struct Cpu {
    clock: u64,
    state: State,
    node: usize,
    reads: bool,
    /// Who waits for its end.
    joiner: Option<usize>,
}

#[derive(Default)]
struct Lock {
    held: bool,
    waiting: VecDeque<usize>,
}

#[derive(Default)]
struct Bell {
    rung: bool,
    waiting: Option<usize>,
}

/// One execution.
pub(super) struct Machine {
    costs: Costs,
    packet_ns: u64,
    topology: Vec<(usize, bool)>,
    cpus: Vec<Cpu>,
    ready: BinaryHeap<Reverse<(u64, usize)>>,
    current: usize,
    lines: Vec<Line>,
    by_address: HashMap<usize, usize>,
    locks: Vec<Lock>,
    bells: Vec<Bell>,
    random: u64,
}

thread_local! {
    static MACHINE: RefCell<Option<Machine>> = const { RefCell::new(None) };
}

fn machine<R>(f: impl FnOnce(&mut Machine) -> R) -> Option<R> {
    MACHINE.with_borrow_mut(|machine| machine.as_mut().map(f))
}

/// The current CPU's clock, in nanoseconds.
pub(super) fn now() -> u64 {
    machine(|machine| machine.cpus[machine.current].clock).unwrap_or(0)
}

impl Machine {
    pub(super) fn new(scenario: &Scenario, costs: &Costs, packet_ns: u64, seed: u64) -> Machine {
        let role = |cpu: &crate::scenario::Cpu| {
            let offers = cpu.ops.iter().any(|op| matches!(op, Op::Offer(_)));
            (cpu.node, !offers)
        };
        let mut machine = Machine {
            costs: costs.clone(),
            packet_ns,
            topology: scenario.cpus.iter().map(role).collect(),
            cpus: Vec::new(),
            ready: BinaryHeap::new(),
            current: 0,
            lines: Vec::new(),
            by_address: HashMap::new(),
            locks: Vec::new(),
            bells: Vec::new(),
            random: seed,
        };
        machine.start(0);
        machine
    }

    /// One more CPU, which can go on at `clock`.
    fn start(&mut self, clock: u64) -> usize {
        let cpu = self.cpus.len();
        let (node, reads) = self.topology[cpu];
        self.cpus.push(Cpu {
            clock,
            state: State::Ready,
            node,
            reads,
            joiner: None,
        });
        self.ready.push(Reverse((clock, cpu)));
        cpu
    }

    /// A number from 0 to `below - 1`: splitmix64.
    fn random(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.random;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % below.max(1)
    }

    fn clock(&mut self) -> &mut u64 {
        &mut self.cpus[self.current].clock
    }

    /// Whether nobody who can go on is behind the current CPU.
    fn is_first(&self) -> bool {
        let here = (self.cpus[self.current].clock, self.current);
        self.ready
            .peek()
            .is_none_or(|Reverse(first)| here <= *first)
    }

    fn make_ready(&mut self, cpu: usize, not_before: u64) {
        let clock = self.cpus[cpu].clock.max(not_before);
        self.cpus[cpu].clock = clock;
        self.cpus[cpu].state = State::Ready;
        self.ready.push(Reverse((clock, cpu)));
    }

    fn new_line(&mut self) -> usize {
        self.lines.push(Line::default());
        self.lines.len() - 1
    }

    /// The line of an address. Lines are numbered as they are met, so that addresses do not matter.
    fn line_of(&mut self, address: usize) -> usize {
        let key = address / 64;
        if let Some(&line) = self.by_address.get(&key) {
            return line;
        }
        let line = self.new_line();
        self.by_address.insert(key, line);
        line
    }

    fn transfer(&self, same_node: bool) -> u64 {
        if same_node {
            self.costs.same_node_ns.value
        } else {
            self.costs.other_node_ns.value
        }
    }

    /// Moves the current CPU's clock to the end of an access.
    fn access(&mut self, line: usize, access: Access) {
        let cpu = self.current;
        let Cpu { clock, node, .. } = self.cpus[cpu];
        let (word, bit) = (cpu / 64, 1_u64 << (cpu % 64));
        let own_node = 1_u64 << node;
        let state = &self.lines[line];
        let (owner, nodes) = (state.owner, state.nodes);
        let shares = state.sharers[word] & bit != 0;
        let hit = owner == Some(cpu) || (access == Access::Load && shares);
        let start = match (hit, access) {
            // A shared line can be read while it goes to others.
            (true, Access::Load) => clock,
            _ => clock.max(state.busy_until),
        };
        let cost = if hit || (owner.is_none() && nodes == 0) {
            self.costs.hit_ns.value
        } else {
            // A load is served by the nearest copy; a change has to reach the farthest.
            let near = match access {
                Access::Load => nodes & own_node != 0,
                Access::Change => nodes & !own_node == 0,
            };
            self.transfer(near)
        };
        let end = start + cost;
        let state = &mut self.lines[line];
        match access {
            Access::Change => {
                state.owner = Some(cpu);
                state.sharers = [0; WORDS];
                state.sharers[word] = bit;
                state.nodes = own_node;
                state.busy_until = end;
            }
            Access::Load => {
                if owner.is_some_and(|owner| owner != cpu) {
                    state.busy_until = end;
                    state.owner = None;
                }
                state.sharers[word] |= bit;
                state.nodes |= own_node;
            }
        }
        *self.clock() = end;
    }
}

/// Lets those go on that are behind the current CPU.
fn take_turn() {
    let first = machine(|machine| {
        let first = machine.is_first();
        if !first {
            machine.make_ready(machine.current, 0);
        }
        first
    });
    if first == Some(false) {
        shuttle::thread::yield_now();
    }
}

/// Lets the others go on until somebody makes the current CPU ready.
fn park() {
    machine(|machine| machine.cpus[machine.current].state = State::Parked);
    shuttle::thread::yield_now();
}

/// An access to shared memory, in the order of the clocks.
pub(super) fn access(address: usize, kind: Access) {
    take_turn();
    machine(|machine| {
        let line = machine.line_of(address);
        machine.access(line, kind);
    });
}

/// A packet's header is made, on a line of its own, after what a CPU does before the socket.
pub(super) fn new_header() -> usize {
    let line = machine(|machine| {
        let packet = machine.packet_ns;
        let work = packet / 2 + machine.random(packet);
        *machine.clock() += work;
        let line = machine.new_line();
        machine.access(line, Access::Change);
        line
    });
    line.unwrap_or(0)
}

/// The lines on which a lock keeps what does not fit on its own; none if it guards nothing.
pub(super) fn further_lines(guards: bool) -> Range<usize> {
    let lines = machine(|machine| {
        let from = machine.lines.len();
        if guards {
            let further = machine.costs.further_lines.value as usize;
            machine.lines.resize(from + further, Line::default());
        }
        from..machine.lines.len()
    });
    lines.unwrap_or(0..0)
}

/// An access to a line of whoever is alone with it: a packet's owner, or the holder of a lock.
pub(super) fn owned(line: usize, kind: Access) {
    machine(|machine| machine.access(line, kind));
}

/// A packet has come to its end: in its reader, or refused.
pub(super) fn end_of_packet() {
    machine(|machine| {
        let costs = &machine.costs;
        let work = if machine.cpus[machine.current].reads {
            costs.recv_ns.value
        } else {
            costs.free_ns.value
        };
        *machine.clock() += work;
    });
}

pub(super) fn fence() {
    machine(|machine| {
        let hit = machine.costs.hit_ns.value;
        *machine.clock() += hit;
    });
}

pub(super) fn new_lock() -> usize {
    let lock = machine(|machine| {
        machine.locks.push(Lock::default());
        machine.locks.len() - 1
    });
    lock.unwrap_or(0)
}

/// Takes a lock; those who wait get it in the order in which they came.
pub(super) fn acquire(lock: usize, address: usize) {
    access(address, Access::Change);
    let free = machine(|machine| {
        let current = machine.current;
        let lock = &mut machine.locks[lock];
        if lock.held {
            lock.waiting.push_back(current);
        }
        !std::mem::replace(&mut lock.held, true)
    });
    if free == Some(false) {
        park();
    }
}

/// Gives a lock back, or hands it over.
pub(super) fn release(lock: usize, address: usize) {
    access(address, Access::Change);
    machine(|machine| {
        let Some(next) = machine.locks[lock].waiting.pop_front() else {
            machine.locks[lock].held = false;
            return;
        };
        let here = machine.cpus[machine.current];
        let transfer = machine.transfer(here.node == machine.cpus[next].node);
        let handed_over = here.clock + machine.costs.hand_over_transfers.value * transfer;
        machine.make_ready(next, handed_over);
        // The line goes along.
        let line = machine.line_of(address);
        let node = machine.cpus[next].node;
        let line = &mut machine.lines[line];
        line.owner = Some(next);
        line.sharers = [0; WORDS];
        line.sharers[next / 64] = 1 << (next % 64);
        line.nodes = 1 << node;
        line.busy_until = handed_over;
    });
}

pub(super) fn new_bell() -> usize {
    let bell = machine(|machine| {
        machine.bells.push(Bell::default());
        machine.bells.len() - 1
    });
    bell.unwrap_or(0)
}

pub(super) fn wait(bell: usize) {
    take_turn();
    let rung = machine(|machine| {
        let current = machine.current;
        let bell = &mut machine.bells[bell];
        if !bell.rung {
            bell.waiting = Some(current);
        }
        bell.rung
    });
    if rung == Some(false) {
        park();
    }
}

pub(super) fn ring(bell: usize) {
    take_turn();
    machine(|machine| {
        let wake = machine.costs.wake_ns.value;
        *machine.clock() += wake;
        let runs = *machine.clock() + machine.costs.sleep_ns.value;
        machine.bells[bell].rung = true;
        if let Some(sleeper) = machine.bells[bell].waiting.take() {
            machine.make_ready(sleeper, runs);
        }
    });
}

/// A CPU that was started.
pub(super) struct Thread {
    cpu: usize,
    handle: shuttle::thread::JoinHandle<()>,
}

pub(super) fn spawn(f: impl FnOnce() + Send + 'static) -> Thread {
    let cpu = machine(|machine| {
        let clock = *machine.clock();
        machine.start(clock)
    });
    let cpu = cpu.unwrap_or(0);
    let handle = shuttle::thread::spawn(move || {
        f();
        machine(|machine| {
            let Cpu { clock, joiner, .. } = machine.cpus[cpu];
            machine.cpus[cpu].state = State::Finished;
            if let Some(joiner) = joiner {
                machine.make_ready(joiner, clock);
            }
        });
    });
    Thread { cpu, handle }
}

pub(super) fn join(thread: Thread) {
    let running = machine(|machine| {
        let current = machine.current;
        let cpu = &mut machine.cpus[thread.cpu];
        let running = cpu.state != State::Finished;
        if running {
            cpu.joiner = Some(current);
        }
        running
    });
    if running == Some(true) {
        park();
    }
    let joined = thread.handle.join();
    debug_assert!(joined.is_ok(), "a task's panic ends the execution");
}

/// Lets the CPU go on whose clock is behind, once.
pub(super) struct Earliest(pub(super) Option<Machine>);

impl Scheduler for Earliest {
    fn new_execution(&mut self) -> Option<Schedule> {
        let machine = self.0.take();
        let more = machine.is_some();
        MACHINE.set(machine);
        more.then(|| Schedule::new(0))
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        _is_yielding: bool,
    ) -> Option<TaskId> {
        let can_run = |id: TaskId| runnable.binary_search_by_key(&id, |task| task.id()).is_ok();
        machine(|machine| {
            // Between two accesses, and after its last one, a CPU goes on undisturbed.
            if let Some(id) = current.filter(|&id| can_run(id)) {
                let state = machine.cpus[usize::from(id)].state;
                if matches!(state, State::Running | State::Finished) {
                    return Some(id);
                }
            }
            let Reverse((_, next)) = machine.ready.pop()?;
            machine.cpus[next].state = State::Running;
            machine.current = next;
            Some(TaskId::from(next))
        })?
    }

    fn next_u64(&mut self) -> u64 {
        machine(|machine| machine.random(u64::MAX)).unwrap_or(0)
    }
}
