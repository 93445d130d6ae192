//! The fixes that an examination applies, all of them safe.

use crate::effect::{Access, Failed, Fault, Io, Links, PathKind, Sync};
use crate::restore::bring_back;
use crate::store::{IGNORE_ALL, MAX_LOCK_BYTES, StoreFolder};

use super::finding::Finding;
use super::fix_step::{PutBack, Remedy};
use super::ignore::{MAX_IGNORE_BYTES, is_missing};
use super::probe::{self, gone};

/// Applies the remedy of a finding, if it has one, and says what came of it.
pub(super) async fn apply_to(io: &Io, folder: &StoreFolder, finding: &mut Finding) {
    let Some(remedy) = &finding.remedy else {
        return;
    };
    match apply(io, folder, remedy).await {
        Ok(()) => {
            finding.is_fixed = true;
            finding.fix_steps.clear();
        }
        Err(failed) => {
            if let Remedy::Permit(change) = remedy {
                finding.fix_steps = change.step.clone().into();
            }
            finding.found.push_str("; the fix failed: ");
            finding.found.push_str(&failed.reason());
        }
    }
}

/// Makes an empty file, and the folders that it is in. Nothing is made through a link.
async fn mark(io: &Io, folder: &StoreFolder, below: &str) -> Result<(), Failed> {
    for (end, _) in below.match_indices('/') {
        let above = folder.host(&below[..end]);
        let entries = io.inspect(vec![above.clone()]).await?;
        let made = match entries.first().map(|it| it.kind) {
            Some(PathKind::Folder) => continue,
            Some(PathKind::Absent) => io.make_folder(above, Access::Owner).await,
            _ => Err(Failed {
                effect: "",
                fault: Fault::WrongKind,
                detail: "no folder is there for it".to_owned(),
            }),
        };
        there(made)?;
    }
    let made = io.create(folder.host(below), Vec::new(), Sync::Durable, Access::Owner);
    there(made.await)
}

/// It is there, also where another one has made it.
fn there(made: Result<(), Failed>) -> Result<(), Failed> {
    match made {
        Err(failed) if failed.fault == Fault::Exists => Ok(()),
        made => made,
    }
}

async fn apply(io: &Io, folder: &StoreFolder, remedy: &Remedy) -> Result<(), Failed> {
    let done = match remedy {
        Remedy::Restrict(below) => io.restrict(folder.host(below)),
        Remedy::Permit(change) => io.set_permissions(change.host.clone(), change.bits),
        Remedy::Remove(below) => io.remove(folder.host(below)),
        Remedy::Unlock(below, bytes) => {
            let lock = folder.host(below);
            let read = io.read(lock.clone(), MAX_LOCK_BYTES, Links::Refuse);
            // Another process took it over in between, and removes it in time.
            if !read.await.is_ok_and(|found| found == *bytes) {
                return Ok(());
            }
            io.remove(lock)
        }
        Remedy::Ignore(below) => {
            let file = folder.host(below);
            let read = io.read(file.clone(), MAX_IGNORE_BYTES, Links::Refuse);
            let read = read.await.map_err(|failed| failed.fault);
            if !is_missing(&read) {
                return Err(Failed {
                    effect: "",
                    fault: Fault::Exists,
                    detail: "another program just wrote one".to_owned(),
                });
            }
            if read.is_ok() {
                gone(io.remove(file.clone()).await)?;
            }
            io.create(
                file,
                IGNORE_ALL.as_bytes().to_owned(),
                Sync::Durable,
                Access::Owner,
            )
        }
        Remedy::RemoveProbe(below) => {
            return gone(probe::remove(io, folder, below).await);
        }
        Remedy::PutBack(it) => return put_back(io, it).await,
        Remedy::Mark(below) => return mark(io, folder, below).await,
    };
    gone(done.await)
}

/// Puts a file back that a restore has moved aside.
async fn put_back(io: &Io, it: &PutBack) -> Result<(), Failed> {
    let own: Vec<&str> = it.own.iter().map(String::as_str).collect();
    let detail = match bring_back(io, &it.root, &own, &it.folder, &it.aside).await {
        Ok(true) => return Ok(()),
        Ok(false) => "something else took its place".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(Failed {
        effect: "",
        fault: Fault::Other,
        detail,
    })
}
