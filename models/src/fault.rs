// SPDX-License-Identifier: MIT OR Apache-2.0

//! Things to break on purpose, in the platform and not in the core: negative controls.

use std::sync::atomic::Ordering;

use prodq::{Site, Step};
use serde::{Deserialize, Serialize};

/// A fault of the platform that makes the unchanged core behave as if it were written wrongly.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Nothing is broken.
    #[default]
    None,
    /// The access at this site is weakened: site name, ordering name.
    Weaken {
        /// A site of `ordering.rs`.
        site: String,
        /// `Relaxed`, `Acquire`, `Release`, `AcqRel` or `SeqCst`.
        to: String,
    },
    /// Nothing is broken: every access and every fence is SeqCst.
    AllSeqCst,
    /// The access at this site is left out, and the step that it is.
    Omit {
        /// A site of `ordering.rs`.
        site: String,
    },
    /// The node's counter is charged after the push instead of before.
    ChargeAfterPush,
    /// The elected CPU takes the list before the lock instead of under it.
    TakeBeforeLock,
    /// The batch is not reversed.
    NoReversal,
    /// A push overwrites the head instead of comparing it first.
    BlindPush,
    /// Each push fails once although nobody has changed the list, as a weak exchange may.
    SpuriousRetry,
    /// A CPU queues for the lock before it pushes, as before the patch. Shown where the lock is held for
    /// ever.
    LockBeforePush,
    /// A drain wakes one reader for a batch, not one for each packet.
    WakeOncePerBatch,
    /// A drain wakes readers only when it found the receive queue empty.
    WakeOnlyWhenEmpty,
    /// Memory is freed at close, without waiting for the grace period.
    NoGrace,
}

/// A fault that cannot be: a site or an ordering that does not exist.
#[derive(Debug, thiserror::Error)]
pub enum FaultError {
    /// No such site.
    #[error("there is no site {0:?}; the sites are {1}")]
    Site(String, String),
    /// No such ordering.
    #[error(
        "there is no ordering {0:?}; the orderings are Relaxed, Acquire, Release, AcqRel, SeqCst"
    )]
    Ordering(String),
}

fn site(name: &str) -> Result<Site, FaultError> {
    let found = Site::ALL.iter().find(|site| site.name() == name);
    found.copied().ok_or_else(|| {
        let all: Vec<_> = Site::ALL.iter().map(|site| site.name()).collect();
        FaultError::Site(name.to_owned(), all.join(", "))
    })
}

fn ordering(name: &str) -> Result<Ordering, FaultError> {
    Ok(match name {
        "Relaxed" => Ordering::Relaxed,
        "Acquire" => Ordering::Acquire,
        "Release" => Ordering::Release,
        "AcqRel" => Ordering::AcqRel,
        "SeqCst" => Ordering::SeqCst,
        _ => return Err(FaultError::Ordering(name.to_owned())),
    })
}

impl Fault {
    /// The weakening of one site.
    pub fn weaken(site: Site, to: Ordering) -> Fault {
        Fault::Weaken {
            site: site.name().to_owned(),
            to: format!("{to:?}"),
        }
    }

    /// The omission of one site's access.
    pub fn omit(site: Site) -> Fault {
        Fault::Omit {
            site: site.name().to_owned(),
        }
    }

    /// The fault in the form that the platform consults at every access.
    ///
    /// # Errors
    /// [`FaultError`] for a name that is none.
    pub fn resolve(&self) -> Result<Broken, FaultError> {
        let mut broken = Broken {
            fault: self.clone(),
            ..Broken::default()
        };
        match self {
            Fault::Weaken { site: name, to } => broken.weaken = Some((site(name)?, ordering(to)?)),
            Fault::Omit { site: name } => broken.omit = Some(site(name)?),
            _ => {}
        }
        Ok(broken)
    }
}

/// A resolved [`Fault`].
#[derive(Clone, Debug, Default)]
pub struct Broken {
    pub(crate) fault: Fault,
    pub(crate) weaken: Option<(Site, Ordering)>,
    pub(crate) omit: Option<Site>,
}

impl Broken {
    pub(crate) fn ordering(&self, site: Site) -> Ordering {
        if self.fault == Fault::AllSeqCst {
            return Ordering::SeqCst;
        }
        match self.weaken {
            Some((weakened, to)) if weakened == site => to,
            _ => site.ordering(),
        }
    }

    /// Whether the step belongs to the access that is left out.
    pub(crate) fn omits(&self, step: &Step) -> bool {
        let of_step = site_of(step);
        self.omit
            .is_some_and(|omitted| Some(kind(omitted)) == of_step)
    }
}

/// The site whose step the access at `site` announces: some accesses have a site for each policy.
fn kind(site: Site) -> Site {
    match site {
        Site::UnchargeLast => Site::Uncharge,
        site => site,
    }
}

/// The counter access that a step announces, if it announces one.
fn site_of(step: &Step) -> Option<Site> {
    Some(match step {
        Step::Charge { .. } => Site::Charge,
        Step::Uncharge { .. } => Site::Uncharge,
        Step::AddRmem { .. } => Site::AddRmem,
        Step::SubRmem { .. } => Site::SubRmem,
        Step::ChargeSock { .. } => Site::ChargeSock,
        Step::UnchargeSock { .. } => Site::UnchargeSock,
        Step::AddDrops { .. } => Site::AddDrops,
        Step::ChargePages { .. } => Site::ChargePages,
        Step::UnchargePages { .. } => Site::UnchargePages,
        _ => return None,
    })
}
