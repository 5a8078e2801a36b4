// SPDX-License-Identifier: MIT OR Apache-2.0

//! What /proc tells about UDP.

use std::fs::File;
use std::os::unix::fs::FileExt;

use anyhow::{bail, Context, Result};

use super::op::Family;

/// Recv-Q of the socket with this port.
pub fn recv_queue(family: Family, port: u16) -> Result<i64> {
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
    /// Not there without IPv6.
    v6: Option<File>,
}

impl Counters {
    /// Opens them.
    pub fn open() -> Result<Counters> {
        let open = |path| File::open(path).context(path);
        Ok(Counters {
            v4: open("/proc/net/snmp")?,
            v6: open("/proc/net/snmp6").ok(),
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
                let v6 = self.v6.as_ref().context("/proc/net/snmp6")?;
                let text = read(v6, &mut text)?;
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
