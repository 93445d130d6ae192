//! `--store`: checkpoints in a database in place of files, on a host that can reach one.

use crate::error::Error;
use crate::json::{Json, Object};
use crate::store::Storage;

use super::call::Global;
use super::definition;
use super::program::ProgramName;
use super::verb::Verb;

/// What stands before the name of a variable. Any process can see the words of another one, and a shell
/// keeps them: a password has no place there.
const BEGINNING: &str = "env:";

/// The database that a call works on.
#[derive(Debug, PartialEq, Eq)]
struct Store {
    /// The variable that holds the connection string; without it, the host reads those that its driver
    /// knows.
    variable: Option<String>,
    /// What the checkpoints lie under.
    project: String,
}

/// The database to reach before a call begins; `None` where there is none. What a call refuses, it says
/// itself.
pub(super) fn named(words: Vec<String>) -> Option<Json> {
    let arguments = definition::of_call(words, &ProgramName::default()).ok()?;
    let asked = asked(&arguments.global, arguments.verb.as_ref()).ok()?;
    asked.map(Json::from)
}

/// Refuses what cannot be done on the storage of this call.
pub(super) fn check(
    global: &Global,
    verb: Option<&Verb>,
    storage: Storage,
    unreachable: Option<Error>,
) -> Result<(), Error> {
    if asked(global, verb)?.is_none() {
        return Ok(());
    }
    match (unreachable, storage) {
        (Some(error), _) => Err(error),
        (None, Storage::Records) => Ok(()),
        (None, Storage::Files) => Err(Error::usage(
            "`--store` needs a host that can reach a database, and this one cannot: expected Node, as \
             with `npx milepost`"
                .to_owned(),
        )),
    }
}

/// What the words ask for; the text of `--store` is never repeated, since it may hold a password.
fn asked(global: &Global, verb: Option<&Verb>) -> Result<Option<Store>, Error> {
    let Some(store) = &global.store else {
        return match &global.project {
            None => Ok(None),
            Some(_) => usage(
                "`--project` is the name in a database: expected `--store env:NAME` beside it",
            ),
        };
    };
    let Some(variable) = store.strip_prefix(BEGINNING) else {
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
    if global.dir.is_some() {
        return usage("`--dir` names a folder, and `--store` a database: expected one of them");
    }
    let Some(project) = global.project.as_ref().filter(|it| !it.is_empty()) else {
        return usage(
            "`--store` needs `--project NAME`, the name that the checkpoints of this project lie under, \
             the same on every machine; it is not guessed, so that no two projects are mixed",
        );
    };
    if let Some(verb) = verb.and_then(verb_on_files) {
        return Err(Error::usage(format!(
            "`milepost {verb}` works on files, and there are none in a database: call it without `--store`"
        )));
    }
    Ok(Some(Store {
        variable: Some(variable.to_owned()).filter(|it| !it.is_empty()),
        project: project.clone(),
    }))
}

fn usage<T>(message: &str) -> Result<T, Error> {
    Err(Error::usage(message.to_owned()))
}

fn is_variable(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_plain) && !name.starts_with(|first: char| first.is_ascii_digit())
}

/// The name of a verb that is about files: folders, and session checkpoints, which hold those of the work
/// tree.
fn verb_on_files(verb: &Verb) -> Option<&'static str> {
    Some(match verb {
        Verb::Create(_) => "create",
        Verb::List(_) => "list",
        Verb::Restore(_) => "restore",
        Verb::Verify(_) => "verify",
        Verb::Cleanup(_) => "cleanup",
        Verb::Archive(_) => "archive",
        Verb::Pin(_) => "pin",
        Verb::Mcp(_) => "mcp",
        Verb::Notify(_) => "notify",
        Verb::View(_) => "view",
        Verb::Export(_) => "export",
        Verb::Thread(arguments) => return arguments.on_files(),
        Verb::Init(_) => "init",
        Verb::Doctor(_) => "doctor",
        _ => return None,
    })
}

impl From<Store> for Json {
    fn from(store: Store) -> Self {
        let object = Object::new()
            .with("variable", store.variable)
            .with("project", store.project);
        Json::from(object)
    }
}
