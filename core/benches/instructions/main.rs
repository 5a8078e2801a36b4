// SPDX-License-Identifier: MIT OR Apache-2.0

//! Instructions of the operations of one thread, counted by callgrind and compared with pinned counts.
//!
//! `cargo bench --package prodq-benches --bench instructions` fails when a count is more than 2 % off its
//! pin; `-- --accept` pins what is counted, `-- --json` prints an object a line. It needs valgrind. The
//! counts are the same on every run of one binary, whatever else the machine does; the pins are of x86-64
//! and the toolchain they were taken with, so another one may need its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use prodq_benches::ops::{self, Operation};

#[path = "../generics/callgrind.rs"]
mod callgrind;

const PINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results/instructions.json");

/// How many packets are counted: a multiple of every batch.
const PACKETS: u64 = 1024;

const TOLERANCE: f64 = 0.02;

/// Counts by operation: `group/name`, instructions of [`PACKETS`] packets.
type Counts = BTreeMap<String, u64>;

fn id(operation: &Operation) -> String {
    format!("{}/{}", operation.group, operation.name)
}

fn count_all() -> Result<Counts, String> {
    let counted = |operation: &Operation| {
        let id = id(operation);
        let count = callgrind::count(&["run", &id], Some(ops::MEASURED))?;
        Ok((id, count))
    };
    let all = ops::all();
    let one_thread = all.iter().filter(|operation| operation.threads == 1);
    one_thread.map(counted).collect()
}

/// What this program does under callgrind.
fn run(wanted: &str) -> Result<bool, String> {
    let mut all = ops::all();
    let found = all.iter_mut().find(|operation| id(operation) == wanted);
    let operation = found.ok_or_else(|| format!("there is no operation {wanted:?}"))?;
    operation.run(PACKETS / operation.packets);
    Ok(true)
}

fn pins() -> Result<Counts, String> {
    let text = std::fs::read_to_string(PINS).map_err(|error| format!("{PINS}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{PINS}: {error}"))
}

fn accept(counts: &Counts) -> Result<(), String> {
    let text = serde_json::to_string_pretty(counts).map_err(|error| error.to_string())?;
    let folder = Path::new(PINS).parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(PINS, text + "\n"))
        .map_err(|error| format!("{PINS}: {error}"))
}

/// What is wrong with a count, if anything.
fn complaint(count: u64, pin: Option<u64>) -> Option<String> {
    match pin {
        None => Some("not pinned".to_owned()),
        Some(pin) if (count as f64 / pin as f64 - 1.0).abs() > TOLERANCE => {
            Some(format!("pinned are {pin}"))
        }
        Some(_) => None,
    }
}

fn compare(args: &[String]) -> Result<bool, String> {
    let has = |flag| args.iter().any(|arg| arg == flag);
    let counts = count_all()?;
    if has("--accept") {
        accept(&counts)?;
    }
    let pins = pins()?;
    let mut good = true;
    if !has("--json") {
        println!(
            "{:<40} {:>10} {:>10}",
            "instructions", "a packet", "of 1024"
        );
    }
    for (id, &count) in &counts {
        let a_packet = count as f64 / PACKETS as f64;
        let complaint = complaint(count, pins.get(id).copied());
        good &= complaint.is_none();
        if has("--json") {
            let pinned = pins.get(id);
            println!(
                "{}",
                serde_json::json!({ "operation": id, "instructions": count, "packets": PACKETS, "pinned": pinned })
            );
        } else {
            let complaint = complaint.unwrap_or_default();
            println!("{id:<40} {a_packet:>10.1} {count:>10} {complaint}");
        }
    }
    for id in pins.keys().filter(|id| !counts.contains_key(*id)) {
        eprintln!("{id} is pinned and not counted any more");
        good = false;
    }
    Ok(good)
}

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let known = ["--bench", "--accept", "--json"];
    let result = match args.as_slice() {
        [first, id] if first == "run" => run(id),
        args => match args.iter().find(|arg| !known.contains(&arg.as_str())) {
            Some(arg) => {
                eprintln!("error: unexpected argument '{arg}': --accept and --json are allowed");
                return ExitCode::from(2);
            }
            None => compare(args),
        },
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!(
                "counts differ from their pins by more than {} %; if that is meant: --accept",
                TOLERANCE * 100.0
            );
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
