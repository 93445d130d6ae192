//! Examines the folder of checkpoints: what is wrong, why it matters, and what fixes it.
//!
//! Writers may be at work. What one of them can cause for a moment (a token, a lock, a copy that is being written)
//! counts only if it is still there, unchanged, after two seconds; and what is removed then would do no harm even if
//! its owner came back: a writer without its token begins again.
//!
//! Without leave to fix, nothing is written but a folder of its own to try the file system in, and one file of it that
//! is moved to the folder of the documents; both are removed at the end. [`Fix::Look`] leaves that out.

mod check;
mod facts;
mod finding;
mod fix;
mod fix_step;
mod ignore;
mod probe;
mod scan;

pub use facts::{DoctorInput, SettingsLocation};
pub use finding::{Check, Finding, Level};
pub use fix_step::FixStep;

use crate::effect::Io;
use crate::error::Error;
use crate::root::Root;
use crate::store::{Storage, StoreFolder, TIME_TO_LIVE_MS};
use crate::str_map::StrSet;

use scan::TrialMode;

/// Of one kind of finding this many are reported; the rest is counted.
const MAX_REPORTED: usize = 20;

/// No folder of the store is in more of its folders.
const MAX_DEPTH: usize = 10;

/// The changes that an examination may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Nothing, and the file system is not tried either: nothing at all is written.
    Look,
    /// Nothing.
    None,
    /// Changes that cannot do harm.
    Safe,
}

/// Examines the folder of checkpoints, and what is in those of snapshots. A check without any finding has one of
/// [`Level::Ok`]. Where there is no folder, none is made.
///
/// # Errors
///
/// [`Error::io`] when not even the way to the folder can be looked at, or no wait for writers is to
/// be had.
pub async fn examine(
    io: &Io,
    root: &Root,
    folder: &StoreFolder,
    known: &DoctorInput<'_>,
    fix: Fix,
) -> Result<Vec<Finding>, Error> {
    if folder.storage() == Storage::Records {
        let found = "State is kept in records of the host: there is no folder to examine";
        let why = "What a database promises, its own tools examine.";
        let finding = Finding::new(Check::Folder, Level::Note, "", found, why);
        return Ok(vec![finding]);
    }
    let trial = match fix {
        Fix::Look => TrialMode::LeftOut,
        Fix::None | Fix::Safe => TrialMode::Made,
    };
    let opened = match fix {
        Fix::Safe => open_closed(io, folder, known).await,
        Fix::Look | Fix::None => Vec::new(),
    };
    let start = scan::start(io, root, folder, trial).await?;
    let mut first: Option<Vec<String>> = None;
    let mut findings = loop {
        let facts = scan::scan(io, root, folder, known, &start).await;
        let mut findings = check::classify(&facts);
        if let Some(first) = &first {
            // A fleeting finding counts if both looks show it.
            let first: StrSet<'_> = first.iter().map(String::as_str).collect();
            findings.retain(|it| !it.is_fleeting || first.contains(&it.identity()));
        } else if findings.iter().any(|finding| finding.is_fleeting) {
            first = Some(findings.iter().map(Finding::identity).collect());
            let waited = io.wait(TIME_TO_LIVE_MS).await;
            waited.map_err(|failed| failed.cannot_do("wait for writers"))?;
            continue;
        }
        let findings = opened.into_iter().chain(findings).collect();
        break check::add_sound(&facts, findings);
    };
    for finding in findings.iter_mut().filter(|it| !it.is_fixed) {
        if finding.remedy.is_some() {
            finding.fixed_by(FixStep::Fix);
        }
        if fix == Fix::Safe {
            fix::apply_to(io, folder, finding).await;
        }
    }
    Ok(shortened(findings))
}

/// Opens the folders and files of the store that keep their owner out, before anything else is looked at: a folder that
/// is opened shows those in it.
async fn open_closed(io: &Io, folder: &StoreFolder, known: &DoctorInput<'_>) -> Vec<Finding> {
    let mut opened = Vec::new();
    for _ in 0..MAX_DEPTH {
        let closed = scan::closed(io, folder, known.sessions).await;
        let mut findings = check::closed(&closed);
        for finding in &mut findings {
            fix::apply_to(io, folder, finding).await;
        }
        findings.retain(|finding| finding.is_fixed);
        if findings.is_empty() {
            break;
        }
        opened.extend(findings);
    }
    opened
}

/// The findings, with no more of one kind than anybody reads.
fn shortened(mut findings: Vec<Finding>) -> Vec<Finding> {
    for check in Check::ALL {
        // Fixed ones first: what is left is what the rest is counted by.
        for (level, is_fixed) in [
            (Level::Error, true),
            (Level::Error, false),
            (Level::Warning, true),
            (Level::Warning, false),
            (Level::Note, true),
            (Level::Note, false),
        ] {
            let mut count = 0_usize;
            findings.retain(|it| {
                let is_such = (it.check, it.level, it.is_fixed) == (check, level, is_fixed);
                count += usize::from(is_such);
                !is_such || count <= MAX_REPORTED
            });
            if let Some(rest) = count.checked_sub(MAX_REPORTED).filter(|rest| *rest > 0) {
                let found = format!("… and {rest} more like these");
                findings.push(Finding {
                    is_fixed,
                    ..Finding::new(check, level, "", &found, "")
                });
            }
        }
    }
    findings
}
