//! Checkpoints that change their names, while others write under the former and the new one.
//!
//! Regardless of what dies or fails, what was acknowledged is there in the end, once, under one of the
//! names. [`points`] is one rename at every point, [`seeds`] runs of many that a seed decides.

pub mod points;
pub mod seeds;

use std::collections::BTreeSet;

use milepost::checkpoint::command::additions::Creation;
use milepost::effect::{Io, Machine, MachineStep, Sync};
use milepost::error::Error;
use milepost::json::Object;
use milepost::operation::command::update_phase::PhaseUpdate;
use milepost::operation::command::{load, log, rename, update_phase};
use milepost::operation::{Settings, Target};
use milepost::store::{Retention, Storage};
use milepost_disk::Disk;

use crate::calm::Calm;
use crate::job::{ROOT, phase};

/// The features whose checkpoints are renamed.
const FEATURES: [&str; 3] = ["a", "b", "c"];

/// One operation on one of the checkpoints. Numbers are never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Adds the phase of this number.
    Phase(&'static str, u32),
    /// Gives the first the name of the second.
    Rename(&'static str, &'static str),
    /// Reads the checkpoint.
    Load(&'static str),
    /// Reads the revisions of the checkpoint.
    Log(&'static str),
}

/// The answer of a task that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Written,
    /// The names of the phases, where there is a checkpoint.
    Phases(Option<BTreeSet<String>>),
    Revisions(BTreeSet<u64>),
}

impl Task {
    fn start(self, durability: Sync) -> Machine<Result<Answer, Error>> {
        Machine::start(move |io| async move { self.perform(&io, durability).await })
    }

    async fn perform(self, io: &Io, durability: Sync) -> Result<Answer, Error> {
        let place = &Settings {
            root: Some(ROOT.to_owned()),
            git_root: None,
            working: ROOT.to_owned(),
            alias: None,
            dir: None,
            storage: Storage::Files,
            durability,
            history: Retention::default(),
        };
        let (Task::Phase(feature, _)
        | Task::Rename(feature, _)
        | Task::Load(feature)
        | Task::Log(feature)) = self;
        let target = &Target {
            command: "design".to_owned(),
            feature: Some(feature.to_owned()),
        };
        match self {
            Task::Phase(_, number) => {
                let patch = Object::from_iter([("status", "complete")]);
                let update = PhaseUpdate {
                    phase: &phase(number),
                    patch: &patch,
                    task: None,
                    add: None,
                    creation: Creation::Allowed,
                };
                let saved = update_phase::update_phase(io, place, target, &update).await;
                saved.result.map(|_| Answer::Written)
            }
            Task::Rename(_, to) => {
                let renamed = rename::rename(io, place, target, to).await;
                renamed.result.map(|_| Answer::Written)
            }
            Task::Load(_) => {
                let loaded = load::load(io, place, target).await.result?;
                Ok(Answer::Phases(loaded.map(|it| phases(&it.object))))
            }
            Task::Log(_) => {
                let entries = log::log(io, place, target).await.result?;
                let revisions = entries.iter().map(|entry| entry.revision);
                Ok(Answer::Revisions(revisions.collect()))
            }
        }
    }
}

fn phases(object: &Object) -> BTreeSet<String> {
    let phases = object.get("phases").and_then(|it| it.as_object());
    let phases = phases.into_iter().flat_map(Object::iter);
    phases.map(|(name, _)| name.to_owned()).collect()
}

fn document(feature: &str) -> String {
    format!("{ROOT}/.claude/state/design-{feature}.json")
}

/// A host where nothing goes wrong, and what is there under each name.
struct Peace<'a> {
    disk: &'a mut Disk,
    calm: Calm,
}

impl<'a> Peace<'a> {
    fn new(disk: &'a mut Disk, seed: u64) -> Self {
        Peace {
            disk,
            calm: Calm::new(seed),
        }
    }

    fn perform(&mut self, task: Task) -> Result<Answer, String> {
        let mut machine = task.start(Sync::Durable);
        loop {
            match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
                MachineStep::Effect(effect) => machine
                    .resume(self.calm.perform(self.disk, &effect))
                    .map_err(|misuse| format!("{misuse:?}"))?,
                MachineStep::Done(answer) => {
                    return answer.map_err(|error| format!("{task:?} in peace failed: {error}"));
                }
            }
        }
    }

    /// The phases under each of these names, in the order that they are read.
    fn load(&mut self, features: &[&'static str]) -> Result<Vec<Option<BTreeSet<String>>>, String> {
        let each = features.iter();
        each.map(|feature| match self.perform(Task::Load(feature))? {
            Answer::Phases(phases) => Ok(phases),
            other => Err(format!("a read answered {other:?}")),
        })
        .collect()
    }

    /// After an undisturbed update under each name no token and no lock is left.
    fn left_over(&self) -> Result<(), String> {
        let is_left = |path: &&str| {
            let is_token = path.contains("/tokens/") && !path.ends_with(".new");
            is_token || path.ends_with("/lock")
        };
        match self.disk.files().map(|(path, _)| path).find(is_left) {
            Some(path) => Err(format!("{path} is left over")),
            None => Ok(()),
        }
    }
}
