//! The gate that holds the simulator to noticing each fault that can be put into the protocol on purpose.

use milepost_disk::Cuts;

use crate::Violation;
use crate::exhaustive::{self, Setting, Start};
use crate::points::{self, Case};
use crate::restores;
use crate::sabotage::{self, Active, Fault, PartsFault, RestoreFault, Sabotage};
use crate::seeds::Seeds;
use crate::tasks::pairs;

/// The first of each kind of run that noticed a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught<F = Fault> {
    /// The fault.
    pub fault: F,
    /// The number of times it changed what was asked for or answered.
    pub applied: u64,
    /// Every order of a few writers, or of two jobs on tasks.
    pub orders: Option<Violation>,
    /// Every death and loss of power in one operation.
    pub points: Option<Violation>,
    /// The first seed.
    pub seed: Option<Violation>,
}

impl<F> Caught<F> {
    /// Returns whether the fault still changes something, and any of them noticed it.
    pub fn is_caught(&self) -> bool {
        self.applied > 0 && self.is_noticed()
    }

    fn is_noticed(&self) -> bool {
        let noticed = [&self.orders, &self.points, &self.seed];
        noticed.iter().any(|violation| violation.is_some())
    }
}

/// The runs of each kind with a fault, until it is noticed.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Orders of a few writers.
    pub orders: Vec<Setting>,
    /// Single operations, at every point.
    pub points: Vec<Case>,
    /// At most so many seeds.
    pub seeds: u64,
    /// True if nothing more is run once one kind of run has noticed the fault.
    pub is_first_enough: bool,
}

/// The runs with a fault in how the parts of tasks are kept.
#[derive(Clone, Copy, Debug)]
pub struct PartsEffort {
    /// At most so many seeds.
    pub seeds: u64,
    /// True if nothing more is run once one kind of run has noticed the fault.
    pub is_first_enough: bool,
}

impl Effort {
    /// Enough for every fault: orders of two writers with two tries, and of three with one and
    /// interrupted listings.
    pub fn full() -> Self {
        let short = Setting {
            joins: false,
            ..Setting::new(2, 2, Start::Document)
        };
        let interrupted = Setting {
            has_interruptions: true,
            ..Setting::new(3, 1, Start::Document)
        };
        Effort {
            orders: vec![short, interrupted],
            points: vec![
                Case::Trim,
                Case::First,
                Case::Recover,
                Case::UpdateWithoutLinks,
            ],
            seeds: 1_000,
            is_first_enough: false,
        }
    }

    /// The effort that ends with the first kind of run that notices a fault.
    pub fn until_noticed() -> Self {
        Effort {
            is_first_enough: true,
            ..Effort::full()
        }
    }
}

/// Puts a fault in, and runs until it is noticed.
pub fn put_in(sabotage: Sabotage, effort: &Effort) -> Caught {
    sabotage::activate(Some(Active::Commit(sabotage)));
    let mut caught = Caught {
        fault: sabotage.fault,
        applied: 0,
        orders: None,
        points: None,
        seed: None,
    };
    // The run that notices most faults soonest comes first.
    caught.seed = (0..effort.seeds).find_map(|seed| Seeds::Updates.run(seed).err());
    if !(effort.is_first_enough && caught.is_noticed()) {
        let mut points = effort.points.iter();
        caught.points = points.find_map(|case| points::look(*case, Cuts::Every).err());
    }
    if !(effort.is_first_enough && caught.is_noticed()) {
        let mut orders = effort.orders.iter();
        caught.orders = orders.find_map(|setting| exhaustive::explore(*setting).err());
    }
    caught.applied = sabotage::applied();
    sabotage::activate(None);
    caught
}

/// Puts a fault into how the parts of tasks are kept, and runs until it is noticed.
pub fn put_into_parts(fault: PartsFault, effort: &PartsEffort) -> Caught<PartsFault> {
    sabotage::activate(Some(Active::Parts(fault)));
    let mut caught = Caught {
        fault,
        applied: 0,
        orders: None,
        points: None,
        seed: (0..effort.seeds).find_map(|seed| Seeds::Tasks.run(seed).err()),
    };
    if fault.is_of_order() && !(effort.is_first_enough && caught.is_noticed()) {
        caught.orders = noticed_by_pairs();
    }
    caught.applied = sabotage::applied();
    sabotage::activate(None);
    caught
}

/// Puts a fault into how a restore takes files away, and runs restores until it is noticed.
pub fn put_into_restores(fault: RestoreFault, stride: usize) -> Caught<RestoreFault> {
    sabotage::activate(Some(Active::Restore(fault)));
    let mut cases = restores::Case::ALL.into_iter();
    let points = cases.find_map(|case| restores::look(case, stride).err());
    let caught = Caught {
        fault,
        applied: sabotage::applied(),
        orders: None,
        points,
        seed: None,
    };
    sabotage::activate(None);
    caught
}

/// Of the orders of two jobs, those that come to their ends soon.
fn noticed_by_pairs() -> Option<Violation> {
    let mut cases = [
        pairs::Case::OneId,
        pairs::Case::CleanUp,
        pairs::Case::Update,
    ]
    .into_iter();
    cases.find_map(|case| pairs::look(case, 1).err())
}
