// SPDX-License-Identifier: MIT OR Apache-2.0

//! 2025, before the node queues: one busylock for each socket.

use super::super::{Enqueued, Refused, Sock};
use super::super::{Lock, Packet, Platform, Proto};
use super::{with_busylock, Charged, Design};

#[repr(align(64))]
struct Line<P: Platform>(P::Lock<()>);

/// Admission is that of the node queues without their counters. Above half of rcvbuf the packet is
/// charged, tested once more, and only then queues for the socket's busylock, so that a packet which
/// does not fit never waits.
///
/// Below half of rcvbuf nothing is tested after the charge: producers that have read a low counter
/// may all charge, and what they charged above rcvbuf stays until it is read.
pub struct SocketBusylock<F: Proto> {
    sock: Sock<F>,
    busylock: Line<F::Platform>,
}

impl<F: Proto> SocketBusylock<F> {
    /// The design on `sock`, whose node queues it does not use.
    pub fn new(sock: Sock<F>) -> Self {
        SocketBusylock {
            sock,
            busylock: Line(Lock::new(())),
        }
    }
}

impl<F: Proto> Design<F> for SocketBusylock<F> {
    const NAME: &'static str = "socket-busylock";

    #[inline(always)]
    fn sock(&self) -> &Sock<F> {
        &self.sock
    }

    #[inline]
    fn enqueue(&self, node: usize, mut skb: F::Packet) -> Result<Enqueued, Refused<F::Packet>> {
        let sock = &self.sock;
        let (occupied, rcvbuf) = sock.occupancy();
        // SAFETY: The packet is the caller's, who gave it to us.
        let size = unsafe { skb.head().truesize() };
        let exempt = occupied == 0 && rcvbuf <= i32::MAX as u32 >> 1;
        if occupied.wrapping_add(size) > rcvbuf && !exempt {
            return Err(sock.refuse_full(node, skb, (occupied, rcvbuf)));
        }
        if occupied <= rcvbuf >> 1 {
            let Charged { size, .. } = sock.charge(&skb);
            return sock.queue(node, skb, size);
        }
        sock.condense(&mut skb, size);
        let Charged { size, rmem } = sock.charge(&skb);
        if rmem > rcvbuf {
            sock.uncharge(&skb, size);
            return Err(sock.refuse_full(node, skb, (occupied, rcvbuf)));
        }
        with_busylock::<F::Platform, _>(&self.busylock.0, || sock.queue(node, skb, size))
    }
}
