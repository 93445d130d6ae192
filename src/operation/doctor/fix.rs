//! Mends what can be mended without a risk.

use crate::effect::{Failed, Fault, Links, Sync};
use crate::store::IGNORE_ALL;

use super::Ward;
use super::finding::{Finding, Remedy};
use super::folder::ignore_file;

/// A lock is smaller.
const MAX_LOCK_BYTES: u32 = 256;

impl Ward<'_> {
    /// Applies the remedy of a finding, if it has one, and says what came of it.
    pub(super) async fn mend(&self, finding: &mut Finding) {
        let Some(remedy) = &finding.remedy else {
            return;
        };
        match self.apply(remedy).await {
            Ok(()) => {
                finding.mended = true;
                finding.mend = None;
            }
            Err(failed) => {
                finding.found = format!("{}; mending it failed: {}", finding.found, failed.detail);
            }
        }
    }

    async fn apply(&self, remedy: &Remedy) -> Result<(), Failed> {
        match remedy {
            Remedy::Restrict(below) => self.io.restrict(self.host(below)).await,
            Remedy::Ignore(place) => self.ignore_again(place).await,
            Remedy::Remove(below) => gone(self.io.remove(self.host(below)).await),
            Remedy::Unlock(below, bytes) => {
                let lock = self.host(below);
                let read = self.io.read(lock.clone(), MAX_LOCK_BYTES, Links::Refuse);
                match read.await {
                    // Somebody took it over meanwhile, and removes it in time.
                    Ok(found) if found != *bytes => Ok(()),
                    Ok(_) => gone(self.io.remove(lock).await),
                    Err(failed) => gone(Err(failed)),
                }
            }
            Remedy::RemoveProbe(below) => gone(self.remove_probe(&self.host(below)).await),
        }
    }

    /// A path for the host; the folder of documents itself is empty.
    pub(super) fn host(&self, below: &str) -> String {
        self.folder.host(below)
    }

    /// Replaces the file as a whole: cut short, it would ignore nothing.
    async fn ignore_again(&self, place: &str) -> Result<(), Failed> {
        let file = self.host(&ignore_file(place));
        let new = format!("{file}.new");
        // One that an earlier attempt left.
        gone(self.io.remove(new.clone()).await)?;
        let bytes = IGNORE_ALL.as_bytes().to_owned();
        let made = match self.io.create(new.clone(), bytes, Sync::Durable).await {
            Ok(()) => self.io.rename(new.clone(), file).await,
            Err(failed) => Err(failed),
        };
        if made.is_err() {
            let _ = self.io.remove(new).await;
        }
        made
    }
}

/// What is gone already needs no removal.
pub(super) fn gone(removed: Result<(), Failed>) -> Result<(), Failed> {
    match removed {
        Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => Ok(()),
        removed => removed,
    }
}
