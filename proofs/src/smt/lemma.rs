// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the clauses use of sums and of pages.
//!
//! A sum over the CPUs 0 to N - 1 is `F(N)`, with `F(0) = 0` and `F(j + 1) = F(j) + f(j)`. Each lemma is
//! shown by induction over j: a base and a step, for any f.

use super::{Condition, Part};

/// A lemma: what it says, and its base and step, each as declarations, what is known, what follows.
struct Lemma {
    name: &'static str,
    says: &'static str,
    functions: &'static [(&'static str, &'static str)],
    /// What is true of every summand, with `j` for its number.
    of_each: &'static str,
    /// What is known of the constants.
    given: &'static str,
    /// What is shown, with `j` for how many summands there are.
    shows: &'static str,
}

/// `f` and its sum.
const F: (&str, &str) = ("F", "f");
const G: (&str, &str) = ("G", "g");

const SUMS: [Lemma; 8] = [
    Lemma {
        name: "one-changed",
        says: "When one summand changes, the sum changes by as much.",
        functions: &[F, G],
        of_each: "(=> (not (= j c)) (= (f j) (g j)))",
        given: "(<= 0 c)",
        shows: "(= (G j) (+ (F j) (ite (< c j) (- (g c) (f c)) 0)))",
    },
    Lemma {
        name: "non-negative",
        says: "A sum of what is not negative is not negative, and not less than any part of it.",
        functions: &[F],
        of_each: "(and (<= 0 (f j)) (<= 0 (f c)))",
        given: "(<= 0 c)",
        shows: "(and (<= 0 (F j)) (<= (ite (< c j) (f c) 0) (F j)))",
    },
    Lemma {
        name: "bounded-parts",
        says: "Parts from 0 to `g`: the sum is at most that of the `g`, and short of it by what one part is short.",
        functions: &[F, G],
        of_each: "(and (<= 0 (f j)) (<= (f j) (g j)) (<= 0 (f c)) (<= (f c) (g c)))",
        given: "(<= 0 c)",
        shows: "(and (<= 0 (F j)) (<= (ite (< c j) (f c) 0) (F j)) (<= (F j) (G j)) (=> (< c j) (<= (F j) (+ (- (G j) (g c)) (f c)))))",
    },
    Lemma {
        name: "monotone",
        says: "A sum of larger parts is larger.",
        functions: &[F, G],
        of_each: "(<= (f j) (g j))",
        given: "true",
        shows: "(<= (F j) (G j))",
    },
    Lemma {
        name: "all-zero",
        says: "A sum of zeros is zero.",
        functions: &[F],
        of_each: "(= (f j) 0)",
        given: "true",
        shows: "(= (F j) 0)",
    },
    Lemma {
        name: "bounded-nodes",
        says: "Over nodes: parts from 0 to limit + g - largest have a sum of at most j limit + G - j largest. X and Y are the sums of limit and largest.",
        functions: &[F, G, ("X", "x"), ("Y", "y")],
        of_each: "(and (<= 0 (f j)) (= (x j) limit) (= (y j) largest) (<= (f j) (- (+ limit (g j)) largest)))",
        given: "true",
        shows: "(and (<= 0 (F j)) (<= (F j) (- (+ (X j) (G j)) (Y j))))",
    },
    Lemma {
        name: "split",
        says: "Bytes that are at most the sum can be taken from the parts, none of which becomes negative: part j gives min(r, F(j + 1)) - min(r, F(j)).",
        functions: &[F, G],
        of_each: "(and (<= 0 (f j)) (= (g j) (- (ite (<= r (F (+ j 1))) r (F (+ j 1))) (ite (<= r (F j)) r (F j)))) (<= 0 r))",
        given: "(<= 0 r)",
        shows: "(and (<= 0 (F j)) (= (G j) (ite (<= r (F j)) r (F j))) (=> (< 0 j) (and (<= 0 (g (- j 1))) (<= (g (- j 1)) (f (- j 1))))))",
    },
    Lemma {
        name: "one-node-each",
        says: "Every CPU is of one node: one more CPU adds its s to one node's sum, so that the sum over nodes of C_m s is C s.",
        functions: &[F, G],
        of_each: "(and (= (f j) largest) (= (g j) (- (+ (h (n j)) largest) (h (n j)))))",
        given: "true",
        shows: "(= (F j) (G j))",
    },
];

/// All lemmas.
pub(super) fn conditions() -> Vec<Condition> {
    let mut all: Vec<_> = SUMS.iter().flat_map(of_sum).collect();
    all.extend(PAGES.iter().map(|(name, says, known, shows)| {
        let script = format!(
            "; A whole number of pages is page times something.\n\
             (declare-fun page () Int)\n(declare-fun i () Int)\n(declare-fun k () Int)\n(declare-fun r () Int)\n\
             (assert (< 0 page))\n(assert {known})\n(assert (not {shows}))\n\n(check-sat)\n"
        );
        Condition::new(
            format!("lemmas/{name}"),
            "pages",
            Part::Lemma,
            true,
            (*says).to_owned(),
            &script,
        )
    }));
    all
}

/// Facts of pages: name, what it says, what is known, what is shown.
const PAGES: [(&str, &str, &str, &str); 4] = [
    (
        "pages-add--sum",
        "The sum of whole pages is whole pages.",
        "true",
        "(= (+ (* page i) (* page k)) (* page (+ i k)))",
    ),
    (
        "pages-add--difference",
        "The difference of whole pages is whole pages.",
        "true",
        "(= (- (* page i) (* page k)) (* page (- i k)))",
    ),
    (
        "pages-round--not-negative",
        "What is not negative rounds to what is not negative.",
        "(and (<= 0 r) (<= (* page i) r) (< (- r (* page i)) page))",
        "(<= 0 (* page i))",
    ),
    (
        "pages-round--whole",
        "Whole pages round to themselves: no two of them are less than a page apart.",
        "(and (<= (* page i) (* page k)) (< (- (* page k) (* page i)) page))",
        "(= (* page i) (* page k))",
    ),
];

fn of_sum(lemma: &Lemma) -> [Condition; 2] {
    let mut declared = String::new();
    for (sum, of) in lemma.functions {
        declared += &format!(
            "(declare-fun {of} (Int) Int)\n(declare-fun {sum} (Int) Int) ; the sum of {of}\n(assert (= ({sum} 0) 0))\n"
        );
    }
    let constants = ["c", "r", "limit", "largest"];
    let words = |text: &str, word: &str| {
        text.split(|l: char| !l.is_alphanumeric())
            .any(|found| found == word)
    };
    let uses = |word: &str| {
        [lemma.of_each, lemma.given, lemma.shows]
            .iter()
            .any(|text| words(text, word))
    };
    for constant in constants.into_iter().filter(|word| uses(word)) {
        declared += &format!("(declare-fun {constant} () Int)\n");
    }
    if uses("h") {
        declared +=
            "(declare-fun n (Int) Int) ; a CPU's node\n(declare-fun h (Int) Int) ; a node's sum\n";
    }
    let replaced = |text: &str, by: &str| {
        let mut done = String::new();
        for token in split(text) {
            done += if token == "j" { by } else { token };
        }
        done
    };
    let given = lemma.given;
    let base = format!(
        "{declared}(assert {given})\n(assert {})\n\n; It does not hold for no summands.\n(assert (not {}))\n\n(check-sat)\n",
        replaced(lemma.of_each, "0"),
        replaced(lemma.shows, "0")
    );
    let mut step =
        format!("{declared}(assert {given})\n(declare-fun j () Int)\n(assert (<= 0 j))\n");
    for (sum, of) in lemma.functions {
        step += &format!("(assert (= ({sum} (+ j 1)) (+ ({sum} j) ({of} j))))\n");
    }
    step += &format!(
        "(assert {})\n(assert {})\n\n; It holds for j summands and not for one more.\n(assert (not {}))\n\n(check-sat)\n",
        lemma.of_each,
        lemma.shows,
        replaced(lemma.shows, "(+ j 1)")
    );
    let make = |part: &str, script: &str| {
        Condition::new(
            format!("lemmas/{}--{part}", lemma.name),
            "lemma",
            Part::Lemma,
            true,
            format!("{} ({part} of the induction)", lemma.says),
            script,
        )
    };
    [make("base", &base), make("step", &step)]
}

/// A text in words and what is between them.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut inside = false;
    for (at, letter) in text.char_indices() {
        if letter.is_alphanumeric() != inside {
            parts.push(&text[start..at]);
            start = at;
            inside = !inside;
        }
    }
    parts.push(&text[start..]);
    parts
}
