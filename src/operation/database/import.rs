//! Runs that hooks kept in files while their database could not be used, brought into it.
//!
//! A run is committed there first, with the seal that it had in files, and then removed from the files by
//! compare-and-swap, with its history kept. If the process dies in between, nothing is lost: the next examination knows it for
//! brought by that seal. A run that a hook changes in between stays, and is brought with the next examination.

use std::cell::Cell;

use crate::agent::registration::DatabaseRef;
use crate::checkpoint::command::document::Draft;
use crate::checkpoint::command::import::{ImportDecision, decide_import};
use crate::checkpoint::command::tombstone;
use crate::doctor::{Check, Finding, Fix, FixStep, Level};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Object;
use crate::operation::command::list::{RunSelection, read_all};
use crate::operation::command::run_store::RunStore;
use crate::operation::hooks::HookDatabase;
use crate::operation::reply::with_warnings;
use crate::operation::secrets::SecretNames;
use crate::operation::{Reply, Settings, Target};
use crate::root;
use crate::secret;
use crate::store::{Change, Current, Document, DocumentWrite, Keep, Storage};

/// The state of a run in files, beside the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileRunState {
    /// It is gone from the files by now.
    Gone,
    /// It can be brought.
    Pending,
    /// It was brought just now.
    Imported,
    /// The database has a newer state.
    Older,
    /// It was removed or renamed in the database since.
    Removed,
}

/// Examines which runs are kept in files though hooks name a database, and brings them into it where `fix` allows
/// that and the user has named the database: one that only a clone names gets nothing.
///
/// A run that cannot be brought is a finding, and the others are brought.
///
/// Fails with `usage`, `io` where not even the place is known.
pub async fn import_runs(
    io: &Io,
    settings: &Settings,
    hook_database: &HookDatabase,
    fix: Fix,
) -> Reply<Vec<Finding>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let HookDatabase { database, dir, .. } = hook_database;
        let all = match read_all(io, settings, &root, RunSelection::All).await {
            Ok(all) => all,
            Err(error) => return Ok(vec![unlisted(database, &error)]),
        };
        // The other checks say why a run cannot be read.
        let targets = all.into_iter().filter(|(_, read)| read.is_ok());
        let targets: Vec<Target> = targets.map(|(target, _)| target).collect();
        let fix = if hook_database.is_of_user {
            fix
        } else {
            Fix::Look
        };
        let dir = match dir {
            Ok(dir) => dir,
            Err(reason) => return Ok(vec![away(database, reason, targets.len())]),
        };
        let records = dir.as_ref().map(|dir| Settings {
            dir: Some(dir.clone()),
            storage: Storage::Records,
            ..settings.clone()
        });
        let mut findings = Vec::new();
        for target in &targets {
            match boxed(one(io, settings, records.as_ref(), target, fix)).await {
                Ok(state) => findings.extend(finding(hook_database, target, state)),
                Err(error) => findings.push(failed(database, target, &error)),
            }
        }
        if findings.is_empty() {
            let found = format!("Runs are kept in {}, and none in files", database.shown());
            findings.push(Finding::new(Check::Hooks, Level::Ok, "", &found, ""));
        }
        Ok(findings)
    })
    .await
}

/// Looks at one run in files, and brings it where that is asked for.
async fn one(
    io: &Io,
    files: &Settings,
    records: Option<&Settings>,
    target: &Target,
    fix: Fix,
) -> Result<FileRunState, Error> {
    let in_files = RunStore::open(io, files, target).await?;
    let Some(document) = in_files.read().await?.document else {
        return Ok(FileRunState::Gone);
    };
    let Some(records) = records else {
        return Ok(FileRunState::Pending);
    };
    let database = RunStore::open(io, records, target).await?;
    let read = database.read().await?;
    let there = read.document.as_deref().or(read.tombstone.as_deref());
    let there = there.map(|it| &it.object);
    let decision = decide_import(&document.object, &document.stamp.seal, there);
    if decision == ImportDecision::Newer {
        return Ok(match read.document {
            Some(_) => FileRunState::Older,
            None => FileRunState::Removed,
        });
    }
    if fix != Fix::Safe {
        return Ok(FileRunState::Pending);
    }
    if decision != ImportDecision::Imported && !boxed(commit(&database, &document)).await? {
        return Ok(FileRunState::Older);
    }
    match boxed(retire(&in_files, &document)).await? {
        true => Ok(FileRunState::Imported),
        false => Ok(FileRunState::Pending),
    }
}

/// Commits a run in the database. `false`: there is a newer one by now.
async fn commit(database: &RunStore<'_>, document: &Document) -> Result<bool, Error> {
    let is_newer = Cell::new(false);
    let mut decide = |current: &Current<'_>| {
        is_newer.set(false);
        database.expect_own_current(current)?;
        let stored = current.document.or(current.tombstone);
        let stored = stored.map(|it| &it.object);
        let mut object = match decide_import(&document.object, &document.stamp.seal, stored) {
            ImportDecision::Import(object) => object,
            ImportDecision::Imported => return Ok(Change::Keep),
            ImportDecision::Newer => {
                is_newer.set(true);
                return Ok(Change::Keep);
            }
        };
        database.gate.pass(&mut object, &[], SecretNames::Allowed)?;
        // A problem that it had in files, or that the database has, does not keep it there.
        let command = database.target.command.as_str();
        let before: Vec<&Object> = stored.into_iter().chain([&document.object]).collect();
        let (next, _) = Draft::from(object).check_since(&[command], &before)?;
        Ok(Change::write(next.into_object()))
    };
    database.commit(None, &mut decide).await?;
    Ok(!is_newer.get())
}

/// Puts a tombstone in the place of a run that the database has. `false`: a hook has changed it since it was read.
async fn retire(in_files: &RunStore<'_>, document: &Document) -> Result<bool, Error> {
    let now = in_files.now().await?;
    let mut decide = |current: &Current<'_>| {
        in_files.expect_own_current(current)?;
        if current.document.is_none_or(|it| it.stamp != document.stamp) {
            return Ok(Change::Keep);
        }
        let Target { command, feature } = in_files.target;
        Ok(Change::Write(DocumentWrite {
            keeps: Keep::Durably,
            ..DocumentWrite::new(tombstone::removed(command, feature.as_deref(), &now))
        }))
    };
    let committed = in_files.commit(None, &mut decide).await?;
    Ok(committed.changed)
}

/// The finding where the database cannot be used.
fn away(database: &DatabaseRef, reason: &str, runs: usize) -> Finding {
    let count = match runs {
        1 => "1 run is kept in files".to_owned(),
        runs => format!("{runs} runs are kept in files"),
    };
    let found = format!(
        "Runs cannot be kept in {}: {reason}; {count}",
        database.shown()
    );
    let why = "Until then hooks keep runs in files, which no other machine sees. An examination that may fix brings them \
               into the database, once it can be used.";
    Finding::new(Check::Hooks, Level::Warning, "", &found, why)
}

/// The finding where nothing says which runs are in files.
fn unlisted(database: &DatabaseRef, error: &Error) -> Finding {
    let place = database.shown();
    let found = format!("Runs in files could not be listed, to be brought into {place}: {error}");
    let why = "Runs that were kept while the database could not be used stay in files.";
    wrong(&found, why)
}

/// The finding about one run that could not be brought.
fn failed(database: &DatabaseRef, target: &Target, error: &Error) -> Finding {
    let (title, place) = (target.title(), database.shown());
    let found = format!("{title} is kept in files, and could not be brought into {place}: {error}");
    wrong(&found, "It stays in files.")
}

/// The finding of a failure, which quotes no secret.
fn wrong(found: &str, why: &'static str) -> Finding {
    let found = secret::redact(found).text;
    Finding::new(Check::Hooks, Level::Error, "", &found, why)
}

/// The finding about one run.
fn finding(hook_database: &HookDatabase, target: &Target, state: FileRunState) -> Option<Finding> {
    let HookDatabase {
        database,
        is_of_user,
        ..
    } = hook_database;
    let (title, place) = (target.title(), database.shown());
    let (level, found, why) = match state {
        FileRunState::Gone => return None,
        FileRunState::Pending => (
            Level::Warning,
            format!("{title} is kept in files and not in {place}"),
            "It was kept while the database could not be used, and no other machine sees it.",
        ),
        FileRunState::Imported => (
            Level::Warning,
            format!("{title} was kept in files, and is in {place} now"),
            "It was kept while the database could not be used.",
        ),
        FileRunState::Older => (
            Level::Warning,
            format!("{title} is kept in files, and newer in {place}, which was not overwritten"),
            "Both changed. Compare them, record in the database what it lacks, and remove the one in files.",
        ),
        FileRunState::Removed => (
            Level::Warning,
            format!("{title} is kept in files, and was removed or renamed later in {place}"),
            "It stays in files. Record in the database what is still needed of it, and remove the one in files.",
        ),
    };
    let mut finding = Finding::new(Check::Hooks, level, "", &found, why);
    match state {
        FileRunState::Pending if *is_of_user => finding.fix_steps = vec![FixStep::Fix],
        FileRunState::Pending => finding.fix_steps = vec![FixStep::FixIn(database.clone())],
        FileRunState::Imported => finding.is_fixed = true,
        FileRunState::Gone | FileRunState::Older | FileRunState::Removed => {}
    }
    Some(finding)
}
