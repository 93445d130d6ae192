//! The failures for a missing checkpoint: it never was, or it is gone though its history is kept.

#[cfg(feature = "cli")]
use crate::effect::Io;
use crate::error::{Error, Warning, WarningCode};
use crate::extent::IS_WHOLE;
#[cfg(feature = "cli")]
use crate::operation::Settings;
use crate::operation::Target;

use super::deleted::deleted;
use super::run_store::RunStore;

/// The warning that a missing checkpoint is gone, though its history is kept.
pub(super) async fn vanished(store: &RunStore<'_>) -> Option<Warning> {
    let error = missing(store, store.target).await;
    let advice = error.advice()?.clone();
    let warning = Warning::new(WarningCode::Vanished, error.to_string());
    Some(warning.with_advice(Some(advice)))
}

/// The failure for a missing checkpoint; where its history is kept, with what brings it back.
pub(super) async fn missing(store: &RunStore<'_>, target: &Target) -> Error {
    if let Err(error) = store.expect_root().await {
        return error;
    }
    match store.versioned.revisions().await {
        Ok(revisions) if !revisions.is_empty() => {
            let tombstone = match IS_WHOLE {
                true => store.versioned.read().await.ok(),
                false => None,
            };
            let tombstone = tombstone.and_then(|stored| stored.tombstone);
            deleted(target, tombstone.as_deref().map(|it| &it.object))
        }
        _ => Error::no_checkpoint(target),
    }
}

/// The failure for a checkpoint that is gone though its history is kept; `None` for any other.
#[cfg(feature = "cli")]
pub(crate) async fn lost(io: &Io, settings: &Settings, target: &Target) -> Option<Error> {
    let store = RunStore::open(io, settings, target).await.ok()?;
    let error = missing(&store, target).await;
    error.advice().is_some().then_some(error)
}
