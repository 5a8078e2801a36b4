// SPDX-License-Identifier: MIT OR Apache-2.0

//! The quick tier in a few seconds: what is pinned of small scenarios, by its verdicts. It is the test that
//! `cargo mutants` runs after each change of the core, see `ci/mutants.sh`.

use std::path::Path;

use prodq_models::catalog::{cases, Case, Tier};
use prodq_models::verify::{see, Manifest, Row, Verdict, Watch};
use prodq_models::world::World;

/// Plays the cases of the quick tier in the worlds that `choose` gives, and checks each row as soon as it
/// is there, with what is pinned of it. Returns how many there were.
fn play(choose: impl Fn(&Manifest, &Case) -> Option<World>, check: impl Fn(&Row)) -> usize {
    let manifest = Manifest::load(&Manifest::path()).unwrap_or_else(|error| panic!("{error}"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("quick");
    let mut played = 0;
    for mut case in cases(Tier::Quick) {
        let Some(world) = choose(&manifest, &case) else {
            continue;
        };
        case.world = world;
        let report = see(&case, Tier::Quick, &folder, &Watch::default());
        let report = report.unwrap_or_else(|error| panic!("{}: {error}", case.scenario.name));
        for mut row in report.rows {
            manifest.expect(Tier::Quick, &mut row);
            check(&row);
            played += 1;
        }
    }
    played
}

#[test]
fn the_explorer_shows_of_small_scenarios_what_is_pinned() {
    let small = |manifest: &Manifest, case: &Case| {
        let small = (1..=300).contains(&manifest.executions(Tier::Quick, case));
        let explored = matches!(case.world, World::Explore { .. });
        (small && explored).then_some(case.world)
    };
    let played = play(small, |row| {
        let place = format!("{} in {} ({})", row.theorem, row.scenario, row.model);
        assert_eq!(row.verdict, row.expected, "{place}");
        assert_eq!(row.largest, row.expected_largest, "{place}");
    });
    assert!(played > 100);
}

#[test]
fn shuttle_refutes_nothing_that_is_not_pinned_as_refuted() {
    let few = |_: &Manifest, case: &Case| match case.world {
        World::Shuttle { seed, executions } if executions > 100 => Some(World::Shuttle {
            seed,
            executions: 20,
        }),
        _ => None,
    };
    let played = play(few, |row| {
        let place = format!("{} in {}", row.theorem, row.scenario);
        let refuted = row.verdict == Verdict::Refuted;
        assert!(!refuted || row.expected == Verdict::Refuted, "{place}");
    });
    assert!(played > 100);
}
