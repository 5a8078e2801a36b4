// SPDX-License-Identifier: MIT OR Apache-2.0

//! The conditions are what is committed, are asked of both solvers, and can fail.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use prodq_proofs::smt::solver::{ask, find, Answer, Solver};
use prodq_proofs::smt::{conditions, folder, Condition, Part};

/// The solvers, from the path or from where `cargo prove` has put them; none when there are none. CI
/// cannot do without.
fn solvers() -> Option<[Solver; 2]> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let folder = target
        .expect("it is below the target")
        .join("prodq")
        .join("solvers");
    let required = std::env::var_os("PRODQ_REQUIRE_SOLVERS").is_some();
    match find(&folder, required) {
        Ok(solvers) => Some(solvers),
        Err(missing) => {
            assert!(!required, "{missing}");
            eprintln!("skipped: {missing}; `cargo prove` fetches them");
            None
        }
    }
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut all = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.insert(path);
        }
    }
    all
}

#[test]
fn the_committed_files_are_those_of_the_source() {
    let conditions = conditions();
    for condition in &conditions {
        let path = condition.path();
        let file = std::fs::read_to_string(&path).unwrap_or_default();
        let stale = format!("{} is stale: cargo prove files", path.display());
        assert!(file == condition.script, "{stale}");
    }
    let expected: BTreeSet<_> = conditions.iter().map(Condition::path).collect();
    assert_eq!(
        expected.len(),
        conditions.len(),
        "each has a file of its own"
    );
    assert_eq!(files(&folder()), expected, "cargo prove files");
}

#[test]
fn every_theorem_has_a_proof_and_a_bug_that_breaks_it() {
    let conditions = conditions();
    for theorem in [
        "no-stranding",
        "bounded-overshoot",
        "release-on-destruct",
        "conservation",
        "order",
        "accounting",
        "no-lost-wakeup",
    ] {
        let of = |part| move |c: &&Condition| c.part == part && c.theorem == theorem;
        assert!(conditions.iter().filter(of(Part::Theorem)).all(|c| c.unsat));
        assert!(
            conditions.iter().any(|c| of(Part::Theorem)(&c)),
            "{theorem}"
        );
        let broken = conditions.iter().filter(of(Part::Bug)).filter(|c| !c.unsat);
        assert!(broken.count() > 0, "no seeded bug breaks {theorem}");
    }
}

#[test]
fn every_condition_is_as_expected_in_both_solvers() {
    let Some(solvers) = solvers() else { return };
    let conditions = conditions();
    let answers = ask(&solvers, &conditions, |_| ());
    for (condition, answers) in conditions.iter().zip(&answers) {
        assert_eq!(answers.len(), 2);
        for (solver, answer) in solvers.iter().zip(answers) {
            let name = &condition.name;
            assert!(
                answer.is_expected(condition),
                "{name}: {} says {answer}",
                solver.name
            );
        }
    }
}

/// A theorem that is false is not proved: bounds that are smaller by one byte.
#[test]
fn a_bound_that_is_too_small_is_not_proved() {
    let Some(solvers) = solvers() else { return };
    let mut smaller = Vec::new();
    for mut condition in conditions() {
        if condition.name.ends_with("bound--follows") {
            let goal = condition
                .script
                .rfind("(<= ")
                .expect("a bound is at its end");
            condition.script.replace_range(goal..goal + 4, "(< ");
            smaller.push(condition);
        }
    }
    assert!(smaller.len() >= 5, "bounds of three policies");
    for (condition, answers) in smaller.iter().zip(ask(&solvers, &smaller, |_| ())) {
        assert_eq!(answers, [Answer::Sat, Answer::Sat], "{}", condition.name);
    }
}

#[test]
fn a_script_that_makes_no_sense_is_no_answer() {
    let Some(solvers) = solvers() else { return };
    let mut nonsense: Vec<_> = conditions().into_iter().take(2).collect();
    nonsense[0].script =
        "(set-logic QF_UFLIA)\n(assert (no-such-thing 1))\n(check-sat)\n".to_owned();
    let answers = ask(&solvers, &nonsense, |_| ());
    assert!(
        answers[0]
            .iter()
            .all(|answer| matches!(answer, Answer::Other(_))),
        "{answers:?}"
    );
    assert!(
        answers[1]
            .iter()
            .all(|answer| answer.is_expected(&nonsense[1])),
        "{answers:?}"
    );
}

#[test]
fn without_solvers_one_is_told_what_to_install() {
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-solvers");
    match find(&nowhere, false) {
        Ok([z3, cvc5]) => assert_eq!((z3.name, cvc5.name), ("z3", "cvc5"), "both are on the path"),
        Err(missing) => {
            let text = missing.to_string();
            assert!(text.contains("apt-get install python3-venv"), "{text}");
        }
    }
}
