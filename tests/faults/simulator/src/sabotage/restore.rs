//! Faults in how a restore takes files away: that each is moved aside, compared and put back.

use std::collections::BTreeMap;

use milepost::effect::{Effect, Outcome, PathKind};

use super::applies;

const PREPARED: &str = "/.milepost/restore/";
const ASIDE: &str = "/.milepost/aside";

/// One thing that goes wrong in each restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreFault {
    /// A file that was moved aside is taken for what the undo has kept.
    NoComparison,
    /// A prepared file replaces what came into its place.
    ReplacingPut,
    /// A file that a restore that died has left aside is not put back.
    NoReturn,
}

impl RestoreFault {
    /// All of them.
    pub const ALL: [RestoreFault; 3] = [
        RestoreFault::NoComparison,
        RestoreFault::ReplacingPut,
        RestoreFault::NoReturn,
    ];
}

pub(super) struct Saboteur {
    fault: RestoreFault,
    /// The effect that the host is to perform next.
    queued: Option<Effect>,
    in_flight: Option<Effect>,
    /// The bytes that were last read of each file.
    read: BTreeMap<String, Vec<u8>>,
    /// The former path of each file that is aside.
    moved: BTreeMap<String, String>,
}

impl Saboteur {
    pub(super) fn new(fault: RestoreFault) -> Self {
        Saboteur {
            fault,
            queued: None,
            in_flight: None,
            read: BTreeMap::new(),
            moved: BTreeMap::new(),
        }
    }

    pub(super) fn next(&mut self) -> Option<Effect> {
        let effect = self.queued.take()?;
        self.in_flight = Some(effect.clone());
        Some(effect)
    }

    pub(super) fn is_asked(&mut self, effect: Effect) -> Option<Outcome> {
        let is_put = matches!(&effect, Effect::Link { from, .. } if from.contains(PREPARED));
        self.queued = Some(match effect {
            Effect::Link { from, to } if is_put && self.fault == RestoreFault::ReplacingPut => {
                applies();
                Effect::Rename { from, to }
            }
            effect => effect,
        });
        None
    }

    pub(super) fn is_answered(&mut self, outcome: Outcome) -> Option<Outcome> {
        let effect = self.in_flight.take()?;
        match self.fault {
            RestoreFault::NoComparison => Some(self.without_comparison(&effect, outcome)),
            RestoreFault::NoReturn => Some(without_return(&effect, outcome)),
            RestoreFault::ReplacingPut => Some(outcome),
        }
    }

    fn without_comparison(&mut self, effect: &Effect, outcome: Outcome) -> Outcome {
        match (effect, &outcome) {
            (Effect::Rename { from, to }, Outcome::Done) if to.contains(ASIDE) => {
                self.moved.insert(to.clone(), from.clone());
            }
            (
                Effect::Part {
                    path, offset: 0, ..
                },
                Outcome::Bytes(bytes),
            ) => {
                let before = self.moved.get(path).and_then(|it| self.read.get(it));
                if let Some(before) = before {
                    if before != bytes {
                        applies();
                    }
                    return Outcome::Bytes(before.clone());
                }
                self.read.insert(path.clone(), bytes.clone());
            }
            _ => {}
        }
        outcome
    }
}

/// The look at the folder, with those above it, shows nothing.
fn without_return(effect: &Effect, outcome: Outcome) -> Outcome {
    let (Effect::Inspect { paths }, Outcome::Entries(entries)) = (effect, &outcome) else {
        return outcome;
    };
    let is_look = paths.len() > 1 && paths.last().is_some_and(|it| it.ends_with(ASIDE));
    let mut entries = entries.clone();
    match entries.last_mut() {
        Some(last) if is_look && last.kind != PathKind::Absent => {
            applies();
            last.kind = PathKind::Absent;
            Outcome::Entries(entries)
        }
        _ => outcome,
    }
}
