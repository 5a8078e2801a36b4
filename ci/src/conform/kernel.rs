// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kernel's side: does to a UDP socket what a sequence says.

use std::io::IoSliceMut;
use std::os::fd::{AsFd, AsRawFd};

use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::fcntl::{fcntl, FcntlArg, OFlag};
use nix::libc;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::socket::sockopt::RxqOvfl;
use nix::sys::socket::{
    connect, recvmmsg, recvmsg, setsockopt, shutdown, ControlMessageOwned, MsgFlags, MultiHeaders,
    RecvMsg, Shutdown,
};

use super::core_side::head;
use super::op::{How, Op, Parts, Setup};
use super::proc::{recv_queue, Counters};
use super::seen::{Got, Outcome};
use super::udp::{MemInfo, Udp};

nix::ioctl_read_bad!(
    /// The length of the first datagram, in bytes.
    fionread,
    libc::FIONREAD,
    libc::c_int
);

/// A socket under test, and the one that sends to it.
pub struct KernelSide<'a> {
    udp: Udp,
    sender: &'a Udp,
    setup: &'a Setup,
    errors: &'a Counters,
    buffers: &'a mut Buffers,
    sent: u64,
    /// `RcvbufErrors` after the last drop.
    full: u64,
    shut_read: bool,
}

/// Memory that is used again for every sequence.
pub struct Buffers {
    payload: Vec<u8>,
    control: Vec<u8>,
    receive: Vec<Vec<u8>>,
}

impl Default for Buffers {
    fn default() -> Self {
        Buffers {
            payload: vec![0; 1 << 16],
            control: nix::cmsg_space!(u32),
            receive: vec![vec![0; 1 << 16]; 8],
        }
    }
}

impl<'a> KernelSide<'a> {
    /// A new socket as `setup` says.
    pub fn open(
        setup: &'a Setup,
        sender: &'a Udp,
        errors: &'a Counters,
        buffers: &'a mut Buffers,
    ) -> Result<KernelSide<'a>> {
        let udp = Udp::open(setup.family)?;
        let fd = udp.fd.as_raw_fd();
        if setup.connected {
            connect(fd, &sender.address).context("connect")?;
        }
        if setup.rxq_ovfl {
            setsockopt(&udp.fd, RxqOvfl, &1).context("SO_RXQ_OVFL")?;
        }
        if setup.nonblocking {
            fcntl(&udp.fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).context("O_NONBLOCK")?;
        }
        let full = errors.rcvbuf_full(setup.family)?;
        Ok(KernelSide {
            udp,
            sender,
            full,
            setup,
            errors,
            buffers,
            sent: 0,
            shut_read: false,
        })
    }

    /// The socket's figures.
    pub fn mem_info(&self) -> Result<MemInfo> {
        self.udp.mem_info()
    }

    /// Ends the comparison; the socket stays open until it is dropped.
    pub fn into_socket(self) -> Udp {
        self.udp
    }

    /// Does one thing and tells what came of it.
    pub fn step(&mut self, op: &Op) -> Result<Outcome> {
        let fd = self.udp.fd.as_raw_fd();
        Ok(match op {
            Op::Send(bytes) => self.send(Parts::whole(*bytes))?,
            Op::SendParts(first, rest) => self.send(Parts {
                first: *first,
                rest: *rest,
            })?,
            Op::Recv(bytes) => self.recv(*bytes, MsgFlags::empty())?,
            Op::Peek(bytes) => self.recv(*bytes, MsgFlags::MSG_PEEK)?,
            Op::RecvMany(buffers) => self.recv_many(buffers)?,
            Op::Rcvbuf(bytes) => {
                self.udp.set_rcvbuf(*bytes)?;
                Outcome::Done
            }
            Op::RcvbufForce(bytes) => {
                self.udp.force_rcvbuf(*bytes)?;
                Outcome::Done
            }
            Op::Length => {
                let mut bytes: libc::c_int = 0;
                // SAFETY: FIONREAD writes one int, which lives here.
                unsafe { fionread(fd, &mut bytes) }.context("FIONREAD")?;
                Outcome::Bytes(bytes.into())
            }
            Op::RecvQueue => Outcome::Bytes(recv_queue(self.setup.family, self.udp.port())?),
            Op::Poll => {
                let mut polled = [PollFd::new(self.udp.fd.as_fd(), PollFlags::POLLIN)];
                poll(&mut polled, PollTimeout::ZERO).context("poll")?;
                let ready = polled[0].revents().unwrap_or(PollFlags::empty());
                let has = |flag| ready.contains(flag);
                Outcome::Ready(has(PollFlags::POLLIN), has(PollFlags::POLLHUP))
            }
            Op::Shutdown(how) => {
                self.shut_read |= matches!(how, How::Read | How::Both);
                let how = match how {
                    How::Read => Shutdown::Read,
                    How::Write => Shutdown::Write,
                    How::Both => Shutdown::Both,
                };
                match shutdown(fd, how) {
                    // The kernel says so of a socket without a peer, and shuts it down all the same.
                    Ok(()) | Err(Errno::ENOTCONN) => Outcome::Done,
                    Err(error) => return Err(error).context("shutdown"),
                }
            }
        })
    }

    fn send(&mut self, parts: Parts) -> Result<Outcome> {
        self.sent += 1;
        let head = head(self.sent, 8).to_le_bytes();
        self.buffers.payload[..8].copy_from_slice(&head);
        let before = self.udp.mem_info()?;
        self.sender
            .send_parts(&self.udp, &self.buffers.payload, parts)?;
        let now = self.udp.arrival(before)?;
        if now.drops == before.drops {
            return Ok(Outcome::Queued);
        }
        // Only this reason has a counter in 6.18; a drop without it found no memory.
        let full = self.errors.rcvbuf_full(self.setup.family)?;
        let counted = full != std::mem::replace(&mut self.full, full);
        Ok(if counted {
            Outcome::RcvbufFull
        } else {
            Outcome::NoMemory
        })
    }

    fn recv(&mut self, bytes: u32, flags: MsgFlags) -> Result<Outcome> {
        match self.recv_with(bytes, flags | MsgFlags::MSG_DONTWAIT) {
            Err(Errno::EAGAIN) if self.shut_read && !self.setup.nonblocking => {
                // Would wait for ever if the half were not shut down.
                match self.recv_with(bytes, flags) {
                    Ok(Got { bytes: 0, .. }) => Ok(Outcome::Ended),
                    Ok(got) => Ok(Outcome::Got(vec![got])),
                    Err(error) => Err(error).context("recvmsg after shutdown"),
                }
            }
            Err(Errno::EAGAIN) => Ok(Outcome::Nothing),
            Err(error) => Err(error).context("recvmsg"),
            Ok(got) => Ok(Outcome::Got(vec![got])),
        }
    }

    fn recv_with(&mut self, bytes: u32, flags: MsgFlags) -> nix::Result<Got> {
        let fd = self.udp.fd.as_raw_fd();
        let Buffers {
            control, receive, ..
        } = &mut *self.buffers;
        let buffer = &mut receive[0][..bytes as usize];
        let (copied, cut, stamp) = {
            let mut slices = [IoSliceMut::new(buffer)];
            let message: RecvMsg<'_, '_, ()> = recvmsg(fd, &mut slices, Some(control), flags)?;
            told(&message)?
        };
        Ok(Got {
            bytes: copied as u32,
            cut,
            head: head_of(&buffer[..copied]),
            stamp,
        })
    }

    fn recv_many(&mut self, buffers: &[u32]) -> Result<Outcome> {
        let fd = self.udp.fd.as_raw_fd();
        let mut all = Vec::new();
        let mut headers =
            MultiHeaders::<()>::preallocate(buffers.len(), Some(nix::cmsg_space!(u32)));
        {
            let slices = self.buffers.receive.iter_mut().zip(buffers);
            let mut slices: Vec<_> = slices
                .map(|(buffer, &bytes)| [IoSliceMut::new(&mut buffer[..bytes as usize])])
                .collect();
            let flags = MsgFlags::MSG_DONTWAIT;
            let messages = match recvmmsg(fd, &mut headers, slices.iter_mut(), flags, None) {
                Ok(messages) => messages,
                Err(Errno::EAGAIN) => return Ok(Outcome::Nothing),
                Err(error) => return Err(error).context("recvmmsg"),
            };
            for message in messages {
                all.push(told(&message)?);
            }
        }
        let told = all.iter().zip(&self.buffers.receive);
        let told = told.map(|(&(bytes, cut, stamp), buffer)| Got {
            bytes: bytes as u32,
            cut,
            head: head_of(&buffer[..bytes]),
            stamp,
        });
        Ok(Outcome::Got(told.collect()))
    }
}

fn head_of(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .take(8)
        .rev()
        .fold(0, |head, &byte| head << 8 | u64::from(byte))
}

/// Bytes copied, whether there were more, and the stamp.
fn told(message: &RecvMsg<'_, '_, ()>) -> nix::Result<(usize, bool, u32)> {
    let mut stamp = 0;
    for control in message.cmsgs()? {
        if let ControlMessageOwned::RxqOvfl(drops) = control {
            stamp = drops;
        }
    }
    Ok((
        message.bytes,
        message.flags.contains(MsgFlags::MSG_TRUNC),
        stamp,
    ))
}
