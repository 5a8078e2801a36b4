//! prof
use prodq_models::{catalog, theorem::*, world::*};
fn main() {
    let ss = catalog::scenarios();
    let s = ss.iter().find(|s| s.name == "three-cpus").unwrap();
    let o = run(&Job::new(
        s.clone(),
        World::Explore {
            memory: MemoryModel::Sc,
            limit: 2000,
        },
        Theorem::ALL,
    ))
    .unwrap();
    println!("{}", o.executions);
}
