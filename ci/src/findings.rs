// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq verify findings`: the open questions about the kernel's design.

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::Table;
use prodq_models::findings::{hypotheses, Row};
use prodq_models::verify::Verdict;

use crate::{say, tell, workers, End};

/// Answer the open questions about the kernel's design, and try the repairs
#[derive(clap::Args)]
pub struct Args {
    /// The hypotheses to examine; all by default
    #[arg(value_parser = PossibleValuesParser::new(hypotheses().into_iter().map(|h| h.id)))]
    hypothesis: Vec<String>,
    /// Print a JSON object for each design that was examined, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// Examines the hypotheses that were asked for and prints what was found.
pub fn findings(args: &Args) -> Result<End> {
    let folder = workers::witness_folder();
    let mut rows = Vec::new();
    let bar = workers::progress(hypotheses().len() as u64, "hypotheses");
    for hypothesis in hypotheses() {
        bar.set_message(hypothesis.id);
        let asked = |id: &String| id == hypothesis.id;
        if args.hypothesis.is_empty() || args.hypothesis.iter().any(asked) {
            rows.extend(hypothesis.examine(&folder)?);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        for row in &rows {
            say(serde_json::to_string(row)?);
        }
    } else {
        print(&rows);
    }
    let unexpected: Vec<_> = rows.iter().filter(|row| !row.is_expected()).collect();
    for row in &unexpected {
        tell(format_args!(
            "unexpected: {} in {} is {}, not {}",
            row.hypothesis, row.design, row.verdict, row.expected
        ));
    }
    Ok(if unexpected.is_empty() {
        End::AsExpected
    } else {
        End::Unexpected
    })
}

/// What a verdict says of a hypothesis, or of a repair.
fn answer(row: &Row) -> String {
    let note = if row.is_expected() {
        ""
    } else {
        " (unexpected)"
    };
    let answer = match (row.repair, row.verdict) {
        (false, Verdict::Refuted) => "confirmed",
        (false, _) => "not seen",
        (true, Verdict::Refuted) => "no repair",
        (true, _) => "repaired",
    };
    format!("{answer}{note}")
}

fn print(rows: &[Row]) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "",
        "breaks",
        "design",
        "CPUs",
        "packets",
        "steps",
        "executions",
        "answer",
    ]);
    for row in rows {
        table.add_row([
            row.hypothesis.to_owned(),
            row.theorem.to_string(),
            row.design.clone(),
            row.cpus.to_string(),
            row.packets.to_string(),
            row.steps.map_or(String::new(), |steps| steps.to_string()),
            row.executions.to_string(),
            answer(row),
        ]);
    }
    say(&table);
    for row in rows.iter().filter(|row| !row.repair) {
        say(format_args!("{}: {}", row.hypothesis, row.question));
        if let (Some(what), Some(witness)) = (&row.what, &row.witness) {
            say(format_args!("    {what}"));
            say(format_args!("    cargo replay {}", witness.display()));
        }
    }
}
