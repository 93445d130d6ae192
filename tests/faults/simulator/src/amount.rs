//! The amount that is run: as much as decides a change, or everything.

use clap::ValueEnum;
use milepost_disk::Cuts;
use milepost_simulator::exhaustive::{Setting, Start};
use milepost_simulator::gate::{Effort, PartsEffort};
use milepost_simulator::points::Case;

/// Range of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Range {
    /// Every death and loss of power of one operation, the orders of two writers, a few seeds of each kind, and
    /// each fault until the first kind of run notices it
    Decisive,
    /// The orders of three writers and the losses of power while another writer finishes a rename as well, many seeds, and
    /// each fault until every kind of run has had its turn
    All,
}

impl Range {
    /// Seeds of updates: of the other kinds there are fewer, each of which takes longer.
    pub(crate) fn seeds(self) -> u64 {
        match self {
            Range::Decisive => 4_000,
            Range::All => 20_000,
        }
    }

    /// Orders of a few writers.
    pub(crate) fn orders(self) -> Vec<Setting> {
        let without_links = |start| Setting {
            has_links: false,
            ..Setting::new(3, 1, start)
        };
        let seen = Setting {
            shows_left: true,
            ..Setting::new(2, 2, Start::Document)
        };
        let interrupted = Setting {
            has_interruptions: true,
            ..Setting::new(3, 1, Start::Document)
        };
        match self {
            Range::Decisive => vec![
                Setting::new(2, 2, Start::Document),
                Setting::new(2, 2, Start::Nothing),
                interrupted,
                seen,
                without_links(Start::Document),
                without_links(Start::Nothing),
            ],
            Range::All => vec![
                Setting::new(3, 2, Start::Document),
                Setting::new(3, 2, Start::Nothing),
                interrupted,
                seen,
                without_links(Start::Document),
                without_links(Start::Nothing),
            ],
        }
    }

    /// Places where a death or a loss of power cuts files. The cases that have a few cuts alone write the document as
    /// an update does.
    pub(crate) fn cuts(self, case: Case) -> Cuts {
        match (self, case) {
            (Range::All, _) | (_, Case::First | Case::Update | Case::Recover) => Cuts::Every,
            _ => Cuts::Few,
        }
    }

    /// Places where a death or a loss of power cuts the files of a rename.
    pub(crate) fn cuts_of_renames(self) -> Cuts {
        match self {
            Range::Decisive => Cuts::Few,
            Range::All => Cuts::Every,
        }
    }

    /// Places where a death or a loss of power cuts the files of a thread.
    pub(crate) fn cuts_of_threads(self) -> Cuts {
        match self {
            Range::Decisive => Cuts::Few,
            Range::All => Cuts::Every,
        }
    }

    /// Stride through the orders of two jobs on tasks, and through the deaths of restores.
    pub(crate) fn stride(self) -> usize {
        match self {
            Range::Decisive => 4,
            Range::All => 1,
        }
    }

    /// Runs against each fault in the commit protocol of a document.
    pub(crate) fn effort(self) -> Effort {
        match self {
            Range::Decisive => Effort::until_noticed(),
            Range::All => Effort::full(),
        }
    }

    /// Runs against each fault in the storage of the parts of tasks.
    pub(crate) fn effort_of_parts(self) -> PartsEffort {
        PartsEffort {
            seeds: 2_000,
            is_first_enough: self == Range::Decisive,
        }
    }
}
