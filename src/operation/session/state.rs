//! The run that a snapshot was made of, in its state of then.

use crate::checkpoint::command::additions::Creation;
use crate::checkpoint::command::agents::{OWNERSHIP, keep_owners, line, owners};
use crate::checkpoint::command::diff::changes;
use crate::digest::sha256;
use crate::error::{Error, Target, WarningCode};
use crate::json::{self, Json, Object};
use crate::operation::command::load::{Loaded, load};
use crate::operation::command::save::{RunInput, save};
use crate::operation::reply::Warnings;
use crate::schema::Shaped;
use crate::store::MAX_DOCUMENT_BYTES;
use crate::store::objects::ContentReader;

use super::snapshot_store::SnapshotStore;

/// The members in which two revisions of one content differ.
const OF_REVISIONS: [&str; 4] = ["revision", "seal", "updated_at", "restores"];

/// The beginning of a line about a phase.
const PHASE: &str = "phase ";

/// The change of a run by a restore.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct RunRestore {
    /// The revision whose content comes back; null where the snapshot does not say it.
    pub revision: Option<u64>,
    /// The present revision; null where the run does not exist.
    pub present: Option<u64>,
    /// The changes of the phases, a line each.
    pub phases: Vec<String>,
    /// The run, as messages name it.
    #[shape(skip)]
    pub title: String,
}

/// An earlier content that differs from the present one.
pub(super) struct Earlier {
    target: Target,
    document: Object,
    /// The present one.
    present: Option<Loaded>,
    /// Its SHA-256.
    sha256: String,
    /// The revision that had it.
    revision: Option<u64>,
}

impl Earlier {
    /// The content of then; `None` without one, or where the present one is equal.
    ///
    /// # Errors
    ///
    /// As loading the present one; [`Error::corrupt`] where the content of then is missing or damaged.
    pub(super) async fn find(
        store: &SnapshotStore<'_>,
        document: &Object,
        warnings: &mut Warnings,
    ) -> Result<Option<Earlier>, Error> {
        let checkpoint = document.get("checkpoint").and_then(Json::as_object);
        let text = |key: &str| checkpoint.and_then(|it| it.get(key)?.as_str());
        if let (Some(command), Some(why)) = (text("command"), text("left_out")) {
            let message =
                format!("The run of {command} is not restored, because its recorded state {why}");
            warnings.warn(WarningCode::Redacted, message);
        }
        let (Some(command), Some(sha256)) = (text("command"), text("sha256")) else {
            return Ok(None);
        };
        let revision = checkpoint.and_then(|it| it.get("revision")?.as_u64());
        let target = Target {
            command: command.to_owned(),
            feature: text("feature").map(str::to_owned),
        };
        let reader = ContentReader::open(store.io, &store.folder).await?;
        let bytes = match reader.read(sha256, MAX_DOCUMENT_BYTES).await? {
            Ok(bytes) => bytes,
            Err(broken) => {
                let why = "the recorded state of the run is missing or damaged".to_owned();
                return Err(Error::corrupt(broken.object, why, None));
            }
        };
        let Ok(Json::Object(document)) = json::read(&bytes).map(|reading| reading.value) else {
            return Ok(None);
        };
        let reply = load(store.io, store.settings, &target).await;
        for warning in reply.warnings {
            warnings.add(warning);
        }
        let present = reply.result?;
        let is_same = present
            .as_ref()
            .is_some_and(|present| unowned(&present.object) == unowned(&document));
        Ok((!is_same).then(|| Earlier {
            target,
            document,
            present,
            sha256: sha256.to_owned(),
            revision,
        }))
    }

    /// Returns whether the present run has the content that another document says.
    ///
    /// # Errors
    ///
    /// As [`Earlier::find`].
    pub(super) async fn is_as_in(
        &self,
        store: &SnapshotStore<'_>,
        document: &Object,
    ) -> Result<bool, Error> {
        let checkpoint = document.get("checkpoint").and_then(Json::as_object);
        let text = |key: &str| checkpoint.and_then(|it| it.get(key)?.as_str());
        let is_of_run = text("command") == Some(self.target.command.as_str())
            && text("feature") == self.target.feature.as_deref()
            && text("sha256").is_some();
        let quiet = &mut Warnings::default();
        Ok(is_of_run && Earlier::find(store, document, quiet).await?.is_none())
    }

    /// Returns whether a session other than this one has worked on the run since.
    pub(super) fn is_of_others(&self, session: &str) -> bool {
        let then = line(&self.document).unwrap_or_default();
        let now = self.present.as_ref().and_then(|it| line(&it.object));
        let now = now.unwrap_or_default();
        let mut others = owners(&now).filter(|it| it.session.id != session);
        others.any(|it| owners(&then).all(|was| (was.session, was.seen) != (it.session, it.seen)))
    }

    /// The mark that stands for it in the id of a plan.
    pub(super) fn mark(&self) -> String {
        let revision = self.present.as_ref().map_or(0, |present| present.revision);
        format!("state {} {revision}", self.sha256)
    }

    /// The present checkpoint, where it exists.
    pub(super) fn present(&self) -> Option<&Target> {
        self.present.as_ref().map(|_| &self.target)
    }

    /// Returns whether a snapshot has kept the present content.
    pub(super) fn is_kept_in(&self, document: &Object) -> bool {
        let kept = document.get("checkpoint").and_then(Json::as_object);
        let text = |key: &str| kept.and_then(|it| it.get(key)?.as_str());
        let Some(present) = &self.present else {
            return true;
        };
        text("command") == Some(self.target.command.as_str())
            && text("feature") == self.target.feature.as_deref()
            && text("sha256") == Some(sha256(present.text.as_bytes()).as_str())
    }

    /// The checkpoint, as messages name it.
    pub(super) fn title(&self) -> String {
        match &self.target.feature {
            Some(feature) => format!("{} {feature}", self.target.command),
            None => self.target.command.clone(),
        }
    }

    /// The change of the run, as a plan shows it.
    pub(super) fn change(&self) -> RunRestore {
        let lines = match &self.present {
            Some(present) => changes(&present.object, &self.document),
            None => Vec::new(),
        };
        let lines = lines.iter().map(ToString::to_string);
        RunRestore {
            title: self.title(),
            revision: self.revision,
            present: self.present.as_ref().map(|present| present.revision),
            phases: lines.filter(|line| line.starts_with(PHASE)).collect(),
        }
    }

    /// Writes the content of then as the next revision, with the sessions, branch and worktree of now; changes that
    /// others make at the same time are merged with it, or a conflict.
    ///
    /// # Errors
    ///
    /// As [`save`].
    pub(super) async fn write(
        &self,
        store: &SnapshotStore<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let mut document = content(&self.document);
        if let Some(present) = &self.present {
            keep_owners(&mut document, &present.object);
            document.set("revision", present.revision);
            document.set("seal", present.seal.as_str());
        }
        let text = Json::from(document).to_document();
        let given = RunInput::Text(&text);
        let reply = save(
            store.io,
            store.settings,
            &self.target,
            given,
            Creation::Allowed,
        )
        .await;
        for warning in reply.warnings {
            warnings.add(warning);
        }
        reply.result.map(drop)
    }
}

/// A document without what says which revision it is.
fn content(document: &Object) -> Object {
    let mut content = document.clone();
    for key in OF_REVISIONS {
        content.remove(key);
    }
    content
}

/// The content of a document without what says who works on it.
fn unowned(document: &Object) -> Object {
    let mut content = content(document);
    for key in OWNERSHIP {
        content.remove(key);
    }
    content
}
