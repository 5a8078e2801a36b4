// SPDX-License-Identifier: MIT OR Apache-2.0

//! Recordings of a kernel as JSON lines: the machine in the first line, a sequence in each other.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{bail, Context, Result};
use serde::{Deserialize, Serialize};

use super::seen::Recording;
use super::truesize::Truesizes;

/// What the core has to know about the kernel that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The kernel's release, as `uname -r` tells it.
    pub kernel: String,
    /// The architecture, as `uname -m` tells it.
    pub arch: String,
    /// Bytes of a page.
    pub page_size: u32,
    /// The limit of a new socket, in bytes (`net.core.rmem_default`).
    pub rcvbuf_default: u32,
    /// The smallest limit, in bytes (`SOCK_MIN_RCVBUF`), as seen when 0 was asked for.
    pub rcvbuf_min: u32,
    /// `net.core.rmem_max`, in bytes.
    pub rmem_max: u32,
    /// `net.ipv4.udp_mem`, in pages.
    pub udp_mem: [u32; 3],
    /// `net.ipv4.udp_rmem_min`, in bytes.
    pub udp_rmem_min: u32,
    /// `net.core.mem_pcpu_rsv`, in pages.
    pub pcpu_reserve: u32,
    /// What datagrams weigh, as learnt from this kernel.
    pub truesizes: Truesizes,
}

/// A file of recordings.
#[derive(Debug)]
pub struct Trace {
    /// The machine.
    pub header: Header,
    /// The sequences.
    pub recordings: Vec<Recording>,
}

impl Trace {
    /// Reads a file.
    ///
    /// # Errors
    /// The file and the line that is wrong.
    pub fn read(path: &Path) -> Result<Trace> {
        let file =
            File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut header = None;
        let mut recordings = Vec::new();
        for (index, line) in BufReader::new(file).lines().enumerate() {
            let place = || format!("{}, line {}", path.display(), index + 1);
            let line = line.with_context(place)?;
            if header.is_none() {
                header = Some(serde_json::from_str(&line).with_context(place)?);
            } else {
                recordings.push(serde_json::from_str(&line).with_context(place)?);
            }
        }
        let Some(header) = header else {
            bail!(
                "{} is empty: its first line must tell the machine",
                path.display()
            );
        };
        Ok(Trace { header, recordings })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let place = || format!("{} cannot be written", path.display());
        let mut file = BufWriter::new(File::create(path).with_context(place)?);
        serde_json::to_writer(&mut file, &self.header)?;
        writeln!(file).with_context(place)?;
        for recording in &self.recordings {
            serde_json::to_writer(&mut file, recording)?;
            writeln!(file).with_context(place)?;
        }
        file.flush().with_context(place)
    }
}
