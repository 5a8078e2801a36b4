//! dbg
use prodq_models::world::explore::litmus::*;
use std::sync::atomic::Ordering::*;
use Instr::*;
fn bad(p: &Program) -> bool {
    let m = Mode::RC11;
    let o = explore(p, m);
    let s = explore(p, m.how(How::SleepSets));
    o.executions != s.executions || o.finals != s.finals
}
fn main() {
    let mut p = Program {
        words: 2,
        locks: 1,
        threads: vec![
            vec![
                Add(0, 2, Acquire),
                Cas(1, 1, 3, Release),
                Cas(1, 1, 2, AcqRel),
            ],
            vec![Swap(1, 1, AcqRel), Load(0, Relaxed)],
            vec![Load(0, Relaxed), CasLast(1, 3, Relaxed)],
        ],
    };
    loop {
        let mut changed = false;
        'o: for t in 0..p.threads.len() {
            for i in 0..p.threads[t].len() {
                let mut q = p.clone();
                q.threads[t].remove(i);
                if bad(&q) {
                    p = q;
                    changed = true;
                    break 'o;
                }
                let w = match p.threads[t][i] {
                    Cas(w, a, b, _) => Cas(w, a, b, Relaxed),
                    Swap(w, a, _) => Swap(w, a, Relaxed),
                    Add(w, a, _) => Add(w, a, Relaxed),
                    CasLast(w, b, _) => Cas(w, 0, b, Relaxed),
                    x => x,
                };
                if w != p.threads[t][i] {
                    let mut q = p.clone();
                    q.threads[t][i] = w;
                    if bad(&q) {
                        p = q;
                        changed = true;
                        break 'o;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    println!("{p:?}");
    let m = Mode::RC11;
    let o = explore(&p, m);
    let s = explore(&p, m.how(How::SleepSets));
    println!("opt {} sleep {}", o.executions, s.executions);
    for x in &s.finals {
        println!(
            "{} {x:?}",
            if o.finals.contains(x) { "    " } else { "MISS" }
        );
    }
}
