//! The failures for a missing checkpoint: it never was, or it is gone though its history is kept.

#[cfg(feature = "cli")]
use crate::effect::Io;
use crate::error::{Advice, Error, Warning, WarningCode};
#[cfg(feature = "cli")]
use crate::operation::Settings;
use crate::operation::Target;

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
        Ok(revisions) if !revisions.is_empty() => history_only(target),
        _ => Error::no_checkpoint(target),
    }
}

/// The failure for a checkpoint that is gone though its history is kept.
#[cold]
pub(super) fn history_only(target: &Target) -> Error {
    Error::not_found(format!(
        "{}, but its history is kept",
        Error::no_checkpoint(target)
    ))
    .with_advice(Advice::Recover(target.clone()))
}

/// The failure for a checkpoint that is gone though its history is kept; `None` for any other.
#[cfg(feature = "cli")]
pub(crate) async fn lost(io: &Io, settings: &Settings, target: &Target) -> Option<Error> {
    let store = RunStore::open(io, settings, target).await.ok()?;
    let error = missing(&store, target).await;
    error.advice().is_some().then_some(error)
}
