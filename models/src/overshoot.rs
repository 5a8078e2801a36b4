// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the search through the spec found, shown on the real code: the spec's path becomes a scenario, and
//! the CPUs of one execution are let run in the order of its steps.

use prodq::{LockName, Step};
use prodq_proofs::overshoot::{Found, Setup};

use crate::scenario::{Op, Scenario};
use crate::theorem::Theorem;
use crate::witness::Witness;
use crate::world::{guided, Job, JobError, Outcome, World};

/// A path of the spec that the code does not go.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// The scenario cannot be played.
    #[error(transparent)]
    Job(#[from] JobError),
    /// Another value was reached.
    #[error("{0}: the code reached {1} bytes where the spec reaches {2}")]
    Largest(String, i64, u32),
    /// The execution broke a theorem.
    #[error("{0}: the path breaks {1}: {2}")]
    Broken(String, Theorem, String),
}

/// The scenario of a path: each CPU offers the packets that it offers there.
pub fn scenario(setup: &Setup, found: &Found) -> Scenario {
    let reader = if setup.reader { "-reader" } else { "" };
    let sizes: Vec<_> = setup.sizes.iter().map(ToString::to_string).collect();
    let name = format!(
        "overshoot-{}x{}-at-{}-of-{}-{}{reader}",
        setup.nodes,
        setup.cpus,
        setup.rcvbuf,
        sizes.join("-or-"),
        setup.policy.name()
    );
    let scenario = Scenario {
        policy: setup.policy,
        overshoot: Some(found.largest.into()),
        ..Scenario::new(&name, setup.nodes, setup.rcvbuf)
    };
    let nodes = setup.design().cpus;
    let cpus = nodes.into_iter().zip(&found.path.offers).enumerate();
    cpus.fold(scenario, |scenario, (cpu, (node, offers))| {
        let looks = found.path.steps.iter().filter(|(of, step)| {
            let lock = LockName::Reader;
            *of == cpu && *step == Step::Lock { lock }
        });
        let offers = offers.iter().map(|&size| Op::Offer(size));
        scenario.cpu(node, offers.chain(looks.map(|_| Op::Recv)))
    })
}

/// Goes the path on the real code, with every theorem watched; a witness of the largest `rmem_alloc`.
///
/// # Errors
/// [`PathError`]: the code does not go the path, or reaches another value.
pub fn witness(setup: &Setup, found: &Found) -> Result<Witness, PathError> {
    let (job, outcome) = go(setup, found, found.largest)?;
    let name = job.scenario.name.clone();
    if let Some((theorem, finding)) = outcome.findings.into_iter().next() {
        return Err(PathError::Broken(name, theorem, finding.what));
    }
    match outcome.reached {
        Some(reached) if outcome.largest == i64::from(found.largest) => {
            Ok(Witness::new(&job, Theorem::BoundedOvershoot, &reached))
        }
        _ => Err(PathError::Largest(name, outcome.largest, found.largest)),
    }
}

/// The same with a bound that is one byte too small: a witness that refutes it.
///
/// # Errors
/// [`PathError`]: the code keeps within that bound.
pub fn one_byte_less(setup: &Setup, found: &Found) -> Result<Witness, PathError> {
    let (job, mut outcome) = go(setup, found, found.largest.saturating_sub(1))?;
    let theorem = Theorem::BoundedOvershoot;
    match outcome.findings.remove(&theorem) {
        Some(finding) => Ok(Witness::new(&job, theorem, &finding)),
        None => {
            let name = job.scenario.name;
            Err(PathError::Largest(name, outcome.largest, found.largest))
        }
    }
}

fn go(setup: &Setup, found: &Found, bound: u32) -> Result<(Job, Outcome), JobError> {
    let world = World::Shuttle {
        seed: 0,
        executions: 1,
    };
    let scenario = Scenario {
        overshoot: Some(bound.into()),
        ..scenario(setup, found)
    };
    let job = Job::new(scenario, world, Theorem::ALL);
    let outcome = guided(&job, &found.path.steps)?;
    Ok((job, outcome))
}
