// SPDX-License-Identifier: MIT OR Apache-2.0

//! What `prodq numa` tells, from what was played or from the lines that an earlier call left.

use std::fmt::Write as _;

use prodq_models::world::numa::{
    Comparison, Costs, Figures, Histogram, Options, ASSUMED, MISSING, THREADS,
};
use serde::{Deserialize, Serialize};

use crate::markdown::{table, whole};

/// The bars: after / before delivered and handled, before / after in the median time of an enqueue.
const BARS: [(&str, f64); 3] = [
    ("delivered, after / before", 1.05),
    ("handled, after / before", 10.0),
    ("median enqueue time, before / after", 4.0),
];

/// A flood before and after the patch.
pub struct Played {
    /// What is unlike `costs.json` and the options; empty for nothing.
    pub with: String,
    /// What was played.
    pub options: Options,
    /// What came out.
    pub comparison: Comparison,
}

/// Whether a run is one of the design before the patch.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Before,
    After,
}

/// A line of `--json`: one run.
#[derive(Serialize, Deserialize)]
pub struct Line {
    with: String,
    side: Side,
    options: Options,
    #[serde(flatten)]
    figures: Figures,
}

impl Played {
    /// A line for each run.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        let sides = [Side::Before, Side::After].into_iter();
        sides
            .zip(&self.comparison.runs)
            .flat_map(move |(side, runs)| {
                runs.iter().map(move |figures| Line {
                    with: self.with.clone(),
                    side,
                    options: self.options,
                    figures: figures.clone(),
                })
            })
    }

    /// What lines are about, in their order.
    pub fn of_lines(lines: Vec<Line>) -> Vec<Played> {
        let mut all: Vec<Played> = Vec::new();
        for line in lines {
            let is_other = |last: &Played| (&last.with, last.options) != (&line.with, line.options);
            if all.last().is_none_or(is_other) {
                all.push(Played {
                    with: line.with,
                    options: line.options,
                    comparison: Comparison {
                        runs: [Vec::new(), Vec::new()],
                    },
                });
            }
            if let Some(last) = all.last_mut() {
                last.comparison.runs[usize::from(line.side == Side::After)].push(line.figures);
            }
        }
        // A file that was cut short has sides without a run, which have no median.
        all.retain(|played| played.comparison.runs.iter().all(|runs| !runs.is_empty()));
        all
    }
}

/// The report in markdown: in full, but a line each for what is unlike it.
pub fn page(all: &[Played], costs: &Costs) -> String {
    let mut page = String::new();
    let mut add = |part: String| {
        let _ = writeln!(page, "{part}\n");
    };
    let (full, variants): (Vec<_>, Vec<_>) = all.iter().partition(|played| played.with.is_empty());
    for Played {
        options,
        comparison,
        ..
    } in full
    {
        add(setting(options));
        add(figures(comparison));
        add(times(comparison));
        add(accounts(comparison));
        add(bars(comparison));
    }
    if !variants.is_empty() {
        add("What it depends on, after / before, 1 run each:".to_owned());
        add(table_of_variants(&variants));
    }
    add("Costs (`models/src/world/numa/costs.json`):".to_owned());
    let told = |(name, cost): (&str, &prodq_models::world::numa::Cost)| {
        format!("- `{name}` {}: {}", cost.value, cost.source)
    };
    add(costs.all().map(told).join("\n"));
    let list = |lines: &[&str]| {
        let lines: Vec<_> = lines.iter().map(|line| format!("- {line}")).collect();
        lines.join("\n")
    };
    add(format!("Assumed:\n\n{}", list(ASSUMED)));
    add(format!("Not in the model:\n\n{}", list(MISSING)));
    page
}

fn setting(options: &Options) -> String {
    let Options {
        nodes,
        cpus_per_node,
        packets,
        truesize,
        rcvbuf,
        packet_ns,
        runs,
        seed,
    } = options;
    format!(
        "{nodes} nodes x {cpus_per_node} CPUs, each with {} packets before and {} after the patch, {packet_ns} \
         ns beside the socket for each; packets of {truesize} bytes, rcvbuf {rcvbuf} bytes, 1 reader; virtual \
         time; medians of {runs} runs, seeds {seed} to {}.",
        packets[0],
        packets[1],
        seed.wrapping_add(*runs as u64 - 1)
    )
}

/// What `nstat` would tell, beside what the threads tell.
fn figures(comparison: &Comparison) -> String {
    let mut rows = table([
        "per second",
        "before",
        "after",
        "threads, before",
        "threads, after",
    ]);
    let mut row = |what: &str, of: fn(&Figures) -> u64, threads: [u64; 2]| {
        let here = comparison.medians().map(of);
        let cells = here
            .into_iter()
            .chain(threads)
            .map(|figure| whole(figure as f64));
        rows.add_row([what.to_owned()].into_iter().chain(cells));
    };
    let delivered = THREADS.map(|threads| threads.delivered);
    let refused = THREADS.map(|threads| threads.refused);
    row("InDatagrams", |f| f.delivered, delivered);
    row("RcvbufErrors", |f| f.refused, refused);
    let handled = THREADS.map(|threads| threads.handled());
    row("handled", Figures::handled, handled);
    rows.to_string()
}

/// How many enqueues took how long.
fn times(comparison: &Comparison) -> String {
    let medians = comparison.medians();
    let mut rows = table([
        "enqueue, us",
        "before",
        "after",
        "threads, before",
        "threads, after",
    ]);
    let histograms = medians
        .map(|figures| figures.histogram)
        .into_iter()
        .chain(THREADS.map(|threads| threads.histogram));
    let histograms: Vec<Histogram> = histograms.collect();
    for (bucket, name) in Histogram::NAMES.into_iter().enumerate() {
        let counts = histograms
            .iter()
            .map(|histogram| whole(histogram.0[bucket] as f64));
        rows.add_row([name.to_owned()].into_iter().chain(counts));
    }
    for (what, of) in [
        ("median, ns", (|f| f.p50_ns) as fn(&Figures) -> u64),
        ("p99, ns", |f| f.p99_ns),
    ] {
        let times = medians.map(|figures| whole(of(figures) as f64));
        let none = [String::new(), String::new()];
        rows.add_row([what.to_owned()].into_iter().chain(times).chain(none));
    }
    rows.to_string()
}

/// That nothing was lost, and how much of the bound was used.
fn accounts(comparison: &Comparison) -> String {
    let told = comparison.medians().map(|figures| {
        let [offered, ended] = figures.conservation;
        format!(
            "- {}: {offered} packets offered, {ended} delivered or dropped; rmem_alloc at most {} of {} bytes",
            figures.design, figures.largest, figures.bound
        )
    });
    told.join("\n")
}

fn bars(comparison: &Comparison) -> String {
    let [before, after] = THREADS;
    let threads = [
        format!("{:.2}", after.delivered as f64 / before.delivered as f64),
        format!("{:.1}", after.handled() as f64 / before.handled() as f64),
        format!(
            "{} us to below {} us, lower edge of the bucket",
            before.histogram.median_us(),
            after.histogram.median_us() + 1
        ),
    ];
    let mut rows = table(["ratio", "here", "threads", "bar", "holds"]);
    for (((what, bar), ratio), threads) in BARS.into_iter().zip(comparison.ratios()).zip(threads) {
        rows.add_row([
            what.to_owned(),
            format!("{ratio:.2}"),
            threads,
            format!("at least {bar}"),
            if ratio >= bar { "yes" } else { "no" }.to_owned(),
        ]);
    }
    rows.to_string()
}

fn table_of_variants(variants: &[&Played]) -> String {
    let mut rows = table([
        "with",
        "delivered",
        "handled",
        "median enqueue",
        "refused before, per second",
    ]);
    for played in variants {
        let [delivered, handled, median] = played.comparison.ratios();
        rows.add_row([
            played.with.clone(),
            format!("x {delivered:.2}"),
            format!("x {handled:.2}"),
            format!("x {:.3}", 1.0 / median),
            whole(played.comparison.medians()[0].refused as f64),
        ]);
    }
    rows.to_string()
}
