//! The jobs of workers: one operation on snapshots, or an update of the run that
//! they are made of.

use fastrand::Rng;
use serde_json::{Value, json};

use crate::actor::COMMAND;

/// Of the ids that are known, one of so many newest is asked for.
const NEWEST: usize = 8;

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// A new checkpoint, which is known again by what it says.
    Create {
        message: String,
        has_files: bool,
    },
    CleanUp,
    /// This one, or all whose work is complete.
    Archive(Option<String>),
    Pin {
        id: String,
        is_taken_away: bool,
    },
    /// With its files; the newest one where none is named.
    Restore(Option<String>),
    /// The plan of a restore.
    Plan(String),
    Load(String),
    List,
    Phase(String),
    Complete,
}

impl Task {
    /// The next one of a worker, which calls it by a name of its own.
    pub(super) fn any(chance: &mut Rng, name: &str, known: &[String]) -> Task {
        let newest = &known[known.len().saturating_sub(NEWEST)..];
        let one = chance.choice(newest).cloned();
        match (chance.u8(0..26), one) {
            (0..2, _) => Task::CleanUp,
            (2, one) => Task::Archive(one),
            (3, _) => Task::Archive(None),
            (4, Some(id)) => Task::Pin {
                id,
                is_taken_away: chance.u8(0..3) > 0,
            },
            (5..8, one) => Task::Restore(one),
            (8, _) => Task::Restore(None),
            (9, Some(id)) => Task::Plan(id),
            (10, Some(id)) => Task::Load(id),
            (11, _) => Task::List,
            (12..14, _) => Task::Phase(name.to_owned()),
            (14, _) => Task::Complete,
            (kind, _) => Task::Create {
                message: name.to_owned(),
                has_files: kind != 15,
            },
        }
    }

    /// The checkpoint that has to be there for it.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Task::Archive(id) | Task::Restore(id) => id.as_deref(),
            Task::Pin { id, .. } | Task::Plan(id) | Task::Load(id) => Some(id),
            _ => None,
        }
    }

    /// As the command line has it.
    pub(super) fn words(&self) -> Vec<&str> {
        match self {
            Task::Create { message, has_files } => {
                let mut words = vec!["create", "--reason", "handoff", "--message", message];
                words.extend((!has_files).then_some("--no-files"));
                words
            }
            Task::CleanUp => vec!["cleanup"],
            Task::Archive(None) => vec!["archive"],
            Task::Archive(Some(id)) => vec!["archive", id],
            Task::Pin {
                id,
                is_taken_away: true,
            } => vec!["pin", id, "--remove"],
            Task::Pin { id, .. } => vec!["pin", id],
            Task::Restore(None) => vec!["restore", "--latest", "--files", "--force"],
            Task::Restore(Some(id)) => vec!["restore", "--id", id, "--files", "--force"],
            Task::Plan(id) => vec!["restore", "--id", id, "--files", "--dry-run"],
            Task::Load(id) => vec!["show", id],
            Task::List => vec!["list", "--archived"],
            Task::Phase(phase) => vec!["phase", COMMAND, phase, "complete"],
            Task::Complete => vec!["complete", COMMAND],
        }
    }

    /// As the script has it.
    pub(super) fn line(&self) -> String {
        let (verb, options) = match self {
            Task::Create { message, has_files } => {
                let options = json!({"reason": "handoff", "message": message, "files": has_files});
                ("create", options)
            }
            Task::CleanUp => ("cleanUp", json!({})),
            Task::Archive(id) => ("archive", json!({"id": id})),
            Task::Pin { id, is_taken_away } => ("pin", json!({"id": id, "remove": is_taken_away})),
            Task::Restore(None) => {
                let options = json!({"latest": true, "files": true, "force": true});
                ("restore", options)
            }
            Task::Restore(Some(id)) => ("restore", json!({"id": id, "files": true, "force": true})),
            Task::Plan(id) => ("restore", json!({"id": id, "files": true, "dryRun": true})),
            Task::Load(id) => ("load", json!({"id": id})),
            Task::List => ("list", json!({"archived": true})),
            Task::Phase(phase) => ("phase", json!({"phase": phase})),
            Task::Complete => ("complete", json!({})),
        };
        Value::from(vec![verb.into(), options]).to_string()
    }
}
