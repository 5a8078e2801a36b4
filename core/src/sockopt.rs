// SPDX-License-Identifier: MIT OR Apache-2.0

//! What `setsockopt` makes of the limit that somebody asks for.

/// From which to which limit `SO_RCVBUF` leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RcvbufRange {
    /// The smallest limit in force, in bytes (`SOCK_MIN_RCVBUF`): 2048 and a packet's header, which
    /// makes 2304 on x86-64.
    pub min: u32,
    /// The most that can be asked for without privilege, in bytes before doubling
    /// (`net.core.rmem_max`).
    pub max: u32,
}

impl RcvbufRange {
    /// The limit that `SO_RCVBUF` puts in force, in bytes: what was asked for, at most `max`, doubled
    /// to pay for headers, at least `min`. A negative number is a huge one, as in the kernel.
    ///
    /// Source: `sk_setsockopt`, `__sock_set_rcvbuf`.
    #[doc(alias = "SO_RCVBUF")]
    pub fn in_force(&self, asked: i32) -> u32 {
        self.doubled((asked as u32).min(self.max))
    }

    /// The limit that `SO_RCVBUFFORCE` puts in force, in bytes: without `max`, and a negative number
    /// is 0.
    ///
    /// Source: `sk_setsockopt`, `__sock_set_rcvbuf`.
    #[doc(alias = "SO_RCVBUFFORCE")]
    pub fn forced(&self, asked: i32) -> u32 {
        self.doubled(asked.max(0) as u32)
    }

    fn doubled(&self, asked: u32) -> u32 {
        asked
            .min(i32::MAX as u32 >> 1)
            .wrapping_mul(2)
            .max(self.min)
    }
}
