//! The register of snapshots.

use crate::checkpoint::session::register;
use crate::error::{Code, Error};
use crate::json::Object;
use crate::operation::{Warnings, remembered};
use crate::store::{Change, Current, RetentionPolicy, Stem, VersionedDocument};

use super::snapshot_store::SnapshotStore;

/// The stem of the register, which is no valid id.
const STEM: &str = "register";

/// The register as it is stored; empty where there was never one. Warns where it is damaged, and is taken from its
/// history.
///
/// # Errors
///
/// [`Error::corrupt`] where it cannot be read, nor its history; as [`VersionedDocument::read`].
pub(super) async fn read(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<Object, Error> {
    let stored = remembered::read(&versioned_document(store)?, warnings).await?;
    Ok(stored.unwrap_or_default())
}

/// Commits what `change` makes of the register; `None` where nothing is to be changed. One that cannot be
/// read, or is gone though it has a history, is first replaced by the newest revision that can, with a warning.
///
/// # Errors
///
/// As [`VersionedDocument::update`], and what `change` returns.
pub(super) async fn commit(
    store: &SnapshotStore<'_>,
    change: &mut dyn FnMut(&Object) -> Result<Option<Object>, Error>,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let versioned = versioned_document(store)?;
    let empty = Object::new();
    let mut is_recovered = false;
    loop {
        let mut is_absent = false;
        let mut older = None;
        let mut decide = |current: &Current<'_>| {
            if current.document.is_none() && !is_recovered {
                is_absent = true;
                return Err(Error::not_found(versioned.shown()));
            }
            older = current.document.cloned();
            let stored = current.document.map_or(&empty, |it| &it.object);
            let next = change(stored)?;
            Ok(match next {
                Some(next) => {
                    let problems = register::problems(&next);
                    if !problems.is_empty() {
                        return Err(Error::invalid_document(problems));
                    }
                    Change::write(next)
                }
                None => Change::Keep,
            })
        };
        let committed = versioned.update(None, &mut decide).await;
        if let Some(older) = &older {
            remembered::notice_older(&versioned, older, warnings);
        }
        match committed {
            Ok(_) => return Ok(()),
            Err(_) if is_absent => drop(remembered::recover(&versioned, None, warnings).await?),
            Err(error) if error.code() == Code::Corrupt && !is_recovered => {
                remembered::recover(&versioned, Some(&error), warnings).await?;
            }
            Err(error) => return Err(error),
        }
        is_recovered = true;
    }
}

fn versioned_document<'a>(store: &SnapshotStore<'a>) -> Result<VersionedDocument<'a>, Error> {
    let policy = RetentionPolicy {
        durability: store.settings.durability,
        ..RetentionPolicy::default()
    };
    let stem = Stem::new(STEM.to_owned())?;
    Ok(VersionedDocument::new(
        store.io,
        &store.folder,
        &stem,
        policy,
    ))
}
