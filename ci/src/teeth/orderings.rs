// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq teeth orderings`: every ordering of `ordering.rs` one step weaker, none weaker, and all as
//! strong as can be.

use anyhow::{anyhow, Result};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::Table;
use prodq::Site;
use prodq_models::catalog::{cases, Case, Tier};
use prodq_models::fault::Fault;
use prodq_models::orderings::{weakenings, Claim, Weakening, WORLDS};
use prodq_models::verify::{Manifest, Verdict};
use prodq_models::world::{run, MemoryModel, World};
use serde::Serialize;

use crate::verify::TierName;
use crate::{say, tell, workers, End};

/// Weaken every ordering by one step and see which theorem fails
#[derive(clap::Args)]
pub struct Args {
    /// Print a JSON object for each weakening and world, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// A line of the table.
#[derive(Serialize)]
struct Row {
    site: &'static str,
    ordering: String,
    to: String,
    world: &'static str,
    model: String,
    scenario: String,
    theorem: Option<&'static str>,
    verdict: &'static str,
    executions: u64,
    /// Whether it is what `models/src/orderings.rs` claims.
    as_claimed: bool,
    reason: String,
}

/// Weakens, and strengthens.
pub fn orderings(args: &Args) -> Result<End> {
    let all = weakenings();
    let bar = workers::progress(all.len() as u64, "weakenings");
    let mut rows = Vec::new();
    for weakening in all {
        bar.set_message(format!("{} to {:?}", weakening.site.name(), weakening.to));
        rows.extend(weaken(weakening)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let settled = Site::ALL
        .iter()
        .filter(|it| format!("{:?}", it.ordering()) == "Relaxed");
    rows.extend(settled.map(|&site| relaxed(site)));
    rows.extend(all_at_once("as it is", &Fault::None)?);
    rows.extend(all_at_once("SeqCst", &Fault::AllSeqCst)?);
    if args.json {
        for row in &rows {
            say(serde_json::to_string(row)?);
        }
    } else {
        say(table(&rows));
        let caught = rows.iter().filter(|row| row.verdict == "refuted").count();
        let unseen = rows.iter().filter(|row| row.verdict == "unseen").count();
        say(format_args!(
            "{caught} weakenings are caught, by world; {unseen} are beyond these memory models:"
        ));
        for row in rows.iter().filter(|row| row.verdict == "unseen") {
            say(format_args!(
                "{} to {} ({}): {}",
                row.site, row.to, row.world, row.reason
            ));
        }
    }
    let wrong: Vec<_> = rows.iter().filter(|row| !row.as_claimed).collect();
    for row in &wrong {
        tell(format_args!(
            "unexpected: {} at {} in {} ({}) is {}: {}",
            row.site, row.to, row.world, row.model, row.verdict, row.reason
        ));
    }
    Ok(if wrong.is_empty() {
        End::AsExpected
    } else {
        End::Unexpected
    })
}

/// One weakening, in each world that shows weak memory.
fn weaken(weakening: Weakening) -> Result<Vec<Row>> {
    let Some(claim) = weakening.claim() else {
        return Ok(vec![Row {
            site: weakening.site.name(),
            ordering: format!("{:?}", weakening.site.ordering()),
            to: format!("{:?}", weakening.to),
            world: "-",
            model: String::new(),
            scenario: String::new(),
            theorem: None,
            verdict: "unexplained",
            executions: 0,
            as_claimed: false,
            reason: "models/src/orderings.rs claims nothing of it".to_owned(),
        }]);
    };
    let row = |world| -> Result<Row> {
        let job = weakening.job(&claim, world)?;
        let outcome = run(&job)?;
        let found = outcome.findings.iter().next();
        let verdict = match (found, &claim) {
            (Some(_), _) => "refuted",
            (None, Claim::Unseen { .. }) => "unseen",
            (None, Claim::Needed { .. }) => "survived",
        };
        let needed = matches!(claim, Claim::Needed { .. });
        let reason = match (found, &claim) {
            (Some((_, finding)), _) => finding.what.clone(),
            (None, Claim::Needed { theorem, .. }) => format!("{theorem} should be refuted"),
            (None, Claim::Unseen { reason, .. }) => (*reason).to_owned(),
        };
        Ok(Row {
            site: weakening.site.name(),
            ordering: format!("{:?}", weakening.site.ordering()),
            to: format!("{:?}", weakening.to),
            world: world.name(),
            model: world.model(),
            scenario: claim.scenario().to_owned(),
            theorem: found.map(|(theorem, _)| theorem.name()),
            verdict,
            executions: outcome.executions,
            // Not to see something means something only at the end of a search.
            as_claimed: needed == found.is_some() && (needed || outcome.complete),
            reason,
        })
    };
    // What is not seen is looked for where the search can come to an end.
    let complete = |world: &World| matches!(world, World::Explore { .. });
    let needed = matches!(claim, Claim::Needed { .. });
    let worlds = WORLDS.into_iter().filter(|world| needed || complete(world));
    worlds.map(row).collect()
}

/// A site that no ordering is weaker than.
fn relaxed(site: Site) -> Row {
    Row {
        site: site.name(),
        ordering: "Relaxed".to_owned(),
        to: "-".to_owned(),
        world: "-",
        model: String::new(),
        scenario: String::new(),
        theorem: None,
        verdict: "weakest",
        executions: 0,
        as_claimed: true,
        reason: "nothing is weaker".to_owned(),
    }
}

/// All sites together: the quick tier of the worlds that show weak memory, whose verdicts must be those of
/// the manifest.
fn all_at_once(to: &str, fault: &Fault) -> Result<Vec<Row>> {
    let manifest = Manifest::load(&Manifest::path()).map_err(|error| anyhow!(error))?;
    let cases = cases(Tier::Quick);
    let is = |case: &Case, model: &World| match model {
        World::Loom { .. } => matches!(
            case.world,
            World::Loom {
                newest_loads: false,
                ..
            }
        ),
        _ => matches!(
            case.world,
            World::Explore {
                memory: MemoryModel::Rc11,
                ..
            }
        ),
    };
    let mut rows = Vec::new();
    for world in WORLDS {
        let indices: Vec<_> = (0..cases.len())
            .filter(|&i| is(&cases[i], &world))
            .collect();
        let reports = workers::see_all(TierName::Quick, None, &cases, &indices, fault)?;
        let firsts = reports.iter().filter_map(|report| report.rows.first());
        let executions = firsts.map(|row| row.executions).sum();
        let mut seen: Vec<_> = reports.into_iter().flat_map(|report| report.rows).collect();
        seen.iter_mut()
            .for_each(|row| manifest.expect(Tier::Quick, row));
        // A stronger ordering may well need other executions: only the verdict must stay.
        let refuted = |verdict| verdict == Verdict::Refuted;
        let changed: Vec<_> = seen
            .iter()
            .filter(|row| refuted(row.verdict) != refuted(row.expected))
            .map(|row| format!("{} in {} is {}", row.theorem, row.scenario, row.verdict))
            .collect();
        rows.push(Row {
            site: "all sites",
            ordering: "as it is".to_owned(),
            to: to.to_owned(),
            world: world.name(),
            model: world.model(),
            scenario: format!("{} scenarios", indices.len()),
            theorem: None,
            verdict: if changed.is_empty() {
                "same"
            } else {
                "changed"
            },
            executions,
            as_claimed: changed.is_empty(),
            reason: if changed.is_empty() {
                format!("{} verdicts are those of the manifest", seen.len())
            } else {
                changed.join(", ")
            },
        });
    }
    Ok(rows)
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "site",
        "is",
        "made",
        "world",
        "scenario",
        "verdict",
        "executions",
    ]);
    for row in rows {
        let verdict = match row.theorem {
            Some(theorem) => format!("{} {}", theorem, row.verdict),
            None => row.verdict.to_owned(),
        };
        table.add_row([
            row.site.to_owned(),
            row.ordering.clone(),
            row.to.clone(),
            row.world.to_owned(),
            row.scenario.clone(),
            verdict,
            row.executions.to_string(),
        ]);
    }
    table.to_string()
}
