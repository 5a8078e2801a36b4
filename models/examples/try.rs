//! try
use prodq::Site;
use prodq_models::{catalog, fault::*, scenario::*, theorem::*, world::*};
use std::sync::atomic::Ordering::*;
use std::time::Instant;
fn go(s: &Scenario, w: World, f: Fault) {
    let t = Instant::now();
    let o = run(&Job::new(s.clone(), w, Theorem::ALL).with_fault(f.clone())).unwrap();
    println!(
        "{:22} {:8} {:24} {:?}: {} execs complete {} cut {} largest {} bound {} {:?}",
        s.name,
        w.name(),
        w.model(),
        f,
        o.executions,
        o.complete,
        o.cut_short,
        o.largest,
        s.bound(),
        t.elapsed()
    );
    for (t, f) in &o.findings {
        println!(
            "    {t}: {} [{:?}] {} events",
            f.what,
            match &f.schedule {
                Schedule::Tasks(t) => format!("{} tasks", t.len()),
                s => format!("{s:?}"),
            },
            f.events.len()
        );
    }
}
fn main() {
    let ss = catalog::scenarios();
    let g = |n: &str| ss.iter().find(|s| s.name == n).unwrap();
    let l = World::Loom {
        newest_loads: false,
        limit: 200000,
        preemption_bound: None,
    };
    let l2 = World::Loom {
        newest_loads: true,
        limit: 200000,
        preemption_bound: None,
    };
    for f in [Fault::None, Fault::weaken(Site::ListTake, Acquire)] {
        go(g("stamps-third-cpu"), l, f);
    }
    for n in ["open", "open-close", "close"] {
        for w in [
            l,
            l2,
            World::Shuttle {
                seed: 1,
                executions: 2000,
            },
            World::Threads { executions: 2000 },
        ] {
            for f in [
                Fault::None,
                Fault::NoGrace,
                Fault::weaken(Site::Publish, Relaxed),
                Fault::weaken(Site::LookUp, Relaxed),
                Fault::weaken(Site::Unpublish, Relaxed),
            ] {
                go(g(n), w, f);
            }
        }
    }
}
