// SPDX-License-Identifier: MIT OR Apache-2.0

//! One job, and everybody who can do it: packets are offered and taken, and a packet is refused while
//! too many bytes wait.
//!
//! The operations ([`ops`]) of the core, of its [`floor`] and of what a user would pick
//! [instead](peers), for three benches: `micro` (times, by criterion), `bars` (ratios of times, measured
//! in turns), `instructions` (counts, by callgrind).

pub mod floor;
pub mod list;
pub mod ops;
pub mod peers;
pub mod sockets;

/// What every packet weighs, in bytes: a small datagram of Linux 6.18 on x86-64.
pub const TRUESIZE: u32 = 832;

/// Room for every packet that a bench has in flight, in bytes (`net.core.rmem_default`).
pub const RCVBUF: u32 = 212_992;

/// Somebody who does the job.
pub trait Job {
    /// Its name in tables.
    const NAME: &'static str;
    /// What is passed on: a box, so that an operation moves a pointer.
    type Packet: Send;
    /// The producers' side.
    type Writer: Clone + Send;
    /// The reader's side.
    type Reader: Send;

    /// An empty queue that refuses a packet when `limit` bytes would be exceeded, unless it is empty.
    fn open(limit: u32) -> (Self::Writer, Self::Reader);
    /// A packet that weighs `truesize` bytes.
    fn packet(truesize: u32) -> Self::Packet;
    /// Offers a packet.
    ///
    /// # Errors
    /// The packet, when too many bytes wait.
    fn offer(writer: &Self::Writer, packet: Self::Packet) -> Result<(), Self::Packet>;
    /// Takes the oldest packet, if there is one.
    fn take(reader: &Self::Reader) -> Option<Self::Packet>;
}
