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

/// By scenario and memory model where it was explored to the end, and together where it was sampled.
#[derive(Default)]
pub struct Seen {
    explored: BTreeMap<(String, String), Coverage>,
    sampled: Coverage,
}

/// A line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    scenario: &'a str,
    model: &'a str,
    seen: &'a Coverage,
}

impl Seen {
    /// Adds what a case has shown.
    pub fn add(&mut self, report: &Report) {
        let Some(row) = report.rows.first() else {
            return;
        };
        // What the designs before the patch do says nothing of the node queues.
        let coverage = if row.design.starts_with("prod-queue") {
            report.coverage.clone()
        } else {
            report.coverage.only(&["ChargeSock", "UnchargeSock"])
        };
        if report.explored {
            let key = (row.scenario.clone(), row.model.clone());
            self.explored.entry(key).or_default().add(&coverage);
        } else {
            self.sampled.add(&coverage);
        }
    }

    /// What should have been seen and was not.
    pub fn missing(&self) -> Vec<&'static str> {
        let mut explored = Coverage::default();
        self.explored.values().for_each(|seen| explored.add(seen));
        explored.missing(&self.sampled)
    }

    /// Prints it: as a table of steps and situations, or as a JSON object for each scenario.
    pub fn show(&self, json: bool) -> Result<()> {
        if json {
            for ((scenario, model), seen) in &self.explored {
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
        table.set_header([
            "seen",
            "what it is",
            "explored",
            "scenarios",
            "most in",
            "sampled",
        ]);
        for name in names() {
            let situation = Situation::ALL.iter().find(|it| it.name() == name);
            let says = situation.map_or("a step of the core", |it| it.says());
            let seen = self
                .explored
                .iter()
                .map(|(key, seen)| (seen.count(name), key));
            let seen: Vec<_> = seen.filter(|(count, _)| *count != 0).collect();
            let sampled = self.sampled.count(name);
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
                sampled.to_string(),
            ]);
        }
        for column in [2, 3, 5] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        say(table);
        Ok(())
    }
}
