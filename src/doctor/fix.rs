//! Mends what can be mended without a risk.

use crate::effect::{Failed, Fault, Links, Sync};
use crate::store::{IGNORE_ALL, MAX_LOCK_BYTES};

use super::Examination;
use super::finding::{Finding, Remedy};
use super::folder::{MAX_IGNORE_BYTES, is_missing};

impl Examination<'_> {
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
                finding.found.push_str("; mending it failed: ");
                finding.found.push_str(&failed.detail);
            }
        }
    }

    async fn apply(&self, remedy: &Remedy) -> Result<(), Failed> {
        let done = match remedy {
            Remedy::Restrict(below) => self.io.restrict(self.host(below)),
            Remedy::Remove(below) => self.io.remove(self.host(below)),
            Remedy::Unlock(below, bytes) => {
                let lock = self.host(below);
                let read = self.io.read(lock.clone(), MAX_LOCK_BYTES, Links::Refuse);
                // Somebody took it over meanwhile, and removes it in time.
                if !read.await.is_ok_and(|found| found == *bytes) {
                    return Ok(());
                }
                self.io.remove(lock)
            }
            Remedy::Ignore(below) => {
                let file = self.host(below);
                let read = self.io.read(file.clone(), MAX_IGNORE_BYTES, Links::Refuse);
                let read = read.await.map_err(|failed| failed.fault);
                if !is_missing(&read) {
                    return Err(Failed {
                        effect: "",
                        fault: Fault::Exists,
                        detail: "somebody wrote one meanwhile".to_owned(),
                    });
                }
                if read.is_ok() {
                    gone(self.io.remove(file.clone()).await)?;
                }
                self.io
                    .create(file, IGNORE_ALL.as_bytes().to_owned(), Sync::Durable)
            }
            Remedy::RemoveProbe(below) => {
                return gone(self.remove_probe(below).await);
            }
        };
        gone(done.await)
    }

    /// A path for the host; the folder of documents itself is empty.
    pub(super) fn host(&self, below: &str) -> String {
        self.folder.host(below)
    }
}

/// What is gone already needs no removal.
pub(super) fn gone(removed: Result<(), Failed>) -> Result<(), Failed> {
    match removed {
        Err(failed) if failed.fault == Fault::NotFound => Ok(()),
        removed => removed,
    }
}
