//! `--store`: runs in a database in place of files, on a host that can reach one.

use crate::agent::registration::DatabaseRef;
use crate::error::Error;
use crate::json::Json;
use crate::store::Storage;

use super::call::{CliCall, GlobalOptions};
use super::definition;
use super::program::ProgramName;
use super::verb::Verb;

/// The use that a verb makes of the database that the words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Records in it take the place of files.
    InPlaceOfFiles,
    /// It is examined beside the files.
    BesideFiles,
    /// It is written into the settings of agents, and not reached.
    Registered,
}

/// The database that a call works on.
#[derive(Debug, PartialEq, Eq)]
struct NamedDatabase {
    database: DatabaseRef,
    used: Use,
}

/// The database whose records take the place of files before a call begins; `None` without one. The call itself
/// refuses wrong words.
pub(super) fn named(words: Vec<String>) -> Option<Json> {
    let arguments = definition::of_call(words, &ProgramName::default()).ok()?;
    let named = database_of(&arguments.global, arguments.verb.as_ref()).ok()??;
    (named.used == Use::InPlaceOfFiles).then(|| named.database.into())
}

/// The database that a verb of the host reaches by itself; `None` without one.
///
/// # Errors
///
/// [`Error::usage`] for words that the call refuses.
pub(super) fn host_database(
    global: &GlobalOptions,
    verb: &Verb,
) -> Result<Option<DatabaseRef>, Error> {
    let named = database_of(global, Some(verb))?;
    Ok(named
        .filter(|it| it.used != Use::Registered)
        .map(|it| it.database))
}

/// Refuses what cannot be done on the storage of this call; returns the database that its words name.
pub(super) fn check(
    global: &GlobalOptions,
    verb: Option<&Verb>,
    storage: Storage,
    unreachable: Option<Error>,
) -> Result<Option<DatabaseRef>, Error> {
    let Some(NamedDatabase { database, used }) = database_of(global, verb)? else {
        return Ok(None);
    };
    match (used, unreachable, storage) {
        (Use::Registered | Use::BesideFiles, _, _) => Ok(Some(database)),
        (Use::InPlaceOfFiles, Some(error), _) => Err(error),
        (Use::InPlaceOfFiles, None, Storage::Records) => Ok(Some(database)),
        (Use::InPlaceOfFiles, None, Storage::Files) => Err(CliCall::needs_database()),
    }
}

/// The database that the words name; the text of `--store` is never repeated, since it may hold a password.
fn database_of(
    global: &GlobalOptions,
    verb: Option<&Verb>,
) -> Result<Option<NamedDatabase>, Error> {
    let Some(store) = &global.store else {
        return match &global.project {
            None => Ok(None),
            Some(_) => usage(
                "`--project` is the name in a database: expected `--store env:NAME` beside it",
            ),
        };
    };
    let Some(variable) = store.strip_prefix(DatabaseRef::ENV) else {
        return usage(
            "Expected `--store env:NAME`, with the name of the environment variable that holds the \
             connection string. A connection string or a password in an argument is seen by other users \
             and kept by the shell; where it was a real one, change it",
        );
    };
    if !is_variable(variable) {
        return usage(
            "Expected the name of an environment variable behind `--store env:`, of letters, digits and \
             `_`, or nothing, for the variables PGHOST, PGUSER, PGPASSWORD and the others",
        );
    }
    let used = verb.map_or(Ok(Use::InPlaceOfFiles), use_of)?;
    if used == Use::InPlaceOfFiles && global.dir.is_some() {
        return usage("`--dir` names a folder, and `--store` a database: expected one of them");
    }
    let Some(project) = global.project.as_ref().filter(|it| !it.is_empty()) else {
        return usage(
            "`--store` needs `--project NAME`, the name of this project in the database, the same \
             on every machine; it is not guessed, so that no two projects are mixed",
        );
    };
    Ok(Some(NamedDatabase {
        database: DatabaseRef {
            variable: Some(variable.to_owned()).filter(|it| !it.is_empty()),
            project: project.clone(),
        },
        used,
    }))
}

fn usage<T>(message: &str) -> Result<T, Error> {
    Err(Error::usage(message.to_owned()))
}

fn is_variable(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_plain) && !name.starts_with(|first: char| first.is_ascii_digit())
}

/// The use that a verb makes of a database.
///
/// # Errors
///
/// [`Error::usage`], with its name, for one that works on files: folders, snapshots, which hold those of the work
/// tree, and settings.
fn use_of(verb: &Verb) -> Result<Use, Error> {
    let on_files = match verb {
        Verb::Snapshot(arguments) => arguments.on_files(),
        Verb::Rewind(_) => "rewind",
        Verb::Create(_) => "snapshot create",
        Verb::List(_) => "snapshot list",
        Verb::Restore(_) => "snapshot restore",
        Verb::Verify(_) => "snapshot verify",
        Verb::Cleanup(_) => "snapshot prune",
        Verb::Archive(_) => "snapshot archive",
        Verb::Pin(_) => "snapshot pin",
        Verb::Thread(arguments) => match arguments.on_files() {
            Some(name) => name,
            None => return Ok(Use::InPlaceOfFiles),
        },
        Verb::Init(_) => "init",
        Verb::Doctor(_) => return Ok(Use::BesideFiles),
        Verb::Hooks(arguments) => match arguments.on_settings() {
            Some(name) => name,
            None => return Ok(Use::Registered),
        },
        _ => return Ok(Use::InPlaceOfFiles),
    };
    Err(Error::usage(format!(
        "`milepost {on_files}` works on files, and there are none in a database: call it without `--store`"
    )))
}
