// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the platform trait costs: instructions of 1,000 uncontended pairs of enqueue and recv, on the
//! core and on the same steps written by hand without it, counted by callgrind.
//!
//! `cargo bench --bench generics` counts both and fails when they differ by more than 2 %. It needs
//! valgrind. Counts are the same on every run of one binary, whatever else the machine does.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;

use prodq::{HwPacket, HwSock, Options, ProtoMem, Skb};

mod by_hand;
mod callgrind;

const PAIRS: u64 = 1_000;
const TRUESIZE: u32 = 832;
const RCVBUF: u32 = 212_992;
const TOLERANCE: f64 = 0.02;

// Both are called, and neither is inlined into the loop, so that only the path itself differs.

#[inline(never)]
fn enqueue_core(sock: &HwSock<u64>, skb: HwPacket<u64>) -> bool {
    sock.enqueue(0, skb).is_ok()
}

#[inline(never)]
fn recv_core(sock: &HwSock<u64>) -> Option<HwPacket<u64>> {
    sock.recv()
}

#[inline(never)]
fn enqueue_hand(sock: &by_hand::Sock, skb: Box<by_hand::Skb>) -> bool {
    sock.enqueue(skb).is_ok()
}

#[inline(never)]
fn recv_hand(sock: &by_hand::Sock) -> Option<Box<by_hand::Skb>> {
    sock.recv()
}

/// The core, through the platform trait.
fn core(pairs: u64) -> Result<(), String> {
    let options = Options {
        rcvbuf: RCVBUF,
        rxq_ovfl: false,
    };
    let memory = Arc::new(ProtoMem::unlimited());
    let sock = HwSock::<u64>::open(1, options, memory).map_err(|error| error.to_string())?;
    let skb = Skb::new(TRUESIZE, 0).map_err(|error| error.to_string())?;
    let mut skb = Box::new(skb);
    for _ in 0..pairs {
        if !enqueue_core(black_box(&sock), skb) {
            return Err("the packet was refused".to_owned());
        }
        skb = recv_core(black_box(&sock)).ok_or("the packet was lost")?;
    }
    Ok(())
}

/// The same steps, by hand.
fn hand(pairs: u64) -> Result<(), String> {
    let sock = by_hand::Sock::new(RCVBUF);
    let mut skb = Box::new(by_hand::Skb::new(TRUESIZE));
    for _ in 0..pairs {
        if !enqueue_hand(black_box(&sock), skb) {
            return Err("the packet was refused".to_owned());
        }
        skb = recv_hand(black_box(&sock)).ok_or("the packet was lost")?;
    }
    Ok(())
}

/// The instructions of so many pairs.
fn count(which: &str, pairs: u64) -> Result<u64, String> {
    callgrind::count(&[which, &pairs.to_string()], None)
}

fn compare() -> Result<bool, String> {
    let cost = |which| -> Result<u64, String> { Ok(count(which, PAIRS)? - count(which, 0)?) };
    let (core, hand) = (cost("core")?, cost("hand")?);
    let ratio = core as f64 / hand as f64;
    println!("{PAIRS} uncontended pairs of enqueue and recv, instructions by callgrind:");
    println!("  the core, through the platform trait  {core:>9}");
    println!("  the same steps by hand                {hand:>9}");
    println!("  ratio                                 {ratio:>9.3}");
    Ok((ratio - 1.0).abs() <= TOLERANCE)
}

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let pairs = args.get(1).and_then(|pairs| pairs.parse().ok());
    let result = match (args.first().map(String::as_str), pairs) {
        (Some("core"), Some(pairs)) => core(pairs).map(|()| true),
        (Some("hand"), Some(pairs)) => hand(pairs).map(|()| true),
        _ => compare(),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("the two differ by more than {} %", TOLERANCE * 100.0);
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
