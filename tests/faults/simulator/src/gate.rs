//! Whether the simulator notices each fault that can be put into the protocol on purpose.

use milepost::store::Mutation;

use crate::exhaustive::{self, Setting, Start};
use crate::points::{self, Case};
use crate::{Violation, random};

/// What noticed a fault first, of each kind of run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// The fault.
    pub mutation: Mutation,
    /// Every order of two writers with two tries, or of three with one and interrupted listings.
    pub orders: Option<Violation>,
    /// Every death and loss of power in one operation.
    pub points: Option<Violation>,
    /// The first seed.
    pub seed: Option<Violation>,
}

impl Caught {
    /// Whether any of them did.
    pub fn is_caught(&self) -> bool {
        [&self.orders, &self.points, &self.seed]
            .iter()
            .any(|violation| violation.is_some())
    }
}

/// At most so many are tried.
const SEEDS: u64 = 1_000;

/// Puts each fault in, one at a time, and runs until it is noticed.
pub fn all() -> Vec<Caught> {
    let caught = |mutation| {
        Mutation::activate(Some(mutation));
        let short = Setting {
            joins: false,
            ..Setting::new(2, 2, Start::Document)
        };
        let interrupted = Setting {
            has_interruptions: true,
            ..Setting::new(3, 1, Start::Document)
        };
        let orders = |setting| exhaustive::explore(setting).err();
        let caught = Caught {
            mutation,
            orders: orders(short).or_else(|| orders(interrupted)),
            points: [
                Case::Trim,
                Case::First,
                Case::Recover,
                Case::UpdateWithoutLinks,
            ]
            .into_iter()
            .find_map(|case| points::look(case).err()),
            seed: (0..SEEDS).find_map(|seed| random::run(seed).err()),
        };
        Mutation::activate(None);
        caught
    };
    Mutation::ALL.into_iter().map(caught).collect()
}
