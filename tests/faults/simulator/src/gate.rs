//! Whether the simulator notices each fault that can be put into the protocol on purpose.

use crate::Violation;
use crate::exhaustive::{self, Setting, Start};
use crate::points::{self, Case};
use crate::sabotage::{self, Active, Fault, PartsFault, Sabotage};
use crate::seeds::Seeds;
use crate::tasks::pairs;

/// What noticed a fault first, of each kind of run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught<F = Fault> {
    /// The fault.
    pub fault: F,
    /// How often it changed what was asked for or answered.
    pub applied: u64,
    /// Every order of a few writers, or of two jobs on tasks.
    pub orders: Option<Violation>,
    /// Every death and loss of power in one operation.
    pub points: Option<Violation>,
    /// The first seed.
    pub seed: Option<Violation>,
}

impl<F> Caught<F> {
    /// Whether the fault still changes something, and any of them noticed it.
    pub fn is_caught(&self) -> bool {
        let noticed = [&self.orders, &self.points, &self.seed];
        self.applied > 0 && noticed.iter().any(|violation| violation.is_some())
    }
}

/// What is run with a fault until it is noticed, of each kind.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Orders of a few writers.
    pub orders: Vec<Setting>,
    /// Single operations, at every point.
    pub points: Vec<Case>,
    /// At most so many seeds.
    pub seeds: u64,
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
        }
    }
}

/// Puts each fault in, one at a time, and runs until it is noticed.
pub fn all() -> Vec<Caught> {
    let effort = Effort::full();
    let each = Fault::ALL.into_iter();
    each.map(|fault| put_in(fault.into(), &effort)).collect()
}

/// Puts a fault in, and runs until it is noticed.
pub fn put_in(sabotage: Sabotage, effort: &Effort) -> Caught {
    sabotage::activate(Some(Active::Commit(sabotage)));
    let mut orders = effort.orders.iter();
    let mut points = effort.points.iter();
    let mut caught = Caught {
        fault: sabotage.fault,
        applied: 0,
        orders: orders.find_map(|setting| exhaustive::explore(*setting).err()),
        points: points.find_map(|case| points::look(*case).err()),
        seed: (0..effort.seeds).find_map(|seed| Seeds::Updates.run(seed).err()),
    };
    caught.applied = sabotage::applied();
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
    cases.find_map(|case| pairs::look(case).err())
}

/// Puts each fault into how the parts of tasks are kept, one at a time, and runs until it is noticed.
pub fn all_of_parts(seeds: u64) -> Vec<Caught<PartsFault>> {
    PartsFault::ALL
        .into_iter()
        .map(|fault| {
            sabotage::activate(Some(Active::Parts(fault)));
            let mut caught = Caught {
                fault,
                applied: 0,
                orders: fault.is_of_order().then(noticed_by_pairs).flatten(),
                points: None,
                seed: (0..seeds).find_map(|seed| Seeds::Tasks.run(seed).err()),
            };
            caught.applied = sabotage::applied();
            sabotage::activate(None);
            caught
        })
        .collect()
}
