// SPDX-License-Identifier: MIT OR Apache-2.0

//! The machine that is compared with: its kernel, its limits, and what may be done on it.

use std::fs::{File, OpenOptions};
use std::str::FromStr;

use anyhow::{Context, Result};
use nix::fcntl::{Flock, FlockArg};
use nix::sched::{sched_getaffinity, sched_setaffinity, CpuSet};
use nix::unistd::{sysconf, Pid, SysconfVar};

use super::op::{Family, Parts};
use super::trace::Header;
use super::truesize::{Truesize, Truesizes};
use super::udp::Udp;

/// The first release with this algorithm.
const FIRST: (u32, u32) = (6, 18);

/// Why this machine's kernel is not compared with; `None` when it can be.
pub fn too_old() -> Result<Option<String>> {
    Ok(is_too_old(&release()?))
}

/// Why a kernel of this release is not compared with; `None` when it can be.
pub fn is_too_old(release: &str) -> Option<String> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut number = || numbers.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let (major, minor) = (number(), number());
    ((major, minor) < FIRST).then(|| {
        let (first, second) = FIRST;
        format!("kernel {release} is older than {first}.{second}: the live comparison is skipped")
    })
}

/// `uname -r`.
pub fn release() -> Result<String> {
    let uname = nix::sys::utsname::uname().context("uname")?;
    Ok(uname.release().to_string_lossy().into_owned())
}

/// The lock that keeps two comparisons from disturbing each other. Held as long as it lives.
pub fn alone() -> Result<Flock<File>> {
    let alone = lock("prodq-conform.lock")?;
    // The keeper of a run that was killed may still be restoring sysctls.
    drop(restoring()?);
    Ok(alone)
}

/// The lock of the process that restores sysctls.
pub fn restoring() -> Result<Flock<File>> {
    lock("prodq-conform-keeper.lock")
}

fn lock(name: &str) -> Result<Flock<File>> {
    let path = std::env::temp_dir().join(name);
    // Whoever made it, reading it is enough to lock it.
    let create = || OpenOptions::new().append(true).create(true).open(&path);
    let file = File::open(&path)
        .or_else(|_| create())
        .with_context(|| format!("{} cannot be opened", path.display()))?;
    Flock::lock(file, FlockArg::LockExclusive)
        .map_err(|(_, error)| error)
        .with_context(|| format!("{} cannot be locked", path.display()))
}

/// Keeps this thread on one CPU, so that one node and one reserve of pages are all there is.
pub fn stay() -> Result<()> {
    let mut cpus = sched_getaffinity(Pid::from_raw(0)).context("sched_getaffinity")?;
    let first = (0..CpuSet::count()).find(|&cpu| cpus.is_set(cpu).unwrap_or(false));
    let first = first.context("a CPU to run on")?;
    cpus = CpuSet::new();
    cpus.set(first).context("a CPU to run on")?;
    sched_setaffinity(Pid::from_raw(0), &cpus).context("sched_setaffinity")
}

/// A sysctl below /proc/sys/net.
pub fn sysctl<T: FromStr>(name: &str) -> Result<T>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let path = format!("/proc/sys/net/{name}");
    let text = std::fs::read_to_string(&path).with_context(|| path.clone())?;
    text.trim().parse().context(path)
}

/// `udp_mem`, in pages.
pub fn udp_mem() -> Result<[u32; 3]> {
    let text: String = sysctl("ipv4/udp_mem")?;
    let limits: Result<Vec<u32>, _> = text.split_ascii_whitespace().map(str::parse).collect();
    let limits = limits.context("net.ipv4.udp_mem")?;
    limits
        .try_into()
        .ok()
        .context("net.ipv4.udp_mem has three numbers")
}

/// What the core has to know, without any truesize yet.
pub fn header() -> Result<Header> {
    let udp = Udp::open(Family::V4)?;
    let rcvbuf_default = udp.mem_info()?.rcvbuf;
    udp.set_rcvbuf(0)?;
    let rcvbuf_min = udp.mem_info()?.rcvbuf;
    udp.set_rcvbuf(i32::MAX)?;
    let rmem_max = udp.mem_info()?.rcvbuf / 2;
    let uname = nix::sys::utsname::uname().context("uname")?;
    let page_size = sysconf(SysconfVar::PAGE_SIZE)?.context("the size of a page")? as u32;
    Ok(Header {
        kernel: release()?,
        arch: uname.machine().to_string_lossy().into_owned(),
        page_size,
        rcvbuf_default,
        rcvbuf_min,
        rmem_max,
        // Not told in a network namespace: far away then, for what a comparison holds.
        udp_mem: udp_mem().unwrap_or([u32::MAX; 3]),
        udp_rmem_min: sysctl("ipv4/udp_rmem_min")?,
        pcpu_reserve: sysctl("core/mem_pcpu_rsv").unwrap_or((1 << 20) / page_size),
        truesizes: Truesizes::default(),
    })
}

/// Learns what datagrams weigh, with one socket of each family.
pub struct Scales {
    sender: Udp,
    pan: Udp,
    family: Family,
    payload: Vec<u8>,
}

impl Scales {
    /// Scales for one family.
    pub fn new(family: Family) -> Result<Scales> {
        Ok(Scales {
            sender: Udp::open(family)?,
            pan: Udp::open(family)?,
            family,
            payload: vec![0; family.largest() as usize],
        })
    }

    /// Weighs a datagram if that was not done before.
    pub fn weigh(&self, parts: Parts, known: &mut Truesizes) -> Result<bool> {
        if known.get(self.family, parts).is_some() {
            return Ok(false);
        }
        self.pan.set_rcvbuf(i32::MAX)?;
        let full = self.put(parts)?;
        // Fill it with like ones up to more than half of a limit into which one more fits.
        self.pan
            .set_rcvbuf((full.saturating_mul(3).saturating_add(1) / 2) as i32)?;
        let limit = self.pan.mem_info()?.rcvbuf;
        let mut holds = full;
        while holds <= limit / 2 {
            holds += self.put(parts)?;
        }
        let condensed = self.put(parts)?;
        while self.pan.discard()? {}
        known.insert(self.family, parts, Truesize { full, condensed });
        Ok(true)
    }

    fn put(&self, parts: Parts) -> Result<u32> {
        let before = self.pan.mem_info()?;
        self.sender.send_parts(&self.pan, &self.payload, parts)?;
        let now = self.pan.arrival(before)?;
        let weight = u32::try_from(now.rmem_alloc - before.rmem_alloc).unwrap_or(0);
        (weight != 0)
            .then_some(weight)
            .with_context(|| format!("a datagram of {parts:?} bytes did not fit the scales"))
    }
}
