//! Loading a checkpoint: the present one, or one of its revisions.

use crate::checkpoint::command::document;
use crate::effect::{Io, boxed};
use crate::error::whole;
use crate::error::{Code, Error, WarningCode};
use crate::git::head::{short, stale};
use crate::json::{Json, Object};
use crate::operation::reply::{Warnings, about};
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::root::Head;
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::{Document, Origin, Revision, RevisionChoice, Stamp, StoredDocument};

use super::run_store::RunStore;
use super::states::States;

pub(super) const OPERATION: Operation = Operation::at::<LoadArguments, Option<Loaded>>(
    "load",
    "Loads a checkpoint, or one of its revisions; null where it does not exist.",
    perform,
);

/// The checkpoint, and one of its revisions.
#[derive(ArgumentMembers)]
struct LoadArguments {
    #[shape(flatten)]
    target: Target,
    /// Its content at this revision.
    revision: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let LoadArguments { target, revision } = arguments.read();
        match revision {
            None => load(io, settings, &target).await.map(Json::from),
            Some(revision) => load_revision(io, settings, &target, revision)
                .await
                .map(Json::from),
        }
    })
}

/// A checkpoint as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct Loaded {
    /// The document as JSON text, exactly as it is stored.
    ///
    /// One that the store did not write is written as the store does.
    pub text: String,
    /// The revision that is stored now.
    pub revision: u64,
    /// Its seal: with the revision, the base of a compare-and-swap.
    pub seal: String,
    /// The document, with its revision and seal.
    #[shape(skip)]
    pub object: Object,
}

/// Loads a checkpoint; `None` when it does not exist.
///
/// Warns `stale`, `untrusted_origin`, `edited_by_hand`, `duplicate_key`, `text_replaced`,
/// `head_unreadable`, `invalid_document`. Fails with `invalid_name`, `corrupt`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn load(io: &Io, settings: &Settings, target: &Target) -> Reply<Option<Loaded>> {
    about(target, async |warnings| {
        let found = find(io, settings, target, warnings).await?;
        Ok(found.map(|(loaded, _)| loaded))
    })
    .await
}

/// The checkpoint, and the HEAD that it was found at.
pub(super) async fn find(
    io: &Io,
    settings: &Settings,
    target: &Target,
    warnings: &mut Warnings,
) -> Result<Option<(Loaded, Head)>, Error> {
    let store = RunStore::open(io, settings, target).await?;
    let stored = store.read().await?;
    match stored.document {
        None => Ok(None),
        Some(document) => {
            let present = present(&store, *document, stored.has_side, warnings).await;
            present.map(Some)
        }
    }
}

/// Loads one revision: the present one, or one from history, also where the checkpoint itself is
/// corrupt.
///
/// Warns as [`load`] does of the present one, and `invalid_document` of an earlier one. Fails with
/// `not_found` when it is not kept, with `corrupt` when it is altered (it names the nearest good one),
/// and with `invalid_name`, `invalid_document`, `unsafe_path`, `too_large`, `io`.
pub async fn load_revision(
    io: &Io,
    settings: &Settings,
    target: &Target,
    number: u64,
) -> Reply<Loaded> {
    about(target, async |warnings| {
        whole::needed()?;
        let store = RunStore::open(io, settings, target).await?;
        match store.read().await {
            Ok(StoredDocument {
                document: Some(document),
                has_side,
                ..
            }) if document.stamp.revision == number => {
                return Ok(present(&store, *document, has_side, warnings).await?.0);
            }
            Ok(_) => {}
            Err(error) if error.code() == Code::Corrupt => {}
            Err(error) => return Err(error),
        }
        let mut accept = |_: &Revision, object: Object| store.expect_own(&object).map(|()| object);
        let choice = RevisionChoice::Exactly(number);
        let picked = match store.versioned.pick(choice, &mut accept).await {
            Err(error) if error.code() != Code::NotFound => {
                let states = States::open(io, settings, target, &mut Warnings::default()).await;
                return Err(match states {
                    Ok(states) => states.suggest_nearest(error, number).await,
                    Err(_) => error,
                });
            }
            picked => picked?,
        };
        let (revision, object) = picked.ok_or_else(|| Error::no_checkpoint(target))?;
        let object = revision.stamped(object);
        let what = format!("Revision {number} of {}", store.shown());
        notice_problems(&what, &object, target, warnings)?;
        let seal = object.get("seal").and_then(Json::as_str);
        Ok(Loaded {
            text: object.to_document(),
            revision: number,
            seal: seal.unwrap_or_default().to_owned(),
            object,
        })
    })
    .await
}

/// The checkpoint as it is stored at present.
pub(super) async fn present(
    store: &RunStore<'_>,
    document: Document,
    has_side: bool,
    warnings: &mut Warnings,
) -> Result<(Loaded, Head), Error> {
    store.expect_own(&document.object)?;
    store.notice(&document, has_side, warnings).await;
    let object = document.stamped();
    notice_problems(&store.shown(), &object, store.target, warnings)?;
    let head = store.head(warnings).await;
    let saved = object.get("head_commit").and_then(Json::as_str);
    let current = head.commit();
    if let (Some(saved), Some(current)) = (stale(saved, current), current) {
        let title = store.target.title();
        warnings.warn(WarningCode::Stale, stale_warning(&title, saved, current));
    }
    let text = match document.origin {
        // Documents that the store wrote are UTF-8.
        Origin::Store => String::from_utf8(document.bytes).unwrap_or_else(|_| object.to_document()),
        Origin::Elsewhere | Origin::Edited => object.to_document(),
    };
    let Stamp { revision, seal } = document.stamp;
    let loaded = Loaded {
        object,
        text,
        revision,
        seal,
    };
    Ok((loaded, head))
}

/// The warning of a document that was saved at another commit than HEAD, by its title.
///
/// Neither commit is looked up here: HEAD may be before the saved one, or beside it, so that the command lists the
/// commits of either side; and after a rebase the saved one may be gone.
#[cold]
pub(in crate::operation) fn stale_warning(title: &str, saved: &str, current: &str) -> String {
    let (from, to) = (short(saved), short(current));
    let what = match is_commit(from) && is_commit(to) {
        true => {
            format!("read `git log --left-right {from}...{to}`, if the repository still has {from}")
        }
        // Anything else may be no word of a command.
        false => "look at its files".to_owned(),
    };
    format!(
        "Checkpoint is stale (saved at {from}, current HEAD is {to}): before you carry on with {title}, {what}"
    )
}

fn is_commit(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Warns of a document that breaks its schema.
fn notice_problems(
    what: &str,
    object: &Object,
    target: &Target,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let problems = document::problems(&Json::Object(object.clone()), &[&target.command]);
    if !problems.is_empty() {
        whole::needed()?;
    }
    warnings.left(what, &problems);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::stale_warning;

    #[test]
    fn the_stale_warning_names_the_run_and_a_command_of_commits_alone() {
        let head = "2222222222222222222222222222222222222222";
        for (saved, expected) in [
            (
                "1111111111111111111111111111111111111111",
                "Checkpoint is stale (saved at 1111111, current HEAD is 2222222): before you carry on with design, \
                 read `git log --left-right 1111111...2222222`, if the repository still has 1111111",
            ),
            (
                "`rm -rf`",
                "Checkpoint is stale (saved at `rm -rf, current HEAD is 2222222): before you carry on with design, \
                 look at its files",
            ),
        ] {
            assert_eq!(stale_warning("design", saved, head), expected);
        }
    }
}
