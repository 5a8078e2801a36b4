// SPDX-License-Identifier: MIT OR Apache-2.0

//! What was seen in the scenarios that were explored to the end: nothing may be proved by never
//! happening.

use std::collections::BTreeMap;

use anyhow::Result;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use prodq_models::coverage::{names, Coverage, Situation};
use prodq_models::verify::Report;
use serde::Serialize;

use crate::say;

/// By scenario and memory model.
#[derive(Default)]
pub struct Seen(BTreeMap<(String, String), Coverage>);

/// A line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    scenario: &'a str,
    model: &'a str,
    seen: &'a Coverage,
}

impl Seen {
    /// Adds what a case has shown, if it was finished.
    pub fn add(&mut self, report: &Report) {
        if let (Some(seen), Some(row)) = (&report.finished, report.rows.first()) {
            let key = (row.scenario.clone(), row.model.clone());
            self.0.entry(key).or_default().add(seen);
        }
    }

    /// What was seen in none.
    pub fn missing(&self) -> Vec<&'static str> {
        let mut all = Coverage::default();
        self.0.values().for_each(|seen| all.add(seen));
        all.missing()
    }

    /// Prints it: as a table of steps and situations, or as a JSON object for each scenario.
    pub fn show(&self, json: bool) -> Result<()> {
        if json {
            for ((scenario, model), seen) in &self.0 {
                say(serde_json::to_string(&Line {
                    scenario,
                    model,
                    seen,
                })?);
            }
            return Ok(());
        }
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(["seen", "what it is", "executions", "scenarios", "most in"]);
        for name in names() {
            let situation = Situation::ALL.iter().find(|it| it.name() == name);
            let says = situation.map_or("a step of the core", |it| it.says());
            let seen = self.0.iter().map(|(key, seen)| (seen.count(name), key));
            let seen: Vec<_> = seen.filter(|(count, _)| *count != 0).collect();
            let executions: u64 = seen.iter().map(|(count, _)| count).sum();
            let most = seen
                .iter()
                .max()
                .map(|(count, (scenario, model))| format!("{scenario}, {model} ({count})"));
            table.add_row([
                name.to_owned(),
                says.to_owned(),
                executions.to_string(),
                seen.len().to_string(),
                most.unwrap_or_default(),
            ]);
        }
        for column in [2, 3] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        say(table);
        Ok(())
    }
}
