// SPDX-License-Identifier: MIT OR Apache-2.0

//! Proofs for any number of CPUs, nodes, packets and any sizes, as SMT-LIB files.
//!
//! A theorem is a set of clauses about every state. For each clause and each step that touches it there
//! is a condition: clauses hold, the step is taken, and the clause does not hold any more. It has to be
//! `unsat`. So do the conditions that a clause holds at first, that the theorem follows from clauses, and
//! that the lemmas about sums hold. Each condition is a file of its own, free of quantifiers: clauses are
//! used for the terms that matter, which loses proofs and never makes a false one.
//!
//! What has to be `sat`: that each step can be taken from a state in which all clauses hold, and what the
//! seeded bugs of the model break.
//!
//! | module | what |
//! |---|---|
//! | `queue` | the socket: its state and its clauses |
//! | `steps` | what CPUs do to it, and seeded bugs |
//! | `bounds` | the admission policies and their bounds |
//! | `sleep` | sleeping readers |
//! | `walk` | executions from the first state |
//! | `lemma` | what is used of sums over CPUs and nodes, and of pages |
//! | `system` | how conditions are made of these tables |
//! | `solver` | z3 and cvc5 |

mod bounds;
mod lemma;
mod queue;
mod sleep;
pub mod solver;
mod steps;
mod system;
mod walk;

use std::collections::BTreeSet;
use std::path::PathBuf;

use steps::Mutant;
use system::{Action, Clause, Kind, Pool, Proof, Script, System};

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A theorem's clause is kept, holds at first, or follows.
    Theorem,
    /// A lemma about sums or pages, or that its premise holds where it is used.
    Lemma,
    /// A step can be taken: nothing is vacuous.
    Step,
    /// A seeded bug, which breaks a clause or does not.
    Bug,
    /// An execution from the first state to one that is asked for.
    Walk,
}

/// One question to a solver.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Its file, below `proofs/smt`, without the extension.
    pub name: String,
    /// The theorem, or `given`, `lemma`.
    pub theorem: &'static str,
    /// What it is about.
    pub part: Part,
    /// What it says, in English.
    pub says: String,
    /// Whether it must be `unsat`; `sat` otherwise.
    pub unsat: bool,
    /// The script.
    pub script: String,
}

/// The folder of the committed files.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("smt")
}

impl Condition {
    fn new(
        name: String,
        theorem: &'static str,
        part: Part,
        unsat: bool,
        says: String,
        script: &str,
    ) -> Condition {
        let expected = if unsat { "unsat" } else { "sat" };
        let logic = if theorem == "pages" {
            "QF_UFNIA"
        } else {
            "QF_UFLIA"
        };
        let script = format!(
            "; SPDX-License-Identifier: MIT OR Apache-2.0\n; {name}\n; {says}\n; Expected: {expected}. Made by `cargo prove files`.\n(set-logic {logic})\n{script}"
        );
        Condition {
            name,
            theorem,
            part,
            says,
            unsat,
            script,
        }
    }

    /// Its file.
    pub fn path(&self) -> PathBuf {
        folder().join(format!("{}.smt2", self.name))
    }
}

/// All conditions, in the order of their names.
pub fn conditions() -> Vec<Condition> {
    let mut all = lemma::conditions();
    let socket = queue::system();
    let policy_clauses: BTreeSet<_> = bounds::POLICIES
        .iter()
        .flat_map(|policy| bounds::of_policy(policy))
        .copied()
        .collect();
    let general = |clause: &&Clause| !policy_clauses.contains(clause.name);
    for clause in socket.clauses.iter().filter(general) {
        let place = match clause.theorem {
            "lemma" => "lemmas/premises",
            theorem => theorem,
        };
        all.extend(of_clause(&socket, clause, place, &|_| true));
    }
    for policy in bounds::POLICIES {
        let taken =
            |action: &Action| action.policies.is_empty() || action.policies.contains(&policy);
        for name in bounds::of_policy(policy) {
            let clause = socket.clause(name);
            let place = format!("bounded-overshoot/{policy}");
            all.extend(of_clause(&socket, clause, &place, &taken));
        }
    }
    let readers = sleep::system();
    for clause in &readers.clauses {
        let place = match clause.theorem {
            "lemma" => "lemmas/premises",
            theorem => theorem,
        };
        all.extend(of_clause(&readers, clause, place, &|_| true));
    }
    for system in [&socket, &readers] {
        all.extend(steps_can_be_taken(system));
        all.extend(sums_change_with_their_actor(system));
    }
    all.extend(bugs(queue::system, &steps::mutants()));
    all.extend(bugs(sleep::system, &sleep::mutants()));
    all.extend(walk::conditions());
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

/// The theorems that conditions are about, each with how many.
pub fn theorems(conditions: &[Condition]) -> Vec<(&'static str, usize)> {
    let of = |part: &Condition| part.part == Part::Theorem;
    let names: BTreeSet<_> = conditions
        .iter()
        .filter(|c| of(c))
        .map(|c| c.theorem)
        .collect();
    let count = |name| {
        let about = conditions.iter().filter(|c| of(c) && c.theorem == name);
        about.count()
    };
    names.into_iter().map(|name| (name, count(name))).collect()
}

/// The clauses of a theorem, each with what it says.
pub fn clauses(theorem: &str) -> Vec<(&'static str, &'static str)> {
    let systems = [queue::system(), sleep::system()];
    let clauses = systems.iter().flat_map(|system| &system.clauses);
    let of = clauses.filter(|clause| clause.theorem == theorem);
    of.map(|clause| (clause.name, clause.says)).collect()
}

/// What one clause has to pass. `place` is the folder of its files.
fn of_clause(
    system: &System,
    clause: &Clause,
    place: &str,
    taken: &dyn Fn(&Action) -> bool,
) -> Vec<Condition> {
    let part = if clause.theorem == "lemma" {
        Part::Lemma
    } else {
        Part::Theorem
    };
    let make = |what: &str, says: String, script: &str| {
        let name = format!("{place}/{}--{what}", clause.name);
        Condition::new(name, clause.theorem, part, true, says, script)
    };
    match clause.proof {
        Proof::Given => Vec::new(),
        Proof::Follows => {
            let script = follows(system, clause, "", clause.holds);
            let says = format!("{} It follows from the clauses it needs.", clause.says);
            vec![make("follows", says, &script)]
        }
        Proof::Lemma(lemma, params, premise) => {
            if premise == "true" {
                return Vec::new();
            }
            let script = follows(system, clause, params, premise);
            let says = format!(
                "{} The premise of the lemma {lemma}, for which this is used.",
                clause.says
            );
            vec![make("premise", says, &script)]
        }
        Proof::Inductive => {
            let says = format!("{} It is so at first.", clause.says);
            let mut all = vec![make("at-first", says, &at_first(system, clause))];
            for action in system.actions.iter().filter(|action| taken(action)) {
                if system.touches(action, clause.holds) {
                    let says = format!("{} {}: {}", clause.says, action.name, action.says);
                    all.push(make(action.name, says, &kept(system, &[clause], action)));
                }
            }
            all
        }
    }
}

fn pool(system: &System, clause: &Clause) -> Pool {
    let mut pool = Pool::default();
    pool.add_params(clause.params, system.symbol("node").is_some());
    pool.add(clause.terms);
    pool
}

fn needed<'a>(system: &'a System, clause: &'a Clause) -> Vec<&'a Clause> {
    clause
        .needs
        .iter()
        .map(|name| system.clause(name))
        .collect()
}

/// The clauses hold, the step is taken, and one of them does not hold any more.
fn kept(system: &System, clauses: &[&Clause], action: &Action) -> String {
    let mut script = Script::new(system, 1);
    let mut pool = Pool::default();
    for clause in clauses {
        script.goal(clause.params);
        pool.add_params(clause.params, system.symbol("node").is_some());
        pool.add(clause.terms);
    }
    script.actor(action);
    pool.add(system.terms);
    pool.add(&action.terms);
    let needed = clauses.iter().flat_map(|clause| needed(system, clause));
    let known: Vec<_> = clauses.iter().copied().chain(needed).collect();
    script.note("What is known before the step.");
    script.instances(&known, &pool);
    script.note(&format!("{}: {}", action.name, action.says));
    script.assert("(is-cpu c)");
    script.assert(action.when);
    script.knows(action, &pool);
    for clause in clauses {
        script.want(clause.holds);
    }
    script.step(action);
    script.note("What is to be shown does not hold after the step.");
    let goals: Vec<_> = clauses
        .iter()
        .map(|clause| script.of_goal(clause))
        .collect();
    match &goals[..] {
        [goal] => script.refute(goal),
        goals => script.refute(&format!("(and {})", goals.join(" "))),
    }
    script.end()
}

/// The clause does not hold in the first state.
fn at_first(system: &System, clause: &Clause) -> String {
    let mut script = Script::new(system, 0);
    script.start();
    script.goal(clause.params);
    let given = system.clauses.iter().filter(|c| c.proof == Proof::Given);
    let given: Vec<_> = given.filter(|c| clause.needs.contains(&c.name)).collect();
    script.instances(&given, &pool(system, clause));
    script.note("The clause does not hold.");
    let goal = script.of_goal(clause);
    script.refute(&goal);
    script.end()
}

/// The clauses that are needed hold, and the term does not.
fn follows(system: &System, clause: &Clause, params: &'static str, term: &str) -> String {
    let mut script = Script::new(system, 1);
    script.goal(clause.params);
    script.goal(params);
    let mut pool = pool(system, clause);
    pool.add_params(params, system.symbol("node").is_some());
    let shared = system
        .terms
        .iter()
        .filter(|t| !["Cpu c", "Node n"].contains(t));
    pool.add(&shared.copied().collect::<Vec<_>>());
    script.note("What is known.");
    script.instances(&needed(system, clause), &pool);
    script.note("What is to be shown does not hold.");
    script.assert(&format!("(not {term})"));
    script.end()
}

/// Every step can be taken from a state in which all clauses hold.
fn steps_can_be_taken(system: &System) -> Vec<Condition> {
    let can = |action: &Action| {
        let mut script = Script::new(system, 1);
        script.actor(action);
        let mut pool = Pool::default();
        pool.add(system.terms);
        pool.add(&action.terms);
        let all: Vec<_> = system.clauses.iter().collect();
        script.note("What is always true.");
        script.instances(&all, &pool);
        script.note(&format!("{}: {}", action.name, action.says));
        script.assert("(is-cpu c)");
        script.assert(action.when);
        script.knows(action, &pool);
        let says = format!("{}: {} It can be taken.", action.name, action.says);
        let name = format!("steps/{}--{}", system.name, action.name);
        Condition::new(name, system.name, Part::Step, false, says, &script.end())
    };
    system.actions.iter().map(can).collect()
}

/// A step changes no summand but its actor's, as the lemma `one-changed` demands.
fn sums_change_with_their_actor(system: &System) -> Vec<Condition> {
    let mut all = Vec::new();
    for symbol in &system.symbols {
        let Kind::Sum { of, actor } = symbol.kind else {
            continue;
        };
        let summand = system.symbol(of).expect("a sum has its summand");
        for action in &system.actions {
            if !system.touches(action, of) || action.sets_symbol(symbol.name) {
                continue;
            }
            let actor = action.actor_of(symbol.name, actor);
            let mut script = Script::new(system, 1);
            script.goal(summand.params);
            script.actor(action);
            script.assert("(is-cpu c)");
            script.assert(action.when);
            let (other, same) = summand.other_and_application();
            script.assert(&format!("(not (= {other} {actor}))"));
            let before = script.rendered(&same);
            script.want(of);
            script.step(action);
            let after = script.rendered(&same);
            script.refute(&format!("(= {before} {after})"));
            let says = format!(
                "{} changes the sum {} by what it changes for the one who acts. {}",
                action.name, symbol.name, action.says
            );
            let name = format!("lemmas/one-changed/{}--{}", symbol.name, action.name);
            all.push(Condition::new(
                name,
                "lemma",
                Part::Lemma,
                true,
                says,
                &script.end(),
            ));
        }
    }
    all
}

/// What the seeded bugs break: the changed steps against every clause that they touch.
fn bugs(system: fn() -> System, mutants: &[Mutant]) -> Vec<Condition> {
    let sound = system();
    let mut all = Vec::new();
    for mutant in mutants {
        let mut broken = system();
        (mutant.change)(&mut broken);
        let of_policy: &[&str] = mutant.policy.map_or(&[], |p| bounds::of_policy(p));
        let other = bounds::POLICIES.iter().flat_map(|p| bounds::of_policy(p));
        let other: BTreeSet<_> = other.filter(|name| !of_policy.contains(name)).collect();
        for (action, before) in broken.actions.iter().zip(&sound.actions) {
            let touched = |clause: &&Clause| {
                clause.proof == Proof::Inductive
                    && !other.contains(&clause.name)
                    && (broken.touches(action, clause.holds) || sound.touches(before, clause.holds))
            };
            if action == before {
                continue;
            }
            let touched = broken.clauses.iter().filter(touched);
            let (breaks, keeps): (Vec<_>, Vec<_>) = touched.partition(|clause| {
                let pair = format!("{}--{}", clause.name, action.name);
                mutant.breaks.contains(&pair.as_str())
            });
            for clause in breaks {
                let says = format!(
                    "Seeded bug: {} {} breaks {}: {}",
                    mutant.says, action.name, clause.name, clause.says
                );
                let name = format!("bugs/{}/{}--{}", mutant.name, clause.name, action.name);
                let script = kept(&broken, &[clause], action);
                all.push(Condition::new(
                    name,
                    clause.theorem,
                    Part::Bug,
                    false,
                    says,
                    &script,
                ));
            }
            let names: Vec<_> = keeps.iter().map(|clause| clause.name).collect();
            if !names.is_empty() {
                let says = format!(
                    "Seeded bug: {} {} keeps every other clause that it touches: {}.",
                    mutant.says,
                    action.name,
                    names.join(", ")
                );
                let name = format!("bugs/{}/all-others--{}", mutant.name, action.name);
                let script = kept(&broken, &keeps, action);
                all.push(Condition::new(name, "bugs", Part::Bug, true, says, &script));
            }
        }
    }
    all
}
