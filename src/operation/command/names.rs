//! From what a checkpoint is called to where it is kept.

use crate::checkpoint::command::document::{Command, is_changeable};
use crate::checkpoint::command::{name, tombstone};
use crate::effect::Io;
use crate::error::{Advice, Error};
use crate::json::{Json, Object, Pointer};
use crate::operation::{Settings, Target};
use crate::schema::{Problem, ProblemCode};
use crate::store::{Folder, Policy, Slot, Stem};
use crate::text::quoted;

/// The place of a checkpoint, kept as the settings say.
pub(super) fn slot<'a>(io: &'a Io, folder: &Folder, stem: &Stem, settings: &Settings) -> Slot<'a> {
    let policy = Policy {
        durability: settings.durability,
        retention: settings.history,
        time_field: Some("updated_at"),
        is_tombstone: tombstone::is_tombstone,
        is_lost: |object| tombstone::is_tombstone(object) || !is_changeable(object),
    };
    Slot::new(io, folder, stem, policy)
}

/// The command that is named, and the stem that its checkpoint is stored under.
pub(super) fn stem(target: &Target) -> Result<(Command, Stem), Error> {
    let (command, stem) = name::of_target(target)?;
    Ok((command, Stem::new(stem)?))
}

/// That the file of a checkpoint holds another one: it was copied or renamed, or the names differ in
/// case only.
#[cold]
fn foreign(shown: &str, key: &str, stored: &str, asked: Option<&str>) -> Error {
    let (stored, asked) = (quoted(stored), quoted(asked.unwrap_or("(none)")));
    let problem = Problem {
        at: Pointer::root().key(key),
        code: ProblemCode::Contradiction,
        message: format!(
            "{shown} belongs to the {key} {stored}, not {asked}; move it to its own name, or choose \
             another one"
        ),
    };
    Error::invalid_document(vec![problem]).with_advice(Advice::Doctor)
}

/// Refuses a document that belongs to another checkpoint: on a file system that holds `Foo` and
/// `foo` for equal, one file would serve both.
pub(super) fn expect_own(target: &Target, object: &Object, shown: &str) -> Result<(), Error> {
    let own = [
        ("command", Some(target.command.as_str())),
        ("feature", target.feature.as_deref()),
    ];
    for (key, asked) in own {
        if let Some(stored) = object.get(key).and_then(Json::as_str)
            && Some(stored) != asked
        {
            return Err(foreign(shown, key, stored, asked));
        }
    }
    Ok(())
}
