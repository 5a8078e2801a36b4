// SPDX-License-Identifier: MIT OR Apache-2.0

//! The machine of a search as a model of stateright: for its browser, and for a second opinion on the
//! search.

use stateright::{Model, Property};

use crate::overshoot::{Machine, Move};
use crate::spec::{Anonymous, State};

/// The machine, with the largest `rmem_alloc` that is allowed, in bytes.
pub struct Bounded {
    /// The machine.
    pub machine: Machine,
    /// The bound.
    pub bound: u32,
}

/// The property that the bound holds.
pub const WITHIN_BOUND: &str = "rmem_alloc is within the bound";

impl Model for Bounded {
    type State = State<Anonymous>;
    type Action = Move;

    fn init_states(&self) -> Vec<Self::State> {
        vec![self.machine.start()]
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Move>) {
        actions.extend(self.machine.moves(state));
    }

    fn next_state(&self, state: &Self::State, moved: Move) -> Option<Self::State> {
        let (next, _) = self.machine.go(state, moved)?;
        Some(self.machine.canonical(next))
    }

    fn format_action(&self, moved: &Move) -> String {
        match moved.offer {
            Some(size) => format!("CPU {} offers {size} bytes", moved.cpu),
            None => format!("CPU {} goes on", moved.cpu),
        }
    }

    fn format_step(&self, state: &Self::State, moved: Move) -> Option<String> {
        let (next, steps) = self.machine.go(state, moved)?;
        Some(format!("{steps:#?}\n{:#?}", self.machine.canonical(next)))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let within =
            |model: &Self, state: &Self::State| state.rmem_alloc.value <= model.bound as i32;
        let exceeds = |model: &Self, state: &Self::State| {
            state.rmem_alloc.value > model.machine.rcvbuf() as i32
        };
        vec![
            Property::always(WITHIN_BOUND, within),
            Property::sometimes("rmem_alloc exceeds rcvbuf", exceeds),
        ]
    }
}
