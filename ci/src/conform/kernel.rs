// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kernel's side: a UDP socket on loopback, and one that sends to it.

use std::fs::File;
use std::io::IoSliceMut;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use anyhow::{bail, Context, Result};
use nix::errno::Errno;
use nix::fcntl::{fcntl, FcntlArg, OFlag};
use nix::libc;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::socket::sockopt::{GetStruct, RcvBuf, RcvBufForce, RxqOvfl};
use nix::sys::socket::{
    bind, connect, getsockname, recvmmsg, recvmsg, sendto, setsockopt, shutdown, socket,
    AddressFamily, ControlMessageOwned, GetSockOpt, MsgFlags, MultiHeaders, RecvMsg, Shutdown,
    SockFlag, SockType, SockaddrIn, SockaddrIn6, SockaddrLike, SockaddrStorage,
};

use super::core_side::head;
use super::op::{Family, How, Op, Setup};
use super::seen::{Got, Outcome};

/// How long a datagram may take over loopback before the machine is called broken. It is there at
/// once, unless the kernel hands it to its softirq thread.
const PATIENCE: Duration = Duration::from_secs(5);

/// `SO_MEMINFO`: nine numbers.
#[derive(Clone, Copy, Debug)]
struct MemInfoOption;
nix::getsockopt_impl!(
    MemInfoOption,
    libc::SOL_SOCKET,
    libc::SO_MEMINFO,
    [u32; 9],
    GetStruct<[u32; 9]>
);
nix::ioctl_read_bad!(
    /// The length of the first datagram, in bytes.
    fionread,
    libc::FIONREAD,
    libc::c_int
);

/// The figures of `SO_MEMINFO` that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemInfo {
    /// Bytes handed over and not released.
    pub rmem_alloc: i32,
    /// The limit in force, in bytes.
    pub rcvbuf: u32,
    /// Bytes charged to the protocol and not used by a packet.
    pub fwd_alloc: i32,
    /// Datagrams dropped so far.
    pub drops: u32,
}

impl MemInfo {
    /// Bytes charged to the protocol for this socket.
    pub fn charged(&self) -> i64 {
        i64::from(self.rmem_alloc) + i64::from(self.fwd_alloc)
    }
}

/// A UDP socket of the kernel, bound to a port of loopback.
pub struct Udp {
    fd: OwnedFd,
    address: SockaddrStorage,
}

impl Udp {
    /// A socket on loopback.
    pub fn open(family: Family) -> Result<Udp> {
        let (domain, any): (_, Box<dyn SockaddrLike>) = match family {
            Family::V4 => (
                AddressFamily::Inet,
                Box::new(SockaddrIn::new(127, 0, 0, 1, 0)),
            ),
            Family::V6 => {
                let any = std::net::SocketAddrV6::new(std::net::Ipv6Addr::LOCALHOST, 0, 0, 0);
                (AddressFamily::Inet6, Box::new(SockaddrIn6::from(any)))
            }
        };
        let fd = socket(domain, SockType::Datagram, SockFlag::SOCK_CLOEXEC, None)
            .context("a UDP socket")?;
        bind(fd.as_raw_fd(), &*any).context("bind to loopback")?;
        let address = getsockname(fd.as_raw_fd()).context("the socket's address")?;
        Ok(Udp { fd, address })
    }

    /// `SO_MEMINFO`.
    pub fn mem_info(&self) -> Result<MemInfo> {
        let all = MemInfoOption.get(&self.fd).context("SO_MEMINFO")?;
        let [rmem_alloc, rcvbuf, _, _, fwd_alloc, _, _, _, drops] = all;
        Ok(MemInfo {
            rmem_alloc: rmem_alloc as i32,
            rcvbuf,
            fwd_alloc: fwd_alloc as i32,
            drops,
        })
    }

    /// Sends `payload` to `to`, without waiting for its arrival.
    pub fn send(&self, to: &Udp, payload: &[u8]) -> Result<()> {
        let sent = sendto(self.fd.as_raw_fd(), payload, &to.address, MsgFlags::empty());
        sent.with_context(|| format!("send {} bytes", payload.len()))?;
        Ok(())
    }

    /// Waits until a datagram was queued or dropped since `before`.
    pub fn arrival(&self, before: MemInfo) -> Result<MemInfo> {
        let start = Instant::now();
        loop {
            let now = self.mem_info()?;
            if now.rmem_alloc != before.rmem_alloc || now.drops != before.drops {
                return Ok(now);
            }
            if start.elapsed() > PATIENCE {
                bail!("a datagram over loopback neither arrived nor was dropped in {PATIENCE:?}");
            }
            std::thread::yield_now();
        }
    }

    /// Asks for a limit.
    pub fn set_rcvbuf(&self, bytes: i32) -> Result<()> {
        setsockopt(&self.fd, RcvBuf, &(bytes as usize)).context("SO_RCVBUF")
    }

    /// Asks for a limit with privilege.
    pub fn force_rcvbuf(&self, bytes: i32) -> Result<()> {
        setsockopt(&self.fd, RcvBufForce, &(bytes as usize)).context("SO_RCVBUFFORCE")
    }

    /// Takes a datagram and throws it away; false when there is none.
    pub fn discard(&self) -> Result<bool> {
        let mut byte = [0_u8; 1];
        match nix::sys::socket::recv(self.fd.as_raw_fd(), &mut byte, MsgFlags::MSG_DONTWAIT) {
            Ok(_) => Ok(true),
            Err(Errno::EAGAIN) => Ok(false),
            Err(error) => Err(error).context("recv"),
        }
    }

    fn port(&self) -> u16 {
        let v4 = self.address.as_sockaddr_in().map(SockaddrIn::port);
        let v6 = self.address.as_sockaddr_in6().map(SockaddrIn6::port);
        v4.or(v6).unwrap_or(0)
    }
}

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
            Op::Send(bytes) => self.send(*bytes)?,
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

    fn send(&mut self, bytes: u32) -> Result<Outcome> {
        self.sent += 1;
        let head = head(self.sent, 8).to_le_bytes();
        self.buffers.payload[..8].copy_from_slice(&head);
        let before = self.udp.mem_info()?;
        self.sender
            .send(&self.udp, &self.buffers.payload[..bytes as usize])?;
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

/// Recv-Q of the socket with this port.
fn recv_queue(family: Family, port: u16) -> Result<i64> {
    let path = match family {
        Family::V4 => "/proc/net/udp",
        Family::V6 => "/proc/net/udp6",
    };
    let text = std::fs::read_to_string(path).context(path)?;
    let wanted = format!(":{port:04X}");
    for line in text.lines().skip(1) {
        let mut fields = line.split_ascii_whitespace().skip(1);
        if fields.next().is_some_and(|local| local.ends_with(&wanted)) {
            let queues = fields.nth(2).and_then(|queues| queues.split_once(':'));
            let (_, bytes) = queues.with_context(|| format!("{path} has another form"))?;
            return i64::from_str_radix(bytes, 16).context(path);
        }
    }
    bail!("{path} does not have port {port}")
}

/// The protocol's counters: how many datagrams were dropped because rcvbuf was full.
pub struct Counters {
    v4: File,
    v6: File,
}

impl Counters {
    /// Opens them.
    pub fn open() -> Result<Counters> {
        let open = |path| File::open(path).context(path);
        Ok(Counters {
            v4: open("/proc/net/snmp")?,
            v6: open("/proc/net/snmp6")?,
        })
    }

    /// `RcvbufErrors` of a family.
    pub fn rcvbuf_full(&self, family: Family) -> Result<u64> {
        let mut text = [0_u8; 1 << 14];
        match family {
            Family::V4 => {
                let text = read(&self.v4, &mut text)?;
                let mut lines = text.lines().filter_map(|line| line.strip_prefix("Udp: "));
                let (names, values) = (lines.next(), lines.next());
                let names = names.into_iter().flat_map(str::split_ascii_whitespace);
                let values = values.into_iter().flat_map(str::split_ascii_whitespace);
                let found = names.zip(values).find(|(name, _)| *name == "RcvbufErrors");
                let (_, value) = found.context("/proc/net/snmp has no RcvbufErrors")?;
                Ok(value.parse()?)
            }
            Family::V6 => {
                let text = read(&self.v6, &mut text)?;
                let mut lines = text.lines();
                let value = lines.find_map(|line| line.strip_prefix("Udp6RcvbufErrors"));
                let value = value.context("/proc/net/snmp6 has no Udp6RcvbufErrors")?;
                Ok(value.trim().parse()?)
            }
        }
    }
}

/// Reads a file of /proc from its start.
pub fn read<'a>(file: &File, buffer: &'a mut [u8]) -> Result<&'a str> {
    let bytes = file.read_at(buffer, 0)?;
    Ok(std::str::from_utf8(&buffer[..bytes])?)
}
