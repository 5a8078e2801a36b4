// SPDX-License-Identifier: MIT OR Apache-2.0

//! Measures the protocol's pages, hidden ones included.
//!
//! What a CPU keeps back in its reserve shows when the reserve is moved into the shared counter: the
//! counter jumps by all of it. So datagrams are sent to sockets of the meter until it jumps; what the
//! meter charged itself is known from `SO_MEMINFO`, and the rest of the jump is the reserve.

use std::fs::File;
use std::time::{Duration, Instant};

use anyhow::{bail, Context, Result};

use super::op::Family;
use super::proc::read;
use super::seen::Pages;
use super::udp::Udp;

/// How often pages are measured again while other sockets move them, and how long is waited in
/// between.
const TRIES: usize = 20;
const BREATH: Duration = Duration::from_millis(20);

/// The meter.
pub struct Meter {
    sockstat: File,
    sender: Udp,
    /// Filled and emptied by each measurement.
    tanks: Vec<Udp>,
    /// Keeps the shared counter well above 0, below which the kernel does not show it.
    ballast: Vec<Udp>,
    payload: Vec<u8>,
    page_size: i64,
    /// How far a reserve goes, in pages (`net.core.mem_pcpu_rsv`).
    most: i64,
}

/// A measurement: what there was, and what there is now that it was made.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// When it began.
    pub before: Pages,
    /// When it ended; the meter's own sockets hold the difference.
    pub after: Pages,
}

impl Meter {
    /// A meter for a machine whose CPUs keep back up to `reserve` pages.
    pub fn new(reserve: u32, page_size: u32) -> Result<Meter> {
        let mut meter = Meter {
            sockstat: File::open("/proc/net/sockstat").context("/proc/net/sockstat")?,
            sender: Udp::open(Family::V4)?,
            tanks: Vec::new(),
            ballast: Vec::new(),
            payload: vec![0; Family::V4.largest() as usize],
            page_size: page_size.into(),
            most: reserve.into(),
        };
        let reserve = i64::from(reserve);
        // Sockets that died a moment ago may still be counted, so what is shown is not enough.
        let mut own = 0;
        while own < 4 * reserve || meter.shared()? < 3 * reserve {
            if meter.ballast.len() == 1024 {
                bail!("1024 full sockets do not show in /proc/net/sockstat");
            }
            let ballast = meter.tank()?;
            while let Some(pages) = meter.pour(&ballast)? {
                own += pages;
            }
            meter.ballast.push(ballast);
        }
        let mut room = 0;
        while room < 4 * reserve {
            let tank = meter.tank()?;
            room += i64::from(tank.mem_info()?.rcvbuf) / meter.page_size;
            meter.tanks.push(tank);
        }
        Ok(meter)
    }

    fn tank(&self) -> Result<Udp> {
        let tank = Udp::open(Family::V4)?;
        tank.set_rcvbuf(i32::MAX)?;
        Ok(tank)
    }

    /// The shared counter.
    pub fn shared(&self) -> Result<i64> {
        let mut text = [0_u8; 1024];
        let text = read(&self.sockstat, &mut text)?;
        let udp = text.lines().find_map(|line| line.strip_prefix("UDP: "));
        let pages = udp.and_then(|udp| udp.rsplit(' ').next());
        let pages = pages.context("/proc/net/sockstat does not tell UDP's pages")?;
        Ok(pages.parse()?)
    }

    fn charged(&self, tank: &Udp) -> Result<i64> {
        Ok(tank.mem_info()?.charged() / self.page_size)
    }

    /// Sends one datagram to a tank and tells how many pages that charged; `None` when it is full.
    fn pour(&self, tank: &Udp) -> Result<Option<i64>> {
        let before = tank.mem_info()?;
        self.sender.send(tank, &self.payload)?;
        let now = tank.arrival(before)?;
        let charged = (now.charged() - before.charged()) / self.page_size;
        Ok((now.drops == before.drops).then_some(charged))
    }

    /// Measures, again when somebody else's sockets got in between.
    pub fn measure(&mut self) -> Result<Measured> {
        let mut measured = self.once();
        for _ in 0..TRIES {
            if measured.is_ok() {
                break;
            }
            std::thread::sleep(BREATH);
            measured = self.once();
        }
        measured
    }

    /// A measurement that others confirm: sockets that died before this run are gone.
    pub fn quiet(&mut self) -> Result<Measured> {
        let mut measured = self.measure()?;
        let mut confirmed = 0;
        for _ in 0..TRIES {
            if confirmed == 3 {
                return Ok(measured);
            }
            std::thread::sleep(BREATH);
            let before = std::mem::replace(&mut measured, self.measure()?);
            let same = before.after.total() == measured.before.total();
            confirmed = if same { confirmed + 1 } else { 0 };
        }
        bail!("other sockets of the machine keep moving the protocol's pages")
    }

    fn once(&mut self) -> Result<Measured> {
        let shared = self.shared()?;
        let mut charged = 0;
        let mut jump = None;
        'tanks: for tank in &self.tanks {
            while let Some(pages) = self.pour(tank)? {
                charged += pages;
                let now = self.shared()?;
                if now != shared {
                    jump = Some(now);
                    break 'tanks;
                }
            }
        }
        let Some(now) = jump else {
            bail!("{charged} pages were charged and /proc/net/sockstat did not show it");
        };
        let before = Pages {
            shared,
            reserve: now - shared - charged,
        };
        let mut after = Pages {
            shared: now,
            reserve: 0,
        };
        for tank in &self.tanks {
            let mut charged = self.charged(tank)?;
            while tank.discard()? {
                let left = self.charged(tank)?;
                after.reserve += left - std::mem::replace(&mut charged, left);
                let now = self.shared()?;
                if now != after.shared {
                    if now - after.shared != after.reserve {
                        bail!("the protocol's pages moved from {after:?} to {now} shared ones");
                    }
                    after = Pages {
                        shared: now,
                        reserve: 0,
                    };
                }
            }
        }
        Ok(Measured { before, after })
    }

    /// Fills the reserve, which is `at` now, until little is missing: what is charged next shows in
    /// the shared counter. The next measurement undoes it.
    pub fn lean(&mut self, mut at: Pages) -> Result<Pages> {
        let step = self.payload.len() as i64 / self.page_size + 2;
        for tank in &self.tanks {
            while at.reserve + step < self.most {
                match self.pour(tank)? {
                    Some(pages) => at.reserve += pages,
                    None => break,
                }
            }
        }
        Ok(at)
    }

    /// Measures until the kernel has what is `expected` in all, which takes a grace period of RCU after
    /// sockets were closed, but not longer than `grace`. The measurement tells whether it came to that.
    ///
    /// A measurement that sockets are destroyed under is void, and made again.
    pub fn settle(&mut self, expected: i64, grace: Duration) -> Result<Measured> {
        let start = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(2));
            let measured = self.once();
            let late = start.elapsed() > grace;
            match measured {
                Ok(measured) if late || measured.before.total() == expected => return Ok(measured),
                Err(error) if late => return Err(error),
                _ => {}
            }
        }
    }
}
