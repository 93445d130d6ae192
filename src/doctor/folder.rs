//! The state folder itself: whether it is one, who can read it, and what git makes of it.

use crate::effect::{Fault, Kind, Links};
use crate::error::Error;
use crate::store::{IGNORE_ALL, SIDE};
use crate::time;

use super::Examination;
use super::finding::{Check, Level, Remedy, Report, aside, word};
use crate::root;

/// The rights of everybody but the owner, which nobody else should have.
const FOREIGN_BITS: u32 = 0o077;
/// Those of the owner, without which nothing can be kept in a folder.
const OWN_BITS: u32 = 0o700;
const ACCESS_BITS: u32 = 0o777;

/// No `.gitignore` that is worth reading is larger.
pub(super) const MAX_IGNORE_BYTES: u32 = 64 * 1024;

const IGNORE_FILE: &str = ".gitignore";

const YEAR_MS: f64 = 365.25 * 24.0 * 60.0 * 60.0 * 1000.0;
/// 2020-01-01T00:00:00Z, before this program was written.
const BEFORE_US_MS: f64 = 1_577_836_800_000.0;
/// Clocks of machines that share a project differ by less.
const SKEW_MS: f64 = 5.0 * 60.0 * 1000.0;
/// A project that nobody touched for longer is the exception; a wrong clock is not.
const ASLEEP_MS: f64 = 5.0 * YEAR_MS;

/// A state folder that is there.
pub(super) struct Standing {
    /// Whether the store has ever written to it.
    pub(super) has_side: bool,
    /// The permission bits of the state folder and of the side folder.
    modes: [Option<u32>; 2],
}

impl Standing {
    /// The first of the state folder and the side folder to which its owner has less than all rights.
    pub(super) fn lacking(&self) -> Option<&'static str> {
        let lacks = |mode: &Option<u32>| mode.is_some_and(|mode| mode & OWN_BITS != OWN_BITS);
        let at = self.modes.iter().position(lacks)?;
        Some(["", SIDE][at])
    }
}

impl Examination<'_> {
    /// Looks at every part on the way to the documents; `None` when there is no state folder that
    /// could be examined, which is told then.
    pub(super) async fn standing(&self, report: &mut Report) -> Result<Option<Standing>, Error> {
        let mut parts = self.folder.own_parts();
        // The folder of documents can be the root itself, which is the caller's.
        let own = parts.len();
        parts.push(self.folder.shown(SIDE));
        let entries = self.folder.inspect(self.io, &parts).await?;
        for (part, entry) in parts.iter().zip(&entries) {
            if !matches!(entry.kind, Kind::Absent | Kind::Folder) {
                let found = format!("It is {}, and a folder belongs there", named(entry.kind));
                let why = "Nothing is followed or replaced below the root: every command that needs \
                           it fails.";
                report.tell(Check::Folder, Level::Error, part, &found, why);
                return Ok(None);
            }
        }
        let state = own.checked_sub(1).map(|at| entries[at]);
        if state.is_some_and(|state| state.kind == Kind::Absent) {
            let found = "There is no state folder: nothing was saved here yet";
            let why = "The first save makes it.";
            report.tell(Check::Folder, Level::Note, self.folder.path(), found, why);
            return Ok(None);
        }
        let side = entries[own];
        Ok(Some(Standing {
            has_side: side.kind == Kind::Folder,
            modes: [state.and_then(|state| state.mode), side.mode],
        }))
    }

    /// Who sees the state: other users, and those who clone the repository.
    pub(super) async fn privacy(&self, standing: &Standing, report: &mut Report) {
        self.modes(standing, report);
        if standing.has_side {
            self.ignored(report).await;
        }
        if self.folder.is_below_root() && !self.folder.path().is_empty() {
            self.tracked(report).await;
        }
    }

    fn modes(&self, standing: &Standing, report: &mut Report) {
        if standing.modes == [None, None] {
            let found = "This host has no modes, so who may read the state folder is unknown";
            let why = "What is made here has the usual mode: make the folder where modes exist, or \
                       keep the project's folder private.";
            report.tell(Check::Modes, Level::Note, "", found, why);
        }
        for (below, mode) in ["", SIDE].into_iter().zip(standing.modes) {
            let Some(mode) = mode.filter(|mode| mode & FOREIGN_BITS != 0) else {
                continue;
            };
            let path = self.folder.shown(below);
            let found = format!("Its mode is {:04o}", mode & ACCESS_BITS);
            let why = "Summaries hold what an agent was told; with mode 0700 nobody but their owner \
                       reads or changes them.";
            // A folder that the user chose may have a mode that the user chose.
            if self.folder.is_own() || below == SIDE {
                let finding = report.tell(Check::Modes, Level::Warning, &path, &found, why);
                finding.with(Remedy::Restrict(below.to_owned()));
            } else {
                let finding = report.tell(Check::Modes, Level::Note, &path, &found, why);
                finding.mended_by(format!("chmod go-rwx {}", word(&path)));
            }
        }
    }

    async fn ignored(&self, report: &mut Report) {
        // In a folder that the user chose, only what lies beside the documents is the store's.
        let beside = format!("{SIDE}/{IGNORE_FILE}");
        let files = [IGNORE_FILE, &beside];
        let files = if self.folder.is_own() {
            &files[..1]
        } else {
            &files
        };
        let mut read = Err(Fault::NotFound);
        for file in files {
            let bytes = self
                .io
                .read(self.host(file), MAX_IGNORE_BYTES, Links::Refuse);
            read = bytes.await.map_err(|failed| failed.fault);
            if read.as_ref().is_ok_and(|bytes| ignores_all(bytes)) {
                return;
            }
        }
        let below = files[files.len() - 1];
        let path = self.folder.shown(below);
        let is_missing = is_missing(&read);
        let found = match (is_missing, &read) {
            (true, _) => "It is missing, or empty",
            (false, Ok(_) | Err(Fault::Symlink | Fault::WrongKind | Fault::TooLarge)) => {
                "It is not the one that the store makes, and does not ignore everything"
            }
            (false, Err(_)) => "It cannot be read",
        };
        let why = "State would be committed with `git add`, and come with every clone.";
        let finding = report.tell(Check::Ignored, Level::Warning, &path, found, why);
        // It is not there from the first moment of a new folder, nor whole.
        finding.fleeting();
        if is_missing {
            finding.with(Remedy::Ignore(below.to_owned()));
        } else {
            // Rules that somebody wrote are somebody's.
            let fix = self.milepost("doctor --fix");
            finding.mended_by(format!("{} && {fix}", aside(&path)));
        }
    }

    async fn tracked(&self, report: &mut Report) {
        let folder = self.folder.path();
        let paths = match root::tracked_below(self.io, self.root, folder).await {
            Ok(paths) => paths,
            Err(found) => {
                let why = "Whether git tracks state files is unknown.";
                report.tell(Check::Tracked, Level::Note, "", &found, why);
                return;
            }
        };
        let Some(first) = paths.first() else {
            return;
        };
        let found = format!("Git tracks {} files of it, such as {first}", paths.len());
        let why = "State that comes with a clone is text that somebody else wrote, and checking \
                   out a commit overwrites what was saved.";
        let finding = report.tell(Check::Tracked, Level::Warning, folder, &found, why);
        finding.mended_by(format!("git rm -r --cached -- {}", word(folder)));
    }

    /// What the clock says, beside the time and the path of the newest document.
    pub(super) async fn clock(&self, newest: Option<(f64, String)>, report: &mut Report) {
        // Where it cannot be read, nothing can be trusted to be later than anything.
        let clock = self.io.clock().await;
        let now_ms = clock.map_or(f64::NAN, |clock| clock.wall_ms);
        let newest_ms = newest.as_ref().map_or(now_ms, |(newest_ms, _)| *newest_ms);
        let level = if now_ms >= BEFORE_US_MS && now_ms >= newest_ms - SKEW_MS {
            if now_ms <= newest_ms + ASLEEP_MS {
                return;
            }
            Level::Note
        } else {
            Level::Warning
        };
        let mut found = format!("The clock says {}", time::format(now_ms));
        if let Some((newest_ms, path)) = newest {
            let newest = time::format(newest_ms);
            found.push_str(&format!(", and {path} was updated at {newest}"));
        }
        let why = "Nothing is lost by it, since order is by revision; but `milepost resume` without \
                   a command takes the checkpoint with the latest time. Set the clock.";
        report.tell(Check::Clock, level, "", &found, why);
    }
}

/// Whether nobody wrote rules: the file is absent, or a write of it was cut short.
pub(super) fn is_missing(read: &Result<Vec<u8>, Fault>) -> bool {
    match read {
        Ok(bytes) => IGNORE_ALL.as_bytes().starts_with(bytes),
        Err(fault) => *fault == Fault::NotFound,
    }
}

/// Whether nothing of the folder is committed: a rule for everything, and none that takes
/// something out again.
pub(super) fn ignores_all(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut rules = text.lines().map(str::trim_end);
    let all = IGNORE_ALL.trim_end();
    rules.clone().any(|rule| rule == all) && !rules.any(|rule| rule.starts_with('!'))
}

/// What stands somewhere, in a sentence.
pub(super) fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Absent => "absent",
        Kind::File => "a file",
        Kind::Folder => "a folder",
        Kind::Symlink => "a symbolic link",
        Kind::Other => "a special file or not accessible",
    }
}

#[cfg(test)]
mod tests {
    use super::ignores_all;

    #[test]
    fn only_a_rule_for_everything_without_exceptions_ignores_all() {
        for (rules, expected) in [
            ("*\n", true),
            ("*", true),
            ("# made by milepost\r\n*\r\n", true),
            ("*\n!design-checkpoint.json\n", false),
            ("*.json\n", false),
            ("", false),
            ("/*", false),
        ] {
            assert_eq!(ignores_all(rules.as_bytes()), expected, "{rules:?}");
        }
    }
}
