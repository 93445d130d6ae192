//! Saving a whole document.

use crate::checkpoint::command::additions::{Additions, Creation};
use crate::checkpoint::command::document::{self, Draft, RunDocument};
use crate::checkpoint::command::merge;
use crate::checkpoint::command::phases::relist_reopened;
use crate::checkpoint::command::progress::phases;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::error::whole;
use crate::extent::IS_WHOLE;
use crate::json::{Json, Object, Pointer};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target, Warnings, text};
use crate::schema::{ArgumentMembers, Problem, ProblemCode, Shaped};
use crate::store::{Committed, Current, Document, Stamp};

use super::budget_check::BudgetCheck;
use super::creation::{self, Created, Existing};
use super::run_store::RunStore;

pub(super) const OPERATION: Operation = Operation::changing::<SaveArguments, SavedDocument>(
    "save",
    "Saves a whole checkpoint; with its revision and seal, changes of others are merged.",
    perform,
);

/// The checkpoint, and its document in one of two forms.
#[derive(ArgumentMembers)]
struct SaveArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// The document, as JSON.
    document: Option<&'a Object>,
    /// The document as text, of which it is not known whether it is JSON.
    text: Option<&'a str>,
    #[shape(flatten)]
    existing: Existing,
}

/// A committed change.
#[derive(Shaped)]
#[shape(name = "Saved")]
pub(super) struct SavedMembers {
    /// The revision that is stored now.
    revision: u64,
    /// Its seal: with the revision, the base of a compare-and-swap.
    seal: String,
    /// True if another writer's change was merged in.
    merged: bool,
    /// True if the document differs from the one stored before.
    changed: bool,
}

/// A committed change of a phase.
#[derive(Shaped)]
pub(super) struct SavedPhase {
    #[shape(flatten)]
    saved: SavedMembers,
    #[shape(flatten)]
    created: Option<Created>,
}

impl From<Saved> for SavedPhase {
    fn from(saved: Saved) -> Self {
        SavedPhase {
            saved: SavedMembers {
                revision: saved.revision,
                seal: saved.seal,
                merged: saved.merged,
                changed: saved.changed,
            },
            created: saved.created.map(Created::from),
        }
    }
}

/// A change says what it made, if it may make something.
impl From<Saved> for Json {
    fn from(saved: Saved) -> Self {
        SavedPhase::from(saved).into()
    }
}

/// A committed save of a whole document.
#[derive(Shaped)]
struct SavedDocument {
    #[shape(flatten)]
    saved: SavedPhase,
    /// The document as it is stored, as JSON text.
    text: String,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let SaveArguments {
            target,
            document,
            text,
            existing,
        } = arguments.read();
        let given = match (document, text) {
            (Some(document), None) => RunInput::Document(document.clone()),
            (None, Some(text)) => RunInput::Text(text),
            _ => {
                let error = Error::usage("Expected either `document` or `text`".to_owned());
                return Warnings::default().reply(Err(error));
            }
        };
        let saved = save(io, settings, &target, given, existing.into()).await;
        saved.map(|saved| {
            let text = saved.object.to_document();
            let saved = saved.into();
            SavedDocument { saved, text }.into()
        })
    })
}

/// A document that is to be saved.
#[derive(Clone, Debug)]
pub enum RunInput<'a> {
    /// As an object.
    Document(Object),
    /// As text, of which it is not known whether it is JSON.
    Text(&'a str),
}

/// A checkpoint after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The stored document, with its revision and seal.
    pub object: Object,
    /// Its revision.
    pub revision: u64,
    /// Its seal.
    pub seal: String,
    /// Set where another writer's change since the base was merged in.
    pub merged: bool,
    /// Set where something was written.
    pub changed: bool,
    /// The run and the phases that were not there before, and the run that is open again; `None` of a change that can
    /// make none.
    pub created: Option<Additions>,
}

impl From<Committed> for Saved {
    fn from(committed: Committed) -> Self {
        let Stamp { revision, seal } = committed.stamp;
        Saved {
            object: committed.object,
            revision,
            seal,
            merged: false,
            changed: committed.changed,
            created: None,
        }
    }
}

/// A whole document that is to be saved.
enum Whole {
    /// It replaces the stored document, so nothing in it is excused by that one.
    Replaces(RunDocument),
    /// It is based on this state.
    Follows(Stamp, Object),
}

impl Whole {
    /// The phases that it names, in an entry or in a list alone.
    fn phases(&self) -> Vec<&str> {
        let document = match self {
            Whole::Replaces(document) => document.as_object(),
            Whole::Follows(_, document) => document,
        };
        let phases = phases(document).into_iter();
        phases.map(|(name, _)| name).collect()
    }
}

/// Saves a whole document.
///
/// With a `revision` and `seal` it is a compare-and-swap, and merges what others changed since; where that opens a
/// completed run again, its lists have every phase that is still to be done. Without them it replaces the document.
///
/// Fails with `invalid_name`, `invalid_document`, `summary_too_long`, `unsupported_version`, `corrupt`, `conflict`,
/// `busy`, `unsafe_path`, `too_large`, `io`, and with `not_found` for a run or a phase that is not there and may not be
/// created. Secrets in what is new are taken out, with the warning `redacted`; a new name that holds one is
/// `invalid_name` or `invalid_document`.
pub async fn save(
    io: &Io,
    settings: &Settings,
    target: &Target,
    given: RunInput<'_>,
    creation: Creation,
) -> Reply<Saved> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        store.expect_known_place().await?;
        let is_refused = creation == Creation::Refused;
        if is_refused {
            whole::needed()?;
            boxed(creation::expect_run(&store)).await?;
        }
        let mut given = match given {
            RunInput::Document(document) => document,
            RunInput::Text(text) => text::parse_document(text, warnings)?,
        };
        let base = take_stamp(&mut given)?;
        let moment = store.moment(warnings).await?;
        document::fill(
            &mut given,
            &target.command,
            target.feature.as_deref(),
            &moment.now,
        )?;
        if base.is_none() {
            store.hide_in(&mut given).await?;
        }
        let check = BudgetCheck::of_document(&store, &given).await?;
        if base.is_none() {
            check.settle(&mut given, &[])?;
        }
        let given = match base {
            None => Whole::Replaces(Draft::from(given).check(&[&target.command])?),
            Some(base) => Whole::Follows(base, given),
        };

        let mut merged = false;
        let mut decide = |current: &Current<'_>| {
            merged = false;
            store.expect_own_current(current)?;
            if IS_WHOLE && is_refused {
                let stored = current.document.map(|document| &document.object);
                creation::expect_phases(target, stored, &given.phases())?;
            }
            let (base, given) = match &given {
                Whole::Replaces(given) => return Ok(moment.date(given.clone(), current)),
                Whole::Follows(base, given) => (base, given),
            };
            let document = current.document.ok_or_else(|| gone(base))?;
            let sign = |mut next: Object, before: &[&Object]| {
                relist_reopened(&mut next, &document.object)?;
                check.settle(&mut next, before)?;
                store.sign(&moment, next.into(), current, before)
            };
            if *base == document.stamp {
                return sign(given.clone(), &[&document.object]);
            }
            merged = true;
            let before = base_of(base, document, current.base)?;
            let next = merge_since(base, before, given, document)?;
            sign(next, &[before, &document.object])
        };
        let base = match &given {
            Whole::Replaces(_) => None,
            Whole::Follows(base, _) => Some(base),
        };
        let committed = store
            .update(base, &mut decide, &moment.head, warnings)
            .await?;
        let before = committed.before.as_ref().map(|before| &before.object);
        let created = Additions::between(before, &committed.object, &given.phases());
        Ok(Saved {
            merged,
            created: Some(created),
            ..Saved::from(*committed)
        })
    })
    .await
}

fn gone(base: &Stamp) -> Error {
    let message = sentence!(
        "The run that was loaded at revision {} no longer exists; save without `revision` to create it",
        base.revision
    );
    Error::conflict(message, Vec::new())
}

/// The document that the caller's change is based on.
fn base_of<'a>(
    base: &Stamp,
    document: &Document,
    found: Option<&'a Object>,
) -> Result<&'a Object, Error> {
    let conflict = |message: String| Error::conflict(message, Vec::new());
    let stored = document.stamp.revision;
    if base.revision > stored {
        return Err(conflict(sentence!(
            "Revision {} is not stored yet, the newest is {stored}; load the run again",
            base.revision
        )));
    }
    found.ok_or_else(|| {
        conflict(sentence!(
            "Revision {} with this seal is no longer in the history, the newest is {stored}; load \
             the run again",
            base.revision
        ))
    })
}

/// Three-way merge of what the caller made of `base` with what is stored now.
fn merge_since(
    base: &Stamp,
    before: &Object,
    given: &Object,
    document: &Document,
) -> Result<Object, Error> {
    whole::needed()?;
    let stored = document.stamp.revision;
    let merged = merge::merge(before, given, &document.object);
    let mut merged = merged.map_err(|fields| {
        let message = sentence!(
            "Revision {stored} changed the same fields since revision {}; load the run again",
            base.revision
        );
        let fields = fields.iter().map(|field| field.as_str().to_owned());
        Error::conflict(message, fields.collect())
    })?;
    // Those of the stored document.
    merged.remove("revision");
    merged.remove("seal");
    Ok(merged)
}

/// Takes `revision` and `seal` out of a document that a caller hands in; they name its base.
fn take_stamp(object: &mut Object) -> Result<Option<Stamp>, Error> {
    let given = |value: Option<Json>| value.filter(|value| *value != Json::Null);
    let problem = |key: &str, message: &str| {
        Err(Error::invalid_document(vec![Problem {
            at: Pointer::root().key(key),
            code: ProblemCode::Type,
            message: message.to_owned(),
        }]))
    };
    let seal = given(object.remove("seal"));
    let revision = given(object.remove("revision"));
    match (revision, seal) {
        (None, None) => Ok(None),
        (Some(revision), Some(Json::String(seal))) => match revision.as_u64() {
            Some(revision) => Ok(Some(Stamp { revision, seal })),
            None => problem("revision", "expected the number that was loaded, unchanged"),
        },
        (None, Some(_)) => problem("revision", "expected the revision that came with the seal"),
        (Some(_), _) => problem(
            "seal",
            "expected the seal that came with the revision; leave both out to replace the document",
        ),
    }
}
