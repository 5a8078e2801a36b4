//! cross
use prodq_models::world::explore::litmus::*;
use std::time::Instant;
fn main() {
    let s = |nodes, cpus, packets, receives, rcvbuf| Shape {
        nodes,
        cpus,
        packets,
        receives,
        rcvbuf,
    };
    for sh in [s(1, 2, 3, 0, 200), s(1, 3, 1, 0, 250), s(2, 2, 1, 0, 250)] {
        let m = Mode {
            stale_failure: false,
            ..Mode::RC11
        };
        let t = Instant::now();
        let (e, l) = explore_shape(sh, m.how(How::SleepSets));
        println!(
            "{sh:?} RC11 SleepSets: {} blocked {} largest {l} {:?}",
            e.executions,
            e.blocked,
            t.elapsed()
        );
    }
}
