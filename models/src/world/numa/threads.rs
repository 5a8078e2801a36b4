// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the threads of the patch report of such a flood, and what follows about its load.

use serde::{Deserialize, Serialize};

/// How long an enqueue takes: 0, 1, 2 to 3, 4 to 7 … microseconds, the last bucket without an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram(pub [u64; 10]);

impl Histogram {
    /// The buckets' names, as the threads write them.
    pub const NAMES: [&'static str; 10] = [
        "[0]",
        "[1]",
        "[2, 4)",
        "[4, 8)",
        "[8, 16)",
        "[16, 32)",
        "[32, 64)",
        "[64, 128)",
        "[128, 256)",
        "[256, ...)",
    ];

    pub(super) fn of(times_ns: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for &ns in times_ns {
            let bucket = (ns / 1000)
                .checked_ilog2()
                .map_or(0, |log| log as usize + 1);
            histogram.0[bucket.min(9)] += 1;
        }
        histogram
    }

    /// The lower edge of the bucket that the median is in, in microseconds.
    pub fn median_us(&self) -> u64 {
        let half = self.0.iter().sum::<u64>() / 2;
        let mut below = 0;
        for (bucket, count) in self.0.iter().enumerate() {
            below += count;
            if below > half {
                return (1 << bucket) >> 1;
            }
        }
        0
    }
}

/// The figures of the threads for the same experiment: 6 nodes, one victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Threads {
    /// InDatagrams per second.
    pub delivered: u64,
    /// RcvbufErrors per second.
    pub refused: u64,
    /// Time in the enqueue function.
    pub histogram: Histogram,
}

impl Threads {
    /// Packets per second that the host got rid of.
    pub fn handled(&self) -> u64 {
        self.delivered + self.refused
    }

    /// How long an enqueue took on average, in nanoseconds: each as long as the middle of its bucket.
    pub fn mean_ns(&self) -> f64 {
        let middle = |bucket: usize| match bucket {
            0 => 500.0,
            _ => 1_500.0 * (1_u64 << (bucket - 1)) as f64,
        };
        let counts = self.histogram.0.iter().enumerate();
        let (mut all, mut time) = (0.0, 0.0);
        for (bucket, &count) in counts {
            all += count as f64;
            time += count as f64 * middle(bucket);
        }
        time / all
    }

    /// How many CPUs were in the function at a time: packets per second times their time in it (Little's
    /// law).
    pub fn inside(&self) -> f64 {
        self.handled() as f64 * self.mean_ns() / 1e9
    }

    /// What a CPU does for a packet beside the function, in nanoseconds, if so many CPUs handled what
    /// the host did.
    pub fn beside_ns(&self, cpus: usize) -> f64 {
        cpus as f64 * 1e9 / self.handled() as f64 - self.mean_ns()
    }
}

/// Before and after, from the commit message of the patch.
pub const THREADS: [Threads; 2] = [
    Threads {
        delivered: 1_004_179,
        refused: 3_117,
        histogram: Histogram([
            24_901, 63_512, 344_827, 244_673, 54_022, 222_134, 232_042, 4_219, 188, 0,
        ]),
    },
    Threads {
        delivered: 1_116_633,
        refused: 14_197_275,
        histogram: Histogram([
            5_608_855, 1_111_277, 501_439, 102_921, 29_895, 43_500, 31_552, 979, 13, 0,
        ]),
    },
];
