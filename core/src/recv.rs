// SPDX-License-Identifier: MIT OR Apache-2.0

//! The reader's side: dequeue, release, refill.

use core::ptr::NonNull;

use super::queue::{ReaderQueue, ReceiveQueue};
use super::{
    AtomicInt, Lock, LockName, Packet, Platform, Proto, Readers, Site, SkbHead, Sock, Step,
};

impl<F: Proto> Sock<F> {
    /// Takes the oldest packet, or `None` when both queues are empty. Does not wait for packets.
    ///
    /// Its memory is released now or with a later packet: the release is held back while less than a
    /// quarter of rcvbuf is due and more packets are at hand.
    ///
    /// Source: `__skb_recv_udp`, `udp_skb_destructor`.
    #[doc(alias = "__skb_recv_udp")]
    pub fn recv(&self) -> Option<F::Packet> {
        self.reader.0.with(|reader| {
            F::Platform::trace(Step::Lock {
                lock: LockName::Reader,
            });
            let skb = match reader.queue.pop() {
                Some(skb) => {
                    self.release_dequeued(reader, None, skb);
                    Some(skb)
                }
                None => self.with_receive(|receive| {
                    self.splice(reader, receive);
                    let skb = reader.queue.pop();
                    match skb {
                        Some(skb) => self.release_dequeued(reader, Some(receive), skb),
                        None => F::Platform::trace(Step::Empty),
                    }
                    skb
                }),
            };
            F::Platform::trace(Step::Unlock {
                lock: LockName::Reader,
                forward_alloc: 0,
            });
            // SAFETY: The packet was taken from a queue that got it from `into_raw` in `enqueue`.
            skb.map(|skb| unsafe { F::Packet::from_raw(skb) })
        })
    }

    /// Looks at the oldest packet and leaves it where it is; `None` when both queues are empty.
    /// Releases nothing (`MSG_PEEK`). `look` runs with the reader queue's lock held; a look at the
    /// length is `FIONREAD`.
    ///
    /// Source: `__skb_recv_udp`, `first_packet_length`.
    #[doc(alias = "MSG_PEEK")]
    #[doc(alias = "FIONREAD")]
    pub fn peek<R>(&self, look: impl FnOnce(&F::Packet) -> R) -> Option<R> {
        self.reader.0.with(|reader| {
            F::Platform::trace(Step::Lock {
                lock: LockName::Reader,
            });
            if reader.queue.is_empty() {
                self.with_receive(|receive| self.splice(reader, receive));
            }
            let looked = reader.queue.front().map(|skb| {
                // SAFETY: The packet is in the reader queue, whose lock is held; `ManuallyDrop`
                // leaves its ownership there, also when `look` unwinds.
                let packet = unsafe { core::mem::ManuallyDrop::new(F::Packet::from_raw(skb)) };
                F::Platform::trace(Step::Peek {
                    skb: packet.head().id(),
                });
                look(&packet)
            });
            if looked.is_none() {
                F::Platform::trace(Step::Empty);
            }
            F::Platform::trace(Step::Unlock {
                lock: LockName::Reader,
                forward_alloc: 0,
            });
            looked
        })
    }

    /// Whether a reader would find a packet. Moves nothing, unlike [`peek`](Self::peek), by which the
    /// kernel answers for a socket that blocks; this is its answer for one that does not.
    ///
    /// Source: `udp_poll`, `datagram_poll`.
    #[doc(alias = "udp_poll")]
    pub fn is_readable(&self) -> bool {
        let waits = self.receive.0.with(|receive| !receive.queue.is_empty());
        waits || self.reader.0.with(|reader| !reader.queue.is_empty())
    }

    /// Runs `f` under the receive queue's lock. The caller holds the reader queue's.
    fn with_receive<R>(&self, f: impl FnOnce(&mut ReceiveQueue<F::Platform>) -> R) -> R {
        self.receive.0.with(|receive| {
            F::Platform::trace(Step::Lock {
                lock: LockName::Receive,
            });
            let result = f(receive);
            F::Platform::trace(Step::Unlock {
                lock: LockName::Receive,
                forward_alloc: receive.forward_alloc,
            });
            result
        })
    }

    pub(super) fn splice(
        &self,
        reader: &mut ReaderQueue<F::Platform>,
        receive: &mut ReceiveQueue<F::Platform>,
    ) {
        let count = reader.queue.splice(&mut receive.queue);
        if count != 0 {
            self.readers.spliced(count);
            F::Platform::trace(Step::Splice { count });
        }
    }

    /// What a dequeued packet sets free; `receive` is there when its lock is held already.
    ///
    /// Source: `udp_rmem_release` with `partial` 1.
    fn release_dequeued(
        &self,
        reader: &mut ReaderQueue<F::Platform>,
        receive: Option<&mut ReceiveQueue<F::Platform>>,
        skb: NonNull<SkbHead<F::Platform>>,
    ) {
        // SAFETY: The packet was just taken from the reader queue, whose lock is held.
        let (id, size) = unsafe { (skb.as_ref().id(), skb.as_ref().scratch()) };
        F::Platform::trace(Step::Dequeue { skb: id });
        let deficit = reader.forward_deficit.wrapping_add(size);
        // ORDERING: Relaxed; the threshold is a number, not a message.
        let threshold = self.forward_threshold.load(Site::ReadThreshold) as u32;
        if deficit < threshold && !reader.queue.is_empty() {
            reader.forward_deficit = deficit;
            F::Platform::trace(Step::HoldBack { deficit });
            self.readers.dequeued();
            return;
        }
        reader.forward_deficit = 0;
        let mut give_back = |receive: &mut ReceiveQueue<F::Platform>| {
            self.give_back(receive, deficit, true);
            self.splice(reader, receive);
        };
        match receive {
            Some(receive) => give_back(receive),
            None => self.with_receive(give_back),
        }
        // Last: the packet counts until what the splice brought counts, so that a reader which looks at
        // both queues never finds both empty while packets move from one to the other.
        self.readers.dequeued();
    }

    /// Returns `size` bytes: to the protocol in pages, then to the socket's counter.
    pub(super) fn give_back(
        &self,
        receive: &mut ReceiveQueue<F::Platform>,
        size: u32,
        partial: bool,
    ) {
        self.memory
            .release(&mut receive.forward_alloc, size, partial);
        // ORDERING: Relaxed; the lock orders it after the addition it undoes.
        let old = self.rmem_alloc.0.fetch_sub(size as i32, Site::SubRmem);
        F::Platform::trace(Step::SubRmem { size, old });
    }
}
