//! try
use prodq_models::{catalog, world::*, theorem::*};
use std::time::Instant;
fn main() {
    let ss = catalog::scenarios();
    for n in ["three-cpus","two-nodes-four-cpus"] { let s=ss.iter().find(|s|s.name==n).unwrap(); for m in [MemoryModel::Sc, MemoryModel::Rc11] {
        let w=World::Explore{memory:m,limit:3_000_000};
    let t=Instant::now();
    let o = run(&Job::new(s.clone(), w, Theorem::ALL)).unwrap();
    println!("{:22} {:8} {:24}: {} execs blocked {} complete {} cut {} largest {} bound {} {:?}", s.name, w.name(), w.model(), o.executions, o.blocked, o.complete, o.cut_short, o.largest, s.bound(), t.elapsed());
    } }
}
