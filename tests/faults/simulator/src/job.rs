//! What simulated processes do: the operations that ship, on one checkpoint.

use milepost::effect::{Io, Machine, Sync};
use milepost::error::Error;
use milepost::json::Object;
use milepost::operation::command::restore::Restored;
use milepost::operation::command::save::{Given, Saved};
use milepost::operation::command::undo::Undo;
use milepost::operation::command::update_phase::PhaseUpdate;
use milepost::operation::command::{self, recover, redo, trim, undo};
use milepost::operation::{Settings, Target};
use milepost::store::{Retention, Storage};

use crate::sabotage::Sabotaged;

/// The root of every simulated place.
pub const ROOT: &str = "/r";
/// The one document.
pub const DOCUMENT: &str = "/r/.claude/state/design-checkpoint.json";
/// What the store keeps beside it.
pub const SIDE: &str = "/r/.claude/state/.milepost/design-checkpoint";

/// One operation. Numbers are never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// Adds the phase of this number.
    Phase(u32),
    /// Says again that the phase of this number is complete, as an agent does that shows that it lives;
    /// adds it where it is not there.
    Heartbeat(u32),
    /// Replaces the document by one that has the phase of this number alone.
    Replace(u32),
    /// Marks the checkpoint as complete.
    Complete,
    /// Goes back to the revision before the present one.
    Undo,
    /// Goes forward again to what an undo took back.
    Redo,
    /// Brings a corrupt or lost document back.
    Recover,
    /// Removes all but the newest ten replaced revisions.
    Trim,
    /// Reads the document.
    Read,
}

/// How a job that did not fail ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was acknowledged, at this revision; whether it wrote anything.
    Acknowledged {
        /// The revision that is stored.
        revision: u64,
        /// Whether this job wrote it.
        changed: bool,
        /// The revision whose content it brought back, if it did.
        restored: Option<u64>,
    },
    /// History was trimmed.
    Trimmed,
    /// What was read: the revision and the text, where there is a document.
    Read(Option<(u64, String)>),
}

/// The name of the phase that a number stands for.
pub fn phase(number: u32) -> String {
    format!("p{number}")
}

impl Job {
    /// Starts the job.
    pub(crate) fn start(self, durability: Sync) -> Sabotaged<Result<Ended, Error>> {
        let machine = Machine::start(move |io| async move { self.perform(&io, durability).await });
        Sabotaged::new(machine)
    }

    async fn perform(self, io: &Io, durability: Sync) -> Result<Ended, Error> {
        let place = &Settings {
            root: Some(ROOT.to_owned()),
            git_root: None,
            working: ROOT.to_owned(),
            dir: None,
            durability,
            history: Retention::default(),
            storage: Storage::Files,
        };
        let target = &Target {
            command: "design".to_owned(),
            feature: None,
        };
        let saved = match self {
            Job::Phase(number) | Job::Heartbeat(number) => {
                let patch = Object::from_iter([("status", "complete")]);
                let update = PhaseUpdate {
                    phase: &phase(number),
                    patch: &patch,
                    task: None,
                    add: None,
                };
                command::update_phase::update_phase(io, place, target, &update).await
            }
            Job::Replace(number) => {
                let phase = phase(number);
                let text = format!(r#"{{"phases":{{"{phase}":{{"status":"complete"}}}}}}"#);
                command::save::save(io, place, target, Given::Text(&text)).await
            }
            Job::Complete => command::complete::complete(io, place, target).await,
            Job::Undo => {
                let undo = Undo::default();
                return Ok(restored(undo::undo(io, place, target, &undo).await.result?));
            }
            Job::Redo => {
                return Ok(restored(redo::redo(io, place, target, None).await.result?));
            }
            Job::Recover => {
                let recovered = recover::recover(io, place, target, None).await.result?;
                return Ok(restored(recovered.restored));
            }
            Job::Trim => {
                let trimmed = trim::trim(io, place, target, Some(10), None).await.result;
                return trimmed.map(|_| Ended::Trimmed);
            }
            Job::Read => {
                let loaded = command::load::load(io, place, target).await.result?;
                return Ok(Ended::Read(loaded.map(|it| (it.revision, it.text))));
            }
        };
        let Saved {
            revision, changed, ..
        } = saved.result?;
        Ok(Ended::Acknowledged {
            revision,
            changed,
            restored: None,
        })
    }
}

fn restored(restored: Restored) -> Ended {
    Ended::Acknowledged {
        revision: restored.revision,
        changed: restored.changed,
        restored: Some(restored.restored),
    }
}
