// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tables for a person, in markdown.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use crate::markdown::{table, whole};

use super::record::{Bucket, Run, Second};

/// A second as `nstat` would tell it; with its header if it is the first.
pub fn second(second: &Second, first: bool) -> String {
    let head = if first {
        format!(
            "{:<16} {:>4} {:>12} {:>12} {:>12} {:>12}\n",
            "per second", "s", "InDatagrams", "InErrors", "RcvbufErrors", "MemErrors"
        )
    } else {
        String::new()
    };
    format!(
        "{head}{:<16} {:>4} {:>12} {:>12} {:>12} {:>12}",
        second.design,
        second.second,
        second.in_datagrams,
        second.in_errors,
        second.rcvbuf_errors,
        second.mem_errors
    )
}

/// The middle one of some values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => (values[count / 2 - 1] + values[count / 2]) / 2.0,
    }
}

/// The values that a quarter and three quarters of some values are not above.
pub fn quartiles(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    [1, 3].map(|quarter| values.get(last * quarter / 4).copied().unwrap_or(f64::NAN))
}

/// The runs of one design with one number of producers, in the order in which they first appear.
pub fn groups(runs: &[Run]) -> Vec<Vec<&Run>> {
    let mut groups: Vec<Vec<&Run>> = Vec::new();
    for run in runs {
        let alike = |group: &&mut Vec<&Run>| {
            group[0].design == run.design && group[0].producers == run.producers
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups
}

/// What came of all runs, and the histogram of the times of enqueue.
pub fn tables(runs: &[Run]) -> String {
    format!("{}\n\n{}", summary(runs), histogram(runs))
}

/// Medians of the runs of each design, and the worst of what must never be exceeded.
pub fn summary(runs: &[Run]) -> Table {
    let mut table = table([
        "design",
        "producers",
        "rounds",
        "InDatagrams/s",
        "RcvbufErrors/s",
        "MemErrors/s",
        "handled/s",
        "enqueue p50 ns",
        "p99 ns",
        "p99.9 ns",
        "largest rmem_alloc",
        "bound",
        "accounts",
    ]);
    for group in groups(runs) {
        let middle = |field: fn(&Run) -> f64| whole(median(group.iter().map(|run| field(run))));
        let wrong = group.iter().any(|run| !run.wrong.is_empty());
        let largest = group.iter().map(|run| run.largest).max().unwrap_or(0);
        table.add_row([
            group[0].design.clone(),
            group[0].producers.to_string(),
            group.len().to_string(),
            middle(|run| run.in_datagrams),
            middle(|run| run.rcvbuf_errors),
            middle(|run| run.mem_errors),
            middle(|run| run.handled),
            middle(|run| run.enqueue.p50 as f64),
            middle(|run| run.enqueue.p99 as f64),
            middle(|run| run.enqueue.p999 as f64),
            whole(largest.into()),
            whole(group[0].bound as f64),
            if wrong { "WRONG" } else { "exact" }.to_owned(),
        ]);
    }
    table
}

/// A bucket as the kernel's tools write it.
pub fn range(bucket: &Bucket) -> String {
    let Bucket { from, to, .. } = *bucket;
    match (from, to) {
        (_, ..=1000) => format!("[{from}, {to}) ns"),
        (1000, 2000) => "[1] us".to_owned(),
        _ => format!("[{}, {}) us", from / 1000, to / 1000),
    }
}

/// The buckets of all runs of a group together.
pub fn added(group: &[&Run]) -> Vec<Bucket> {
    let mut all: Vec<Bucket> = Vec::new();
    for bucket in group.iter().flat_map(|run| &run.histogram) {
        match all.iter_mut().find(|other| other.from == bucket.from) {
            Some(other) => other.count += bucket.count,
            None => all.push(*bucket),
        }
    }
    all.sort_by_key(|bucket| bucket.from);
    all
}

/// Every range that some group has, in order, with the count of each group.
pub fn side_by_side(groups: &[Vec<&Run>]) -> Vec<(Bucket, Vec<u64>)> {
    let columns: Vec<_> = groups.iter().map(|group| added(group)).collect();
    let mut ranges: Vec<_> = columns.iter().flatten().copied().collect();
    ranges.sort_by_key(|bucket| bucket.from);
    ranges.dedup_by_key(|bucket| bucket.from);
    let count = |column: &Vec<Bucket>, from: u64| {
        let found = column.iter().find(|bucket| bucket.from == from);
        found.map_or(0, |bucket| bucket.count)
    };
    let row = |range: Bucket| {
        let counts = columns.iter().map(|column| count(column, range.from));
        (range, counts.collect())
    };
    ranges.into_iter().map(row).collect()
}

/// How many enqueues took how long, one column a design.
pub fn histogram(runs: &[Run]) -> Table {
    let groups = groups(runs);
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let several = groups
        .iter()
        .any(|group| group[0].producers != groups[0][0].producers);
    let title = |group: &Vec<&Run>| match several {
        true => format!("{} x {}", group[0].design, group[0].producers),
        false => group[0].design.clone(),
    };
    let titles = groups.iter().map(title);
    table.set_header(["time in enqueue".to_owned()].into_iter().chain(titles));
    for (bucket, counts) in side_by_side(&groups) {
        let counts = counts.into_iter().map(|count| whole(count as f64));
        table.add_row([range(&bucket)].into_iter().chain(counts));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_quartiles_are_values_in_order() {
        let values = vec![5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(median(values.clone()), 3.0);
        assert_eq!(quartiles(values), [2.0, 4.0]);
        assert_eq!(median([1.0, 2.0]), 1.5);
        assert!(quartiles(Vec::new())[0].is_nan());
    }
}
