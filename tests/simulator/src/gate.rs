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
    /// Every order of two writers with two tries.
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

/// Puts each fault in, one at a time, and runs until it is noticed, over `seeds` seeds at most.
pub fn all(seeds: u64) -> Vec<Caught> {
    let caught = |mutation| {
        Mutation::activate(Some(mutation));
        let setting = Setting {
            writers: 2,
            tries: 2,
            start: Start::Document,
            has_links: true,
            joins: false,
        };
        let caught = Caught {
            mutation,
            orders: exhaustive::explore(setting).err(),
            points: [
                Case::Trim,
                Case::First,
                Case::Recover,
                Case::UpdateWithoutLinks,
            ]
            .into_iter()
            .find_map(|case| points::look(case).err()),
            seed: (0..seeds).find_map(|seed| random::run(seed).err()),
        };
        Mutation::activate(None);
        caught
    };
    Mutation::ALL.into_iter().map(caught).collect()
}
