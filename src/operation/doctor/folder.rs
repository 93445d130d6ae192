//! The state folder itself: whether it is one, who can read it, and what git makes of it.

use crate::effect::{Failed, Fault, Kind, Links};
use crate::error::Error;
use crate::store::{IGNORE_ALL, SIDE, STATE_FOLDER};
use crate::time;

use super::finding::{Check, Finding, Level, Remedy, word};
use super::{Ward, place};

/// The mode of a folder that nobody but its owner uses.
const PRIVATE: u32 = 0o700;
const ACCESS_BITS: u32 = 0o777;

/// No `.gitignore` that is worth reading is larger.
const MAX_IGNORE_BYTES: u32 = 64 * 1024;

/// More tracked files than this are named by their folder.
const MAX_NAMED: usize = 3;

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

impl Ward<'_> {
    /// Looks at every part on the way to the documents; `None` when there is no state folder that
    /// could be examined, which is among the findings then.
    pub(super) async fn standing(
        &self,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Standing>, Error> {
        let mut parts = self.folder.own_parts();
        // The folder of documents can be the root itself, which is the caller's.
        let own = parts.len();
        parts.push(self.folder.shown(SIDE));
        let entries = self.folder.inspect(self.io, &parts).await?;
        for (part, entry) in parts.iter().zip(&entries) {
            if !matches!(entry.kind, Kind::Absent | Kind::Folder) {
                let found = format!("It is {}, and a folder belongs there", named(entry.kind));
                findings.push(
                    Finding::new(Check::Folder, Level::Error, found)
                        .at(part.as_str())
                        .because(
                            "Nothing is followed or replaced below the root: every command that \
                             needs it fails.",
                        ),
                );
                return Ok(None);
            }
        }
        let state = own.checked_sub(1).map(|at| entries[at]);
        if state.is_some_and(|state| state.kind == Kind::Absent) {
            let found = "There is no state folder: nothing was saved here yet";
            findings.push(
                Finding::new(Check::Folder, Level::Note, found)
                    .at(self.folder.path())
                    .because("The first save makes it."),
            );
            return Ok(None);
        }
        let side = entries[own];
        Ok(Some(Standing {
            has_side: side.kind == Kind::Folder,
            modes: [state.and_then(|state| state.mode), side.mode],
        }))
    }

    /// Who sees the state: other users, and those who clone the repository.
    pub(super) async fn privacy(&self, standing: &Standing) -> Vec<Finding> {
        let mut findings = self.modes(standing);
        if standing.has_side {
            findings.extend(self.ignored().await);
        }
        findings.extend(self.tracked().await);
        findings
    }

    fn modes(&self, standing: &Standing) -> Vec<Finding> {
        if standing.modes == [None, None] {
            let found = "This host has no modes, so who may read the state folder is unknown";
            let note = Finding::new(Check::Modes, Level::Note, found);
            return vec![note.because(
                "What is made here has the usual mode: make the folder where modes exist, or keep \
                 the project's folder private.",
            )];
        }
        let mut findings = Vec::new();
        for (below, mode) in ["", SIDE].into_iter().zip(standing.modes) {
            let Some(mode) = mode.filter(|mode| mode & ACCESS_BITS != PRIVATE) else {
                continue;
            };
            let path = self.folder.shown(below);
            // A folder that the user chose may have a mode that the user chose.
            let is_ours = self.folder.path() == STATE_FOLDER || below == SIDE;
            let level = if is_ours { Level::Warning } else { Level::Note };
            let found = format!("Its mode is {:04o}", mode & ACCESS_BITS);
            let finding = Finding::new(Check::Modes, level, found).because(
                "Summaries hold what an agent was told; with mode 0700 nobody but their owner \
                 reads or changes them.",
            );
            findings.push(match is_ours {
                true => finding.with(Remedy::Restrict(below.to_owned())),
                false => finding.mended_by(format!("chmod 700 {}", word(&path))),
            });
            if let Some(finding) = findings.last_mut() {
                finding.path = Some(path);
            }
        }
        findings
    }

    async fn ignored(&self) -> Option<Finding> {
        let mut places = vec![String::new()];
        // In a folder that the user chose, only what lies beside the documents is the store's.
        if self.folder.path() != STATE_FOLDER {
            places.push(SIDE.to_owned());
        }
        let mut found = "There is no .gitignore";
        for place in &places {
            let file = self.folder.host(&ignore_file(place));
            match self.io.read(file, MAX_IGNORE_BYTES, Links::Refuse).await {
                Ok(bytes) if ignores_all(&bytes) => return None,
                Ok(_) => found = "Its .gitignore does not ignore everything",
                Err(Failed {
                    fault: Fault::NotFound,
                    ..
                }) => {}
                Err(_) => found = "Its .gitignore cannot be read",
            }
        }
        let place = places.pop().unwrap_or_default();
        let finding = Finding::new(Check::Ignored, Level::Warning, found)
            .at(self.folder.shown(&ignore_file(&place)))
            .because("State would be committed with `git add`, and come with every clone.")
            .with(Remedy::Ignore(place));
        // It is not there from the first moment of a new folder, nor whole.
        Some(finding.fleeting())
    }

    async fn tracked(&self) -> Option<Finding> {
        if !self.folder.is_below_root() || self.folder.path().is_empty() {
            return None;
        }
        let folder = self.folder.path();
        let paths = match place::tracked_below(self.io, self.root, folder).await {
            Ok(paths) => paths,
            Err(why) => {
                let note = Finding::new(Check::Tracked, Level::Note, why);
                return Some(note.because("Whether git tracks state files is unknown."));
            }
        };
        let first = paths.first()?;
        let found = match paths.len() {
            1 => format!("Git tracks {first}"),
            count => format!("Git tracks {count} files of the state folder, such as {first}"),
        };
        let words: Vec<String> = paths.iter().map(|path| word(path)).collect();
        let mend = match words.len() <= MAX_NAMED {
            true => format!("git rm --cached -- {}", words.join(" ")),
            false => format!("git rm -r --cached -- {}", word(folder)),
        };
        Some(
            Finding::new(Check::Tracked, Level::Warning, found)
                .at(folder)
                .because(
                    "State that comes with a clone is text that somebody else wrote, and checking \
                     out a commit overwrites what was saved.",
                )
                .mended_by(mend),
        )
    }

    /// What the clock says, beside the time of the newest document.
    pub(super) async fn clock(&self, newest_ms: Option<f64>) -> Option<Finding> {
        let Ok(clock) = self.io.clock().await else {
            let found = "The clock cannot be read";
            let finding = Finding::new(Check::Clock, Level::Error, found);
            return Some(finding.because("Nothing can be saved without the time."));
        };
        let now_ms = clock.wall_ms;
        let now = time::format(now_ms);
        let ahead_ms = newest_ms.map(|newest| newest - now_ms);
        let (level, found) = if now_ms.is_nan() || now_ms < BEFORE_US_MS {
            (Level::Warning, format!("The clock says {now}"))
        } else if ahead_ms.is_some_and(|ahead| ahead > SKEW_MS) {
            let newest = time::format(newest_ms.unwrap_or_default());
            let found = format!("The clock says {now}, and a checkpoint was updated at {newest}");
            (Level::Warning, found)
        } else if ahead_ms.is_some_and(|ahead| ahead < -ASLEEP_MS) {
            let years = (-ahead_ms.unwrap_or_default() / YEAR_MS) as u64;
            let found = format!("The clock says {now}, {years} years after the newest checkpoint");
            (Level::Note, found)
        } else {
            return None;
        };
        Some(Finding::new(Check::Clock, level, found).because(
            "Nothing is lost by it, since order is by revision; but `milepost resume` without a \
             command takes the checkpoint with the latest time. Set the clock.",
        ))
    }
}

pub(super) fn ignore_file(place: &str) -> String {
    match place {
        "" => ".gitignore".to_owned(),
        place => format!("{place}/.gitignore"),
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
