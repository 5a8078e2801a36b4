// SPDX-License-Identifier: MIT OR Apache-2.0

//! The flood, for a moment: it conserves, it stays within the bound, and it says what it was asked.
//! Nothing here depends on how fast the machine is.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prodq_ci::flood::record::Conservation;
use serde_json::Value;

fn prodq(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_prodq");
    Command::new(program).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The runs that a flood prints.
fn runs(args: &[&str]) -> Vec<Value> {
    let args: Vec<_> = ["flood", "--json"].iter().chain(args).copied().collect();
    let output = prodq(&args);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
    let lines: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["kind"], "machine");
    for field in ["cpu", "cpus", "nodes", "system", "settings"] {
        assert!(lines[0].get(field).is_some(), "{field} is missing");
    }
    let is_run = |line: &Value| line["kind"] == "run";
    lines.into_iter().filter(is_run).collect()
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

/// What must hold of every flood.
fn check(run: &Value) {
    assert_eq!(run["wrong"], Value::Array(Vec::new()), "{run}");
    let accounts = &run["conservation"];
    let dropped = number(&accounts["rcvbuf_errors"]) + number(&accounts["mem_errors"]);
    let delivered = number(&accounts["delivered"]);
    assert!(delivered != 0, "{run}");
    assert_eq!(number(&accounts["offered"]), delivered + dropped, "{run}");
    assert_eq!(accounts["pages"], 0, "{run}");
    assert!(number(&run["largest"]) <= number(&run["bound"]), "{run}");
    let buckets = run["histogram"].as_array().unwrap();
    let counts = buckets.iter().map(|bucket| number(&bucket["count"]));
    assert_eq!(counts.sum::<u64>(), number(&accounts["offered"]), "{run}");
}

#[test]
fn every_design_conserves_and_stays_within_its_bound() {
    let args = [
        "--design",
        "all",
        "--seconds",
        "0.1",
        "--truesize",
        "832,2304",
    ];
    let several = [
        "--producers",
        "3",
        "--readers",
        "2",
        "--nodes",
        "2",
        "--rcvbuf",
        "20000",
    ];
    let args: Vec<_> = args.iter().chain(&several).copied().collect();
    let runs = runs(&args);
    let designs: Vec<_> = runs
        .iter()
        .map(|run| run["design"].as_str().unwrap())
        .collect();
    let all = [
        "plain-lock",
        "hashed-busylock",
        "socket-busylock",
        "prod-queue",
    ];
    assert_eq!(designs, all);
    for run in &runs {
        check(run);
        // 3 producers on 2 nodes, packets of at most 2304 bytes: the formulas of the README.
        let bound = match run["design"].as_str().unwrap() {
            "prod-queue" => 3 * 20_000 + (2 * 3 - 2) * 2304,
            "socket-busylock" => 20_000 + 2 * 2304,
            _ => 20_000 + 3 * 2304,
        };
        assert_eq!(number(&run["bound"]), bound);
        assert!(number(&run["conservation"]["rcvbuf_errors"]) != 0, "{run}");
        // A socket that was flooded was full, to the last packet that still fits.
        assert!(number(&run["largest"]) > 20_000 - 2304, "{run}");
    }
}

/// The control of the accounts: each figure of a good flood, one off, is noticed.
#[test]
fn accounts_that_are_one_off_are_wrong() {
    let run = &runs(&["--seconds", "0.1", "--producers", "2"])[0];
    check(run);
    let accounts = run["conservation"].as_object().unwrap();
    let complaints = |accounts: Value| {
        let accounts: Conservation = serde_json::from_value(accounts).unwrap();
        accounts.complaints()
    };
    assert_eq!(complaints(run["conservation"].clone()), [""; 0]);
    for (field, value) in accounts {
        let mut changed = accounts.clone();
        changed[field] = match value {
            Value::Bool(same) => Value::Bool(!same),
            number => Value::from(number.as_i64().unwrap() + 1),
        };
        let complaints = complaints(Value::Object(changed));
        assert!(!complaints.is_empty(), "{field} one off is not noticed");
    }
}

#[test]
fn exhausted_memory_drops_are_accounted_for() {
    let args = [
        "--design",
        "all",
        "--seconds",
        "0.1",
        "--producers",
        "2",
        "--udp-mem",
        "8",
    ];
    for run in runs(&args) {
        check(&run);
        assert!(number(&run["conservation"]["mem_errors"]) != 0, "{run}");
    }
}

#[test]
fn a_person_sees_tables_and_a_folder_gets_plots() {
    let folder = empty("flood-plots");
    let args = ["flood", "--seconds", "0.1", "--producers", "1,2", "--plot"];
    let args: Vec<_> = args.iter().copied().chain(folder.to_str()).collect();
    let output = prodq(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    for word in [
        "NUMA nodes",
        "producers on",
        "InDatagrams",
        "time in enqueue",
        "bound",
    ] {
        assert!(shown.contains(word), "{word} is missing in {shown}");
    }
    for name in ["histogram.svg", "overshoot.svg", "throughput.svg"] {
        let plot = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(plot.contains("</svg>"), "{name}");
    }
}

#[test]
fn results_are_written_from_what_a_flood_printed() {
    let folder = empty("flood-results");
    let args = [
        "flood",
        "--json",
        "--design",
        "all",
        "--seconds",
        "0.05",
        "--producers",
        "1",
    ];
    let output = prodq(&args);
    for name in ["flood.jsonl", "sweep.jsonl", "long.jsonl"] {
        std::fs::write(folder.join(name), &output.stdout).unwrap();
    }
    let output = prodq(&["flood", "results", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for word in [
        "## Machine",
        "## Flood",
        "prod-queue against",
        "## Long floods",
    ] {
        assert!(page.contains(word), "{word} is missing in {page}");
    }
    assert!(folder.join("throughput.svg").exists());
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Page and plots that are kept are those of the data beside them.
#[test]
fn the_kept_results_are_made_of_the_kept_data() {
    let kept = project().join("core/benches/results");
    let folder = empty("flood-kept");
    let mut drawn = Vec::new();
    for entry in std::fs::read_dir(&kept).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_owned();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl") => drop(std::fs::copy(&path, folder.join(name)).unwrap()),
            Some("md" | "svg") => drawn.push(name),
            _ => {}
        }
    }
    let output = prodq(&["flood", "results", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(drawn.len(), 4, "{drawn:?}");
    for name in drawn {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(&name)).unwrap();
        assert!(
            read(&kept) == read(&folder),
            "{name:?} is not what `cargo flood results core/benches/results` writes"
        );
    }
}

/// The README's tables are rows of the results, so that one cannot be changed without the other.
#[test]
fn the_readme_shows_the_kept_results() {
    let read = |name: &str| std::fs::read_to_string(project().join(name)).unwrap();
    let page = read("core/benches/results/README.md");
    let rows: Vec<_> = page.lines().collect();
    let readme = read("README.md");
    let from = readme.find("## On hardware").unwrap();
    let section = &readme[from..];
    let section = &section[..section[1..].find("\n## ").unwrap()];
    let shown: Vec<_> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    assert!(shown.len() > 40, "{} rows", shown.len());
    for row in shown {
        assert!(
            rows.contains(&row),
            "this row is not among the results: {row}"
        );
    }
}

#[test]
fn too_many_producers_are_warned_about() {
    let cpus = std::thread::available_parallelism().unwrap().get();
    let producers = (cpus + 1).to_string();
    let args = [
        "flood",
        "--seconds",
        "0.05",
        "--json",
        "--producers",
        &producers,
    ];
    let output = prodq(&args);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let warning = format!("warning: {producers} producers on {cpus} CPUs");
    assert!(errors.contains(&warning), "{errors}");
}

#[test]
fn bad_calls_say_what_is_allowed_and_exit_2() {
    for (args, allowed) in [
        (&["--design", "mars"][..], "hashed-busylock"),
        (&["--producers", "0"], "1..=1024"),
        (&["--producers", "many"], "invalid digit"),
        (&["--readers", "65"], "1..=64"),
        (&["--truesize", "0"], "1..=1048576"),
        (&["--rcvbuf", "0"], "1..=536870912"),
        (&["--seconds", "0"], "0.01 to 86400"),
        (&["--seconds", "NaN"], "0.01 to 86400"),
        (&["--rounds", "0"], "1..=1000"),
        (
            &["--nodes", "8", "--producers", "8", "--rcvbuf", "536870912"],
            "--rcvbuf",
        ),
        (&["results", "/nonexistent"], "is no folder"),
        (&["--frobnicate"], "unexpected argument"),
    ] {
        let args: Vec<_> = ["flood"].iter().chain(args).copied().collect();
        let output = prodq(&args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(allowed), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
