// SPDX-License-Identifier: MIT OR Apache-2.0

//! The one player: plays a scenario once, in any world.

use std::ptr::NonNull;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use prodq::baseline::Design as _;
use prodq::{
    AllNodes, BothQueues, Defer, DeferNode, Handle, KernelOrder, NodeFirst, Options, Packet,
    ProdQueue, Proto, ProtoMem, ReceiveQueueOnly, ResetOrder, SizeError, SkbHead, Sock, Table,
};

use crate::context::{record, stoppable, switching, Context, Kind, What};
use crate::design::{
    Baseline, Before, CountBatch, Design, Entry, Hashed, PerSocket, Plain, Policy, Repair,
    Sleepers, StampUnderLock, With,
};
use crate::model::Model;
use crate::quarantine::Quarantined;
use crate::scenario::{Op, Scenario};
use crate::wait::{finish_cpu, put_to_sleep};
use crate::world::backend::Backend;

#[repr(C)]
struct ModelSkb<B: Backend> {
    head: SkbHead<Model<B>>,
    condense_to: Option<u32>,
}

/// A packet of the models: quarantined when it is freed.
struct ModelPacket<B: Backend>(Quarantined<ModelSkb<B>>);

impl<B: Backend> ModelPacket<B> {
    fn new(size: u32, condense_to: Option<u32>) -> Result<Self, SizeError> {
        let skb = ModelSkb {
            head: SkbHead::new(size)?,
            condense_to,
        };
        Ok(ModelPacket(Quarantined::new(Box::new(skb), Kind::Packet)))
    }
}

// SAFETY: Quarantined memory stays where it is, `repr(C)` puts the header at its start, and both
// conversions are casts of the same pointer.
unsafe impl<B: Backend> Packet for ModelPacket<B> {
    type Platform = Model<B>;

    fn head(&self) -> &SkbHead<Model<B>> {
        &self.0.head
    }

    fn into_raw(self) -> NonNull<SkbHead<Model<B>>> {
        self.0.into_raw().cast()
    }

    unsafe fn from_raw(head: NonNull<SkbHead<Model<B>>>) -> Self {
        // SAFETY: The pointer came from `into_raw`.
        ModelPacket(unsafe { Quarantined::from_raw(head.cast(), Kind::Packet) })
    }

    fn condense(&mut self) {
        if let Some(limit) = self.0.condense_to {
            // SAFETY: The packet is borrowed exclusively.
            unsafe {
                let smaller = self.head().truesize().min(limit);
                let set = self.head().set_truesize(smaller);
                debug_assert!(set.is_ok(), "`Scenario::check` refuses such a size");
            }
        }
    }
}

struct ModelProto<B, D>(std::marker::PhantomData<fn() -> (B, D)>);

impl<B: Backend, D: Design> Proto for ModelProto<B, D> {
    type Platform = Model<B>;
    type Packet = ModelPacket<B>;
    type Admission = D::Admission;
    type Readers = D::Readers<B>;
    type Nodes = Quarantined<[ProdQueue<Model<B>>]>;
    type Memory = Arc<ProtoMem<Model<B>>>;

    const STAMP_UNDER_LOCK: bool = D::STAMP_UNDER_LOCK;
    const COUNT_BATCH: bool = D::COUNT_BATCH;
}

/// A socket with the design's way into it.
struct ModelSock<B: Backend, D: Design>(<D::Entry as Entry>::Sock<ModelProto<B, D>>);

impl<B: Backend, D: Design> std::ops::Deref for ModelSock<B, D> {
    type Target = Sock<ModelProto<B, D>>;

    fn deref(&self) -> &Self::Target {
        self.0.sock()
    }
}

// SAFETY: Quarantined memory stays where it is until it is owned again.
unsafe impl<B: Backend, D: Design> Handle for Quarantined<ModelSock<B, D>> {
    type Target = ModelSock<B, D>;

    fn into_raw(self) -> *mut Self::Target {
        Quarantined::into_raw(self).as_ptr()
    }

    unsafe fn from_raw(raw: *mut Self::Target) -> Self {
        // SAFETY: The pointer came from `into_raw`, which never gives null.
        unsafe { Quarantined::from_raw(NonNull::new_unchecked(raw), Kind::Sock) }
    }
}

/// Where the CPUs find the socket. Only a scenario that closes it pays for the table.
enum Found<B: Backend, D: Design> {
    Direct(Quarantined<ModelSock<B, D>>),
    InTable(Table<Model<B>, Quarantined<ModelSock<B, D>>, 1>),
}

/// The free lists of all CPUs.
type FreeLists<B> = Defer<ModelPacket<B>, Box<[DeferNode<Model<B>>]>>;

fn free_lists<B: Backend>(scenario: &Scenario) -> Option<FreeLists<B>> {
    if scenario.owners().is_empty() {
        return None;
    }
    let lists = scenario.cpus.len() * scenario.nodes;
    let lists = (0..lists).map(|_| DeferNode::default()).collect();
    let order = match scenario.repair {
        Some(Repair::ResetAfterTake) => ResetOrder::AfterTake,
        _ => ResetOrder::BeforeTake,
    };
    Defer::new(lists, scenario.nodes, scenario.defer_max, order).ok()
}

/// The socket and the script, shared by the CPUs of one execution.
struct Stage<B: Backend, D: Design> {
    scenario: Arc<Scenario>,
    sock: Found<B, D>,
    defer: Option<FreeLists<B>>,
}

impl<B: Backend, D: Design> Stage<B, D> {
    fn new(scenario: &Arc<Scenario>) -> Stage<B, D> {
        let stage = Stage {
            scenario: Arc::clone(scenario),
            sock: if scenario.needs_table() {
                Found::InTable(Table::default())
            } else {
                Found::Direct(open(scenario))
            },
            defer: free_lists(scenario),
        };
        if !scenario.opens() {
            stage.publish();
        }
        stage
    }

    fn publish(&self) {
        if let Found::InTable(table) = &self.sock {
            let published = table.publish(0, open(&self.scenario));
            debug_assert!(published.is_ok(), "`Scenario::check` allows one open");
        }
    }

    fn with_sock<R>(&self, f: impl FnOnce(&ModelSock<B, D>) -> R) -> Option<R> {
        match &self.sock {
            Found::Direct(sock) => Some(f(sock)),
            Found::InTable(table) => table.look_up(0, f),
        }
    }

    fn run_cpu(&self, cpu: usize) {
        let mut packet = self.first_packet(cpu);
        for op in &self.scenario.cpus[cpu].ops {
            match *op {
                Op::Offer(size) => {
                    self.offer(cpu, packet, size);
                    packet += 1;
                }
                Op::Recv => {
                    self.with_sock(receive);
                }
                Op::Wait => {
                    self.with_sock(|sock| deliver(sock.recv_wait().ok()));
                }
                Op::Busy(looks) => {
                    self.with_sock(|sock| deliver(sock.recv_busy(looks)));
                }
                Op::Peek => {
                    self.with_sock(|sock| {
                        let found = sock.peek(|packet| packet.head().id());
                        record(What::Told { found });
                    });
                }
                Op::Defer(owner) => {
                    self.hand(self.scenario.cpus[cpu].node, packet, owner);
                    packet += 1;
                }
                Op::Flush => self.flush(cpu),
                Op::SetRcvbuf(bytes) => {
                    self.with_sock(|sock| {
                        let set = sock.set_rcvbuf(bytes);
                        debug_assert!(set.is_ok(), "`Scenario::check` refuses such a size");
                    });
                }
                Op::Open => self.publish(),
                Op::Close => {
                    if let Found::InTable(table) = &self.sock {
                        if self.scenario.sleeps() {
                            table.look_up(0, |sock| sock.orphan());
                        }
                        // The second close of a socket finds nothing, which is its answer.
                        let _ = table.close(0);
                    }
                }
            }
        }
    }

    /// The number of a CPU's first packet: packets are numbered CPU by CPU after the prefill.
    fn first_packet(&self, cpu: usize) -> usize {
        let offers = |op: &&Op| matches!(op, Op::Offer(_) | Op::Defer(_));
        let before = self.scenario.cpus[..cpu].iter();
        self.scenario.prefill.len()
            + before
                .map(|cpu| cpu.ops.iter().filter(offers).count())
                .sum::<usize>()
    }

    fn offer(&self, cpu: usize, packet: usize, size: u32) {
        let Ok(skb) = ModelPacket::new(size, self.scenario.condense_to) else {
            return;
        };
        let node = self.scenario.cpus[cpu].node;
        self.with_sock(|sock| {
            let id = skb.head().id();
            record(What::Offer {
                skb: id,
                packet,
                size,
            });
            let outcome = sock.0.enqueue(node, skb);
            record(What::Return {
                skb: id,
                refused: outcome.is_err(),
            });
        });
    }

    /// Hands a packet to a free list, and frees it when the list is full.
    fn hand(&self, node: usize, packet: usize, owner: usize) {
        let (Some(defer), Ok(skb)) = (&self.defer, ModelPacket::new(1, None)) else {
            return;
        };
        record(What::Hand {
            skb: skb.head().id(),
            packet,
        });
        drop(defer.defer(owner, node, skb));
    }

    fn flush(&self, owner: usize) {
        if let Some(defer) = &self.defer {
            defer.flush(owner, drop);
        }
    }

    /// After all CPUs have finished: flushes every free list, and sees whether it accepts one more packet.
    fn finish_free_lists(&self) {
        let owners = self.scenario.owners();
        owners.iter().for_each(|&owner| self.flush(owner));
        record(What::Flushed);
        let mut packet = self.scenario.packets();
        for &owner in &owners {
            for node in 0..self.scenario.nodes {
                self.hand(node, packet, owner);
                packet += 1;
            }
            self.flush(owner);
        }
    }

    /// After all CPUs have finished: reads the counters and receives what is left.
    fn finish(&self) {
        self.with_sock(|sock| {
            let value = sock.mem_info().drops;
            record(What::FinalDrops { value });
            while !self.scenario.leave_queued && receive(sock) {}
        });
    }
}

fn receive<B: Backend, D: Design>(sock: &ModelSock<B, D>) -> bool {
    deliver(sock.recv())
}

/// Says that the CPU was given a packet, if it was.
fn deliver<B: Backend>(skb: Option<ModelPacket<B>>) -> bool {
    let Some(skb) = skb else {
        return false;
    };
    let head = skb.head();
    // SAFETY: The packet was received and is this CPU's.
    let dropcount = unsafe { head.dropcount() };
    record(What::Deliver {
        skb: head.id(),
        dropcount,
    });
    true
}

fn open<B: Backend, D: Design>(scenario: &Scenario) -> Quarantined<ModelSock<B, D>> {
    let memory: ProtoMem<Model<B>> = match scenario.mem_limits {
        Some(limits) => ProtoMem::new(limits, scenario.rmem_min)
            .unwrap_or_else(|error| unreachable!("`Scenario::check` refuses such limits: {error}")),
        None => ProtoMem::unlimited(),
    };
    let options = Options {
        rcvbuf: scenario.rcvbuf,
        rxq_ovfl: scenario.rxq_ovfl,
    };
    let mut sock = match Sock::new(options, Arc::new(memory)) {
        Ok(sock) => sock,
        Err(error) => unreachable!("`Scenario::check` refuses such an rcvbuf: {error}"),
    };
    let initialised = sock.init(|| {
        if scenario.init_fails {
            return None;
        }
        let nodes: Box<[ProdQueue<Model<B>>]> =
            (0..scenario.nodes).map(|_| ProdQueue::default()).collect();
        Some(Quarantined::new(nodes, Kind::Nodes))
    });
    debug_assert_eq!(initialised.is_err(), scenario.init_fails);
    Quarantined::new(Box::new(ModelSock(D::Entry::wrap(sock))), Kind::Sock)
}

/// Plays the scenario once on the core, in the world of `B`. What happened is in the context then.
pub(crate) fn play<B: Backend>(scenario: &Arc<Scenario>, context: &Arc<Context>) {
    let play = match (scenario.policy, scenario.repair) {
        _ if scenario.baseline.is_some() => match (scenario.baseline, scenario.sleeps()) {
            (Some(Baseline::HashedBusylock), false) => {
                play_design::<B, Before<Hashed, With<KernelOrder>>>
            }
            (Some(Baseline::HashedBusylock), true) => {
                play_design::<B, Before<Hashed, Sleepers<ReceiveQueueOnly>>>
            }
            (Some(Baseline::SocketBusylock), false) => {
                play_design::<B, Before<PerSocket, With<KernelOrder>>>
            }
            (Some(Baseline::SocketBusylock), true) => {
                play_design::<B, Before<PerSocket, Sleepers<ReceiveQueueOnly>>>
            }
            (_, false) => play_design::<B, Before<Plain, With<KernelOrder>>>,
            (_, true) => play_design::<B, Before<Plain, Sleepers<ReceiveQueueOnly>>>,
        },
        _ if scenario.sleeps() => match scenario.repair {
            Some(Repair::LookAtBothQueues) => play_design::<B, Sleepers<BothQueues>>,
            _ => play_design::<B, Sleepers<ReceiveQueueOnly>>,
        },
        (_, Some(Repair::StampUnderLock)) => play_design::<B, StampUnderLock>,
        (_, Some(Repair::CountBatch)) => play_design::<B, CountBatch>,
        (Policy::KernelOrder, _) => play_design::<B, With<KernelOrder>>,
        (Policy::NodeFirst, _) => play_design::<B, With<NodeFirst>>,
        (Policy::AllNodes, _) => play_design::<B, With<AllNodes>>,
    };
    play(scenario, context);
}

fn play_design<B: Backend, D: Design>(scenario: &Arc<Scenario>, context: &Arc<Context>) {
    context.enter(0);
    context
        .lock_held
        .store(scenario.lock_held, Ordering::SeqCst);
    let stage = Arc::new(Stage::<B, D>::new(scenario));
    for (packet, &size) in scenario.prefill.iter().enumerate() {
        stage.offer(0, packet, size);
    }
    let spawn = |cpu: usize| {
        let (stage, context) = (Arc::clone(&stage), Arc::clone(context));
        switching(|| {
            B::spawn(move || {
                context.enter(cpu);
                stoppable(|| stage.run_cpu(cpu));
                if stage.scenario.sleeps() {
                    finish_cpu::<B>();
                }
                drop(stage);
                Context::leave();
            })
        })
    };
    let (asleep, others): (Vec<_>, Vec<_>) =
        (1..scenario.cpus.len()).partition(|&cpu| scenario.starts_asleep(cpu));
    let mut threads = Vec::new();
    if !asleep.is_empty() {
        let start = || asleep.iter().copied().map(&spawn).collect::<Vec<_>>();
        threads.extend(put_to_sleep::<B, _>(asleep.len(), start));
    }
    threads.extend(others.into_iter().map(&spawn));
    stoppable(|| stage.run_cpu(0));
    if scenario.sleeps() {
        finish_cpu::<B>();
    }
    for thread in threads {
        switching(|| B::join(thread));
    }
    context.lock_held.store(false, Ordering::SeqCst);
    stoppable(|| {
        if !scenario.lock_held {
            stage.finish();
        }
        if stage.defer.is_some() {
            stage.finish_free_lists();
        }
        drop(stage);
    });
    Context::leave();
}
