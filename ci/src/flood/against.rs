// SPDX-License-Identifier: MIT OR Apache-2.0

//! The node queues beside each design before them, round by round.

use super::record::Run;
use super::table::{median, quartiles};
use super::world::DesignName;
use crate::markdown::{table, whole};

type Field = fn(&Run) -> f64;

const HANDLED: Field = |run| run.handled;
const DELIVERED: Field = |run| run.in_datagrams;
const P99: Field = |run| run.enqueue.p99 as f64;
const MEAN: Field = |run| run.enqueue.mean;

/// The runs of the node queues, each with that of another design in the same round.
struct Pairs<'a> {
    old: &'static str,
    runs: Vec<(&'a Run, &'a Run)>,
}

impl Pairs<'_> {
    fn ratios(&self, field: Field) -> Vec<f64> {
        let ratio = |(new, old): &(&Run, &Run)| field(new) / field(old);
        self.runs.iter().map(ratio).collect()
    }

    fn ratio(&self, field: Field) -> f64 {
        median(self.ratios(field))
    }

    /// The median, in brackets the quartiles.
    fn told(&self, field: Field) -> String {
        let [low, high] = quartiles(self.ratios(field));
        format!("{:.2} ({low:.2} to {high:.2})", self.ratio(field))
    }

    /// The bar of the flood, told as the bars of the other benches: by the medians, or by the better
    /// quartiles.
    fn verdict(&self) -> &'static str {
        let ahead =
            |handled: f64, p99: f64, delivered: f64| handled > 1.0 && p99 < 1.0 && delivered >= 1.0;
        let low = |field| quartiles(self.ratios(field))[0];
        let high = |field| quartiles(self.ratios(field))[1];
        if ahead(self.ratio(HANDLED), self.ratio(P99), self.ratio(DELIVERED)) {
            "holds"
        } else if ahead(high(HANDLED), low(P99), high(DELIVERED)) {
            "within noise"
        } else {
            "not shown here"
        }
    }
}

/// The pairs with each design that is there.
fn pairs<'a>(runs: &[&'a Run]) -> Vec<Pairs<'a>> {
    let of = |design: DesignName| {
        let runs = runs.iter().copied();
        runs.filter(move |run| run.design == design.name())
    };
    let old = DesignName::ALL.into_iter();
    old.filter(|design| design.0.is_some())
        .map(|design| Pairs {
            old: design.name(),
            runs: of(DesignName(None)).zip(of(design)).collect(),
        })
        .filter(|pairs| !pairs.runs.is_empty())
        .collect()
}

/// Rounds of one flood: ratios, and whether the bar of the flood is kept.
pub fn against(runs: &[Run]) -> String {
    let mut rows = table([
        "prod-queue against",
        "handled/s, ratio",
        "delivered/s, ratio",
        "p99, ratio",
        "mean time, ratio",
        "rounds",
        "ahead in handled and p99, delivered at least equal",
    ]);
    for pairs in pairs(&runs.iter().collect::<Vec<_>>()) {
        rows.add_row([
            pairs.old.to_owned(),
            pairs.told(HANDLED),
            pairs.told(DELIVERED),
            pairs.told(P99),
            pairs.told(MEAN),
            pairs.runs.len().to_string(),
            pairs.verdict().to_owned(),
        ]);
    }
    rows.to_string()
}

/// Floods of different sockets: ratios for each rcvbuf and each reader.
pub fn grid(runs: &[Run]) -> String {
    let mut rows = table([
        "rcvbuf",
        "reader, ns a packet",
        "prod-queue against",
        "handled/s, ratio",
        "delivered/s, ratio",
        "p99, ratio",
        "refused, before",
        "refused, after",
        "rounds",
    ]);
    let socket = |run: &Run| (run.rcvbuf, run.reader_delay);
    let mut sockets: Vec<_> = runs.iter().map(socket).collect();
    sockets.sort_unstable();
    sockets.dedup();
    for (rcvbuf, delay) in sockets {
        let same: Vec<_> = runs
            .iter()
            .filter(|run| socket(run) == (rcvbuf, delay))
            .collect();
        for pairs in pairs(&same) {
            let refused = |run: &Run| 100.0 * run.rcvbuf_errors / run.handled;
            let before = median(pairs.runs.iter().map(|(_, old)| refused(old)));
            let after = median(pairs.runs.iter().map(|(new, _)| refused(new)));
            rows.add_row([
                whole(rcvbuf.into()),
                whole(delay as f64),
                pairs.old.to_owned(),
                pairs.told(HANDLED),
                pairs.told(DELIVERED),
                pairs.told(P99),
                format!("{before:.0} %"),
                format!("{after:.0} %"),
                pairs.runs.len().to_string(),
            ]);
        }
    }
    rows.to_string()
}
