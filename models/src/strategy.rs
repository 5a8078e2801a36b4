// SPDX-License-Identifier: MIT OR Apache-2.0

//! Scenarios for proptest.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::design::Policy;
use crate::scenario::{Cpu, Op, Scenario};

/// Sizes around those that matter: small, a page, and what does not fit.
fn size() -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => 1_u32..400,
        2 => 4000_u32..4200,
        1 => 4096_u32..20_000,
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => size().prop_map(Op::Offer),
        3 => Just(Op::Recv),
        1 => Just(Op::Peek),
        1 => size().prop_map(Op::SetRcvbuf),
    ]
}

fn cpu(nodes: usize) -> impl Strategy<Value = Cpu> {
    (0..nodes, vec(op(), 0..5)).prop_map(|(node, ops)| Cpu { node, ops })
}

fn mem_limits() -> impl Strategy<Value = [u32; 3]> {
    [0_u32..6, 0_u32..6, 0_u32..6]
        .prop_map(|[low, more, most]| [low, low + more, low + more + most])
}

/// Any scenario of up to 3 nodes and 5 CPUs.
///
/// Stamps are left to sockets of one node: with two the kernel's own design lets them go back, which is
/// the scenario `two-nodes-stamps` of the catalog.
pub fn scenarios() -> impl Strategy<Value = Scenario> {
    (1_usize..=3).prop_flat_map(|nodes| {
        let cpus = vec(cpu(nodes), 1..=5);
        // One time in four a CPU closes the socket after some of its script.
        let close = option::weighted(0.25, (any::<prop::sample::Index>(), 0_usize..5));
        let sock = (
            size(),
            any::<bool>(),
            any::<bool>(),
            select(&Policy::ALL[..]),
        );
        let memory = (
            option::of(mem_limits()),
            0_u32..9000,
            option::of(1_u32..300),
        );
        (Just(nodes), cpus, close, sock, memory).prop_map(
            |(nodes, mut cpus, close, (rcvbuf, stamps, leave_queued, policy), memory)| {
                if let Some((cpu, after)) = close {
                    let ops = &mut cpu.get_mut(&mut cpus).ops;
                    ops.insert(after.min(ops.len()), Op::Close);
                }
                let (mem_limits, rmem_min, condense_to) = memory;
                Scenario {
                    policy,
                    rxq_ovfl: stamps && nodes == 1,
                    mem_limits,
                    rmem_min,
                    condense_to,
                    leave_queued,
                    cpus,
                    ..Scenario::new("generated", nodes, rcvbuf)
                }
            },
        )
    })
}
