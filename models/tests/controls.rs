// SPDX-License-Identifier: MIT OR Apache-2.0

//! Negative controls: for each theorem something is broken in the platform, and the theorem must fail,
//! for the right reason, with a witness that names it.

mod common;

use std::sync::atomic::Ordering::Relaxed;

use common::{assert_refuted, scenario, LOOM, LOOM_NEWEST, SHUTTLE, THREADS};
use prodq::Site;
use prodq_models::fault::Fault;
use prodq_models::scenario::{Op, Scenario};
use prodq_models::theorem::Theorem;
use prodq_models::world::{Job, World};

fn broken(name: &str, world: World, theorem: Theorem, fault: Fault) -> Job {
    Job::new(scenario(name), world, &[theorem]).with_fault(fault)
}

#[test]
fn no_stranding_fails_when_a_push_overwrites_another() {
    let theorem = Theorem::NoStranding;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE] {
        let job = broken("two-cpus", world, theorem, Fault::BlindPush);
        assert_refuted(job, theorem, "");
    }
    let job = broken("two-cpus", LOOM, theorem, Fault::BlindPush);
    assert_refuted(job, theorem, "was not elected, and nobody is");
}

#[test]
fn no_stranding_fails_when_the_list_is_not_taken() {
    let theorem = Theorem::NoStranding;
    let fault = Fault::omit(Site::ListTake);
    for world in [LOOM, LOOM_NEWEST, SHUTTLE, THREADS] {
        let job = broken("two-cpus", world, theorem, fault.clone());
        assert_refuted(job, theorem, "found the list empty");
    }
}

#[test]
fn bounded_overshoot_fails_when_nodes_are_not_charged() {
    let theorem = Theorem::BoundedOvershoot;
    let many = [Op::Offer(100); 8];
    let scenario = Scenario::new("uncharged", 1, 100).cpus_on_each_node(2, &many);
    let world = World::Shuttle {
        seed: 3,
        executions: 20_000,
    };
    let job = Job::new(scenario, world, &[theorem]).with_fault(Fault::omit(Site::Charge));
    assert_refuted(job, theorem, "the bound is 500 bytes");
}

#[test]
fn release_on_destruct_fails_without_the_grace_period() {
    let theorem = Theorem::ReleaseOnDestruct;
    for world in [LOOM, LOOM_NEWEST] {
        let job = broken("close", world, theorem, Fault::NoGrace);
        assert_refuted(job, theorem, "the release races with an access");
    }
    let job = broken("close", SHUTTLE, theorem, Fault::NoGrace);
    assert_refuted(job, theorem, "after it was freed");
}

#[test]
fn release_on_destruct_fails_when_pages_are_not_returned() {
    let theorem = Theorem::ReleaseOnDestruct;
    for world in [LOOM, SHUTTLE, THREADS] {
        let fault = Fault::omit(Site::UnchargePages);
        let job = broken("left-queued", world, theorem, fault);
        assert_refuted(job, theorem, "the destructor left");
    }
}

#[test]
fn conservation_fails_when_a_push_overwrites_another() {
    let theorem = Theorem::Conservation;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE] {
        let job = broken("two-cpus", world, theorem, Fault::BlindPush);
        assert_refuted(job, theorem, "was delivered 0 times");
    }
}

#[test]
fn conservation_fails_when_the_push_publishes_nothing() {
    let theorem = Theorem::Conservation;
    for world in [LOOM, LOOM_NEWEST] {
        let fault = Fault::weaken(Site::ListPush, Relaxed);
        let job = broken("two-cpus", world, theorem, fault);
        assert_refuted(job, theorem, "data race");
    }
}

#[test]
fn conservation_fails_when_the_take_acquires_nothing() {
    let theorem = Theorem::Conservation;
    for world in [LOOM, LOOM_NEWEST] {
        let fault = Fault::weaken(Site::ListTake, Relaxed);
        let job = broken("two-cpus", world, theorem, fault);
        assert_refuted(job, theorem, "data race");
    }
}

#[test]
fn order_fails_when_a_batch_is_not_reversed() {
    let theorem = Theorem::Order;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE] {
        let job = broken("two-cpus-two-packets", world, theorem, Fault::NoReversal);
        assert_refuted(job, theorem, "delivered after");
    }
}

#[test]
fn order_fails_when_the_list_is_taken_before_the_lock() {
    let theorem = Theorem::Order;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE] {
        let job = broken(
            "two-cpus-two-packets",
            world,
            theorem,
            Fault::TakeBeforeLock,
        );
        assert_refuted(job, theorem, "delivered after");
    }
}

#[test]
fn accounting_fails_when_the_node_is_charged_after_the_push() {
    let theorem = Theorem::Accounting;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE] {
        let job = broken("two-cpus", world, theorem, Fault::ChargeAfterPush);
        assert_refuted(job, theorem, "the counter of node 0 is negative");
    }
}

#[test]
fn accounting_fails_without_the_final_subtraction() {
    let theorem = Theorem::Accounting;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE, THREADS] {
        let job = broken("two-cpus", world, theorem, Fault::omit(Site::Uncharge));
        assert_refuted(job, theorem, "when nothing is in flight");
    }
}

#[test]
fn accounting_fails_when_a_batch_is_not_added_to_the_socket() {
    let theorem = Theorem::Accounting;
    for world in [LOOM, SHUTTLE, THREADS] {
        let job = broken("two-cpus", world, theorem, Fault::omit(Site::AddRmem));
        assert_refuted(job, theorem, "pages are charged");
    }
}

#[test]
fn drop_count_fails_when_drops_are_not_counted() {
    let theorem = Theorem::DropCount;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE, THREADS] {
        let fault = Fault::omit(Site::AddDrops);
        let job = broken("memory-pressure", world, theorem, fault);
        assert_refuted(job, theorem, "the socket counts 0 drops");
    }
}

#[test]
fn drop_count_fails_across_nodes_in_the_kernels_own_design() {
    // H1: the sample is taken before the lock, and two nodes may get the lock in the other order.
    let theorem = Theorem::DropCount;
    for world in [LOOM, LOOM_NEWEST, SHUTTLE] {
        let job = broken("two-nodes-stamps", world, theorem, Fault::None);
        assert_refuted(
            job,
            theorem,
            "a packet stamped 0 was delivered after one stamped 1",
        );
    }
}
