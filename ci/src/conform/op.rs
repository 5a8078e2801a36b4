// SPDX-License-Identifier: MIT OR Apache-2.0

//! What is done to a socket: pure data, and how it is drawn at random.

use std::fmt;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// The longest sequence, in operations.
const LONGEST: usize = 400;

/// Common payloads, in bytes.
pub const COMMON: [u32; 17] = [
    0, 1, 8, 100, 127, 128, 129, 448, 512, 960, 1000, 1400, 1472, 1500, 1600, 1700, 2000,
];

/// IPv4 or IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// 127.0.0.1
    V4,
    /// `[::1]`
    V6,
}

impl Family {
    /// The largest payload of one datagram, in bytes.
    pub fn largest(self) -> u32 {
        match self {
            Family::V4 => 65_507,
            Family::V6 => 65_527,
        }
    }
}

/// Which half of a socket is shut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// The receiving half.
    Read,
    /// The sending half.
    Write,
    /// Both.
    Both,
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// Another socket sends a datagram of so many bytes.
    Send(u32),
    /// Another socket sends a datagram in two parts (`MSG_MORE`), whose second one is not in line with
    /// the first: it can be condensed.
    SendParts(u32, u32),
    /// Receives into a buffer of so many bytes.
    Recv(u32),
    /// Peeks into a buffer of so many bytes.
    Peek(u32),
    /// Receives into several buffers at once (`recvmmsg`).
    RecvMany(Vec<u32>),
    /// `SO_RCVBUF`, in bytes.
    Rcvbuf(i32),
    /// `SO_RCVBUFFORCE`, in bytes.
    RcvbufForce(i32),
    /// Asks for the length of the first datagram (`FIONREAD`).
    Length,
    /// Asks for Recv-Q, as `/proc/net/udp` tells it.
    RecvQueue,
    /// Polls for input.
    Poll,
    /// Shuts the socket down.
    Shutdown(How),
}

/// How a datagram is sent: bytes of the first part, and of the second one if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Parts {
    /// Bytes of the second part; 0 when the datagram is sent at once.
    pub rest: u32,
    /// Bytes of the first part.
    pub first: u32,
}

impl Parts {
    /// A datagram that is sent at once.
    pub fn whole(bytes: u32) -> Parts {
        Parts {
            first: bytes,
            rest: 0,
        }
    }

    /// Bytes of the datagram.
    pub fn bytes(self) -> u32 {
        self.first + self.rest
    }
}

impl Op {
    /// How the operation sends a datagram, if it sends one.
    pub fn sends(&self) -> Option<Parts> {
        match *self {
            Op::Send(bytes) => Some(Parts::whole(bytes)),
            Op::SendParts(first, rest) => Some(Parts { rest, first }),
            _ => None,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Send(bytes) => write!(f, "send {bytes}"),
            Op::SendParts(first, rest) => write!(f, "send {first} + {rest}"),
            Op::Recv(bytes) => write!(f, "recv into {bytes}"),
            Op::Peek(bytes) => write!(f, "peek into {bytes}"),
            Op::RecvMany(buffers) => write!(f, "recvmmsg into {buffers:?}"),
            Op::Rcvbuf(bytes) => write!(f, "SO_RCVBUF {bytes}"),
            Op::RcvbufForce(bytes) => write!(f, "SO_RCVBUFFORCE {bytes}"),
            Op::Length => f.write_str("FIONREAD"),
            Op::RecvQueue => f.write_str("Recv-Q"),
            Op::Poll => f.write_str("poll"),
            Op::Shutdown(how) => write!(f, "shutdown {how:?}"),
        }
    }
}

/// What the socket is before the first operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// IPv4 or IPv6.
    pub family: Family,
    /// Whether the receiving socket is connected to the sending one.
    pub connected: bool,
    /// `SO_RXQ_OVFL`.
    pub rxq_ovfl: bool,
    /// `O_NONBLOCK`, which decides what poll moves.
    pub nonblocking: bool,
    /// Whether the CPU's reserve of pages is nearly full when it starts: see
    /// [`Pages`](super::seen::Pages).
    #[serde(default)]
    pub lean: bool,
    /// The three limits of `udp_mem`, in pages more than the protocol has when the sequence starts;
    /// the machine's own limits when there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub udp_mem: Option<[i64; 3]>,
}

/// A socket and what is done to it. It ends with its close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The socket.
    pub setup: Setup,
    /// The operations, in order.
    pub ops: Vec<Op>,
}

/// Payloads, in bytes: any small one, the edges of the allocator's size classes, the largest ones.
fn payload(family: Family) -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => 0_u32..200,
        4 => prop::sample::select(COMMON.to_vec()),
        2 => 200_u32..4200,
        2 => prop::sample::select(vec![3600_u32, 4096, 8192, 16_384, 32_000, 32_768, 60_000]),
        1 => Just(family.largest()),
        1 => 4200..=family.largest(),
    ]
}

/// Datagrams in two parts, of which the second fits behind the first or does not.
fn parts() -> impl Strategy<Value = Op> {
    let small = || prop_oneof![3 => 1_u32..300, 1 => 300_u32..3000];
    (small(), small()).prop_map(|(first, rest)| Op::SendParts(first, rest))
}

/// Buffers, in bytes: smaller and larger than what is received.
fn buffer() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0_u32..150, 2 => 150_u32..3000, 4 => Just(65_536_u32)]
}

/// Limits to ask for, in bytes: mostly such that a few datagrams fill them, and at the edges where one
/// more of these `weights` just fits, or makes a quarter of the limit.
fn limit(weights: &[u32]) -> impl Strategy<Value = i32> {
    let weight = prop::sample::select(weights.to_vec());
    let edge = (weight, 1_u32..16, any::<bool>(), -1_i32..=1);
    let edge = edge.prop_map(|(weight, count, quarter, off)| {
        let bytes = weight.saturating_mul(count);
        let asked = if quarter {
            bytes.saturating_mul(2)
        } else {
            bytes / 2
        };
        i32::try_from(asked).unwrap_or(i32::MAX).saturating_add(off)
    });
    prop_oneof![
        6 => edge,
        3 => 0_i32..3000,
        3 => 1000_i32..12_000,
        2 => 12_000_i32..120_000,
        1 => prop::sample::select(vec![-1, 0, 212_992, 1 << 20, i32::MAX / 2, i32::MAX, i32::MIN]),
    ]
}

/// A few operations that belong together.
fn chunk(family: Family, force: bool, weights: &[u32]) -> impl Strategy<Value = Vec<Op>> {
    let one = |op: BoxedStrategy<Op>| op.prop_map(|op| vec![op]);
    let forced = if force { 2 } else { 0 };
    let mut all = vec![
        (8, payload(family).prop_map(|n| vec![Op::Send(n)]).boxed()),
        (
            6,
            (payload(family), 1_usize..24)
                .prop_map(|(n, count)| vec![Op::Send(n); count])
                .boxed(),
        ),
        (
            2,
            prop::collection::vec(payload(family).prop_map(Op::Send), 1..12).boxed(),
        ),
        (
            4,
            (parts(), 1_usize..12)
                .prop_map(|(op, count)| vec![op; count])
                .boxed(),
        ),
        (8, one(buffer().prop_map(Op::Recv).boxed()).boxed()),
        (
            4,
            (buffer(), 1_usize..24)
                .prop_map(|(n, count)| vec![Op::Recv(n); count])
                .boxed(),
        ),
        (3, one(buffer().prop_map(Op::Peek).boxed()).boxed()),
        (
            3,
            prop::collection::vec(buffer(), 1..8)
                .prop_map(|buffers| vec![Op::RecvMany(buffers)])
                .boxed(),
        ),
        (4, one(limit(weights).prop_map(Op::Rcvbuf).boxed()).boxed()),
        (3, one(Just(Op::Length).boxed()).boxed()),
        (1, one(Just(Op::RecvQueue).boxed()).boxed()),
        (3, one(Just(Op::Poll).boxed()).boxed()),
        (
            1,
            prop::sample::select(vec![How::Read, How::Write, How::Both])
                .prop_map(|how| vec![Op::Shutdown(how)])
                .boxed(),
        ),
    ];
    if forced != 0 {
        let limit = limit(weights).prop_map(Op::RcvbufForce).boxed();
        all.push((forced, one(limit).boxed()));
    }
    prop::strategy::Union::new_weighted(all)
}

/// The limits of protocol memory under which everything fails, or most, or the larger part.
fn pressure() -> impl Strategy<Value = [i64; 3]> {
    prop_oneof![
        1 => Just([-1, -1, -1]),
        3 => (-1_i64..300).prop_map(|low| [low, low, low]),
        3 => Just([-1, -1, 1 << 20]),
        3 => (-1_i64..300, 0_i64..300).prop_map(|(low, more)| [low, low, low + more]),
    ]
}

/// What may be drawn.
pub struct Choice<'a> {
    /// Forced limits.
    pub force: bool,
    /// Memory pressure, in every sequence.
    pub pressure: bool,
    /// IPv6 beside IPv4.
    pub v6: bool,
    /// What common datagrams weigh, in bytes; at least one.
    pub weights: &'a [u32],
}

/// What is drawn.
pub fn sequences(choice: &Choice<'_>) -> BoxedStrategy<Sequence> {
    let (force, under_pressure) = (choice.force, choice.pressure);
    let weights = choice.weights.to_vec();
    let families = match choice.v6 {
        true => vec![Family::V4, Family::V6],
        false => vec![Family::V4],
    };
    let family = prop::sample::select(families);
    family
        .prop_flat_map(move |family| {
            let udp_mem = if under_pressure {
                pressure().prop_map(Some).boxed()
            } else {
                Just(None).boxed()
            };
            let flags = any::<(bool, bool, bool, bool)>();
            let ops = prop::collection::vec(chunk(family, force, &weights), 1..40);
            let first = prop::option::weighted(0.9, limit(&weights));
            (Just(family), flags, udp_mem, first, ops)
        })
        .prop_map(
            |(family, (connected, rxq_ovfl, nonblocking, lean), udp_mem, first, ops)| {
                let first = first.map(Op::Rcvbuf).into_iter();
                let ops = first.chain(ops.into_iter().flatten());
                Sequence {
                    setup: Setup {
                        family,
                        connected,
                        rxq_ovfl,
                        nonblocking,
                        lean,
                        udp_mem,
                    },
                    ops: ops.take(LONGEST).collect(),
                }
            },
        )
        .boxed()
}
