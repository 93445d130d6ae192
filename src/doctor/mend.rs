//! What can be done about a finding: by an examination itself, or by whoever reads of it. Paths are
//! data; a command line makes commands of them.

use crate::error::Target;
use crate::json::{Json, Object};

/// One step that mends a finding. Paths are relative to the root, with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mend {
    /// Examine again, with leave to mend.
    Fix,
    /// Bring the checkpoint back from its history.
    Recover(Target),
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
    /// Take access from everybody but the owner.
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

impl Mend {
    /// Moves away what stands in the way, whatever it is. No checkpoint can have a name with `~` in
    /// it.
    pub(super) fn aside(path: &str) -> Self {
        Mend::Move {
            from: path.to_owned(),
            to: format!("{path}~"),
        }
    }
}

impl From<Mend> for Vec<Mend> {
    fn from(step: Mend) -> Self {
        vec![step]
    }
}

impl From<Mend> for Json {
    fn from(step: Mend) -> Self {
        let of = |kind: &str| Object::new().with("kind", kind);
        let at = |kind: &str, path: String| of(kind).with("path", path);
        match step {
            Mend::Fix => of("fix"),
            Mend::Recover(target) => of("recover")
                .with("command", target.command)
                .with("feature", target.feature),
            Mend::Validate(path) => at("validate", path),
            Mend::Move { from, to } => of("move").with("from", from).with("to", to),
            Mend::Remove(path) => at("remove", path),
            Mend::Restrict(path) => at("restrict", path),
            Mend::PermitFile(path) => at("permit_file", path),
            Mend::PermitFolder(path) => at("permit_folder", path),
            Mend::Untrack(path) => at("untrack", path),
            Mend::Clear { folder, kept } => {
                let kept: Vec<String> = kept.iter().map(|name| (*name).to_owned()).collect();
                at("clear", folder).with("kept", kept)
            }
        }
        .into()
    }
}

/// What an examination mends without a risk. Paths are relative to the folder of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Take access from everybody but the owner.
    Restrict(String),
    /// Have git ignore what lies in a folder.
    Ignore(String),
    /// Remove a file that a writer left.
    Remove(String),
    /// Remove a lock that still holds these bytes.
    Unlock(String, Vec<u8>),
    /// Remove the folder of an examination that was stopped.
    RemoveProbe(String),
}
