// SPDX-License-Identifier: MIT OR Apache-2.0

//! Times of the operations, in one run: `cargo bench --package prodq-benches --bench micro`, about a
//! minute and a half. Criterion's own arguments work.

use std::time::Duration;

use criterion::{Criterion, Throughput};
use prodq_benches::ops;

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1000))
        .sample_size(40)
        .without_plots()
        .configure_from_args();
    for mut operation in ops::all() {
        let mut group = criterion.benchmark_group(operation.group);
        group.throughput(Throughput::Elements(
            operation.packets * operation.threads as u64,
        ));
        let name = operation.name.clone();
        group.bench_function(name, |b| b.iter_custom(|n| operation.run(n)));
        group.finish();
    }
    criterion.final_summary();
}
