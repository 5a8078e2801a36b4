// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a broken platform rearranges the accesses of the unchanged core, so that what runs, and what is
//! traced, is what a wrongly written core would do.

use std::any::TypeId;

use prodq::{Platform, Site, SkbHead, Step};

use crate::context::{here, record, wait_for_lock, Context, Elected, PostponedCharge, What};
use crate::fault::Fault;
use crate::model::{ListHead, Model};
use crate::world::backend::{Backend, RawInt, RawPtr};

/// Whether this fault is in force.
pub(crate) fn is(fault: &Fault) -> bool {
    here(|context, _| context.broken.fault == *fault).unwrap_or(false)
}

/// Records a step, in the place where the broken core would have made it.
pub(crate) fn trace<B: Backend>(step: Step) {
    here(|context, cpu| {
        if context.broken.omits(&step) {
            return;
        }
        match step {
            Step::Charge { .. } => context.scratch(cpu, |scratch| scratch.retried = false),
            Step::TakeAll { .. } => context.scratch(cpu, |scratch| scratch.woke = false),
            Step::Len { by, old, .. } if by > 0 => {
                context.scratch(cpu, |scratch| scratch.found_empty = old == 0);
            }
            _ => {}
        }
        match (&context.broken.fault, step) {
            (Fault::ChargeAfterPush, Step::Charge { .. }) => context.scratch(cpu, |scratch| {
                if let Some(postponed) = &mut scratch.postponed_charge {
                    postponed.step = Some(step);
                }
            }),
            (Fault::ChargeAfterPush, Step::Push { .. }) => {
                context.record(cpu, What::Step(step));
                charge_now::<B>(context, cpu);
            }
            (Fault::TakeBeforeLock, Step::TakeAll { .. }) => {}
            (Fault::TakeBeforeLock, Step::Push { node, .. }) => {
                context.record(cpu, What::Step(step));
                context.scratch(cpu, |scratch| {
                    if let Some(elected) = &mut scratch.elected {
                        elected.node = node;
                    }
                });
            }
            _ => context.record(cpu, What::Step(step)),
        }
    });
}

/// Remembers a charge instead of making it.
pub(crate) fn postpone_charge(counter: usize, value: i32) {
    here(|context, cpu| {
        context.scratch(cpu, |scratch| {
            scratch.postponed_charge = Some(PostponedCharge {
                counter,
                value,
                step: None,
            });
        });
    });
}

/// Whether a push must fail although nobody has changed the list. A CPU that queues for the lock before
/// its push does so here.
pub(crate) fn fails_first() -> bool {
    if is(&Fault::LockBeforePush) {
        wait_for_lock();
    }
    let fails = here(|context, cpu| {
        let spurious = context.broken.fault == Fault::SpuriousRetry;
        spurious
            && context.scratch(cpu, |scratch| {
                !std::mem::replace(&mut scratch.retried, true)
            })
    });
    fails.unwrap_or(false)
}

/// Whether a wake-up may happen, or is left out.
pub(crate) fn wakes() -> bool {
    let wakes = here(|context, cpu| {
        context.scratch(cpu, |scratch| match context.broken.fault {
            Fault::WakeOncePerBatch => !std::mem::replace(&mut scratch.woke, true),
            Fault::WakeOnlyWhenEmpty => scratch.found_empty,
            _ => true,
        })
    });
    wakes.unwrap_or(true)
}

fn charge_now<B: Backend>(context: &Context, cpu: usize) {
    let postponed = context.scratch(cpu, |scratch| scratch.postponed_charge.take());
    let Some(PostponedCharge {
        counter,
        value,
        step,
    }) = postponed
    else {
        return;
    };
    let counter = counter as *const <Model<B> as Platform>::AtomicI32;
    // SAFETY: The counter belongs to the socket that this CPU is in the middle of using.
    let counter = unsafe { &*counter };
    let ordering = Site::Charge.ordering();
    let found = counter.access(|raw| raw.fetch_add(value, ordering));
    if let Some(Step::Charge {
        node, skb, size, ..
    }) = step
    {
        record(What::Step(Step::Charge {
            node,
            skb,
            size,
            old: found,
        }));
    }
}

/// Remembers that the current CPU was elected on a list.
pub(crate) fn elected(list: usize) {
    if is(&Fault::TakeBeforeLock) {
        here(|context, cpu| {
            context.scratch(cpu, |scratch| {
                scratch.elected = Some(Elected { list, node: 0 });
            });
        });
    }
}

type List<B> = ListHead<B, <B as Backend>::Ptr<SkbHead<Model<B>>>>;

/// Takes the list before the lock, when the current CPU is elected and this fault is in force.
pub(crate) fn take_early<B: Backend>() {
    let elected = here(|context, cpu| context.scratch(cpu, |scratch| scratch.elected.take()));
    let Some(Some(elected)) = elected else {
        return;
    };
    // SAFETY: The list belongs to the socket that this CPU is in the middle of using.
    let list = unsafe { &*(elected.list as *const List<B>) };
    let ordering = Site::ListTake.ordering();
    let taken = list
        .watched
        .access(|raw| raw.swap(std::ptr::null_mut(), ordering));
    record(What::Step(Step::TakeAll {
        node: elected.node,
        empty: taken.is_null(),
    }));
    here(|context, cpu| {
        context.scratch(cpu, |scratch| scratch.taken_early = Some(taken as usize));
    });
}

/// What the current CPU took before the lock.
pub(crate) fn taken_early() -> Option<usize> {
    here(|context, cpu| context.scratch(cpu, |scratch| scratch.taken_early.take())).flatten()
}

/// The chain in the opposite order, so that the core's own reversal turns it back.
pub(crate) fn reversed<B: Backend, T: 'static>(first: *mut T) -> *mut T {
    if TypeId::of::<T>() != TypeId::of::<SkbHead<Model<B>>>() {
        return first;
    }
    let mut rest = first.cast::<SkbHead<Model<B>>>();
    let mut reversed = std::ptr::null_mut();
    // SAFETY: The chain was just taken, so this CPU owns its packets.
    while let Some(skb) = unsafe { rest.as_ref() } {
        let this = rest;
        // SAFETY: As above.
        unsafe {
            rest = skb.next();
            skb.set_next(reversed);
        }
        reversed = this;
    }
    reversed.cast()
}
