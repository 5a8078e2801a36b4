// SPDX-License-Identifier: MIT OR Apache-2.0

//! Before 2016: every producer queues for the receive queue's lock.

use super::super::{Enqueued, Proto, Refused, Sock};
use super::Design;

/// Every producer takes the receive queue's lock for its packet. Nothing is condensed.
///
/// A packet is refused at once when the socket holds more than rcvbuf. The test that decides comes
/// after the packet was charged, and lets a packet in that is alone.
pub struct PlainLock<F: Proto>(Sock<F>);

impl<F: Proto> PlainLock<F> {
    /// The design on `sock`, whose node queues it does not use.
    pub fn new(sock: Sock<F>) -> Self {
        PlainLock(sock)
    }
}

impl<F: Proto> Design<F> for PlainLock<F> {
    const NAME: &'static str = "plain-lock";

    #[inline(always)]
    fn sock(&self) -> &Sock<F> {
        &self.0
    }

    #[inline]
    fn enqueue(&self, node: usize, skb: F::Packet) -> Result<Enqueued, Refused<F::Packet>> {
        let (occupied, rcvbuf) = self.0.occupancy();
        if occupied > rcvbuf {
            return Err(self.0.refuse_full(node, skb, (occupied, rcvbuf)));
        }
        self.0.charge_and_queue(node, skb, (occupied, rcvbuf))
    }
}
