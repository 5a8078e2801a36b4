// SPDX-License-Identifier: MIT OR Apache-2.0

//! Small programs as data, to validate the explorer with: litmus tests, random programs, and a program
//! of the algorithm's shape. The same program runs in the explorer, with and without reduction, and in
//! loom.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use shuttle::Runner;

use super::dpor::{Dpor, Reduction};
use super::engine::{self, Explorer, Observer};
use super::memory::Model;
use super::op::{Compare, Pending, Value};
use super::Stats;
use crate::context::lock;

/// One instruction. Those that read leave a value in a register of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instr {
    /// Reads a word.
    Load(usize, Ordering),
    /// Writes a word.
    Store(usize, u64, Ordering),
    /// Adds to a word; nobody sees the result.
    Add(usize, u64, Ordering),
    /// Adds to a word and reads the value before.
    FetchAdd(usize, u64, Ordering),
    /// Replaces a word's value and reads the one before.
    Swap(usize, u64, Ordering),
    /// Compares with the first value and writes the second one; relaxed when it fails. Reads what it
    /// found.
    Cas(usize, u64, u64, Ordering),
    /// The same, comparing with the value that was read last.
    CasLast(usize, u64, Ordering),
    /// The same as `Cas`, and may fail for no reason.
    WeakCas(usize, u64, u64, Ordering),
    /// A fence.
    Fence(Ordering),
    /// Takes a lock.
    Lock(usize),
    /// Releases it.
    Unlock(usize),
}

/// A program: words that start as 0, locks, and threads. Thread 0 runs in the main thread, after it
/// has spawned the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// How many words it has.
    pub words: usize,
    /// How many locks it has.
    pub locks: usize,
    /// What each thread does.
    pub threads: Vec<Vec<Instr>>,
}

/// What a program ended with: the values that each thread read, in order, then the words.
pub type Final = Vec<Vec<u64>>;

/// What a world can do.
trait Machine: Send + Sync + 'static {
    fn load(&self, word: usize, ordering: Ordering) -> u64;
    fn store(&self, word: usize, value: u64, ordering: Ordering);
    fn add(&self, word: usize, value: u64, ordering: Ordering);
    fn fetch_add(&self, word: usize, value: u64, ordering: Ordering) -> u64;
    fn swap(&self, word: usize, value: u64, ordering: Ordering) -> u64;
    fn cas(&self, word: usize, expected: u64, new: u64, weak: bool, ordering: Ordering) -> u64;
    fn fence(&self, ordering: Ordering);
    fn locked(&self, lock: usize, section: &mut dyn FnMut());
}

fn run_thread(machine: &impl Machine, instrs: &[Instr], read: &mut Vec<u64>) {
    let mut rest = instrs.iter();
    while let Some(instr) = rest.next() {
        match *instr {
            Instr::Load(word, ordering) => read.push(machine.load(word, ordering)),
            Instr::Store(word, value, ordering) => machine.store(word, value, ordering),
            Instr::Add(word, value, ordering) => machine.add(word, value, ordering),
            Instr::FetchAdd(word, value, ordering) => {
                read.push(machine.fetch_add(word, value, ordering));
            }
            Instr::Swap(word, value, ordering) => read.push(machine.swap(word, value, ordering)),
            Instr::Cas(word, expected, new, ordering) => {
                read.push(machine.cas(word, expected, new, false, ordering));
            }
            Instr::CasLast(word, new, ordering) => {
                let expected = read.last().copied().unwrap_or(0);
                read.push(machine.cas(word, expected, new, false, ordering));
            }
            Instr::WeakCas(word, expected, new, ordering) => {
                read.push(machine.cas(word, expected, new, true, ordering));
            }
            Instr::Fence(ordering) => machine.fence(ordering),
            Instr::Lock(index) => {
                let section = rest.as_slice();
                let is_end = |instr: &Instr| *instr == Instr::Unlock(index);
                let length = section.iter().position(is_end).unwrap_or(section.len());
                machine.locked(index, &mut || run_thread(machine, &section[..length], read));
                rest = section[length..].iter();
            }
            Instr::Unlock(_) => {}
        }
    }
}

/// The explorer's words and locks.
struct Explored {
    words: Vec<u16>,
    locks: Vec<u16>,
}

impl Explored {
    fn rmw(&self, word: usize, ordering: Ordering, change: impl FnOnce(u64) -> u64) -> u64 {
        let word = self.words[word];
        let pending = Pending::Rmw {
            word,
            compare: Compare::Never,
        };
        engine::rmw(pending, word, ordering, Ordering::Relaxed, |old| {
            Some(change(old))
        })
        .0
    }
}

impl Machine for Explored {
    fn load(&self, word: usize, ordering: Ordering) -> u64 {
        engine::load(self.words[word], ordering)
    }
    fn store(&self, word: usize, value: u64, ordering: Ordering) {
        engine::store(self.words[word], value, ordering);
    }
    fn add(&self, word: usize, value: u64, ordering: Ordering) {
        engine::add(self.words[word], value, ordering);
    }
    fn fetch_add(&self, word: usize, value: u64, ordering: Ordering) -> u64 {
        self.rmw(word, ordering, |old| old.wrapping_add(value))
    }
    fn swap(&self, word: usize, value: u64, ordering: Ordering) -> u64 {
        self.rmw(word, ordering, |_| value)
    }
    fn cas(&self, word: usize, expected: u64, new: u64, weak: bool, ordering: Ordering) -> u64 {
        let word = self.words[word];
        let compare = if weak {
            Compare::Weak(Value(expected))
        } else {
            Compare::Unless(Value(expected))
        };
        let pending = Pending::Rmw { word, compare };
        let change = |old| (old == expected).then_some(new);
        let (old, changed) = engine::rmw(pending, word, ordering, Ordering::Relaxed, change);
        // Whether it failed for no reason is part of the outcome.
        old << 1 | u64::from(changed)
    }
    fn fence(&self, ordering: Ordering) {
        engine::fence(ordering);
    }
    fn locked(&self, lock: usize, section: &mut dyn FnMut()) {
        engine::acquire(self.locks[lock]);
        section();
        engine::release(self.locks[lock]);
    }
}

/// What an exploration of a program showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exploration {
    /// The final states, each once.
    pub finals: BTreeSet<Final>,
    /// Executions.
    pub executions: u64,
    /// Executions that were given up.
    pub blocked: u64,
    /// Executions equivalent to an earlier one, if that was looked for.
    pub duplicates: Option<u64>,
    /// Whether some execution ended with everybody waiting.
    pub deadlock: bool,
}

/// Which executions to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Optimal reduction: what is validated.
    Optimal,
    /// Sleep sets alone, which give up what would repeat an execution and plan nothing: complete by
    /// construction, one finished execution a class, and many that are given up.
    SleepSets,
    /// Every interleaving and every choice.
    BruteForce,
}

/// How to explore a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// RC11, and not sequential consistency.
    pub weak: bool,
    /// Whether a failing compare-exchange may read a stale value, in RC11.
    pub stale_failure: bool,
    /// Which executions to make.
    pub how: How,
    /// Whether to look for equivalent executions.
    pub duplicates: bool,
}

impl Mode {
    /// Sequential consistency, reduced.
    pub const SC: Mode = Mode {
        weak: false,
        stale_failure: false,
        how: How::Optimal,
        duplicates: true,
    };

    /// RC11, reduced.
    pub const RC11: Mode = Mode {
        weak: true,
        stale_failure: true,
        ..Mode::SC
    };

    /// The same in another way.
    #[must_use]
    pub const fn how(self, how: How) -> Mode {
        Mode {
            how,
            duplicates: false,
            ..self
        }
    }
}

struct Collect {
    deadlock: Arc<Mutex<bool>>,
}

impl Observer for Collect {
    fn start(&mut self, _: &Dpor, _: u64) -> bool {
        true
    }
    fn end(&mut self, _: &mut Dpor, deadlock: bool) {
        *lock(&self.deadlock) |= deadlock;
    }
}

/// Explores a closure that uses the explorer's primitives.
fn explore_closure(mode: Mode, program: impl Fn() + Send + Sync + 'static) -> (Stats, bool) {
    let model = if mode.weak {
        Model::Rc11 {
            stale_failure: mode.stale_failure,
        }
    } else {
        Model::Sc
    };
    let reduction = match mode.how {
        How::Optimal => Reduction::Optimal,
        How::SleepSets => Reduction::SleepSets,
        How::BruteForce => Reduction::None,
    };
    let deadlock = Arc::new(Mutex::new(false));
    let collect = Collect {
        deadlock: Arc::clone(&deadlock),
    };
    let stats = Rc::new(RefCell::new(Stats::default()));
    let explorer = Explorer::new(
        model,
        reduction,
        mode.duplicates,
        collect,
        Rc::clone(&stats),
    );
    Runner::new(explorer, super::super::shuttle::config()).run(program);
    let stats = stats.borrow().clone();
    let deadlock = *lock(&deadlock);
    (stats, deadlock)
}

/// Explores a program.
///
/// Under RC11 the reduction is made for words that are changed by read-modify-writes only, as the core's
/// are: a plain store may be placed in the past, which it does not foresee. A program with one is
/// explored by sleep sets instead.
pub fn explore(program: &Program, mode: Mode) -> Exploration {
    let stores = |instr: &Instr| matches!(instr, Instr::Store(..));
    let has_stores = program.threads.iter().flatten().any(stores);
    let mode = if mode.weak && mode.how == How::Optimal && has_stores {
        Mode {
            how: How::SleepSets,
            ..mode
        }
    } else {
        mode
    };
    let finals = Arc::new(Mutex::new(BTreeSet::new()));
    let (collected, shared) = (Arc::clone(&finals), Arc::new(program.clone()));
    let (stats, deadlock) = explore_closure(mode, move || {
        let machine = Arc::new(Explored {
            words: (0..shared.words).map(|_| engine::new_word(0)).collect(),
            locks: (0..shared.locks).map(|_| engine::new_lock()).collect(),
        });
        let reads = run_threads(&shared, &machine, engine::spawn, engine::join);
        let words = machine.words.iter().map(|&word| engine::final_value(word));
        let mut state = reads;
        state.push(words.collect());
        lock(&collected).insert(state);
    });
    let finals = std::mem::take(&mut *lock(&finals));
    Exploration {
        finals,
        executions: stats.executions,
        blocked: stats.blocked,
        duplicates: stats.duplicates,
        deadlock,
    }
}

/// Runs all threads and returns what they read.
fn run_threads<M: Machine, T>(
    program: &Arc<Program>,
    machine: &Arc<M>,
    spawn: impl Fn(Box<dyn FnOnce() + Send>) -> T,
    join: impl Fn(T),
) -> Vec<Vec<u64>> {
    let reads: Arc<Vec<Mutex<Vec<u64>>>> =
        Arc::new(program.threads.iter().map(|_| Mutex::default()).collect());
    let threads: Vec<_> = (1..program.threads.len())
        .map(|index| {
            let (program, machine) = (Arc::clone(program), Arc::clone(machine));
            let reads = Arc::clone(&reads);
            spawn(Box::new(move || {
                let mut read = Vec::new();
                run_thread(&*machine, &program.threads[index], &mut read);
                *lock(&reads[index]) = read;
            }))
        })
        .collect();
    let mut read = Vec::new();
    run_thread(&**machine, &program.threads[0], &mut read);
    *lock(&reads[0]) = read;
    threads.into_iter().for_each(join);
    reads.iter().map(|read| lock(read).clone()).collect()
}

/// Loom's words and locks.
struct Loomed {
    words: Vec<loom::sync::atomic::AtomicU64>,
    locks: Vec<loom::sync::Mutex<()>>,
}

impl Machine for Loomed {
    fn load(&self, word: usize, ordering: Ordering) -> u64 {
        self.words[word].load(ordering)
    }
    fn store(&self, word: usize, value: u64, ordering: Ordering) {
        self.words[word].store(value, ordering);
    }
    fn add(&self, word: usize, value: u64, ordering: Ordering) {
        self.words[word].fetch_add(value, ordering);
    }
    fn fetch_add(&self, word: usize, value: u64, ordering: Ordering) -> u64 {
        self.words[word].fetch_add(value, ordering)
    }
    fn swap(&self, word: usize, value: u64, ordering: Ordering) -> u64 {
        self.words[word].swap(value, ordering)
    }
    fn cas(&self, word: usize, expected: u64, new: u64, _: bool, ordering: Ordering) -> u64 {
        match self.words[word].compare_exchange(expected, new, ordering, Ordering::Relaxed) {
            Ok(old) => old << 1 | 1,
            Err(old) => old << 1,
        }
    }
    fn fence(&self, ordering: Ordering) {
        loom::sync::atomic::fence(ordering);
    }
    fn locked(&self, lock: usize, section: &mut dyn FnMut()) {
        let _held = self.locks[lock].lock();
        section();
    }
}

/// The final states that loom finds within `limit` executions, and how many it made.
pub fn loom(program: &Program, limit: usize) -> (BTreeSet<Final>, usize) {
    let found = Arc::new(Mutex::new((BTreeSet::new(), 0)));
    let (collected, shared) = (Arc::clone(&found), Arc::new(program.clone()));
    let mut builder = loom::model::Builder::new();
    builder.max_threads = program.threads.len();
    builder.max_branches = 10_000;
    builder.max_permutations = Some(limit);
    builder.max_duration = None;
    builder.preemption_bound = None;
    builder.checkpoint_file = None;
    builder.checkpoint_interval = limit;
    // Loom unwinds what its limit cuts off by panics.
    let result = super::super::quietly(|| {
        builder.check(move || {
            let machine = Arc::new(Loomed {
                words: (0..shared.words)
                    .map(|_| loom::sync::atomic::AtomicU64::new(0))
                    .collect(),
                locks: (0..shared.locks)
                    .map(|_| loom::sync::Mutex::new(()))
                    .collect(),
            });
            let spawn = |f: Box<dyn FnOnce() + Send>| loom::thread::spawn(f);
            let join = |thread: loom::thread::JoinHandle<()>| {
                let joined = thread.join();
                debug_assert!(
                    joined.is_ok(),
                    "loom ends the execution when a thread panics"
                );
            };
            let mut state = run_threads(&shared, &machine, spawn, join);
            // The newest values: a read-modify-write has no choice.
            let words = machine.words.iter();
            state.push(
                words
                    .map(|word| word.fetch_add(0, Ordering::Relaxed))
                    .collect(),
            );
            let mut collected = lock(&collected);
            collected.0.insert(state);
            collected.1 += 1;
        })
    });
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
    let mut found = lock(&found);
    std::mem::take(&mut *found)
}

/// The validation program of the algorithm's shape: read both counters, charge, push in a loop, lock,
/// take all, add, unlock, subtract. Packets of 100 bytes and an rcvbuf of 250 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Nodes.
    pub nodes: usize,
    /// CPUs on each node.
    pub cpus: usize,
    /// Packets of each CPU.
    pub packets: usize,
    /// How often CPU 0 receives at its end.
    pub receives: usize,
    /// rcvbuf, in bytes.
    pub rcvbuf: u64,
}

const SIZE: u64 = 100;

/// The words and the queue of one execution of a [`Shape`].
struct Sketch {
    shape: Shape,
    /// For each node: the list's head (the number of a packet, 0 for none) and the counter.
    nodes: Vec<(u16, u16)>,
    rmem: u16,
    queue_lock: u16,
    queue: Mutex<Vec<u64>>,
    /// The packet behind each packet.
    next: Mutex<Vec<u64>>,
    largest: Arc<Mutex<u64>>,
}

impl Sketch {
    fn add(word: u16, value: u64) {
        engine::add(word, value, Ordering::Relaxed);
    }

    fn enqueue(&self, node: usize, packet: u64) {
        let relaxed = Ordering::Relaxed;
        let (head, counter) = self.nodes[node];
        let occupied = engine::load(self.rmem, relaxed) + engine::load(counter, relaxed);
        if occupied + SIZE > self.shape.rcvbuf && occupied != 0 {
            return;
        }
        Self::add(counter, SIZE);
        let mut first = engine::load(head, relaxed);
        loop {
            lock(&self.next)[packet as usize] = first;
            let pending = Pending::Rmw {
                word: head,
                compare: Compare::Unless(Value(first)),
            };
            let push = |old| (old == first).then_some(packet);
            match engine::rmw(pending, head, Ordering::Release, relaxed, push) {
                (_, true) => break,
                (found, false) => first = found,
            }
        }
        if first != 0 {
            return;
        }
        let mut taken = 0;
        engine::acquire(self.queue_lock);
        let take = Pending::Rmw {
            word: head,
            compare: Compare::Never,
        };
        let (mut packet, _) = engine::rmw(take, head, Ordering::Acquire, relaxed, |_| Some(0));
        while packet != 0 {
            taken += SIZE;
            lock(&self.queue).push(packet);
            packet = lock(&self.next)[packet as usize];
        }
        Self::add(self.rmem, taken);
        let now = engine::final_value(self.rmem);
        let mut largest = lock(&self.largest);
        *largest = now.max(*largest);
        drop(largest);
        engine::release(self.queue_lock);
        Self::add(counter, taken.wrapping_neg());
    }

    fn receive(&self) -> bool {
        engine::acquire(self.queue_lock);
        let received = {
            let mut queue = lock(&self.queue);
            (!queue.is_empty()).then(|| queue.remove(0)).is_some()
        };
        if received {
            Self::add(self.rmem, SIZE.wrapping_neg());
        }
        engine::release(self.queue_lock);
        received
    }

    fn run_cpu(&self, cpu: usize) {
        let packets = self.shape.packets;
        for packet in 0..packets {
            self.enqueue(cpu / self.shape.cpus, (cpu * packets + packet + 1) as u64);
        }
    }
}

/// Explores a shape; also tells the largest value of the socket's counter, in bytes.
pub fn explore_shape(shape: Shape, mode: Mode) -> (Exploration, u64) {
    let largest = Arc::new(Mutex::new(0));
    let shared = Arc::clone(&largest);
    let (stats, deadlock) = explore_closure(mode, move || {
        let cpus = shape.nodes * shape.cpus;
        let sketch = Arc::new(Sketch {
            shape,
            nodes: (0..shape.nodes)
                .map(|_| (engine::new_word(0), engine::new_word(0)))
                .collect(),
            rmem: engine::new_word(0),
            queue_lock: engine::new_lock(),
            queue: Mutex::default(),
            next: Mutex::new(vec![0; cpus * shape.packets + 1]),
            largest: Arc::clone(&shared),
        });
        let threads: Vec<_> = (1..cpus)
            .map(|cpu| {
                let sketch = Arc::clone(&sketch);
                engine::spawn(move || sketch.run_cpu(cpu))
            })
            .collect();
        sketch.run_cpu(0);
        for _ in 0..shape.receives {
            sketch.receive();
        }
        threads.into_iter().for_each(engine::join);
        while sketch.receive() {}
        assert_eq!(engine::final_value(sketch.rmem), 0);
    });
    let explored = Exploration {
        finals: BTreeSet::new(),
        executions: stats.executions,
        blocked: stats.blocked,
        duplicates: stats.duplicates,
        deadlock,
    };
    let largest = *lock(&largest);
    (explored, largest)
}
