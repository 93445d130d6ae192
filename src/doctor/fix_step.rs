//! The steps that fix a finding: those that an examination applies, and those that the user takes. Paths are data; a
//! command line makes commands of them.

use crate::agent::registration::DatabaseRef;
use crate::error::Target;
use crate::restore::Aside;
use crate::schema::{Kind, Shaped};
use crate::store::StoreFolder;

/// One step that fixes a finding. Paths are relative to the root, with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixStep {
    /// Examine again, with leave to fix.
    Fix,
    /// [`FixStep::Fix`] with the name of the database that runs are brought into.
    FixIn(DatabaseRef),
    /// Bring the checkpoint back from its history.
    Recover(Target),
    /// Bring the thread of this id back, as far as it can be read.
    RecoverThread(String),
    /// Validate the document, which names every problem.
    Validate(String),
    /// Give a file or folder another name.
    Move {
        /// The present name.
        from: String,
        /// The new one.
        to: String,
    },
    /// Remove a file.
    Remove(String),
    /// Remove group and other permissions.
    Restrict(String),
    /// Give the owner of a file what is needed to read and write it.
    PermitFile(String),
    /// Give the owner of a folder what is needed to keep something in it.
    PermitFolder(String),
    /// Have git forget the files of a folder, which stay.
    Untrack(String),
    /// Remove the files of a folder, apart from those with a name like one of these.
    Clear {
        /// The folder.
        folder: String,
        /// Patterns of names, as a shell has them.
        kept: &'static [&'static str],
    },
}

impl FixStep {
    /// Every kind of step as programs see it, in the order above.
    pub const KINDS: [&str; 11] = [
        "fix",
        "recover",
        "recover_thread",
        "validate",
        "move",
        "remove",
        "restrict",
        "permit_file",
        "permit_folder",
        "untrack",
        "clear",
    ];

    /// The kind of step as programs see it, such as `recover`.
    pub fn as_str(&self) -> &'static str {
        match self {
            FixStep::Fix | FixStep::FixIn(_) => "fix",
            FixStep::Recover(_) => "recover",
            FixStep::RecoverThread(_) => "recover_thread",
            FixStep::Validate(_) => "validate",
            FixStep::Move { .. } => "move",
            FixStep::Remove(_) => "remove",
            FixStep::Restrict(_) => "restrict",
            FixStep::PermitFile(_) => "permit_file",
            FixStep::PermitFolder(_) => "permit_folder",
            FixStep::Untrack(_) => "untrack",
            FixStep::Clear { .. } => "clear",
        }
    }

    /// Moves the entry that stands in the way aside, of any kind. No checkpoint can have a name with `~` in it.
    pub(super) fn aside(path: &str) -> Self {
        FixStep::Move {
            from: path.to_owned(),
            to: format!("{path}~"),
        }
    }
}

impl From<FixStep> for Vec<FixStep> {
    fn from(step: FixStep) -> Self {
        vec![step]
    }
}

/// One step that fixes a finding. Paths are relative to the root.
#[derive(Default, Shaped)]
#[shape(name = "MendStep")]
pub(super) struct FixStepMembers {
    /// The step; `fix` is an examination that may fix.
    #[shape(kind = Kind::Enum(&FixStep::KINDS))]
    kind: &'static str,
    /// The file or folder that it is done to.
    #[shape(left_out)]
    path: Option<String>,
    /// The name that it has, for `move`.
    #[shape(left_out)]
    from: Option<String>,
    /// The name that it gets, for `move`.
    #[shape(left_out)]
    to: Option<String>,
    /// The command, for `recover`.
    #[shape(left_out)]
    command: Option<String>,
    /// The feature, for `recover`.
    ///
    /// It is `null` for a run without one.
    #[shape(left_out, kind = Kind::Nullable(&Kind::String))]
    feature: Option<Option<String>>,
    /// The thread, for `recover_thread`.
    #[shape(left_out)]
    thread: Option<String>,
    /// Patterns of the names that stay, for `clear`.
    #[shape(left_out)]
    kept: Option<Vec<String>>,
}

impl From<FixStep> for FixStepMembers {
    fn from(step: FixStep) -> Self {
        let own = FixStepMembers {
            kind: step.as_str(),
            ..FixStepMembers::default()
        };
        match step {
            FixStep::Fix | FixStep::FixIn(_) => own,
            FixStep::Recover(target) => FixStepMembers {
                command: Some(target.command),
                feature: Some(target.feature),
                ..own
            },
            FixStep::RecoverThread(thread) => FixStepMembers {
                thread: Some(thread),
                ..own
            },
            FixStep::Move { from, to } => FixStepMembers {
                from: Some(from),
                to: Some(to),
                ..own
            },
            FixStep::Validate(path)
            | FixStep::Remove(path)
            | FixStep::Restrict(path)
            | FixStep::PermitFile(path)
            | FixStep::PermitFolder(path)
            | FixStep::Untrack(path) => FixStepMembers {
                path: Some(path),
                ..own
            },
            FixStep::Clear { folder, kept } => FixStepMembers {
                path: Some(folder),
                kept: Some(kept.iter().map(|name| (*name).to_owned()).collect()),
                ..own
            },
        }
    }
}

/// A fix that an examination applies without a risk. Paths are relative to the folder of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Remove group and other permissions.
    Restrict(String),
    /// Give a folder or file the mode that the store makes it with.
    Permit(Box<ModeChange>),
    /// Have git ignore the contents of a folder.
    Ignore(String),
    /// Remove a file that a writer left.
    Remove(String),
    /// Remove a lock that still holds these bytes.
    Unlock(String, Vec<u8>),
    /// Remove the folder of an examination that was stopped.
    RemoveProbe(String),
    /// Make the mark of a task checkpoint.
    Mark(String),
    /// Put a file back that a restore has moved aside.
    PutBack(Box<PutBack>),
}

/// A folder or file of the store, and the mode that it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModeChange {
    /// Its path, as the host names it.
    pub(super) host: String,
    pub(super) bits: u32,
    /// The step for the user where the host cannot do it.
    pub(super) step: FixStep,
}

/// A file that a restore has moved aside, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PutBack {
    /// The root, for the host.
    pub(super) root: String,
    /// The product's own folders, relative to the root.
    pub(super) own: Vec<String>,
    /// The folder of snapshots.
    pub(super) folder: StoreFolder,
    pub(super) aside: Aside,
}

#[cfg(test)]
mod tests {
    use super::FixStep;
    use crate::error::Target;

    #[test]
    fn every_kind_of_step_is_known_by_its_name() {
        let path = String::new;
        let (from, to) = (path(), path());
        let target = Target {
            command: path(),
            feature: None,
        };
        let steps = [
            FixStep::Fix,
            FixStep::Recover(target),
            FixStep::RecoverThread(path()),
            FixStep::Validate(path()),
            FixStep::Move { from, to },
            FixStep::Remove(path()),
            FixStep::Restrict(path()),
            FixStep::PermitFile(path()),
            FixStep::PermitFolder(path()),
            FixStep::Untrack(path()),
            FixStep::Clear {
                folder: path(),
                kept: &[],
            },
        ];
        assert_eq!(steps.map(|step| step.as_str()), FixStep::KINDS);
    }
}
