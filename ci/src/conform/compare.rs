// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where kernel and core part.

use std::fmt;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::Table;

use super::op::Sequence;
use super::seen::{Recording, Seen, Step};

/// A sequence on which kernel and core disagree.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// What the kernel did.
    pub kernel: Recording,
    /// What the core did.
    pub core: Recording,
    /// The first step that differs; the number of steps when only the end does.
    pub at: usize,
}

/// The first step on which both differ, if there is one.
pub fn compare(kernel: &Recording, core: &Recording) -> Option<Disagreement> {
    let differs = |(kernel, core): (&_, &_)| kernel != core;
    let at = kernel.steps.iter().zip(&core.steps).position(differs);
    let at = at.or_else(|| {
        let total = |recording: &Recording| recording.end.map(|pages| pages.total());
        let end = total(kernel) != total(core) || kernel.kept != core.kept;
        (end || kernel.steps.len() != core.steps.len()).then_some(kernel.steps.len())
    })?;
    Some(Disagreement {
        kernel: kernel.clone(),
        core: core.clone(),
        at,
    })
}

impl Disagreement {
    /// What was done.
    pub fn sequence(&self) -> Sequence {
        Sequence {
            setup: self.kernel.setup.clone(),
            ops: self
                .kernel
                .steps
                .iter()
                .map(|step| step.op.clone())
                .collect(),
        }
    }

    /// Whether nothing but the protocol's pages differs, which other sockets of the machine share.
    pub fn only_pages(&self) -> bool {
        let differs = |(kernel, core): (&Step, &Step)| {
            let core = Seen {
                pages: kernel.seen.pages,
                ..core.seen.clone()
            };
            kernel.seen != core
        };
        let mut both = self.kernel.steps.iter().zip(&self.core.steps);
        self.core.kept == 0 && !both.any(differs)
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header([
            "",
            "operation",
            "kernel",
            "core",
            "kernel's figures",
            "core's figures",
        ]);
        for (index, (kernel, core)) in self.kernel.steps.iter().zip(&self.core.steps).enumerate() {
            if index > self.at {
                break;
            }
            table.add_row([
                if index == self.at { "differs" } else { "" }.to_owned(),
                kernel.op.to_string(),
                kernel.seen.outcome.to_string(),
                core.seen.outcome.to_string(),
                kernel.seen.figures(),
                core.seen.figures(),
            ]);
        }
        if self.at >= self.kernel.steps.len() {
            let end = |recording: &Recording| {
                let pages = recording.end.map_or(0, |pages| pages.total());
                let start = recording.start.map_or(0, |pages| pages.total());
                format!("{} pages, {} after close", pages - start, recording.kept)
            };
            let (kernel, core) = (end(&self.kernel), end(&self.core));
            table.add_row(["differs", "close", "", "", &kernel, &core]);
        }
        let setup = &self.kernel.setup;
        writeln!(f, "{setup:?}")?;
        write!(f, "{table}")
    }
}
