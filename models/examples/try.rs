//! try
use prodq::Site;
use prodq_models::{catalog, fault::*, theorem::*, world::*};
use std::sync::atomic::Ordering::*;
use std::time::Instant;
fn main() {
    let ss = catalog::scenarios();
    for (n, f) in [
        ("overshoot", Fault::None),
        ("overshoot", Fault::weaken(Site::ListPush, Release)),
        ("overshoot", Fault::weaken(Site::ListTake, Acquire)),
        ("close", Fault::NoGrace),
        ("three-cpus", Fault::None),
    ] {
        let s = ss.iter().find(|s| s.name == n).unwrap();
        for m in [MemoryModel::Sc, MemoryModel::Rc11] {
            let w = World::Explore {
                memory: m,
                limit: 3_000_000,
            };
            let t = Instant::now();
            let o = run(&Job::new(s.clone(), w, Theorem::ALL).with_fault(f.clone())).unwrap();
            println!("{:22} {:8} {:24} {f:?}: {} execs blocked {} complete {} cut {} largest {} bound {} {:?} {:?}", s.name, w.name(), w.model(), o.executions, o.blocked, o.complete, o.cut_short, o.largest, s.bound(), t.elapsed(), o.findings.iter().map(|(t,f)|format!("{t}: {}",f.what)).collect::<Vec<_>>());
        }
    }
}
