//! From what a checkpoint is called to where it is kept.

use crate::checkpoint::command::document::{Command, is_changeable};
use crate::checkpoint::command::{name, tombstone};
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::{Settings, Target};
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
            let (stored, asked) = (quoted(stored), quoted(asked.unwrap_or("(none)")));
            let message = format!(
                "{shown} belongs to the {key} {stored}, not {asked}; choose another feature name"
            );
            return Err(Error::conflict(message, vec![format!("/{key}")]));
        }
    }
    Ok(())
}
