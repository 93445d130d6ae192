//! Examines the folder of checkpoints: what is wrong, why it matters, and what mends it.
//!
//! Writers may be at work meanwhile. What one of them can cause for a moment (a token, a lock, a
//! copy that is being written) counts only if it is still there, unchanged, after
//! two seconds; and what is removed then would harm nobody even if its owner came back: a
//! writer without its token begins again.
//!
//! Without leave to mend, nothing is written but a folder of its own to try the file system in, and
//! one file of it that is moved to where the documents lie; both are removed at the end.

mod documents;
mod finding;
mod fix;
mod folder;
mod probe;
mod sides;

pub use finding::{Check, Finding, Level};

use crate::effect::Io;
use crate::error::{Error, Target};
use crate::keys::Keys;
use crate::store::Folder;

use crate::root::{self, Head, Root};
use finding::Report;

/// What stands unchanged for this long belongs to nobody: the time to live of a lock.
const PATIENCE_MS: u32 = 2_000;

/// Of one kind of finding this many are told; the rest is counted.
const MAX_TOLD: usize = 20;

/// What an examination may do about what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Nothing.
    None,
    /// What cannot do harm.
    Safe,
}

/// Examines the folder of checkpoints. A check without any finding has one of [`Level::Ok`]. Where
/// there is no folder, none is made.
///
/// # Errors
///
/// [`Error::io`] when not even the way to the folder can be looked at, or no wait for writers is to
/// be had.
pub async fn examine(io: &Io, place: &Place<'_>, fix: Fix) -> Result<Vec<Finding>, Error> {
    let examination = Examination {
        io,
        root: place.root,
        folder: place.folder,
        is_named: place.is_named,
    };
    let mut report = Report::default();
    examination.examine(&mut report).await?;
    for finding in &mut report.findings {
        if finding.remedy.is_some() {
            finding.mended_by(examination.milepost("doctor --fix"));
        }
    }
    if fix == Fix::Safe {
        for finding in &mut report.findings {
            examination.mend(finding).await;
        }
    }
    Ok(shortened(report))
}

/// What is examined.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The root.
    pub root: &'a Root,
    /// The folder of documents below it.
    pub folder: &'a Folder,
    /// Whether the caller named the root, which a command in it would not find by itself.
    pub is_named: bool,
}

/// The folder under examination.
struct Examination<'a> {
    io: &'a Io,
    root: &'a Root,
    folder: &'a Folder,
    /// Whether the caller named the root, which a command in it would not find by itself.
    is_named: bool,
}

impl Examination<'_> {
    /// A command of this program, to be run in the root.
    fn milepost(&self, words: &str) -> String {
        let root = if self.is_named { " --root ." } else { "" };
        format!("milepost {words}{root}")
    }

    /// The command that puts the last good revision back.
    fn recover(&self, target: &Target) -> String {
        let words = match &target.feature {
            Some(feature) => format!("recover {} --feature {feature}", target.command),
            None => format!("recover {}", target.command),
        };
        self.milepost(&words)
    }

    async fn examine(&self, report: &mut Report) -> Result<(), Error> {
        self.repository(report).await;
        let Some(standing) = self.standing(report).await? else {
            self.clock(None, report).await;
            sound(report, &[Check::Clock, Check::Repository]);
            return Ok(());
        };
        self.try_out(&standing, report).await;
        let before = report.findings.len();
        let mut first: Option<Vec<String>> = None;
        loop {
            self.look(&standing, report).await;
            let looked = &report.findings[before..];
            if let Some(first) = first {
                // What is fleeting counts if both looks show it.
                let first: Keys<'_> = first.iter().map(String::as_str).collect();
                report
                    .findings
                    .retain(|it| !it.is_fleeting || first.contains(&it.identity()));
                break;
            }
            if !looked.iter().any(|finding| finding.is_fleeting) {
                break;
            }
            first = Some(looked.iter().map(Finding::identity).collect());
            report.findings.truncate(before);
            let waited = self.io.wait(PATIENCE_MS).await;
            waited.map_err(|failed| failed.cannot_do("wait for writers"))?;
        }
        sound(report, &Check::ALL);
        Ok(())
    }

    /// One look at everything that lies there.
    async fn look(&self, standing: &folder::Standing, report: &mut Report) {
        self.privacy(standing, report).await;
        let checkpoints = self.checkpoints(report).await;
        let newest = self.documents(&checkpoints, report).await;
        if standing.has_side {
            self.sides(&checkpoints, report).await;
        }
        self.clock(newest, report).await;
    }

    async fn repository(&self, report: &mut Report) {
        let found = match root::head(self.io, self.root).await {
            Head::Commit(_) | Head::Unborn => return,
            Head::NoRepository => "There is no git repository here".to_owned(),
            Head::OutOfSight => "No .git is in what this program may see".to_owned(),
            Head::Unreadable(why) => why,
        };
        let why = "Checkpoints are saved without the commit they were true at, and none is ever \
                   called stale.";
        report.tell(Check::Repository, Level::Note, "", &found, why);
    }
}

/// Adds that nothing was found, for each of these checks that found nothing.
fn sound(report: &mut Report, performed: &[Check]) {
    for &check in performed {
        if !report.findings.iter().any(|finding| finding.check == check) {
            report.tell(check, Level::Ok, "", check.sound(), "");
        }
    }
}

/// The findings, with no more of one kind than anybody reads.
fn shortened(mut report: Report) -> Vec<Finding> {
    for check in Check::ALL {
        // Mended ones first: what is left is what the rest is counted by.
        for (level, mended) in [
            (Level::Error, false),
            (Level::Warning, true),
            (Level::Warning, false),
            (Level::Note, true),
            (Level::Note, false),
        ] {
            let mut count = 0_usize;
            report.findings.retain(|it| {
                let is_such = (it.check, it.level, it.mended) == (check, level, mended);
                count += usize::from(is_such);
                !is_such || count <= MAX_TOLD
            });
            if let Some(rest) = count.checked_sub(MAX_TOLD).filter(|rest| *rest > 0) {
                let found = format!("… and {rest} more like these");
                report.tell(check, level, "", &found, "").mended = mended;
            }
        }
    }
    report.findings
}
