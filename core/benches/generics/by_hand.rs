// SPDX-License-Identifier: MIT OR Apache-2.0

//! The path of one packet, written directly on std's atomics: what the core would be without its
//! platform trait. One node, boxed packets, no drop-count stamps; the branches are the core's.

use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr, Ordering::*};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub struct Skb {
    next: *mut Skb,
    truesize: u32,
    scratch: u32,
    dropcount: u32,
}

impl Skb {
    pub fn new(truesize: u32) -> Skb {
        Skb {
            next: ptr::null_mut(),
            truesize,
            scratch: 0,
            dropcount: 0,
        }
    }
}

struct Queue {
    head: *mut Skb,
    tail: *mut Skb,
    len: usize,
}

impl Queue {
    const EMPTY: Queue = Queue {
        head: ptr::null_mut(),
        tail: ptr::null_mut(),
        len: 0,
    };

    unsafe fn push(&mut self, skb: *mut Skb) {
        // SAFETY: The caller gives the packet to the queue, which owns its packets.
        unsafe {
            (*skb).next = ptr::null_mut();
            match self.tail.as_mut() {
                Some(tail) => tail.next = skb,
                None => self.head = skb,
            }
        }
        self.tail = skb;
        self.len += 1;
    }

    fn pop(&mut self) -> Option<*mut Skb> {
        let skb = self.head;
        if skb.is_null() {
            return None;
        }
        // SAFETY: The queue owns its packets.
        self.head = unsafe { (*skb).next };
        if self.head.is_null() {
            self.tail = ptr::null_mut();
        }
        self.len -= 1;
        Some(skb)
    }

    fn splice(&mut self, other: &mut Queue) {
        let moved = std::mem::replace(other, Queue::EMPTY);
        if moved.head.is_null() {
            return;
        }
        // SAFETY: The queue owns its packets.
        match unsafe { self.tail.as_mut() } {
            Some(tail) => tail.next = moved.head,
            None => self.head = moved.head,
        }
        self.tail = moved.tail;
        self.len += moved.len;
    }
}

struct Receive {
    queue: Queue,
    forward_alloc: i32,
}

struct Reader {
    queue: Queue,
    forward_deficit: u32,
}

#[repr(align(64))]
struct Line<T>(T);

struct Node {
    first: AtomicPtr<Skb>,
    rmem_alloc: AtomicI32,
}

struct Memory {
    allocated: AtomicIsize,
    limits: [u32; 3],
    rmem_min: i32,
}

pub struct Sock {
    rcvbuf: AtomicI32,
    forward_threshold: AtomicI32,
    node: Option<Box<[Line<Node>]>>,
    memory: Arc<Memory>,
    rmem_alloc: Line<AtomicI32>,
    receive: Line<Mutex<Receive>>,
    reader: Line<Mutex<Reader>>,
    drops: Line<AtomicI32>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sock {
    pub fn new(rcvbuf: u32) -> Sock {
        Sock {
            rcvbuf: AtomicI32::new(rcvbuf as i32),
            forward_threshold: AtomicI32::new(rcvbuf as i32 >> 2),
            node: Some(Box::new([Line(Node {
                first: AtomicPtr::new(ptr::null_mut()),
                rmem_alloc: AtomicI32::new(0),
            })])),
            memory: Arc::new(Memory {
                allocated: AtomicIsize::new(0),
                limits: [u32::MAX; 3],
                rmem_min: 0,
            }),
            rmem_alloc: Line(AtomicI32::new(0)),
            receive: Line(Mutex::new(Receive {
                queue: Queue::EMPTY,
                forward_alloc: 0,
            })),
            reader: Line(Mutex::new(Reader {
                queue: Queue::EMPTY,
                forward_deficit: 0,
            })),
            drops: Line(AtomicI32::new(0)),
        }
    }

    #[inline]
    pub fn enqueue(&self, skb: Box<Skb>) -> Result<usize, Box<Skb>> {
        let Some(Line(node)) = self.node.as_ref().and_then(|nodes| nodes.first()) else {
            return Err(skb);
        };
        let rcvbuf = self.rcvbuf.load(Relaxed) as u32;
        let rmem = self.rmem_alloc.0.load(Relaxed) as u32;
        let occupied = rmem.wrapping_add(node.rmem_alloc.load(Relaxed) as u32);
        let size = skb.truesize;
        let exempt = occupied == 0 && rcvbuf <= i32::MAX as u32 >> 1;
        if occupied.wrapping_add(size) > rcvbuf && !exempt {
            self.drops.0.fetch_add(1, Relaxed);
            return Err(skb);
        }
        let skb = Box::into_raw(skb);
        // SAFETY: The packet is ours until the push.
        unsafe { (*skb).scratch = size };
        node.rmem_alloc.fetch_add(size as i32, Relaxed);
        let mut first = node.first.load(Relaxed);
        loop {
            // SAFETY: As above.
            unsafe { (*skb).next = first };
            match node.first.compare_exchange(first, skb, AcqRel, Relaxed) {
                Ok(_) => break,
                Err(now) => first = now,
            }
        }
        if !first.is_null() {
            return Ok(0);
        }
        Ok(self.drain(node))
    }

    #[inline]
    fn drain(&self, node: &Node) -> usize {
        let (mut total, mut queued_bytes, mut queued) = (0_u32, 0_u32, 0);
        let mut no_memory: *mut Skb = ptr::null_mut();
        {
            let mut receive = lock(&self.receive.0);
            let mut taken = node.first.swap(ptr::null_mut(), AcqRel);
            let mut list: *mut Skb = ptr::null_mut();
            // SAFETY: Everything on the list is ours since the exchange.
            unsafe {
                while !taken.is_null() {
                    let next = (*taken).next;
                    (*taken).next = list;
                    list = taken;
                    taken = next;
                }
                while !list.is_null() {
                    let skb = list;
                    list = (*skb).next;
                    let size = (*skb).scratch;
                    total = total.wrapping_add(size);
                    if !self.schedule(&mut receive, size) {
                        (*skb).next = no_memory;
                        no_memory = skb;
                        continue;
                    }
                    receive.forward_alloc = receive.forward_alloc.wrapping_sub(size as i32);
                    queued_bytes = queued_bytes.wrapping_add(size);
                    queued += 1;
                    (*skb).dropcount = 0;
                    receive.queue.push(skb);
                }
            }
            self.rmem_alloc.0.fetch_add(queued_bytes as i32, Relaxed);
        }
        while !no_memory.is_null() {
            // SAFETY: The packet is ours.
            let skb = unsafe { Box::from_raw(no_memory) };
            no_memory = skb.next;
            self.drops.0.fetch_add(1, Relaxed);
        }
        node.rmem_alloc.fetch_sub(total as i32, Relaxed);
        queued
    }

    #[inline]
    fn schedule(&self, receive: &mut Receive, size: u32) -> bool {
        let delta = i64::from(size) - i64::from(receive.forward_alloc);
        if delta <= 0 {
            return true;
        }
        let pages = ((delta + 4095) >> 12) as isize;
        let allocated = self.memory.allocated.fetch_add(pages, Relaxed) + pages;
        let [low, _, high] = self.memory.limits.map(|limit| limit as isize);
        if allocated > low
            && (allocated > high || self.rmem_alloc.0.load(Relaxed) >= self.memory.rmem_min)
        {
            self.memory.allocated.fetch_sub(pages, Relaxed);
            return false;
        }
        receive.forward_alloc = receive.forward_alloc.wrapping_add((pages as i32) << 12);
        true
    }

    #[inline]
    pub fn recv(&self) -> Option<Box<Skb>> {
        let mut reader = lock(&self.reader.0);
        let skb = match reader.queue.pop() {
            Some(skb) => {
                if let Some(deficit) = self.due(&mut reader, skb) {
                    let mut receive = lock(&self.receive.0);
                    self.give_back(&mut receive, deficit);
                    reader.queue.splice(&mut receive.queue);
                }
                skb
            }
            None => {
                let mut receive = lock(&self.receive.0);
                reader.queue.splice(&mut receive.queue);
                let skb = reader.queue.pop()?;
                if let Some(deficit) = self.due(&mut reader, skb) {
                    self.give_back(&mut receive, deficit);
                    reader.queue.splice(&mut receive.queue);
                }
                skb
            }
        };
        // SAFETY: The packet was taken off the queue and came from `Box::into_raw`.
        Some(unsafe { Box::from_raw(skb) })
    }

    /// The bytes to give back now, unless they are held back.
    #[inline]
    fn due(&self, reader: &mut Reader, skb: *mut Skb) -> Option<u32> {
        // SAFETY: The packet was just taken off the queue.
        let deficit = reader
            .forward_deficit
            .wrapping_add(unsafe { (*skb).scratch });
        let threshold = self.forward_threshold.load(Relaxed) as u32;
        if deficit < threshold && !reader.queue.head.is_null() {
            reader.forward_deficit = deficit;
            return None;
        }
        reader.forward_deficit = 0;
        Some(deficit)
    }

    #[inline]
    fn give_back(&self, receive: &mut Receive, size: u32) {
        let available = size.wrapping_add(receive.forward_alloc as u32);
        let pages = available.wrapping_sub(1) >> 12;
        receive.forward_alloc = available.wrapping_sub(pages << 12) as i32;
        if pages != 0 {
            self.memory.allocated.fetch_sub(pages as isize, Relaxed);
        }
        self.rmem_alloc.0.fetch_sub(size as i32, Relaxed);
    }
}

impl Drop for Sock {
    fn drop(&mut self) {
        while let Some(skb) = self.recv() {
            drop(skb);
        }
    }
}
