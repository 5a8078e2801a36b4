// SPDX-License-Identifier: MIT OR Apache-2.0

//! Ratios of the operations' times, against the bars that they are held to.
//!
//! `cargo bench --package prodq-benches --bench bars`, about 20 s; `-- --json` prints an object a line.
//! The two sides of a ratio take turns, 21 times, so that they meet the same machine; the ratio is the
//! median of those of the turns. A bar `holds` when the median keeps it, is `within noise` when it does
//! not but the better quarter of the turns does, and `fails` otherwise. Time decides no exit status.

use std::process::ExitCode;
use std::time::Duration;

use prodq_benches::ops::{self, Operation};
use serde::Serialize;

const TURNS: usize = 21;

/// The least time of one turn of one side.
const TURN: Duration = Duration::from_millis(15);

/// A ratio: both sides are `group/name`, times are for each packet.
#[derive(Serialize)]
struct Row {
    left: String,
    right: String,
    left_ns: f64,
    right_ns: f64,
    /// The median, and the quartiles beside it.
    ratio: f64,
    low: f64,
    high: f64,
    turns: usize,
    /// The most that the ratio may be, if there is a bar.
    bar: Option<f64>,
    verdict: &'static str,
}

/// An operation, and how many of it make a turn.
struct Side {
    operation: Operation,
    count: u64,
}

impl Side {
    fn find(all: &mut Vec<Operation>, group: &str, name: &str) -> Result<Side, String> {
        let is_it = |operation: &Operation| operation.group == group && operation.name == name;
        let at = all.iter().position(is_it);
        let at = at.ok_or_else(|| format!("there is no operation {group}/{name}"))?;
        let mut operation = all.remove(at);
        let mut count = 1 << 10;
        while operation.run(count) < TURN {
            count *= 2;
        }
        Ok(Side { operation, count })
    }

    fn id(&self) -> String {
        format!("{}/{}", self.operation.group, self.operation.name)
    }

    /// One turn; nanoseconds for each packet of a thread.
    fn turn(&mut self) -> f64 {
        let time = self.operation.run(self.count).as_nanos() as f64;
        time / (self.count * self.operation.packets) as f64
    }
}

/// The value below which so many of a hundred lie.
fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) * percent / 100]
}

fn compare(left: &mut Side, right: &mut Side, bar: Option<f64>) -> Row {
    let (mut lefts, mut rights, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..TURNS {
        // Who begins changes, so that a trend of the machine favours nobody.
        let (a, b) = if turn % 2 == 0 {
            let a = left.turn();
            (a, right.turn())
        } else {
            let b = right.turn();
            (left.turn(), b)
        };
        lefts.push(a);
        rights.push(b);
        ratios.push(a / b);
    }
    let ratio = percentile(&mut ratios, 50);
    let low = percentile(&mut ratios, 25);
    Row {
        left: left.id(),
        right: right.id(),
        left_ns: percentile(&mut lefts, 50),
        right_ns: percentile(&mut rights, 50),
        ratio,
        low,
        high: percentile(&mut ratios, 75),
        turns: TURNS,
        bar,
        verdict: match bar {
            None => "",
            Some(bar) if ratio <= bar => "holds",
            Some(bar) if low <= bar => "within noise",
            Some(_) => "fails",
        },
    }
}

fn rows() -> Result<Vec<Row>, String> {
    let mut all = ops::all();
    let mut rows = Vec::new();
    let mut side = |group: &str, name: &str| Side::find(&mut all, group, name);
    let mut one = side("batch", "001")?;
    rows.push(compare(&mut side("batch", "064")?, &mut one, Some(0.5)));
    for group in ["list", "list-2-threads"] {
        let mut core = side(group, "prodq")?;
        let mut peer = side(group, "cordyceps TransferStack")?;
        rows.push(compare(&mut core, &mut peer, Some(1.0)));
    }
    for (group, bar) in [("pair", 1.5), ("enqueue", f64::NAN), ("drop", f64::NAN)] {
        let bar = (!bar.is_nan()).then_some(bar);
        let mut core = side(group, "prodq")?;
        rows.push(compare(&mut core, &mut side(group, "floor")?, bar));
        let mut names = Vec::new();
        let mut all = ops::all();
        all.retain(|operation| operation.group == group);
        names.extend(all.iter().map(|operation| operation.name.clone()));
        names.retain(|name| name != "prodq" && name != "floor");
        for name in names {
            let mut other = Side::find(&mut all, group, &name)?;
            rows.push(compare(&mut core, &mut other, None));
        }
    }
    Ok(rows)
}

fn print(rows: &[Row]) {
    println!(
        "{:<22} {:>8}   {:<40} {:>8} {:>6} {:>15}",
        "median of 21", "ns", "against", "ns", "ratio", "quartiles"
    );
    for row in rows {
        let bar = row.bar.map(|bar| format!("at most {bar}: {}", row.verdict));
        println!(
            "{:<22} {:>8.1}   {:<40} {:>8.1} {:>6.2}   {:>5.2} to {:>5.2} {}",
            row.left,
            row.left_ns,
            row.right,
            row.right_ns,
            row.ratio,
            row.low,
            row.high,
            bar.unwrap_or_default()
        );
    }
}

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let known = ["--bench", "--json"];
    if let Some(arg) = args.iter().find(|arg| !known.contains(&arg.as_str())) {
        eprintln!("error: unexpected argument '{arg}': --json is allowed");
        return ExitCode::from(2);
    }
    let rows = match rows() {
        Ok(rows) => rows,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    if args.iter().any(|arg| arg == "--json") {
        for row in &rows {
            println!("{}", serde_json::json!(row));
        }
    } else {
        print(&rows);
    }
    ExitCode::SUCCESS
}
