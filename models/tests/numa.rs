// SPDX-License-Identifier: MIT OR Apache-2.0

//! The world of virtual time: the same numbers on every run, the same theorems, and a difference that
//! goes away when cache lines cost nothing. No real time is looked at.

use prodq_models::design::Baseline;
use prodq_models::scenario::{Op, Scenario};
use prodq_models::world::numa::{
    measure, report, Comparison, Costs, Histogram, Options, FLOODING, THREADS,
};

/// What a CPU does for a packet beside the socket, in nanoseconds.
const PACKET: u64 = 2_000;

/// Small enough for a test: 4 nodes of 8 CPUs.
fn small() -> Options {
    Options {
        packets: [300, 1200],
        rcvbuf: 1 << 17,
        packet_ns: PACKET,
        runs: 1,
        ..Options::new(4, 8)
    }
}

fn costs() -> Costs {
    Costs::of_file().expect("the file is well formed")
}

fn compare(options: &Options, costs: &Costs) -> Comparison {
    report(options, costs).expect("it can be played")
}

#[test]
fn the_same_seed_gives_the_same_figures_and_another_seed_others() {
    let options = small();
    let scenario = options.scenario(None);
    let figures = |seed| measure(&scenario, &costs(), PACKET, seed).expect("it can be played");
    assert_eq!(figures(1), figures(1));
    assert_ne!(figures(1), figures(2));
}

#[test]
fn nothing_is_lost_and_the_bound_holds_in_every_design() {
    let options = small();
    let designs = Baseline::ALL.into_iter().map(Some).chain([None]);
    for design in designs {
        let scenario = options.scenario(design);
        // `measure` is an error where a theorem is refuted.
        let figures = measure(&scenario, &costs(), PACKET, 1).expect("the theorems hold");
        let [offered, ended] = figures.conservation;
        let packets = options.packets[usize::from(design.is_none())];
        assert_eq!((offered, ended), (packets * 32, packets * 32));
        assert!(figures.largest > 0 && figures.largest as u64 <= figures.bound);
        assert!(figures.delivered > 0 && figures.window_ns > 0);
        let counted: u64 = figures.histogram.0.iter().sum();
        assert!(counted > 0 && counted <= offered as u64);
    }
}

#[test]
fn the_node_queues_handle_more_and_return_sooner() {
    let [_, handled, median] = compare(&small(), &costs()).ratios();
    assert!(handled > 4.0, "handled x {handled}");
    assert!(median > 4.0, "median enqueue x 1/{median}");
}

/// A control: with lines that move for nothing the busylock is not in the way, and what was gained goes.
#[test]
fn without_the_cost_of_cache_lines_there_is_little_to_gain() {
    let mut free = costs();
    free.same_node_ns.value = free.hit_ns.value;
    free.other_node_ns.value = free.hit_ns.value;
    free.wake_ns.value = 0;
    let [_, handled, _] = compare(&small(), &free).ratios();
    assert!(handled < 2.0, "handled x {handled}");
}

/// A line more under the receive queue's lock, and a transfer more for a hand-over, are paid for each
/// packet before the patch and for each batch after it.
#[test]
fn a_dearer_critical_section_costs_the_busylock_and_hardly_the_node_queues() {
    let handled = |costs: &Costs| {
        let [before, after] = compare(&small(), costs).runs;
        [before[0].handled() as f64, after[0].handled() as f64]
    };
    let [before, after] = handled(&costs());
    let mut dearer = costs();
    dearer.further_lines.value = 2;
    dearer.hand_over_transfers.value = 3;
    let [before_dearer, after_dearer] = handled(&dearer);
    assert!(before_dearer < 0.8 * before, "{before_dearer} of {before}");
    assert!(after_dearer > 0.9 * after, "{after_dearer} of {after}");
}

/// What one access costs can be told for one CPU: it owns every line, so that nothing is transferred.
#[test]
fn one_cpu_alone_pays_for_hits_only() {
    let scenario = Scenario::new("alone", 1, 1 << 20)
        .cpu(0, vec![Op::Offer(832); 50])
        .cpu(0, []);
    let mut costs = costs();
    let alone = measure(&scenario, &costs, PACKET, 1).expect("it can be played");
    costs.same_node_ns.value *= 10;
    costs.other_node_ns.value *= 10;
    let dearer = measure(&scenario, &costs, PACKET, 1).expect("it can be played");
    assert_eq!(alone.p50_ns, dearer.p50_ns);
    assert_eq!(alone.p50_ns % costs.hit_ns.value, 0);
    assert!(alone.p50_ns > 0);
}

#[test]
fn the_threads_medians_are_those_of_their_histograms() {
    let [before, after] = THREADS.map(|threads| threads.histogram.median_us());
    assert_eq!((before, after), (4, 0));
    assert_eq!(Histogram::default().median_us(), 0);
}

/// What `ASSUMED` says of the load: it is calculated from the threads' figures.
#[test]
fn the_load_follows_from_the_threads_histograms() {
    let inside = THREADS.map(|threads| threads.inside().round() as u32);
    assert_eq!(inside, [17, 20]);
    let [nodes, cpus] = FLOODING;
    assert!(THREADS[1].beside_ns(nodes * cpus) > 0.0);
    assert!(THREADS[1].beside_ns(nodes * (cpus - 1)) < 0.0);
    // However many CPUs offer it, it is the same load, and the kernel's rcvbuf if that is enough.
    let per_second = |options: Options| {
        let cpus = (options.nodes * options.cpus_per_node) as f64;
        cpus * 1e9 / (options.packet_ns as f64 + THREADS[1].mean_ns())
    };
    let handled = THREADS[1].handled() as f64;
    for (cpus, rcvbuf) in [(4, 212_992), (16, 262_144), (64, 1 << 20)] {
        let options = Options::new(6, cpus);
        assert!((per_second(options) / handled - 1.0).abs() < 0.001);
        assert_eq!(options.rcvbuf, rcvbuf);
    }
    assert!(per_second(Options::new(6, 2)) < 0.51 * handled);
}

#[test]
fn every_cost_has_a_source_and_no_runs_are_refused() {
    for (name, cost) in costs().all() {
        assert!(!cost.source.is_empty(), "{name}");
    }
    let none = Options { runs: 0, ..small() };
    let error = report(&none, &costs()).expect_err("it makes no sense");
    assert_eq!(error.to_string(), "0 runs; it needs at least 1");
}
