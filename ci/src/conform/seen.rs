// SPDX-License-Identifier: MIT OR Apache-2.0

//! What one side tells after a step. The kernel's and the core's are the same type, so a comparison
//! is an equality.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::op::{Op, Setup};

/// A datagram that was received or peeked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Got {
    /// Bytes that were copied.
    pub bytes: u32,
    /// Whether the buffer was too small (`MSG_TRUNC`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub cut: bool,
    /// The first 8 bytes that were copied, as a little-endian number: which datagram it is.
    pub head: u64,
    /// The `SO_RXQ_OVFL` stamp; 0 when there is none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stamp: u32,
}

/// What came of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The datagram was queued.
    Queued,
    /// It was dropped: rcvbuf is full.
    RcvbufFull,
    /// It was dropped: no protocol memory.
    NoMemory,
    /// Datagrams were received, or one was peeked at; at least one.
    Got(Vec<Got>),
    /// There was none (`EAGAIN`).
    Nothing,
    /// There was none and the receiving half is shut down (0 bytes from nobody).
    Ended,
    /// A number of bytes.
    Bytes(i64),
    /// What poll answered: `POLLIN`, `POLLHUP`.
    Ready(bool, bool),
    /// It was done.
    Done,
}

/// What one side tells after a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// What came of the operation.
    pub outcome: Outcome,
    /// Bytes handed over and not released.
    pub rmem_alloc: i32,
    /// Bytes charged to the protocol and not used by a packet.
    pub fwd_alloc: i32,
    /// The limit in force, in bytes.
    pub rcvbuf: u32,
    /// Datagrams dropped so far.
    pub drops: u32,
    /// The protocol's shared page counter (`/proc/net/sockstat`), where it is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<i64>,
}

impl Seen {
    /// The figures, without the outcome.
    pub fn figures(&self) -> String {
        let pages = self.pages.map(|pages| format!(" pages {pages}"));
        format!(
            "rmem {} fwd {} rcvbuf {} drops {}{}",
            self.rmem_alloc,
            self.fwd_alloc,
            self.rcvbuf,
            self.drops,
            pages.unwrap_or_default()
        )
    }
}

/// The protocol's pages: what all CPUs see, and what this CPU keeps back.
///
/// The kernel adds charges and returns to a reserve of the CPU and moves that into the shared counter
/// when it reaches `net.core.mem_pcpu_rsv` pages either way, 256 at least. `/proc/net/sockstat` and
/// the limits of `udp_mem` look at the shared counter alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// The shared counter.
    pub shared: i64,
    /// This CPU's reserve, positive or negative.
    pub reserve: i64,
}

impl Pages {
    /// All pages.
    pub fn total(&self) -> i64 {
        self.shared + self.reserve
    }
}

/// A step, with what was seen after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The operation.
    pub op: Op,
    /// What was seen after it.
    pub seen: Seen,
}

/// A sequence as one side played it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    /// The socket.
    pub setup: Setup,
    /// The protocol's pages before the first step, where they are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Pages>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The protocol's pages after the last step, before the close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Pages>,
    /// Pages that the protocol still has for the socket after its close; must be 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kept: i64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl fmt::Display for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of {:x}", self.bytes, self.head)?;
        if self.cut {
            f.write_str(", cut")?;
        }
        if self.stamp != 0 {
            write!(f, ", stamp {}", self.stamp)?;
        }
        Ok(())
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Queued => f.write_str("queued"),
            Outcome::RcvbufFull => f.write_str("dropped: rcvbuf"),
            Outcome::NoMemory => f.write_str("dropped: memory"),
            Outcome::Got(all) => {
                let all: Vec<_> = all.iter().map(ToString::to_string).collect();
                f.write_str(&all.join("; "))
            }
            Outcome::Nothing => f.write_str("nothing"),
            Outcome::Ended => f.write_str("ended"),
            Outcome::Bytes(bytes) => write!(f, "{bytes} bytes"),
            Outcome::Ready(input, hup) => {
                let bits = [(input, "in"), (hup, "hup")];
                let set: Vec<_> = bits
                    .iter()
                    .filter(|(bit, _)| **bit)
                    .map(|(_, n)| *n)
                    .collect();
                write!(
                    f,
                    "ready: {}",
                    if set.is_empty() {
                        "no".into()
                    } else {
                        set.join(" ")
                    }
                )
            }
            Outcome::Done => f.write_str("done"),
        }
    }
}
