// SPDX-License-Identifier: MIT OR Apache-2.0

//! Transition systems in SMT-LIB, and the conditions that make an invariant of clauses inductive.
//!
//! A system is a table of symbols, clauses and actions; their terms are SMT-LIB text. A script takes
//! from the tables what one condition needs. After an action every symbol that it changes, and every
//! definition that depends on one, has a second version with the suffix `.next`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A name with its parameters, result, and where it comes from.
pub(super) struct Symbol {
    pub(super) name: &'static str,
    /// `d Cpu, m Node`
    pub(super) params: &'static str,
    pub(super) sort: &'static str,
    pub(super) kind: Kind,
}

impl Symbol {
    /// Its last parameter, and the symbol applied to its parameters.
    pub(super) fn other_and_application(&self) -> (&'static str, String) {
        let names: Vec<_> = params(self.params).iter().map(|(n, _)| *n).collect();
        let last = names.last().copied().unwrap_or_default();
        (last, apply(self.name, &names))
    }
}

/// What a symbol is.
pub(super) enum Kind {
    /// Part of the state.
    State,
    /// The same in every state.
    Rigid,
    /// An abbreviation of this term.
    Is(&'static str),
    /// The sum of `of` over all CPUs or nodes, its last parameter: an opaque number. An action changes
    /// it as much as it changes the summand of `actor`; the lemma `one-changed` says why.
    Sum {
        of: &'static str,
        actor: &'static str,
    },
}

/// A statement about every state.
pub(super) struct Clause {
    pub(super) name: &'static str,
    pub(super) theorem: &'static str,
    pub(super) says: &'static str,
    pub(super) params: &'static str,
    pub(super) holds: &'static str,
    pub(super) proof: Proof,
    /// Further terms to instantiate with, when this is what is to be shown: `Cpu (witness m)`.
    pub(super) terms: &'static [&'static str],
    /// What is used when this is shown: names of clauses and facts.
    pub(super) needs: &'static [&'static str],
}

/// Why a clause may be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// It is true at first and every action keeps it.
    Inductive,
    /// The clauses it needs imply it.
    Follows,
    /// The lemma of this name, whose premise the clauses imply for all values of the clause's
    /// parameters and of these.
    Lemma(&'static str, &'static str, &'static str),
    /// What is assumed of numbers that never change.
    Given,
}

/// A step of one CPU, named as in the core.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) name: &'static str,
    pub(super) says: &'static str,
    /// The admission policies in which it is taken; all when empty.
    pub(super) policies: &'static [&'static str],
    /// Numbers chosen by the step: `x Bytes`.
    pub(super) chooses: &'static str,
    pub(super) when: &'static str,
    /// What it changes: `(phase c) := Charged`.
    pub(super) sets: Vec<&'static str>,
    /// What else may be assumed of this step, for the parameters before the colon: `m Node: …`.
    pub(super) knows: Vec<&'static str>,
    pub(super) terms: Vec<&'static str>,
    /// A sum that changes with another one than `c`, and with whom.
    pub(super) other: Option<(&'static str, &'static str)>,
}

/// A transition system.
pub(super) struct System {
    pub(super) name: &'static str,
    pub(super) symbols: Vec<Symbol>,
    /// The first state, as `name = term`; what is not told is 0.
    pub(super) first: &'static [(&'static str, &'static str)],
    pub(super) clauses: Vec<Clause>,
    pub(super) actions: Vec<Action>,
    /// Terms that every condition instantiates with.
    pub(super) terms: &'static [&'static str],
}

impl System {
    pub(super) fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|symbol| symbol.name == name)
    }

    pub(super) fn clause(&self, name: &str) -> &Clause {
        let found = self.clauses.iter().find(|clause| clause.name == name);
        found.unwrap_or_else(|| panic!("no clause is called {name}"))
    }

    pub(super) fn action(&self, name: &str) -> &Action {
        let found = self.actions.iter().find(|action| action.name == name);
        found.unwrap_or_else(|| panic!("no action is called {name}"))
    }

    /// The state that a term speaks of.
    fn reach(&self, term: &str, into: &mut BTreeSet<&'static str>) {
        for symbol in words(term).filter_map(|word| self.symbol(word)) {
            if into.insert(symbol.name) {
                match symbol.kind {
                    Kind::Is(body) => self.reach(body, into),
                    Kind::Sum { of, .. } => self.reach(of, into),
                    Kind::State | Kind::Rigid => {}
                }
            }
        }
    }

    /// Whether an action changes anything that a term speaks of. If not, it keeps what the term says.
    pub(super) fn touches(&self, action: &Action, term: &str) -> bool {
        let mut reached = BTreeSet::new();
        self.reach(term, &mut reached);
        action.changed().any(|name| reached.contains(name))
    }
}

impl Action {
    fn changed(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.sets.iter().map(|set| target(set).0)
    }

    /// Whose summand of a sum it changes.
    pub(super) fn actor_of(&self, sum: &str, usual: &'static str) -> &'static str {
        self.other
            .filter(|(name, _)| *name == sum)
            .map_or(usual, |(_, actor)| actor)
    }

    pub(super) fn sets_symbol(&self, name: &str) -> bool {
        self.changed().any(|changed| changed == name)
    }

    /// Puts other changes in the place of those of the same symbols.
    pub(super) fn set(&mut self, sets: &[&'static str]) {
        let names: Vec<_> = sets.iter().map(|set| target(set).0).collect();
        self.sets.retain(|set| !names.contains(&target(set).0));
        self.sets.extend(sets);
    }
}

/// `(phase c) := Charged` is the symbol, its arguments and the new value.
fn target(set: &'static str) -> (&'static str, Vec<&'static str>, &'static str) {
    let (left, value) = set.split_once(" := ").expect("a change has a :=");
    let inner = left.strip_prefix('(').and_then(|l| l.strip_suffix(')'));
    let mut parts = arguments(inner.unwrap_or(left));
    let name = parts.remove(0);
    (name, parts, value)
}

/// The top-level parts of `f (g x) y`.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The words of a term, without its parentheses.
fn words(term: &str) -> impl Iterator<Item = &str> {
    term.split(|letter: char| letter.is_whitespace() || letter == '(' || letter == ')')
        .filter(|word| !word.is_empty())
}

/// `d Cpu, m Node` as pairs.
fn params(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let pairs = text.split(", ").filter(|pair| !pair.is_empty());
    let pair = |pair: &'static str| pair.split_once(' ').expect("a parameter has a sort");
    pairs.map(pair).collect()
}

/// A script that grows: a term brings in the symbols it needs, each in the version of the moment.
pub(super) struct Script<'a> {
    system: &'a System,
    out: String,
    written: BTreeSet<String>,
    /// The step that changed a symbol last.
    stamps: BTreeMap<&'static str, usize>,
    steps: usize,
    /// How many steps the script makes; with one, versions are called `.next`.
    of: usize,
    /// Constants: the actor of a step and its choices, the parameters of the goal.
    constants: BTreeMap<&'static str, String>,
    started: bool,
}

impl<'a> Script<'a> {
    pub(super) fn new(system: &'a System, of: usize) -> Script<'a> {
        Script {
            system,
            out: String::new(),
            written: BTreeSet::new(),
            stamps: BTreeMap::new(),
            steps: 0,
            of,
            constants: BTreeMap::new(),
            started: false,
        }
    }

    fn stamp(&self, name: &'static str) -> usize {
        let mut reached = BTreeSet::from([name]);
        if let Some(Kind::Is(body)) = self.system.symbol(name).map(|s| &s.kind) {
            self.system.reach(body, &mut reached);
        }
        let stamps = reached.iter().filter_map(|name| self.stamps.get(name));
        stamps.max().copied().unwrap_or(0)
    }

    fn version(&self, name: &str, stamp: usize) -> String {
        match (stamp, self.of) {
            (0, _) => name.to_owned(),
            (_, 0 | 1) => format!("{name}.next"),
            (stamp, _) => format!("{name}.{stamp}"),
        }
    }

    fn sorts<'s>(&mut self, sorts: impl Iterator<Item = &'s str>) {
        for sort in sorts {
            if !["Int", "Bool"].contains(&sort) && self.written.insert(format!("sort {sort}")) {
                let _ = writeln!(self.out, "(define-sort {sort} () Int)");
            }
        }
    }

    /// A constant of this name and sort; of the step, in a script of several.
    fn constant(&mut self, name: &'static str, sort: &str, own: bool) {
        let written = if own && self.of > 1 {
            format!("{name}.{}", self.steps + 1)
        } else {
            name.to_owned()
        };
        if self.written.insert(written.clone()) {
            self.sorts([sort].into_iter());
            let _ = writeln!(self.out, "(declare-fun {written} () {sort})");
        }
        self.constants.insert(name, written);
    }

    /// A term with every symbol in its version of now; `bound` are the term's own variables.
    fn term(&mut self, text: &str, bound: &[&str]) -> String {
        let mut done = String::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if letter.is_whitespace() || letter == '(' || letter == ')' {
                done.push(letter);
                rest = &rest[letter.len_utf8()..];
                continue;
            }
            let end = rest.find(|l: char| l.is_whitespace() || l == '(' || l == ')');
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            if bound.contains(&word) {
                done.push_str(word);
            } else if let Some(constant) = self.constants.get(word) {
                done.push_str(constant);
            } else {
                done.push_str(&self.name(word));
            }
        }
        done
    }

    /// A symbol's name of now; writes its declaration or definition when it is needed first.
    fn name(&mut self, word: &str) -> String {
        let system = self.system;
        let Some(symbol) = system.symbol(word) else {
            return word.to_owned();
        };
        let name = self.version(symbol.name, self.stamp(symbol.name));
        if !self.written.insert(name.clone()) {
            return name;
        }
        let params = params(symbol.params);
        self.sorts(params.iter().map(|(_, sort)| *sort));
        self.sorts([symbol.sort].into_iter());
        match symbol.kind {
            Kind::Is(body) => {
                let bound: Vec<_> = params.iter().map(|(name, _)| *name).collect();
                let body = self.term(body, &bound);
                self.define(&name, &params, symbol.sort, &body);
            }
            // In a script that starts somewhere the first version is defined at its start.
            Kind::State if self.started => {
                let first = system.first.iter().find(|(n, _)| *n == symbol.name);
                let zero = if symbol.sort == "Bool" { "false" } else { "0" };
                let first = first.map_or(zero, |(_, term)| term);
                let first = self.term(first, &[]);
                self.define(&name, &params, symbol.sort, &first);
            }
            Kind::Sum { .. } if self.started => {
                self.define(&name, &params, symbol.sort, "0");
            }
            Kind::State | Kind::Rigid | Kind::Sum { .. } => {
                let sorts: Vec<_> = params.iter().map(|(_, sort)| *sort).collect();
                let sorts = sorts.join(" ");
                let _ = writeln!(self.out, "(declare-fun {name} ({sorts}) {})", symbol.sort);
            }
        }
        name
    }

    fn define(&mut self, name: &str, params: &[(&str, &str)], sort: &str, body: &str) {
        let params: Vec<_> = params.iter().map(|(n, s)| format!("({n} {s})")).collect();
        let params = params.join(" ");
        let body = pretty(body, 2);
        let _ = writeln!(self.out, "(define-fun {name} ({params}) {sort}\n  {body})");
    }

    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.out, "\n; {text}");
    }

    pub(super) fn assert(&mut self, term: &str) {
        let term = self.term(term, &[]);
        if self.written.insert(format!("assert {term}")) {
            let _ = writeln!(self.out, "(assert {})", pretty(&term, 2));
        }
    }

    /// Asserts that a term, as it is written, does not hold.
    pub(super) fn refute(&mut self, rendered: &str) {
        let _ = writeln!(self.out, "(assert (not {rendered}))");
    }

    /// A term with every symbol in its version of now.
    pub(super) fn rendered(&mut self, term: &str) -> String {
        self.term(term, &[])
    }

    /// The script begins in the system's first state.
    pub(super) fn start(&mut self) {
        self.started = true;
    }

    /// The parameters of what is to be shown, as constants.
    pub(super) fn goal(&mut self, text: &'static str) {
        for (name, sort) in params(text) {
            self.constant(name, sort, false);
        }
    }

    /// The actor and the choices of a step.
    pub(super) fn actor(&mut self, action: &Action) {
        self.constant("c", "Cpu", true);
        if self.system.symbol("node").is_some() {
            let node = self.term("(node c)", &[]);
            self.constants.insert("n", node);
        }
        for (name, sort) in params(action.chooses) {
            self.constant(name, sort, true);
        }
    }

    /// Makes a step: gives everything that it changes its next version.
    pub(super) fn step(&mut self, action: &Action) {
        let step = self.steps + 1;
        let mut changes: Vec<(&Symbol, String)> = Vec::new();
        let mut unwanted = Vec::new();
        for set in &action.sets {
            let (name, arguments, value) = target(set);
            let system = self.system;
            if !self.wants(name) {
                unwanted.push(name);
                continue;
            }
            let symbol = system
                .symbol(name)
                .unwrap_or_else(|| panic!("what is {name}?"));
            let formals: Vec<_> = params(symbol.params).iter().map(|(n, _)| *n).collect();
            // A change of one place, or of all, when the arguments are the parameters.
            let everywhere = arguments == formals;
            let value = self.term(value, if everywhere { &formals } else { &[] });
            if everywhere {
                changes.push((symbol, value));
                continue;
            }
            let before = match changes.iter().position(|(s, _)| s.name == name) {
                Some(at) => changes.remove(at).1,
                None => format!("({} {})", self.name(name), formals.join(" ")),
            };
            let arguments = arguments.iter().map(|argument| self.term(argument, &[]));
            let arguments: Vec<_> = arguments.collect();
            let places = formals.iter().zip(&arguments);
            let places: Vec<_> = places.map(|(f, a)| format!("(= {f} {a})")).collect();
            let place = match &places[..] {
                [place] => place.clone(),
                places => format!("(and {})", places.join(" ")),
            };
            changes.push((symbol, format!("(ite {place} {value} {before})")));
        }
        let mut explicit: Vec<_> = changes.iter().map(|(s, _)| s.name).collect();
        explicit.extend(&unwanted);
        // The summands of now, before they change.
        let mut sums = Vec::new();
        let system = self.system;
        for symbol in &system.symbols {
            let Kind::Sum { of, actor } = symbol.kind else {
                continue;
            };
            if self.system.touches(action, of) && !explicit.contains(&symbol.name) {
                sums.push((symbol, of, action.actor_of(symbol.name, actor)));
            }
        }
        let mut before = Vec::new();
        for (symbol, of, actor) in &sums {
            let formals: Vec<_> = params(symbol.params).iter().map(|(n, _)| *n).collect();
            let applied = apply(symbol.name, &formals);
            let mut with_actor = formals.clone();
            with_actor.push(actor);
            before.push((
                self.wants(symbol.name)
                    .then(|| self.term(&applied, &formals)),
                self.wants(symbol.name)
                    .then(|| self.term(&apply(of, &with_actor), &formals)),
                with_actor,
            ));
        }
        self.stamps
            .extend(unwanted.into_iter().map(|name| (name, step)));
        for (symbol, body) in changes {
            self.stamps.insert(symbol.name, step);
            let name = self.version(symbol.name, step);
            self.written.insert(name.clone());
            self.sorts([symbol.sort].into_iter());
            self.define(&name, &params(symbol.params), symbol.sort, &body);
        }
        for ((symbol, of, _), (sum, summand, with_actor)) in sums.into_iter().zip(before) {
            let formals: Vec<_> = params(symbol.params).iter().map(|(n, _)| *n).collect();
            let (Some(sum), Some(summand)) = (sum, summand) else {
                self.stamps.insert(symbol.name, step);
                continue;
            };
            let after = self.term(&apply(of, &with_actor), &formals);
            self.stamps.insert(symbol.name, step);
            let name = self.version(symbol.name, step);
            self.written.insert(name.clone());
            let body = format!("(+ {sum} (- {after} {summand}))");
            self.define(&name, &params(symbol.params), symbol.sort, &body);
        }
        self.steps = step;
    }

    /// Whether the script will speak of this symbol after the step.
    fn wants(&self, name: &str) -> bool {
        self.written.contains(&format!("wanted {name}"))
    }

    /// Says that what a term speaks of is wanted after the next step.
    pub(super) fn want(&mut self, term: &str) {
        let mut reached = BTreeSet::new();
        self.system.reach(term, &mut reached);
        for name in reached {
            self.written.insert(format!("wanted {name}"));
        }
    }

    /// Asserts every instance of the clauses with terms of the pool.
    pub(super) fn instances(&mut self, clauses: &[&Clause], pool: &Pool) {
        for clause in clauses {
            for values in pool.choices(clause.params) {
                let name = self.clause(clause);
                let values: Vec<_> = values.iter().map(|v| self.term(v, &[])).collect();
                let values: Vec<_> = values.iter().map(String::as_str).collect();
                let term = apply(&name, &values);
                if self.written.insert(format!("assert {term}")) {
                    let _ = writeln!(self.out, "(assert {term})");
                }
            }
        }
    }

    /// What a clause says of its own parameters, which are constants of the script.
    pub(super) fn of_goal(&mut self, clause: &Clause) -> String {
        let name = self.clause(clause);
        let names: Vec<_> = params(clause.params).iter().map(|(n, _)| *n).collect();
        apply(&name, &names)
    }

    fn clause(&mut self, clause: &Clause) -> String {
        let mut reached = BTreeSet::new();
        self.system.reach(clause.holds, &mut reached);
        let stamps = reached.iter().filter_map(|name| self.stamps.get(name));
        let stamp = stamps.max().copied().unwrap_or(0);
        let name = self.version(clause.name, stamp);
        if self.written.insert(format!("clause {name}")) {
            let params = params(clause.params);
            self.sorts(params.iter().map(|(_, sort)| *sort));
            let bound: Vec<_> = params.iter().map(|(n, _)| *n).collect();
            let body = self.term(clause.holds, &bound);
            self.define(&name, &params, "Bool", &body);
        }
        name
    }

    /// What an action knows, for each choice of terms.
    pub(super) fn knows(&mut self, action: &Action, pool: &Pool) {
        for known in &action.knows {
            let (formals, term) = known.split_once(": ").expect("a fact has its parameters");
            let names: Vec<_> = params(formals).iter().map(|(n, _)| *n).collect();
            for values in pool.choices(formals) {
                let values: Vec<_> = values.iter().map(|v| self.term(v, &[])).collect();
                let mut term = self.term(term, &names);
                for (name, value) in names.iter().zip(&values) {
                    term = replace(&term, name, value);
                }
                if self.written.insert(format!("assert {term}")) {
                    let _ = writeln!(self.out, "(assert {term})");
                }
            }
        }
    }

    pub(super) fn end(self) -> String {
        format!("{}\n(check-sat)\n", self.out)
    }
}

/// A term on several lines, if one is too long.
fn pretty(term: &str, indent: usize) -> String {
    let inner = term.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    match inner {
        Some(inner) if term.len() + indent > 100 => {
            let parts = arguments(inner)
                .into_iter()
                .map(|part| pretty(part, indent + 2));
            let between = format!("\n{}", " ".repeat(indent + 2));
            format!("({})", parts.collect::<Vec<_>>().join(&between))
        }
        _ => term.to_owned(),
    }
}

/// `(f a b)`, or `f` without arguments.
fn apply(name: &str, arguments: &[&str]) -> String {
    if arguments.is_empty() {
        name.to_owned()
    } else {
        format!("({name} {})", arguments.join(" "))
    }
}

/// A term with a word replaced.
fn replace(term: &str, word: &str, by: &str) -> String {
    let mut done = String::new();
    let mut rest = term;
    while !rest.is_empty() {
        let end = rest.find(|l: char| l.is_whitespace() || l == '(' || l == ')');
        let (found, after) = rest.split_at(end.unwrap_or(rest.len()));
        done.push_str(if found == word { by } else { found });
        let after_len = after.chars().next().map_or(0, char::len_utf8);
        done.push_str(&after[..after_len]);
        rest = &after[after_len..];
    }
    done
}

/// Terms by sort.
#[derive(Default)]
pub(super) struct Pool(BTreeMap<String, Vec<String>>);

impl Pool {
    /// Adds terms, each with its sort before it.
    pub(super) fn add(&mut self, terms: &[&str]) {
        for text in terms {
            let (sort, term) = text.split_once(' ').expect("a term has its sort");
            self.insert(sort, term.to_owned());
        }
    }

    /// Adds parameters, which are constants of the script, and the nodes of those that are CPUs.
    pub(super) fn add_params(&mut self, text: &'static str, nodes: bool) {
        for (name, sort) in params(text) {
            self.insert(sort, name.to_owned());
            if nodes && sort == "Cpu" {
                self.insert("Node", format!("(node {name})"));
            }
        }
    }

    fn insert(&mut self, sort: &str, term: String) {
        let of_sort = self.0.entry(sort.to_owned()).or_default();
        if !of_sort.contains(&term) {
            of_sort.push(term);
        }
    }

    /// All ways to give parameters different terms of their sorts.
    fn choices(&self, text: &'static str) -> Vec<Vec<String>> {
        let mut choices = vec![Vec::new()];
        for (_, sort) in params(text) {
            let terms = self.0.get(sort).map_or(&[][..], |terms| &terms[..]);
            let longer = choices.iter().flat_map(|choice: &Vec<String>| {
                let others = terms.iter().filter(|term| !choice.contains(term));
                others.map(move |term| {
                    let mut longer = choice.clone();
                    longer.push(term.clone());
                    longer
                })
            });
            choices = longer.collect();
        }
        choices
    }
}
