// SPDX-License-Identifier: MIT OR Apache-2.0

//! A UDP socket of the kernel, on loopback.

use std::os::fd::{AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

use anyhow::{bail, Context, Result};
use nix::errno::Errno;
use nix::libc;
use nix::sys::socket::sockopt::{GetStruct, RcvBuf, RcvBufForce};
use nix::sys::socket::{
    bind, getsockname, recv, sendto, setsockopt, socket, AddressFamily, GetSockOpt, MsgFlags,
    SockFlag, SockType, SockaddrIn, SockaddrIn6, SockaddrLike, SockaddrStorage,
};

use super::op::{Family, Parts};

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
    pub(super) fd: OwnedFd,
    pub(super) address: SockaddrStorage,
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
        self.send_flags(to, payload, MsgFlags::empty())
    }

    /// Sends what `payload` starts with to `to`, in two parts if `parts` has two.
    pub fn send_parts(&self, to: &Udp, payload: &[u8], parts: Parts) -> Result<()> {
        let (first, rest) = payload[..parts.bytes() as usize].split_at(parts.first as usize);
        if rest.is_empty() {
            return self.send(to, first);
        }
        // nix has no name for this flag.
        let more = MsgFlags::from_bits_retain(libc::MSG_MORE);
        self.send_flags(to, first, more)?;
        self.send(to, rest)
    }

    fn send_flags(&self, to: &Udp, payload: &[u8], flags: MsgFlags) -> Result<()> {
        let sent = sendto(self.fd.as_raw_fd(), payload, &to.address, flags);
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
        match recv(self.fd.as_raw_fd(), &mut byte, MsgFlags::MSG_DONTWAIT) {
            Ok(_) => Ok(true),
            Err(Errno::EAGAIN) => Ok(false),
            Err(error) => Err(error).context("recv"),
        }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        let v4 = self.address.as_sockaddr_in().map(SockaddrIn::port);
        let v6 = self.address.as_sockaddr_in6().map(SockaddrIn6::port);
        v4.or(v6).unwrap_or(0)
    }
}
