// SPDX-License-Identifier: MIT OR Apache-2.0

//! 2016: an array of busylocks, hashed by socket.

use core::ops::Deref;

use super::super::{Enqueued, Packet, Platform, Proto, Refused, Sock};
use super::{with_busylock, Design};

/// How many busylocks the kernel has for so many CPUs: 16 for each, rounded down to a power of two.
///
/// Source: `udp_init`.
pub fn busylocks(cpus: usize) -> usize {
    let log = cpus.max(1).ilog2().saturating_add(4);
    1_usize.checked_shl(log).unwrap_or(usize::MAX)
}

/// Above half of rcvbuf a producer takes the busylock that the socket's address hashes to, before it
/// charges the packet and tests it as [`PlainLock`](super::PlainLock) does.
///
/// The busylocks, [`busylocks`] of them, are shared by all sockets. Like the kernel's they are not
/// padded: sockets that hash to neighbours share a cache line, and some share a lock.
pub struct HashedBusylock<F: Proto, L> {
    sock: Sock<F>,
    locks: L,
}

impl<F: Proto, L> HashedBusylock<F, L>
where
    L: Deref<Target = [<F::Platform as Platform>::Lock<()>]>,
{
    /// The design on `sock`, whose node queues it does not use. Without any lock in `locks` it is
    /// [`PlainLock`](super::PlainLock) with packets condensed.
    pub fn new(sock: Sock<F>, locks: L) -> Self {
        HashedBusylock { sock, locks }
    }

    /// Runs `f` with the socket's busylock held.
    #[inline(always)]
    fn with_lock<R>(&self, f: impl FnOnce() -> R) -> R {
        let address = &self.sock as *const Sock<F> as u64;
        let hash = address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        // The hash's topmost bits, as many as the number of locks has.
        let index = hash.wrapping_mul(self.locks.len() as u64) >> 32;
        match self.locks.get(index as usize) {
            Some(busylock) => with_busylock::<F::Platform, R>(busylock, f),
            None => f(),
        }
    }
}

impl<F: Proto, L> Design<F> for HashedBusylock<F, L>
where
    L: Deref<Target = [<F::Platform as Platform>::Lock<()>]>,
{
    const NAME: &'static str = "hashed-busylock";

    #[inline(always)]
    fn sock(&self) -> &Sock<F> {
        &self.sock
    }

    #[inline]
    fn enqueue(&self, node: usize, mut skb: F::Packet) -> Result<Enqueued, Refused<F::Packet>> {
        let sock = &self.sock;
        let (occupied, rcvbuf) = sock.occupancy();
        if occupied > rcvbuf {
            return Err(sock.refuse_full(node, skb, (occupied, rcvbuf)));
        }
        if occupied <= rcvbuf >> 1 {
            return sock.charge_and_queue(node, skb, (occupied, rcvbuf));
        }
        // SAFETY: The packet is the caller's, who gave it to us.
        let size = unsafe { skb.head().truesize() };
        sock.condense(&mut skb, size);
        self.with_lock(|| sock.charge_and_queue(node, skb, (occupied, rcvbuf)))
    }
}
