//! Documents that remember something beside checkpoints. The program alone writes them, so that one that is damaged is
//! taken from its history without being asked, and never without a warning.

use crate::error::{Code, Error, Warning, WarningCode};
use crate::json::{Json, Object};
use crate::store::{Document, Origin, Revision, RevisionChoice, VersionedDocument};

use super::Warnings;

/// The document, or where that is corrupt or gone the newest revision of its history, with a warning; `None` where
/// there was never one. Nothing is written.
///
/// # Errors
///
/// [`Error::corrupt`] where its history has nothing to take; as [`VersionedDocument::read`].
pub(super) async fn read(
    versioned: &VersionedDocument<'_>,
    warnings: &mut Warnings,
) -> Result<Option<Object>, Error> {
    let failure = match versioned.read().await {
        Ok(stored) => match stored.document {
            Some(document) => {
                notice_older(versioned, &document, warnings);
                return Ok(Some(document.object));
            }
            None if !stored.has_side => return Ok(None),
            None => None,
        },
        Err(error) if error.code() == Code::Corrupt => Some(error),
        Err(error) => return Err(error),
    };
    let mut accept = |_: &Revision, object: Object| Ok(object);
    let picked = versioned
        .pick(RevisionChoice::Below(u64::MAX), &mut accept)
        .await?;
    match (picked, failure) {
        (Some((revision, object)), failure) => {
            warnings.add(taken(versioned, failure.as_ref(), revision.number, None));
            Ok(Some(object))
        }
        (None, Some(error)) => Err(error),
        (None, None) => Ok(None),
    }
}

/// Puts the newest revision of its history in the place of a document that is corrupt, which is the failure, or gone;
/// whether there is one now. A copy of what is corrupt is kept in quarantine.
///
/// # Errors
///
/// As [`VersionedDocument::recover`].
pub(super) async fn recover(
    versioned: &VersionedDocument<'_>,
    failure: Option<&Error>,
    warnings: &mut Warnings,
) -> Result<bool, Error> {
    let mut accept = |_: &Revision, object: Object| Ok(object);
    match versioned
        .recover(RevisionChoice::Below(u64::MAX), &mut accept)
        .await
    {
        Ok(recovered) => {
            let copy = recovered.quarantined.as_deref();
            warnings.add(taken(versioned, failure, recovered.from, copy));
            Ok(true)
        }
        Err(error) if failure.is_none() && error.code() == Code::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Warns of an older state that was put back: what was remembered since is not in it.
pub(super) fn notice_older(
    versioned: &VersionedDocument<'_>,
    document: &Document,
    warnings: &mut Warnings,
) {
    let claimed = document.object.get("revision").and_then(Json::as_u64);
    let claimed = claimed.unwrap_or_default();
    if document.origin == Origin::Edited && claimed.saturating_add(1) < document.stamp.revision {
        warnings.warn(
            WarningCode::EditedByHand,
            format!(
                "{} was replaced by its older revision {claimed}, which is used; its history has newer ones",
                versioned.shown()
            ),
        );
    }
}

fn taken(
    versioned: &VersionedDocument<'_>,
    failure: Option<&Error>,
    from: u64,
    copy: Option<&str>,
) -> Warning {
    let (code, what) = match failure {
        Some(error) => (WarningCode::Corrupt, error.to_string()),
        None => {
            let shown = versioned.shown();
            let what = format!("{shown} is gone, and its history is there");
            (WarningCode::Vanished, what)
        }
    };
    let kept = match copy {
        Some(copy) => format!("; the corrupt file is kept as {copy}"),
        None => String::new(),
    };
    let message = format!("{what}; revision {from} of its history is used in its place{kept}");
    Warning::new(code, message)
}
