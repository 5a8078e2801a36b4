// SPDX-License-Identifier: MIT OR Apache-2.0

//! The theorem table for a person.

use std::collections::BTreeMap;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use prodq_models::theorem::Theorem;
use prodq_models::verify::{Row, Verdict};

/// Rows that are shown as one: the same theorem, world, model, completeness and verdict.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    theorem: Theorem,
    world: &'a str,
    model: &'a str,
    verdict: Verdict,
    complete: bool,
    scenario: Option<&'a str>,
}

/// The table; with `each`, a row for each scenario.
pub fn table(rows: &[Row], each: bool) -> String {
    let mut groups: BTreeMap<Key<'_>, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let key = Key {
            theorem: row.theorem,
            world: &row.world,
            model: &row.model,
            verdict: row.verdict,
            complete: row.complete,
            scenario: each.then_some(row.scenario.as_str()),
        };
        groups.entry(key).or_default().push(row);
    }
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "theorem",
        "world",
        "memory model",
        "scope",
        "executions",
        "complete",
        "verdict",
        "s",
    ]);
    for (key, rows) in &groups {
        let executions: u64 = rows.iter().map(|row| row.executions).sum();
        let wall_ms: u64 = rows.iter().map(|row| row.wall_ms).sum();
        table.add_row([
            key.theorem.to_string(),
            key.world.to_owned(),
            key.model.to_owned(),
            scope(rows),
            executions.to_string(),
            complete(key).to_owned(),
            verdict(key, rows),
            format!("{:.1}", wall_ms as f64 / 1000.0),
        ]);
    }
    for column in [4, 7] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

fn scope(rows: &[&Row]) -> String {
    let size = |row: &Row| format!("{} x {} x {}", row.nodes, row.cpus, row.packets);
    match rows {
        [row] => format!("{} ({})", row.scenario, size(row)),
        rows => {
            let most = |f: fn(&Row) -> usize| rows.iter().map(|row| f(row)).max().unwrap_or(0);
            format!(
                "{} scenarios, to {} x {} x {}",
                rows.len(),
                most(|row| row.nodes),
                most(|row| row.cpus),
                most(|row| row.packets)
            )
        }
    }
}

fn complete(key: &Key<'_>) -> &'static str {
    match (key.world, key.complete, key.verdict) {
        (_, true, _) => "yes",
        ("loom" | "explore", false, _) => "no: truncated",
        _ => "no: sampled",
    }
}

fn verdict(key: &Key<'_>, rows: &[&Row]) -> String {
    let expected = rows.iter().all(|row| row.is_expected());
    let note = match (key.verdict, expected) {
        (_, false) => " (unexpected)",
        (Verdict::Refuted, true) => " (expected)",
        _ => "",
    };
    format!("{}{note}", key.verdict)
}
