//! Faults in how a document is committed.

use std::collections::VecDeque;

use milepost::effect::{Effect, Links, Outcome, Sync};
use milepost::store::MAX_DOCUMENT_BYTES;

use super::applies;
use crate::job::{DOCUMENT, SIDE};

/// One thing that goes wrong in each operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The second read shows what the first one showed.
    NoSecondRead,
    /// The document is read again before the other tokens are revoked.
    ReadBeforeRevoke,
    /// The other tokens stay.
    NoRevoke,
    /// A listing that ended early counts as whole.
    InterruptedListingIsClean,
    /// A token's name was used before: by another writer, or by an earlier try.
    TokenReuse,
    /// The token's bytes are not synced.
    NoTokenSync,
    /// The folder is not synced before the change is acknowledged.
    NoFolderSync,
    /// The change is acknowledged regardless of what came of the rename.
    AcknowledgeBeforeRename,
    /// The owner of the lock commits, without tokens and second read.
    LockOnly,
    /// The replaced revision gets its place in history after the commit.
    HistoryAfterCommit,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 10] = [
        Fault::NoSecondRead,
        Fault::ReadBeforeRevoke,
        Fault::NoRevoke,
        Fault::InterruptedListingIsClean,
        Fault::TokenReuse,
        Fault::NoTokenSync,
        Fault::NoFolderSync,
        Fault::AcknowledgeBeforeRename,
        Fault::LockOnly,
        Fault::HistoryAfterCommit,
    ];
}

/// A fault, and where it looks for the steps that it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sabotage {
    /// The fault that is put in.
    pub fault: Fault,
    /// The document.
    pub document: &'static str,
    /// The folder that the store keeps beside it.
    pub side: &'static str,
}

impl From<Fault> for Sabotage {
    fn from(fault: Fault) -> Self {
        Sabotage {
            fault,
            document: DOCUMENT,
            side: SIDE,
        }
    }
}

/// The use of an effect's outcome.
enum Role {
    /// The machine asked for it.
    Asked,
    /// The machine will ask for it later.
    Early,
    /// The machine asked for it before, and for another one since, which was answered so.
    Late(Outcome),
}

pub(super) struct Saboteur {
    sabotage: Sabotage,
    /// The effects that the host is to perform next.
    queue: VecDeque<(Effect, Role)>,
    in_flight: Option<(Effect, Role)>,
    /// The token of this try, once it is one.
    token: Option<String>,
    /// The outcome of the first read.
    base: Option<Outcome>,
    early: Vec<(Effect, Outcome)>,
    has_read_early: bool,
    held: Vec<Effect>,
    has_committed: bool,
}

impl Saboteur {
    pub(super) fn new(sabotage: Sabotage) -> Self {
        Saboteur {
            sabotage,
            queue: VecDeque::new(),
            in_flight: None,
            token: None,
            base: None,
            early: Vec::new(),
            has_read_early: false,
            held: Vec::new(),
            has_committed: false,
        }
    }

    pub(super) fn next(&mut self) -> Option<Effect> {
        let (effect, role) = self.queue.pop_front()?;
        self.in_flight = Some((effect.clone(), role));
        Some(effect)
    }

    /// The machine asks for an effect: the answer, unless the host has something to do first.
    pub(super) fn is_asked(&mut self, effect: Effect) -> Option<Outcome> {
        use Fault::{HistoryAfterCommit, LockOnly, NoFolderSync, NoRevoke, NoTokenSync};
        let Sabotage {
            fault, document, ..
        } = self.sabotage;
        if let Some(at) = self.early.iter().position(|(early, _)| *early == effect) {
            return Some(self.early.swap_remove(at).1);
        }
        let changed = match (fault, &effect) {
            (_, Effect::Random { .. }) => {
                *self = Saboteur::new(self.sabotage);
                effect
            }
            (
                NoTokenSync,
                Effect::Create {
                    path,
                    bytes,
                    sync: Sync::Durable,
                    access,
                },
            ) if self.is_in("tokens", path) => {
                applies();
                Effect::Create {
                    path: path.clone(),
                    bytes: bytes.clone(),
                    sync: Sync::Lazy,
                    access: *access,
                }
            }
            (NoFolderSync, Effect::SyncFolder { path })
                if self.has_committed
                    && document.rsplit_once('/').is_some_and(|it| it.0 == path) =>
            {
                applies();
                return Some(Outcome::Done);
            }
            (NoRevoke | LockOnly, Effect::List { path, .. }) if self.is_tokens(path) => {
                applies();
                return Some(Outcome::Names {
                    names: self.id().into_iter().collect(),
                    complete: true,
                });
            }
            (Fault::ReadBeforeRevoke, Effect::List { path, .. })
                if self.is_tokens(path) && !self.has_read_early =>
            {
                applies();
                self.has_read_early = true;
                let link = Effect::Link {
                    from: document.to_owned(),
                    to: self.link(),
                };
                self.queue.push_back((link, Role::Early));
                effect
            }
            (HistoryAfterCommit, Effect::Rename { from, .. })
                if self.is_in("history", from) && from.ends_with(".tmp") =>
            {
                self.held.push(effect);
                return Some(Outcome::Done);
            }
            _ => effect,
        };
        self.queue.push_back((changed, Role::Asked));
        None
    }

    /// The host has answered: returns the outcome for the machine, unless there is more to do first.
    pub(super) fn is_answered(&mut self, outcome: Outcome) -> Option<Outcome> {
        let (effect, role) = self.in_flight.take()?;
        match role {
            Role::Asked => self.answer(&effect, outcome),
            Role::Early => {
                self.reads_early(&effect, &outcome);
                self.early.push((effect, outcome));
                None
            }
            Role::Late(answer) => Some(answer),
        }
    }

    /// The second name of the document is made; it is read through it, or itself without.
    fn reads_early(&mut self, effect: &Effect, outcome: &Outcome) {
        if let Effect::Link { from, to } = effect {
            let is_linked = *outcome == Outcome::Done;
            let read = Effect::Read {
                path: if is_linked { to } else { from }.clone(),
                limit: MAX_DOCUMENT_BYTES,
                links: Links::Refuse,
            };
            self.queue.push_front((read, Role::Early));
        }
    }

    fn answer(&mut self, effect: &Effect, outcome: Outcome) -> Option<Outcome> {
        use Fault::{AcknowledgeBeforeRename, LockOnly, NoSecondRead};
        let Sabotage {
            fault, document, ..
        } = self.sabotage;
        let changed = match (fault, effect, &outcome) {
            (Fault::TokenReuse, Effect::Random { length }, _) => {
                Outcome::Bytes(vec![0; *length as usize])
            }
            (
                Fault::InterruptedListingIsClean,
                Effect::List { path, .. },
                Outcome::Names { names, .. },
            ) if self.is_tokens(path) => Outcome::Names {
                names: names.clone(),
                complete: true,
            },
            (_, Effect::Rename { to, .. }, Outcome::Done) if self.is_in("tokens", to) => {
                self.token = Some(to.clone());
                Outcome::Done
            }
            (NoSecondRead | LockOnly, Effect::Read { path, .. }, _)
                if path == document && self.token.is_none() =>
            {
                self.base = Some(outcome.clone());
                outcome.clone()
            }
            (NoSecondRead | LockOnly, Effect::Read { path, .. }, Outcome::Bytes(_))
                if path == document || *path == self.link() =>
            {
                match &self.base {
                    Some(Outcome::Bytes(base)) => Outcome::Bytes(base.clone()),
                    _ => outcome.clone(),
                }
            }
            (_, Effect::Rename { to, .. }, _) if to == document => {
                self.has_committed = outcome == Outcome::Done;
                if self.has_committed && !self.held.is_empty() {
                    applies();
                    for held in self.held.drain(..) {
                        self.queue.push_back((held, Role::Late(Outcome::Done)));
                    }
                    return None;
                }
                match fault {
                    AcknowledgeBeforeRename => Outcome::Done,
                    _ => outcome.clone(),
                }
            }
            _ => outcome.clone(),
        };
        if changed != outcome {
            applies();
        }
        Some(changed)
    }

    fn is_in(&self, folder: &str, path: &str) -> bool {
        let below = path.strip_prefix(self.sabotage.side);
        let below = below.and_then(|below| below.strip_prefix('/')?.strip_prefix(folder));
        below.is_some_and(|below| below.starts_with('/'))
    }

    fn is_tokens(&self, path: &str) -> bool {
        path.strip_prefix(self.sabotage.side) == Some("/tokens")
    }

    fn id(&self) -> Option<String> {
        let token = self.token.as_ref()?;
        Some(token.rsplit('/').next().unwrap_or_default().to_owned())
    }

    /// The name through which the document is read again.
    fn link(&self) -> String {
        let id = self.id().unwrap_or_default();
        format!("{}/history/{id}.tmp", self.sabotage.side)
    }
}
