//! Examines the folder of checkpoints: what is wrong, why it matters, and what mends it.
//!
//! Writers may be at work meanwhile. What one of them can cause for a moment (a token, a lock, a
//! copy that is being written) counts only if it is still there, unchanged, after
//! [`PATIENCE_MS`]; and what is removed then would harm nobody even if its owner came back: a
//! writer without its token begins again.
//!
//! Without leave to mend, nothing is written but a folder of its own to try the file system in,
//! which is removed at the end.

mod documents;
mod finding;
mod fix;
mod folder;
mod probe;
mod sides;

pub use finding::{Check, Finding, Level};

use crate::effect::Io;
use crate::error::Error;
use crate::keys::Keys;
use crate::store::Folder;

use super::place::{self, Head, Root};
use super::{Noticed, Place, Reply};

/// What stands unchanged for this long belongs to nobody: the time to live of a lock.
const PATIENCE_MS: u32 = 2_000;

/// Of one kind of finding this many are told; the rest is counted.
const MAX_TOLD: usize = 20;

/// What an examination may do about what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// Nothing.
    None,
    /// What cannot do harm.
    Safe,
}

/// Examines the folder of checkpoints. Findings are in the order of [`Check::ALL`], a check without
/// any has one of [`Level::Ok`]. Where there is no folder, none is made.
///
/// Fails with `usage`, `io` where not even the place can be told.
pub async fn examine(io: &Io, place: &Place, mending: Mending) -> Reply<Vec<Finding>> {
    let result = async {
        let root = place::locate(io, place).await?;
        let folder = Folder::new(root.path(), place.dir.as_deref())?;
        let ward = Ward {
            io,
            root: &root,
            folder: &folder,
        };
        let mut findings = ward.examine().await?;
        if mending == Mending::Safe {
            for finding in &mut findings {
                ward.mend(finding).await;
            }
        }
        Ok(in_order(findings))
    };
    Noticed::default().reply(result.await)
}

/// The folder under examination.
struct Ward<'a> {
    io: &'a Io,
    root: &'a Root,
    folder: &'a Folder,
}

impl Ward<'_> {
    async fn examine(&self) -> Result<Vec<Finding>, Error> {
        let mut findings = self.repository().await;
        let Some(standing) = self.standing(&mut findings).await? else {
            findings.extend(self.clock(None).await);
            return Ok(sound(findings, &[Check::Clock, Check::Repository]));
        };
        findings.extend(self.try_out(&standing).await);
        let mut look = self.look(&standing).await;
        if look.iter().any(|finding| finding.is_fleeting) {
            let first: Vec<String> = look.iter().map(Finding::identity).collect();
            self.pause().await?;
            look = self.look(&standing).await;
            let first: Keys<'_> = first.iter().map(String::as_str).collect();
            look.retain(|it| !it.is_fleeting || first.contains(&it.identity()));
        }
        findings.extend(look);
        Ok(sound(findings, &Check::ALL))
    }

    /// One look at everything that lies there.
    async fn look(&self, standing: &folder::Standing) -> Vec<Finding> {
        let mut findings = self.privacy(standing).await;
        let listed = self.listed(&mut findings).await;
        let newest = self.documents(&listed, &mut findings).await;
        if standing.has_side {
            self.sides(&listed, &mut findings).await;
        }
        findings.extend(self.clock(newest).await);
        findings
    }

    /// Lets [`PATIENCE_MS`] of the host's own clock pass.
    async fn pause(&self) -> Result<(), Error> {
        let waited = self.io.wait(PATIENCE_MS).await;
        waited.map_err(|failed| Error::io(format!("Cannot wait for writers: {}", failed.detail)))
    }

    async fn repository(&self) -> Vec<Finding> {
        let note = |found| vec![Finding::new(Check::Repository, Level::Note, found)];
        const NO_HEAD: &str = "Checkpoints are saved without the commit they were true at, and none \
                               is ever called stale.";
        match place::head(self.io, self.root).await {
            Head::Commit(_) | Head::Unborn => Vec::new(),
            Head::NoRepository => note("There is no git repository here".to_owned()),
            Head::OutOfSight => note("No .git is in what this program may see".to_owned()),
            Head::Unreadable(why) => note(why),
        }
        .into_iter()
        .map(|finding| finding.because(NO_HEAD))
        .collect()
    }
}

/// Adds that nothing was found, for each of these checks that found nothing.
fn sound(mut findings: Vec<Finding>, performed: &[Check]) -> Vec<Finding> {
    for &check in performed {
        if findings.iter().all(|finding| finding.check != check) {
            findings.push(Finding::new(check, Level::Ok, check.sound()));
        }
    }
    findings
}

/// The findings in the order of the checks, with no more of one kind than anybody reads.
fn in_order(findings: Vec<Finding>) -> Vec<Finding> {
    let mut ordered: Vec<Finding> = Vec::new();
    for check in Check::ALL {
        for level in [Level::Error, Level::Warning, Level::Note, Level::Ok] {
            for mended in [true, false] {
                let is_such =
                    |it: &&Finding| (it.check, it.level, it.mended) == (check, level, mended);
                let such = findings.iter().filter(is_such);
                ordered.extend(such.clone().take(MAX_TOLD).cloned());
                let rest = such.skip(MAX_TOLD).count();
                if rest > 0 {
                    let found = format!("… and {rest} more like these");
                    let more = Finding::new(check, level, found);
                    ordered.push(Finding { mended, ..more });
                }
            }
        }
    }
    ordered
}
