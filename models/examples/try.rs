//! try
use prodq_models::{catalog, scenario::*, world::*, theorem::*, fault::*};
use std::time::Instant;
fn go(s: &Scenario, w: World, f: Fault) {
    let t=Instant::now();
    let o = run(&Job::new(s.clone(), w, Theorem::ALL).with_fault(f.clone())).unwrap();
    println!("{:22} {:8} {:24} {:?}: {} execs blocked {} complete {} cut {} largest {} bound {} {:?}", s.name, w.name(), w.model(), f, o.executions, o.blocked, o.complete, o.cut_short, o.largest, s.bound(), t.elapsed());
    for (t,f) in &o.findings { println!("    {t}: {} [{:?}] {} events", f.what, match &f.schedule { Schedule::Tasks(t)=>format!("{} tasks",t.len()), Schedule::Events(t)=>format!("{} events",t.len()), s=>format!("{s:?}")}, f.events.len()); }
}
fn main() {
    let limit: u64 = std::env::args().nth(1).and_then(|x|x.parse().ok()).unwrap_or(20_000);
    let ss = catalog::scenarios();
    for s in &ss { if s.cpus.len()>7 {continue} for m in [MemoryModel::Sc, MemoryModel::Rc11] {
        go(s, World::Explore{memory:m,limit}, Fault::None);
    } }
}
