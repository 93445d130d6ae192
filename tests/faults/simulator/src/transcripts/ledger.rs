//! The additions and deletions so far, and what a transcript may be after them.

use std::collections::BTreeSet;

use fastrand::Rng;
use milepost::json::{self, Json};

/// One transcript; a deletion of one without a subpath is that of the whole session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) session: String,
    pub(super) subpath: &'static str,
}

impl Place {
    /// Returns whether its deletion is that of another one as well.
    fn includes(&self, other: &Place) -> bool {
        self.session == other.session && (self.subpath.is_empty() || self.subpath == other.subpath)
    }
}

/// Entries that were added in one call, and in its retries.
struct Addition {
    place: Place,
    number: u64,
    texts: Vec<String>,
    labels: Vec<String>,
    /// The first try began at this time.
    began: u64,
    /// No try is in progress since this time.
    ended: Option<u64>,
    tries: u32,
    is_acknowledged: bool,
}

/// A deletion of a transcript or of a session.
struct Deletion {
    place: Place,
    began: u64,
    ended: Option<u64>,
    is_acknowledged: bool,
}

/// All that was asked for, in a time that counts beginnings and ends.
#[derive(Default)]
pub(super) struct Ledger {
    now: u64,
    additions: Vec<Addition>,
    deletions: Vec<Deletion>,
}

impl Ledger {
    /// The next moment.
    pub(super) fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// Notes an addition that is about to begin; its index.
    pub(super) fn addition(&mut self, place: Place, texts: Vec<String>, number: u64) -> usize {
        let label = |text: &String| {
            let entry = json::read(text.as_bytes()).ok()?.value;
            Some(entry.at("/uuid")?.as_str()?.to_owned())
        };
        self.additions.push(Addition {
            place,
            number,
            labels: texts.iter().filter_map(label).collect(),
            texts,
            began: self.now,
            ended: None,
            tries: 0,
            is_acknowledged: false,
        });
        self.additions.len() - 1
    }

    pub(super) fn place(&self, addition: usize) -> &Place {
        &self.additions[addition].place
    }

    pub(super) fn texts(&self, addition: usize) -> Vec<Json> {
        let texts = self.additions[addition].texts.iter();
        texts.map(|it| it.as_str().into()).collect()
    }

    /// An addition that has ended without an acknowledgement.
    pub(super) fn unacknowledged(&self, random: &mut Rng) -> Option<usize> {
        let left: Vec<usize> = (0..self.additions.len())
            .filter(|at| {
                let addition = &self.additions[*at];
                addition.ended.is_some() && !addition.is_acknowledged
            })
            .collect();
        (!left.is_empty()).then(|| left[random.usize(..left.len())])
    }

    pub(super) fn append_begins(&mut self, addition: usize) -> u64 {
        let now = self.tick();
        let addition = &mut self.additions[addition];
        if addition.tries == 0 {
            addition.began = now;
        }
        addition.tries += 1;
        addition.ended = None;
        now
    }

    pub(super) fn append_ends(&mut self, addition: usize, is_well: bool) {
        let now = self.tick();
        let addition = &mut self.additions[addition];
        addition.ended = Some(now);
        addition.is_acknowledged |= is_well;
    }

    pub(super) fn deletion_begins(&mut self, place: Place) -> u64 {
        let began = self.tick();
        self.deletions.push(Deletion {
            place,
            began,
            ended: None,
            is_acknowledged: false,
        });
        began
    }

    pub(super) fn deletion_ends(&mut self, began: u64, is_well: bool) {
        let now = self.tick();
        let deletions = self.deletions.iter_mut();
        for deletion in deletions.filter(|it| it.began == began) {
            deletion.ended = Some(now);
            deletion.is_acknowledged = is_well;
        }
    }

    /// All processes are gone: what they were at has no effect from now on.
    pub(super) fn all_ended(&mut self) {
        let now = self.tick();
        for addition in &mut self.additions {
            addition.ended.get_or_insert(now);
        }
        for deletion in &mut self.deletions {
            deletion.ended.get_or_insert(now);
        }
    }

    /// All transcripts that something was added to.
    pub(super) fn places(&self) -> BTreeSet<Place> {
        self.additions.iter().map(|it| it.place.clone()).collect()
    }

    /// A read that began at this time found these entries in a transcript.
    ///
    /// # Errors
    ///
    /// The property that does not hold.
    pub(super) fn is_read(
        &self,
        place: &Place,
        labels: &[String],
        began: u64,
    ) -> Result<(), String> {
        let mut order: Vec<&Addition> = Vec::new();
        let mut rest = labels;
        while let Some(label) = rest.first() {
            let found = self.additions.iter().find(|it| it.labels.contains(label));
            let addition = found.ok_or_else(|| format!("{label} was never added"))?;
            let number = addition.number;
            if addition.place != *place {
                return Err(format!("{label} is in {place:?}, and was added elsewhere"));
            }
            if !rest.starts_with(&addition.labels) {
                return Err(format!("half of addition {number} is in {labels:?}"));
            }
            if order.iter().any(|it| it.number == number) {
                return Err(format!("addition {number} is twice in {labels:?}"));
            }
            order.push(addition);
            rest = &rest[addition.labels.len()..];
        }
        for (at, one) in order.iter().enumerate() {
            // Of several tries it is not known which one came through.
            let is_after = |other: &&&Addition| {
                one.tries == 1
                    && other.tries == 1
                    && other.ended.is_some_and(|ended| ended < one.began)
            };
            if let Some(other) = order[at..].iter().find(is_after) {
                let numbers = (other.number, one.number);
                return Err(format!("{numbers:?} are not in their order in {labels:?}"));
            }
            if let Some(deletion) = self.deletion_of(one, began) {
                let (number, at) = (one.number, deletion.began);
                return Err(format!(
                    "addition {number} is there after its deletion at {at}"
                ));
            }
        }
        let missing = self.additions.iter().find(|it| {
            let is_sure = it.is_acknowledged && it.ended.is_some_and(|ended| ended < began);
            let is_here = it.place == *place && order.iter().all(|other| other.number != it.number);
            is_sure && is_here && !self.may_be_deleted(it)
        });
        match missing {
            Some(it) => Err(format!(
                "addition {} was acknowledged, and is lost",
                it.number
            )),
            None => Ok(()),
        }
    }

    /// A deletion that was acknowledged before this time, and began after the addition was over.
    fn deletion_of(&self, addition: &Addition, before: u64) -> Option<&Deletion> {
        let ended = addition.ended?;
        self.deletions.iter().find(|it| {
            it.is_acknowledged
                && it.ended.is_some_and(|deleted| deleted < before)
                && it.place.includes(&addition.place)
                && ended < it.began
        })
    }

    /// Returns whether a deletion that may have come after an addition was at work.
    fn may_be_deleted(&self, addition: &Addition) -> bool {
        self.deletions.iter().any(|it| {
            it.place.includes(&addition.place)
                && it.ended.is_none_or(|ended| ended > addition.began)
        })
    }
}
