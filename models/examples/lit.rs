//! lit
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
    for sh in [
        s(1, 2, 1, 0, 250),
        s(1, 2, 1, 1, 250),
        s(1, 2, 2, 0, 250),
        s(1, 3, 1, 0, 250),
        s(2, 2, 1, 0, 250),
        s(1, 2, 3, 0, 200),
    ] {
        for m in [
            Mode::SC,
            Mode {
                stale_failure: false,
                ..Mode::RC11
            },
            Mode::RC11,
        ] {
            for how in [How::Optimal] {
                if how == How::SleepSets && (sh.cpus * sh.nodes > 2 || (sh.packets > 2 && m.weak)) {
                    continue;
                }
                let t = Instant::now();
                let (e, l) = explore_shape(sh, m.how(how));
                println!(
                    "{sh:?} weak {} stale {} {how:?}: {} blocked {} largest {l} {:?}",
                    m.weak,
                    m.stale_failure,
                    e.executions,
                    e.blocked,
                    t.elapsed()
                );
            }
        }
    }
}
