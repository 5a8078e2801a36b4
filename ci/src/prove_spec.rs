// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq prove overshoot` and `prodq prove explore`: the spec, searched and shown.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{anyhow, Result};
use clap::builder::PossibleValuesParser;
use comfy_table::presets::ASCII_MARKDOWN;
use prodq_models::overshoot::{one_byte_less, scenario, witness};
use prodq_models::witness::Replay;
use prodq_proofs::browse::Bounded;
use prodq_proofs::overshoot::{Found, Machine, Setup};
use prodq_proofs::spec::Policy;
use prodq_proofs::table::{Pin, Table};
use serde::Serialize;
use stateright::Model;

use crate::{say, tell, workers, End};

/// What is searched: the whole table unless something is told
#[derive(clap::Args)]
pub struct Which {
    /// Nodes
    #[arg(long)]
    nodes: Option<usize>,
    /// CPUs on each node
    #[arg(long)]
    cpus: Option<usize>,
    /// rcvbuf, in bytes
    #[arg(long, value_name = "BYTES")]
    rcvbuf: Option<u32>,
    /// The size of the packets, in bytes; given twice, packets have either size
    #[arg(long, value_name = "BYTES")]
    size: Vec<u32>,
    /// The admission policy
    #[arg(long, value_parser = PossibleValuesParser::new(Policy::ALL.map(Policy::name)))]
    policy: Option<String>,
    /// One more CPU receives
    #[arg(long)]
    reader: bool,
}

impl Which {
    /// Whether something was told.
    fn is_told(&self) -> bool {
        let numbers = [self.nodes.is_some(), self.cpus.is_some()];
        let others = [self.rcvbuf.is_some(), self.policy.is_some(), self.reader];
        numbers.into_iter().chain(others).any(|told| told) || !self.size.is_empty()
    }

    /// The setups that were told, with one node of two CPUs and rcvbuf for two packets of 100 bytes where
    /// they were not.
    fn setups(&self) -> Vec<Setup> {
        let of_name = |policy: &Policy| {
            self.policy
                .as_deref()
                .is_none_or(|name| name == policy.name())
        };
        let setup = |policy| Setup {
            nodes: self.nodes.unwrap_or(1),
            cpus: self.cpus.unwrap_or(2),
            rcvbuf: self.rcvbuf.unwrap_or(200),
            sizes: match self.size.as_slice() {
                [] => vec![100],
                sizes => sizes.to_vec(),
            },
            policy,
            reader: self.reader,
        };
        Policy::ALL.into_iter().filter(of_name).map(setup).collect()
    }
}

/// Search all states of the spec for the largest rmem_alloc, and show it on the real code
#[derive(clap::Args)]
pub struct Overshoot {
    #[command(flatten)]
    which: Which,
    /// Print a JSON object for each search, and nothing else, on stdout
    #[arg(long)]
    json: bool,
    /// Take what is found as what is expected from now on: rewrites proofs/overshoot.json
    #[arg(long, conflicts_with_all = ["nodes", "cpus", "rcvbuf", "size", "policy", "reader"])]
    accept: bool,
    /// Give a search up that has more states than this
    #[arg(long, value_name = "STATES", default_value_t = 50_000_000)]
    limit: usize,
}

/// Look at the states of the spec in a browser
#[derive(clap::Args)]
pub struct Explore {
    #[command(flatten)]
    which: Which,
    /// Where the pages are served
    #[arg(long, default_value = "127.0.0.1:3000")]
    address: std::net::SocketAddr,
}

/// A search, as a line.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    pin: Pin,
    /// The proved upper bound, in bytes, and how far it is away.
    bound: u64,
    distance: u64,
    /// Whether the path was gone on the real code, its witness replays, and a bound of one byte less fails.
    replayed: bool,
    witness: String,
    expected: Option<u32>,
    as_expected: bool,
    #[serde(skip)]
    problem: Option<String>,
}

/// Searches, replays, and compares with what is pinned.
pub fn overshoot(args: &Overshoot) -> Result<End> {
    let mut table = Table::load().map_err(|error| anyhow!(error))?;
    let setups: Vec<_> = if args.which.is_told() {
        args.which.setups()
    } else {
        table.pins.iter().map(|pin| pin.setup.clone()).collect()
    };
    for setup in &setups {
        if let Err(error) = setup.check() {
            tell(format_args!("error: {error}"));
            return Ok(End::BadCall);
        }
    }
    let rows = search_all(&setups, &table, args.limit)?;
    let refused = rows.iter().any(|row| row.problem.is_some());
    if args.accept && !refused {
        table.pins = rows.iter().map(|row| row.pin.clone()).collect();
        table.store().map_err(|error| anyhow!(error))?;
    }
    if args.json {
        for row in &rows {
            say(serde_json::to_string(row)?);
        }
    } else {
        say(shown(&rows));
        let states: usize = rows.iter().map(|row| row.pin.states).sum();
        let good = rows.iter().filter(|row| row.as_expected).count();
        say(format_args!(
            "{good} of {} searches are as expected, {states} states",
            rows.len()
        ));
    }
    for row in rows.iter().filter(|row| !row.as_expected) {
        let problem = row.problem.clone().unwrap_or_else(|| {
            format!(
                "{} bytes in {} states and {} moves are not what is pinned; if this is what the change was \
                 meant to do: cargo prove overshoot --accept",
                row.pin.largest, row.pin.states, row.pin.moves
            )
        });
        tell(format_args!("unexpected: {:?}: {problem}", row.pin.setup));
    }
    let accepted = args.accept && !refused;
    Ok(if accepted || rows.iter().all(|row| row.as_expected) {
        End::AsExpected
    } else {
        End::Unexpected
    })
}

/// The searches of all setups, on all cores, in their order.
fn search_all(setups: &[Setup], table: &Table, limit: usize) -> Result<Vec<Row>> {
    let bar = workers::progress(setups.len() as u64, "searches");
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let serve = || -> Result<()> {
        // The last ones are the largest.
        while let Some(index) = setups
            .len()
            .checked_sub(1 + next.fetch_add(1, Ordering::Relaxed))
        {
            let row = row(&setups[index], table, limit)?;
            bar.inc(1);
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.push((index, row));
        }
        Ok(())
    };
    thread::scope(|scope| {
        workers::join_all((0..workers::cores()).map(|_| scope.spawn(serve)).collect())
    })?;
    bar.finish_and_clear();
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|(index, _)| *index);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

fn row(setup: &Setup, table: &Table, limit: usize) -> Result<Row> {
    let machine = Machine::new(setup)?;
    let found = machine
        .search(limit)
        .ok_or_else(|| anyhow!("{setup:?} has more than {limit} states; --limit allows more"))?;
    let pin = Pin::new(setup, &found);
    let pinned = table.pins.iter().find(|pinned| pinned.setup == *setup);
    let bound = scenario(setup, &found).bound();
    let (witness, problem) = match show(setup, &found) {
        Ok(path) => (path, None),
        Err(error) => (String::new(), Some(error.to_string())),
    };
    Ok(Row {
        bound,
        distance: bound.saturating_sub(found.largest.into()),
        replayed: problem.is_none(),
        witness,
        expected: pinned.map(|pinned| pinned.largest),
        as_expected: problem.is_none() && pinned.is_none_or(|pinned| *pinned == pin),
        pin,
        problem,
    })
}

/// Goes the path on the real code, leaves a witness, replays it, and refutes one byte less.
fn show(setup: &Setup, found: &Found) -> Result<String> {
    let reached = witness(setup, found)?;
    let name = format!("{}.json", reached.scenario.name);
    let path = workers::witness_folder().join(name);
    reached.write(&path)?;
    for witness in [reached, one_byte_less(setup, found)?] {
        if witness.replay()? != Replay::Same {
            return Err(anyhow!("{} does not replay", witness.what));
        }
    }
    Ok(path.display().to_string())
}

/// The table for a person: a line for each setup, a column for each policy.
fn shown(rows: &[Row]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(ASCII_MARKDOWN);
    let policies = Policy::ALL.map(|policy| format!("{}: largest, bound", policy.name()));
    let heading = ["nodes x CPUs", "rcvbuf", "packets", "reader"].map(str::to_owned);
    table.set_header(heading.into_iter().chain(policies));
    let key = |row: &Row| Setup {
        policy: Policy::KernelOrder,
        ..row.pin.setup.clone()
    };
    for group in rows.chunk_by(|a, b| key(a) == key(b)) {
        let setup = key(&group[0]);
        let sizes: Vec<_> = setup.sizes.iter().map(ToString::to_string).collect();
        let of = |policy: Policy| {
            let row = group.iter().find(|row| row.pin.setup.policy == policy);
            row.map_or_else(String::new, |row| {
                format!("{}, {}", row.pin.largest, row.bound)
            })
        };
        let scope = [
            format!("{} x {}", setup.nodes, setup.cpus),
            setup.rcvbuf.to_string(),
            sizes.join(" or "),
            if setup.reader { "yes" } else { "" }.to_owned(),
        ];
        table.add_row(scope.into_iter().chain(Policy::ALL.map(of)));
    }
    table.to_string()
}

/// Serves the browser until it is stopped.
pub fn explore(args: &Explore) -> Result<End> {
    let setup = args.which.setups().swap_remove(0);
    let machine = match Machine::new(&setup) {
        Ok(machine) => machine,
        Err(error) => {
            tell(format_args!("error: {error}"));
            return Ok(End::BadCall);
        }
    };
    say(format_args!(
        "the states of {} CPUs on each of {} nodes, {}, at http://{}; Ctrl-C ends it",
        setup.cpus,
        setup.nodes,
        setup.policy.name(),
        args.address
    ));
    let bound = setup.rcvbuf;
    Bounded { machine, bound }.checker().serve(args.address);
    Ok(End::AsExpected)
}
