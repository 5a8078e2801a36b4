// SPDX-License-Identifier: MIT OR Apache-2.0

//! The solvers z3 and cvc5: from the path, else from a folder below `target` that is filled with their
//! wheels.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

use super::Condition;

/// The wheels, pinned.
const WHEELS: [&str; 2] = ["z3-solver==5.4.1.0", "cvc5==1.4.2"];
/// The oldest version that is taken from the path: z3 4.8.12 leaves some conditions unanswered.
const Z3: (&str, [u32; 3]) = ("5.4.1", [5, 4, 1]);
/// As for z3; nothing older was tried.
const CVC5: (&str, [u32; 3]) = ("1.4.2", [1, 4, 2]);
/// The limit for one condition, in milliseconds.
const LIMIT_MS: u32 = 60_000;
/// How many conditions one process answers.
const BATCH: usize = 100;

/// What a solver says of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It cannot be.
    Unsat,
    /// It can.
    Sat,
    /// The solver gave up, or did not understand: its words.
    Other(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Unsat => f.write_str("unsat"),
            Answer::Sat => f.write_str("sat"),
            Answer::Other(words) => f.write_str(words),
        }
    }
}

impl Answer {
    fn of(words: &str) -> Answer {
        match words.trim() {
            "unsat" => Answer::Unsat,
            "sat" => Answer::Sat,
            words => Answer::Other(words.to_owned()),
        }
    }

    /// Whether it is what the condition expects.
    pub fn is_expected(&self, condition: &Condition) -> bool {
        match self {
            Answer::Unsat => condition.unsat,
            Answer::Sat => !condition.unsat,
            Answer::Other(_) => false,
        }
    }
}

/// A solver that can be run.
#[derive(Debug)]
pub struct Solver {
    /// `z3` or `cvc5`.
    pub name: &'static str,
    /// Its version, as it says.
    pub version: String,
    command: Vec<PathBuf>,
}

/// No solver, and what to do about it.
#[derive(Debug)]
pub struct Missing {
    names: Vec<&'static str>,
    why: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} not found: {}. Make `python3 -m venv` or `python3 -m pip` work (Debian: apt-get install \
             python3-venv), with which {} are fetched; or put z3 {} and cvc5 {}, or newer ones, on the path",
            self.names.join(" and "),
            self.why,
            WHEELS.join(" and "),
            Z3.0,
            CVC5.0,
        )
    }
}

impl std::error::Error for Missing {}

/// What the solver's command prints for its version, if it runs.
fn version(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    // "Z3 version 4.8.12 - 64 bit", "This is cvc5 version 1.0.3 [git …]", "1.4.2".
    let word = |word: &&str| word.starts_with(|l: char| l.is_ascii_digit()) && word.contains('.');
    let found = text.split_whitespace().find(word)?.to_owned();
    output.status.success().then_some(found)
}

impl Solver {
    fn z3(program: &Path) -> Option<Solver> {
        let version = version(program, &["--version"])?;
        let command = vec![
            program.to_owned(),
            "-in".into(),
            format!("-t:{LIMIT_MS}").into(),
        ];
        Some(Solver {
            name: "z3",
            version,
            command,
        })
    }

    fn cvc5(program: &Path) -> Option<Solver> {
        let version = version(program, &["--version"])?;
        let limit = format!("--tlimit-per={LIMIT_MS}");
        let options = ["--lang=smt2", "--incremental", &limit, "-"];
        let options = options.map(PathBuf::from);
        let command = std::iter::once(program.to_owned()).chain(options);
        Some(Solver {
            name: "cvc5",
            version,
            command: command.collect(),
        })
    }

    /// The module of cvc5's wheel, which brings no program.
    fn cvc5_module(folder: &Path) -> Option<Solver> {
        let runner = folder.join("run_cvc5.py");
        std::fs::write(&runner, include_str!("cvc5.py")).ok()?;
        let python = PathBuf::from("python3");
        let ask =
            "import sys; sys.path.insert(0, sys.argv[1]); import cvc5; print(cvc5.__version__)";
        let version = version(&python, &["-c", ask, folder.to_str()?])?;
        let command = vec![python, runner, LIMIT_MS.to_string().into()];
        Some(Solver {
            name: "cvc5",
            version,
            command,
        })
    }

    fn is_at_least(&self, oldest: [u32; 3]) -> bool {
        let parts = self.version.split('.');
        let parts: Vec<u32> = parts.map_while(|part| part.parse().ok()).collect();
        parts.as_slice() >= oldest.as_slice()
    }

    /// Answers to scripts, in their order.
    fn answers(&self, scripts: &[&str]) -> Vec<Answer> {
        let module = self.command[0].ends_with("python3");
        let (before, after) = if module {
            ("", "; next\n")
        } else {
            ("(reset)\n", "(echo \"; next\")\n")
        };
        let input: String = scripts
            .iter()
            .flat_map(|script| [before, script, after])
            .collect();
        let output = match self.run(&input) {
            Ok(output) => output,
            Err(error) => {
                let words = format!("{} does not run: {error}", self.name);
                return vec![Answer::Other(words); scripts.len()];
            }
        };
        let parts: Vec<_> = if module {
            output.lines().collect()
        } else {
            output.split("; next").collect()
        };
        let answer = |at: usize| {
            let part = parts
                .get(at)
                .map(|part| part.trim_matches(['"', '\n', ' ']));
            part.map_or(Answer::Other("no answer".to_owned()), Answer::of)
        };
        (0..scripts.len()).map(answer).collect()
    }

    fn run(&self, input: &str) -> std::io::Result<String> {
        let mut child = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut stdin = child.stdin.take().expect("it is piped");
        let output = std::thread::scope(|scope| {
            // A solver that ends early leaves answers out, which is seen.
            scope.spawn(move || stdin.write_all(input.as_bytes()));
            child.wait_with_output()
        })?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// z3 and cvc5, from the path or from `folder`, which is filled first if `fetch`.
///
/// # Errors
/// [`Missing`] tells what to install.
pub fn find(folder: &Path, fetch: bool) -> Result<[Solver; 2], Missing> {
    let from_path = || {
        let z3 = Solver::z3("z3".as_ref()).filter(|z3| z3.is_at_least(Z3.1));
        let cvc5 = Solver::cvc5("cvc5".as_ref()).filter(|cvc5| cvc5.is_at_least(CVC5.1));
        (z3, cvc5)
    };
    let from_folder = || {
        let z3 = Solver::z3(&folder.join("bin").join("z3"));
        (z3, Solver::cvc5_module(folder))
    };
    let both = |found: (Option<Solver>, Option<Solver>)| {
        let (z3, cvc5) = from_path();
        (z3.or(found.0), cvc5.or(found.1))
    };
    let mut found = both((None, None));
    let mut why = "they are not on the path, or too old".to_owned();
    if found.0.is_none() || found.1.is_none() {
        found = both(from_folder());
    }
    if fetch && (found.0.is_none() || found.1.is_none()) {
        match fill(folder) {
            Ok(()) => found = both(from_folder()),
            Err(error) => why = error,
        }
    }
    match found {
        (Some(z3), Some(cvc5)) => Ok([z3, cvc5]),
        (z3, cvc5) => {
            let missing = [("z3", z3.is_none()), ("cvc5", cvc5.is_none())];
            let names = missing.iter().filter(|(_, missing)| *missing);
            let names = names.map(|(name, _)| *name).collect();
            Err(Missing { names, why })
        }
    }
}

/// Puts the wheels into a folder, with pip or with that of a virtual environment.
fn fill(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let environment = folder.join("venv");
    let pip = |python: &Path| {
        let mut command = Command::new(python);
        command.args(["-m", "pip", "install", "--quiet", "--upgrade"]);
        command.args([
            "--disable-pip-version-check",
            "--only-binary",
            ":all:",
            "--target",
        ]);
        command.arg(folder).args(WHEELS);
        said(&mut command)
    };
    let first = pip("python3".as_ref());
    let Err(first) = first else {
        return Ok(());
    };
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(&environment);
    let second = said(&mut venv).and_then(|()| pip(&environment.join("bin").join("python3")));
    second.map_err(|second| format!("{first}; {second}"))
}

/// Runs a command; its last words when it fails.
fn said(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.trim().lines().last().unwrap_or("it failed");
    Err(last.to_owned())
}

/// Every solver's answer to every condition, as `answers[condition][solver]`. `done` is told how many
/// answers have come since it was told last.
pub fn ask(
    solvers: &[Solver],
    conditions: &[Condition],
    done: impl Fn(usize) + Sync,
) -> Vec<Vec<Answer>> {
    let batches = conditions.len().div_ceil(BATCH);
    let jobs = solvers.len() * batches;
    let next = AtomicUsize::new(0);
    let nobody = Answer::Other("not asked".to_owned());
    let answers = Mutex::new(vec![vec![nobody; solvers.len()]; conditions.len()]);
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let work = || loop {
        let job = next.fetch_add(1, Ordering::Relaxed);
        if job >= jobs {
            break;
        }
        let (solver, batch) = (job % solvers.len(), job / solvers.len());
        // Every so-many-th condition, so that batches are alike.
        let numbers: Vec<_> = (batch..conditions.len()).step_by(batches).collect();
        let scripts = numbers
            .iter()
            .map(|&number| conditions[number].script.as_str());
        let said = solvers[solver].answers(&scripts.collect::<Vec<_>>());
        done(said.len());
        let mut answers = answers.lock().unwrap_or_else(|broken| broken.into_inner());
        for (number, answer) in numbers.into_iter().zip(said) {
            answers[number][solver] = answer;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    answers
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner())
}
