//! From what a checkpoint is called to where it is kept.

use crate::checkpoint::command::document::is_changeable;
use crate::checkpoint::command::{name, tombstone};
use crate::effect::Io;
use crate::error::whole;
use crate::error::{Advice, Error};
use crate::integrations::check_command_name;
use crate::json::{Json, Object, Pointer};
use crate::operation::project::load_integrations::added_commands;
use crate::operation::{Settings, Target};
use crate::root::Root;
use crate::schema::{Problem, ProblemCode};
use crate::store::{RetentionPolicy, Stem, StoreFolder, VersionedDocument};
use crate::text::quoted;

/// The place of a checkpoint, kept as the settings say.
#[inline(never)]
pub(crate) fn versioned_document<'a>(
    io: &'a Io,
    folder: &StoreFolder,
    stem: &Stem,
    settings: &Settings,
) -> VersionedDocument<'a> {
    let policy = RetentionPolicy {
        durability: settings.durability,
        retention: settings.history,
        time_field: Some("updated_at"),
        is_tombstone: tombstone::is_tombstone,
        is_lost: |object| tombstone::is_tombstone(object) || !is_changeable(object),
    };
    VersionedDocument::new(io, folder, stem, policy)
}

/// The stem that a checkpoint is stored under, where its command can be one.
pub(in crate::operation) fn stem(target: &Target) -> Result<Stem, Error> {
    let command = &target.command;
    if !name::is_built_in(command) {
        whole::needed()?;
        if check_command_name(command).is_err() {
            name::check_command(command, &[])?;
        }
    }
    Stem::new(name::stem(&target.command, target.feature.as_deref())?)
}

/// Refuses a command that there is not: the project may add some to the seven.
pub(super) async fn expect_command(io: &Io, root: &Root, command: &str) -> Result<(), Error> {
    if name::is_built_in(command) {
        return Ok(());
    }
    whole::needed()?;
    name::check_command(command, &added_commands(io, root).await?)
}

/// The failure where the file of a checkpoint holds another one: it was copied or renamed, or the names differ in case
/// only.
#[cold]
fn foreign(shown: &str, key: &str, stored: &str, requested: Option<&str>) -> Error {
    let (stored, requested) = (quoted(stored), quoted(requested.unwrap_or("(none)")));
    let problem = Problem {
        at: Pointer::root().key(key),
        code: ProblemCode::Contradiction,
        message: sentence!(
            "{shown} belongs to the {key} {stored}, not {requested}; move it to its own name, or choose \
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
    for (key, requested) in own {
        if let Some(stored) = object.get(key).and_then(Json::as_str)
            && Some(stored) != requested
        {
            whole::needed()?;
            return Err(foreign(shown, key, stored, requested));
        }
    }
    Ok(())
}
