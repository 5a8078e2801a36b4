use prodq_models::{scenario::*, world::*, theorem::*, fault::*};
use std::time::Instant;
fn go(s: &Scenario, w: World, f: Fault) {
    let t=Instant::now();
    let o = run(&Job::new(s.clone(), w, Theorem::ALL).with_fault(f.clone())).unwrap();
    println!("{:18} {:8} {:24} {:?}: {} execs complete {} cut {} largest {} {:?}", s.name, w.name(), w.model(), f, o.executions, o.complete, o.cut_short, o.largest, t.elapsed());
    for (t,f) in &o.findings { println!("    {t}: {} [{:?}] {} events", f.what, match &f.schedule { Schedule::Tasks(t)=>format!("{} tasks",t.len()), s=>format!("{s:?}")}, f.events.len()); }
}
fn main() {
    let o=Op::Offer;
    let limit: u64 = std::env::args().nth(1).and_then(|x|x.parse().ok()).unwrap_or(200_000);
    let ss = vec![
        Scenario::new("2x1",1,250).cpus_on_each_node(2,&[o(100)]),
        Scenario::new("2x1r",1,250).cpu(0,[o(100),Op::Recv]).cpu(0,[o(100)]),
        Scenario::new("2n2x1",2,250).cpus_on_each_node(1,&[o(100)]),
        Scenario::new("close",1,250).cpu(0,[o(100)]).cpu(0,[Op::Close]),
        Scenario::new("2x2",1,250).cpus_on_each_node(2,&[o(100),o(100)]),
        Scenario::new("3x1",1,250).cpus_on_each_node(3,&[o(100)]),
    ];
    for s in &ss { for w in [World::Loom{newest_loads:false,limit,preemption_bound:None},World::Loom{newest_loads:true,limit,preemption_bound:None},World::Shuttle{seed:1,executions:2000},World::Threads{executions:500}] { go(s,w,Fault::None); } }
    let l = World::Loom{newest_loads:false,limit,preemption_bound:None};
    use prodq::Site; use std::sync::atomic::Ordering::*;
    let s22=&ss[4];
    for f in [Fault::weaken(Site::ListPush,Relaxed),Fault::weaken(Site::ListTake,Relaxed),Fault::ChargeAfterPush,Fault::NoReversal,Fault::omit(Site::Uncharge),Fault::BlindPush,Fault::TakeBeforeLock] { go(s22,l,f.clone()); go(&ss[0],l,f); }
    go(&ss[3],l,Fault::NoGrace);
    go(&ss[3],World::Shuttle{seed:1,executions:2000},Fault::NoGrace);
    go(&ss[3],World::Threads{executions:2000},Fault::NoGrace);
}
