//! Where the register of session checkpoints is kept.

use crate::checkpoint::session::register;
use crate::error::{Code, Error};
use crate::json::Object;
use crate::store::{Change, Current, Policy, Revision, Slot, Stem, Wanted};

use super::opened::Opened;

/// What it is stored under: no id is called so.
const STEM: &str = "register";

/// The register as it is stored; empty where there is none yet.
///
/// # Errors
///
/// [`Error::corrupt`] where it cannot be read; as [`Slot::read`].
pub(super) async fn read(opened: &Opened<'_>) -> Result<Object, Error> {
    let stored = slot(opened)?.read().await?;
    Ok(stored.document.map(|it| it.object).unwrap_or_default())
}

/// Commits what `change` makes of the register; `None` where nothing is to be changed. One that cannot be
/// read is first replaced by the newest revision that can.
///
/// # Errors
///
/// As [`Slot::update`], and what `change` returns.
pub(super) async fn commit(
    opened: &Opened<'_>,
    change: &mut dyn FnMut(&Object) -> Result<Option<Object>, Error>,
) -> Result<(), Error> {
    let slot = slot(opened)?;
    let empty = Object::new();
    let mut decide = |current: &Current<'_>| {
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
    let committed = slot.update(None, &mut decide).await;
    let Err(error) = committed else {
        return Ok(());
    };
    if error.code() != Code::Corrupt {
        return Err(error);
    }
    // Nobody but the program writes it, and a copy of what is there is kept in quarantine.
    let mut accept = |_: &Revision, object: Object| Ok(object);
    slot.recover(Wanted::Below(u64::MAX), &mut accept).await?;
    slot.update(None, &mut decide).await.map(drop)
}

fn slot<'a>(opened: &Opened<'a>) -> Result<Slot<'a>, Error> {
    let policy = Policy {
        durability: opened.settings.durability,
        ..Policy::default()
    };
    let stem = Stem::new(STEM.to_owned())?;
    Ok(Slot::new(opened.io, &opened.folder, &stem, policy))
}
