//! What pages have in common: colours, names, and how far a checkpoint is. Pure: from values to text.

use crate::checkpoint::command::progress::Progress;
use crate::error::Target;
use crate::operation::command::save::Saved;
use crate::text::visible;

use super::answer::Answer;

/// Stands where there is nothing to show.
pub(super) const NOTHING: &str = "-";

/// Colours for a terminal, or nothing at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint(pub(super) bool);

impl Paint {
    pub(super) fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.wrap("31", text)
    }

    pub(super) fn heading(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Spaces at the end stay without a style, so that a line which ends with them loses them.
    fn wrap(self, style: &str, text: &str) -> String {
        let shown = text.trim_end();
        if !self.0 || shown.is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{style}m{shown}\u{1b}[0m{}", &text[shown.len()..])
    }
}

/// That a checkpoint was saved, and as which revision.
pub(super) fn saved(target: &Target, saved: Saved) -> Answer {
    let title = target.title();
    let revision = saved.revision;
    let text = match (saved.changed, saved.merged) {
        (false, _) => format!("{title}: nothing to change, still at revision {revision}\n"),
        (true, false) => format!("{title}: saved revision {revision}\n"),
        (true, true) => {
            format!("{title}: saved revision {revision}, merged with what others changed\n")
        }
    };
    Answer::confirmation(text, saved)
}

/// The phase under way, or how many are.
pub(super) fn under_way(progress: &Progress) -> Option<String> {
    let count = |count: u64, status: &str| (count > 0).then(|| format!("{count} {status}"));
    let current = progress.current_phase.as_deref().map(visible);
    let (in_progress, failed) = match (progress.in_progress, progress.failed, current) {
        (1, failed, Some(current)) => (Some(current.into_owned()), count(failed, "failed")),
        (0, 1, Some(current)) => (None, Some(format!("{current} failed"))),
        (in_progress, failed, _) => (count(in_progress, "in progress"), count(failed, "failed")),
    };
    let both: Vec<String> = in_progress.into_iter().chain(failed).collect();
    (!both.is_empty()).then(|| both.join(", "))
}

/// How many phases are over, of how many.
pub(super) fn done(progress: &Progress) -> String {
    format!("{}/{}", progress.over(), progress.all())
}
