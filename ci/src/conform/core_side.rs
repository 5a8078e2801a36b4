// SPDX-License-Identifier: MIT OR Apache-2.0

//! The core's side: plays a recording's operations on a socket of the core.

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use anyhow::{anyhow, bail, Result};
use prodq::{
    boxed_nodes, Admission, EnqueueError, Enqueued, KernelOrder, Options, Packet, Platform,
    ProdQueue, Proto, ProtoMem, RcvbufRange, Skb, SkbHead, Sock,
};

use super::op::{How, Op, Parts};
use super::seen::{Got, Outcome, Pages, Recording, Seen, Step as Played};
use super::trace::Header;
use super::world::{begin, last, Live};

/// What a datagram carries.
pub struct Body {
    head: u64,
    bytes: u32,
    condensed: u32,
}

/// A datagram, which condenses to what the kernel was seen to make of its like.
pub struct Datagram<P: Platform>(Box<Skb<P, Body>>);

// SAFETY: Everything is passed on to the boxed packet.
unsafe impl<P: Platform> Packet for Datagram<P> {
    type Platform = P;

    fn head(&self) -> &SkbHead<P> {
        self.0.head()
    }

    fn into_raw(self) -> NonNull<SkbHead<P>> {
        self.0.into_raw()
    }

    unsafe fn from_raw(head: NonNull<SkbHead<P>>) -> Self {
        // SAFETY: The caller promises that it came from `into_raw`.
        Datagram(unsafe { Packet::from_raw(head) })
    }

    fn condense(&mut self) {
        // SAFETY: The packet is this side's, which has a single thread.
        let set = unsafe { self.0.head().set_truesize(self.0.data.condensed) };
        debug_assert!(set.is_ok(), "a learnt truesize is a size");
    }
}

/// The protocol of a comparison on platform `P` with admission policy `A`.
pub struct Udp<P, A>(PhantomData<fn() -> (P, A)>);

impl<P: Platform, A: Admission> Proto for Udp<P, A> {
    type Platform = P;
    type Packet = Datagram<P>;
    type Admission = A;
    type Readers = prodq::Polling;
    type Nodes = Box<[ProdQueue<P>]>;
    type Memory = Arc<ProtoMem<P>>;
}

/// The core's socket, and what the algorithm leaves to its user.
struct CoreSide<'a, P: Platform, A: Admission> {
    sock: Sock<Udp<P, A>>,
    header: &'a Header,
    recording: &'a Recording,
    sent: u64,
    shut_read: bool,
    shut_write: bool,
}

/// Plays the operations of `recording` on the core of Linux 6.18.
pub fn play(header: &Header, recording: &Recording) -> Result<Recording> {
    match header.page_size {
        4096 => play_on::<Live<12>, KernelOrder>(header, recording),
        16_384 => play_on::<Live<14>, KernelOrder>(header, recording),
        65_536 => play_on::<Live<16>, KernelOrder>(header, recording),
        other => bail!("pages of {other} bytes; 4096, 16384 and 65536 are known"),
    }
}

/// Plays the operations of `recording` on the core, on platform `P` with admission policy `A`, and
/// tells what the core did. The outcomes in the recording are not looked at.
pub fn play_on<P: Platform, A: Admission>(
    header: &Header,
    recording: &Recording,
) -> Result<Recording> {
    let start = recording.start.unwrap_or(Pages {
        shared: 0,
        reserve: 0,
    });
    begin(start, header.pcpu_reserve);
    let limits = match (recording.start, recording.setup.udp_mem) {
        (None, None) => [u32::MAX; 3],
        (None, Some(_)) => {
            bail!("a recording under memory pressure must tell the pages it began with")
        }
        (Some(_), None) => header.udp_mem,
        (Some(start), Some(more)) => absolute(start, more),
    };
    let memory = Arc::new(ProtoMem::new(limits, header.udp_rmem_min).map_err(|e| anyhow!(e))?);
    let options = Options {
        rcvbuf: header.rcvbuf_default,
        rxq_ovfl: recording.setup.rxq_ovfl,
    };
    let mut sock = Sock::new(options, Arc::clone(&memory)).map_err(|e| anyhow!(e))?;
    sock.init(|| boxed_nodes(1)).map_err(|e| anyhow!(e))?;
    let mut side = CoreSide::<P, A> {
        sock,
        header,
        recording,
        sent: 0,
        shut_read: false,
        shut_write: false,
    };
    let mut steps = Vec::with_capacity(recording.steps.len());
    for Played { op, .. } in &recording.steps {
        let outcome = side.step(op)?;
        let info = side.sock.mem_info();
        let seen = Seen {
            outcome,
            rmem_alloc: info.rmem_alloc,
            fwd_alloc: info.forward_alloc,
            rcvbuf: info.rcvbuf,
            drops: info.drops,
            pages: recording.start.map(|_| memory.allocated() as i64),
        };
        steps.push(Played {
            op: op.clone(),
            seen,
        });
    }
    let end = recording.start.map(|_| last());
    drop(side);
    let kept = recording
        .start
        .map_or(0, |start| last().total() - start.total());
    Ok(Recording {
        setup: recording.setup.clone(),
        start: recording.start,
        steps,
        end,
        kept,
    })
}

/// Limits relative to the shared counter, as the sysctl wants them.
pub fn absolute(start: Pages, more: [i64; 3]) -> [u32; 3] {
    more.map(|more| u32::try_from((start.shared + more).max(0)).unwrap_or(u32::MAX))
}

impl<P: Platform, A: Admission> CoreSide<'_, P, A> {
    fn range(&self) -> RcvbufRange {
        RcvbufRange {
            min: self.header.rcvbuf_min,
            max: self.header.rmem_max,
        }
    }

    fn step(&mut self, op: &Op) -> Result<Outcome> {
        Ok(match op {
            Op::Send(bytes) => self.send(Parts::whole(*bytes))?,
            Op::SendParts(first, rest) => self.send(Parts {
                first: *first,
                rest: *rest,
            })?,
            Op::Recv(bytes) => match self.recv(*bytes) {
                Some(got) => Outcome::Got(vec![got]),
                None => self.none(),
            },
            Op::Peek(bytes) => match self.sock.peek(|skb| got(skb, *bytes)) {
                Some(got) => Outcome::Got(vec![got]),
                None => self.none(),
            },
            Op::RecvMany(buffers) => {
                let all: Vec<_> = buffers
                    .iter()
                    .map_while(|&bytes| self.recv(bytes))
                    .collect();
                if all.is_empty() {
                    Outcome::Nothing
                } else {
                    Outcome::Got(all)
                }
            }
            Op::Rcvbuf(asked) => self.set_rcvbuf(self.range().in_force(*asked))?,
            Op::RcvbufForce(asked) => self.set_rcvbuf(self.range().forced(*asked))?,
            Op::Length => Outcome::Bytes(
                self.sock
                    .peek(|skb| i64::from(skb.0.data.bytes))
                    .unwrap_or(0),
            ),
            Op::RecvQueue => Outcome::Bytes(self.sock.mem_info().recv_queue().into()),
            Op::Poll => self.poll(),
            Op::Shutdown(how) => {
                self.shut_read |= matches!(how, How::Read | How::Both);
                self.shut_write |= matches!(how, How::Write | How::Both);
                Outcome::Done
            }
        })
    }

    fn send(&mut self, parts: Parts) -> Result<Outcome> {
        let family = self.recording.setup.family;
        let Some(truesize) = self.header.truesizes.get(family, parts) else {
            bail!("the truesize of {parts:?} over {family:?} was not learnt");
        };
        self.sent += 1;
        let bytes = parts.bytes();
        let body = Body {
            head: head(self.sent, bytes),
            bytes,
            condensed: truesize.condensed,
        };
        let skb = Skb::new(truesize.full, body).map_err(|e| anyhow!(e))?;
        match self.sock.enqueue(0, Datagram(Box::new(skb))) {
            Ok(Enqueued::Drained { dropped: 0, .. }) => Ok(Outcome::Queued),
            Ok(Enqueued::Drained { .. }) => Ok(Outcome::NoMemory),
            Ok(Enqueued::Pushed) => bail!("a single thread was not elected"),
            Err(refused) => match refused.error {
                EnqueueError::RcvbufFull { .. } => Ok(Outcome::RcvbufFull),
                error => Err(anyhow!(error)),
            },
        }
    }

    fn recv(&self, buffer: u32) -> Option<Got> {
        self.sock.recv().map(|skb| got(&skb, buffer))
    }

    fn none(&self) -> Outcome {
        if self.shut_read && !self.recording.setup.nonblocking {
            Outcome::Ended
        } else {
            Outcome::Nothing
        }
    }

    fn set_rcvbuf(&self, bytes: u32) -> Result<Outcome> {
        self.sock.set_rcvbuf(bytes).map_err(|e| anyhow!(e))?;
        Ok(Outcome::Done)
    }

    /// A socket that blocks looks for a packet it could deliver, which refills the reader queue.
    fn poll(&self) -> Outcome {
        let readable = if self.shut_read {
            true
        } else if self.recording.setup.nonblocking {
            self.sock.is_readable()
        } else {
            self.sock.peek(|_| ()).is_some()
        };
        Outcome::Ready(readable, self.shut_read && self.shut_write)
    }
}

/// The head of the `number`-th datagram, as far as `bytes` bytes hold it.
pub fn head(number: u64, bytes: u32) -> u64 {
    if bytes >= 8 {
        number
    } else {
        number & ((1 << (8 * bytes)) - 1)
    }
}

fn got<P: Platform>(skb: &Datagram<P>, buffer: u32) -> Got {
    let bytes = skb.0.data.bytes.min(buffer);
    Got {
        bytes,
        cut: skb.0.data.bytes > buffer,
        head: head(skb.0.data.head, bytes),
        stamp: skb.0.dropcount(),
    }
}
