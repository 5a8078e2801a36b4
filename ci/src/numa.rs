// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq numa`: a flood in virtual time, before and after the patch.

use anyhow::{anyhow, Result};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::Table;
use prodq_models::world::numa::{
    report, variants, Comparison, Costs, Figures, Histogram, Options, ASSUMED, MISSING, THREADS,
};

use crate::{say, tell, End};

/// Play a flood of one socket in virtual time, with a cost for every access, before and after the patch
#[derive(clap::Args)]
pub struct Args {
    /// Nodes
    #[arg(long, default_value_t = Options::default().nodes as u64, value_parser = clap::value_parser!(u64).range(1..=64))]
    nodes: u64,
    /// CPUs on each node; there are at most 511 in all
    #[arg(long, default_value_t = Options::default().cpus_per_node as u64, value_parser = clap::value_parser!(u64).range(1..=511))]
    cpus: u64,
    /// rcvbuf, in bytes
    #[arg(long, default_value_t = Options::default().rcvbuf, value_parser = clap::value_parser!(u32).range(1..=2_147_483_647))]
    rcvbuf: u32,
    /// How often it is played
    #[arg(long, default_value_t = Options::default().runs as u64, value_parser = clap::value_parser!(u64).range(1..=1000))]
    runs: u64,
    /// The first seed
    #[arg(long, default_value_t = Options::default().seed)]
    seed: u64,
    /// Leave out what the outcome depends on
    #[arg(long)]
    no_variants: bool,
    /// Print a JSON object for each run, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// The bars: after / before delivered and handled, before / after in the median time of an enqueue.
const BARS: [(&str, f64); 3] = [
    ("delivered, after / before", 1.05),
    ("handled, after / before", 10.0),
    ("median enqueue time, before / after", 4.0),
];

/// Plays it and tells what came out, whether a bar holds or not.
pub fn numa(args: &Args) -> Result<End> {
    let options = Options {
        nodes: args.nodes as usize,
        cpus_per_node: args.cpus as usize,
        rcvbuf: args.rcvbuf,
        runs: args.runs as usize,
        seed: args.seed,
        ..Options::default()
    };
    if let Err(error) = options.scenario(None).check() {
        tell(format_args!("error: {error}"));
        return Ok(End::BadCall);
    }
    let costs = Costs::of_file().map_err(|error| anyhow!(error))?;
    let play =
        |options: &Options, costs: &Costs| report(options, costs).map_err(|error| anyhow!(error));
    let comparison = play(&options, &costs)?;
    show(args, &options, &costs, &comparison)?;
    if args.no_variants {
        return Ok(End::AsExpected);
    }
    let mut table = table([
        "with",
        "delivered",
        "handled",
        "median enqueue",
        "refused before",
    ]);
    for (what, options, costs) in variants(&options, &costs) {
        let comparison = play(&options, &costs)?;
        lines(args, what, &comparison)?;
        let [delivered, handled, median] = comparison.ratios();
        table.add_row([
            what.to_owned(),
            format!("x {delivered:.2}"),
            format!("x {handled:.2}"),
            format!("x {:.3}", 1.0 / median),
            comparison.medians()[0].refused.to_string(),
        ]);
    }
    if !args.json {
        say("what it depends on, after / before, 1 run each:");
        say(table);
    }
    Ok(End::AsExpected)
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header);
    table
}

/// One object a run.
fn lines(args: &Args, with: &str, comparison: &Comparison) -> Result<()> {
    if !args.json {
        return Ok(());
    }
    for (side, runs) in ["before", "after"].into_iter().zip(&comparison.runs) {
        for figures in runs {
            let mut line = serde_json::to_value(figures)?;
            line["side"] = side.into();
            line["with"] = with.into();
            say(line);
        }
    }
    Ok(())
}

fn show(args: &Args, options: &Options, costs: &Costs, comparison: &Comparison) -> Result<()> {
    if args.json {
        return lines(args, "", comparison);
    }
    let medians = comparison.medians();
    say(format_args!(
        "{} nodes x {} CPUs, packets of {} bytes, rcvbuf {} bytes, 1 reader; seeds {} to {}; virtual time",
        options.nodes,
        options.cpus_per_node,
        options.truesize,
        options.rcvbuf,
        options.seed,
        options.seed + options.runs as u64 - 1
    ));
    let mut figures = table([
        "per second",
        "before",
        "after",
        "threads before",
        "threads after",
    ]);
    let row = |what: &str, of: fn(&Figures) -> u64, threads: [u64; 2]| {
        let mut cells = vec![what.to_owned()];
        cells.extend(medians.map(|figures| of(figures).to_string()));
        cells.extend(threads.map(|figure| figure.to_string()));
        cells
    };
    let delivered = THREADS.map(|threads| threads.delivered);
    let refused = THREADS.map(|threads| threads.refused);
    let handled = THREADS.map(|threads| threads.delivered + threads.refused);
    figures.add_row(row("InDatagrams", |f| f.delivered, delivered));
    figures.add_row(row("RcvbufErrors", |f| f.refused, refused));
    figures.add_row(row("handled", Figures::handled, handled));
    say(figures);

    let mut times = table([
        "enqueue, us",
        "before",
        "after",
        "threads before",
        "threads after",
    ]);
    for (bucket, name) in Histogram::NAMES.into_iter().enumerate() {
        let mut cells = vec![name.to_owned()];
        cells.extend(medians.map(|figures| figures.histogram.0[bucket].to_string()));
        cells.extend(THREADS.map(|threads| threads.histogram.0[bucket].to_string()));
        times.add_row(cells);
    }
    for (what, of) in [
        ("median, ns", (|f| f.p50_ns) as fn(&Figures) -> u64),
        ("p99, ns", |f| f.p99_ns),
    ] {
        let mut cells = vec![what.to_owned()];
        cells.extend(medians.map(|figures| of(figures).to_string()));
        times.add_row(cells);
    }
    say(times);
    for figures in medians {
        let [offered, ended] = figures.conservation;
        say(format_args!(
            "{}: {offered} packets offered, {ended} delivered or dropped; rmem_alloc at most {} of {} bytes",
            figures.design, figures.largest, figures.bound
        ));
    }
    let [before, after] = THREADS;
    let threads = [
        format!("{:.2}", after.delivered as f64 / before.delivered as f64),
        format!("{:.1}", handled[1] as f64 / handled[0] as f64),
        format!(
            "{} us to below {} us, lower edge of the bucket",
            before.histogram.median_us(),
            after.histogram.median_us() + 1
        ),
    ];
    let mut bars = table(["ratio", "here", "threads", "bar", "holds"]);
    for (((what, bar), ratio), threads) in BARS.into_iter().zip(comparison.ratios()).zip(threads) {
        let holds = if ratio >= bar { "yes" } else { "no" };
        bars.add_row([
            what.to_owned(),
            format!("{ratio:.2}"),
            threads,
            format!(">= {bar}"),
            holds.to_owned(),
        ]);
    }
    say(bars);
    say("costs (models/src/world/numa/costs.json):");
    for (name, cost) in costs.all() {
        say(format_args!("  {name} {}: {}", cost.value, cost.source));
    }
    say("assumed:");
    ASSUMED
        .iter()
        .for_each(|line| say(format_args!("  {line}")));
    say("not in the model:");
    MISSING
        .iter()
        .for_each(|line| say(format_args!("  {line}")));
    Ok(())
}
