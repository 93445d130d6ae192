//! The summary of a checkpoint, a line each, by which all are listed and chosen.

use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::progress::{Progress, progress};
use crate::checkpoint::command::resume::has_work;
use crate::extent::IS_WHOLE;
use crate::json::{Json, Object};
use crate::store::{Document, Origin};

/// A checkpoint in short, in the order of its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::operation) struct RunSummary {
    /// One each for complete and for having something to do, its revision, and the numbers of phases that are complete,
    /// in progress, failed, pending and skipped.
    numbers: [u64; 8],
    /// The times of its update and completion, its phase in progress, the agents' sessions, its branch and its
    /// worktree.
    texts: [Option<String>; 6],
    /// The document, where it was read and is wanted.
    object: Option<Box<Object>>,
    /// Set where its seal does not hold. No line is written for such a document.
    is_edited: bool,
}

impl RunSummary {
    pub(super) fn of(document: &Document) -> Self {
        let object = &document.object;
        // The wasm of hooks leaves out the parts that `latest` does not ask for.
        let of = match IS_WHOLE {
            true => progress(object),
            false => Progress::default(),
        };
        RunSummary {
            numbers: [
                is_completed(object).into(),
                has_work(object).into(),
                document.stamp.revision,
                of.completed,
                of.in_progress,
                of.failed,
                of.pending,
                of.skipped,
            ],
            texts: [
                text(object, "updated_at"),
                text(object, "completed_at"),
                of.current_phase,
                of_agents(object, agents::line),
                of_agents(object, |run| agents::branch(run).map(str::to_owned)),
                of_agents(object, |run| agents::worktree(run).map(str::to_owned)),
            ],
            object: None,
            is_edited: document.origin == Origin::Edited,
        }
    }

    /// The summary with the document, where this session of an agent works on it.
    pub(super) fn keeping(self, document: &Document, session: Option<&str>) -> Self {
        let is_kept = session.is_some_and(|id| agents::works_on(self.sessions(), id));
        let object = is_kept.then(|| Box::new(document.object.clone()));
        RunSummary { object, ..self }
    }

    /// The document, where it was read and is wanted.
    pub(in crate::operation) fn into_object(self) -> Option<Object> {
        self.object.map(|it| *it)
    }

    /// Returns whether it was changed by hand, so that its seal does not hold.
    pub(super) fn is_edited(&self) -> bool {
        self.is_edited
    }

    pub(in crate::operation) fn is_completed(&self) -> bool {
        self.numbers[0] != 0
    }

    /// Returns whether it has no phases, and nothing to do. Only where the wasm has all of a summary.
    pub(in crate::operation) fn is_empty(&self) -> bool {
        !self.has_work() && self.numbers[3..].iter().all(|&count| count == 0)
    }

    pub(super) fn has_work(&self) -> bool {
        self.numbers[1] != 0
    }

    pub(in crate::operation) fn revision(&self) -> u64 {
        self.numbers[2]
    }

    pub(in crate::operation) fn updated_at(&self) -> Option<&str> {
        self.texts[0].as_deref()
    }

    /// The sessions of agents that work on it, as [`agents::line`] has them.
    pub(in crate::operation) fn sessions(&self) -> &str {
        self.texts[3].as_deref().unwrap_or_default()
    }

    /// The branch that hooks recorded: `None` where none was, and empty for a detached HEAD.
    pub(in crate::operation) fn branch(&self) -> Option<&str> {
        self.texts[4].as_deref()
    }

    /// The worktree that hooks recorded.
    pub(in crate::operation) fn worktree(&self) -> Option<&str> {
        self.texts[5].as_deref()
    }

    /// Its progress, and when it was updated and completed.
    pub(super) fn into_parts(self) -> (Progress, Option<String>, Option<String>) {
        let [_, _, _, completed, in_progress, failed, pending, skipped] = self.numbers;
        let [updated_at, completed_at, current_phase, ..] = self.texts;
        let progress = Progress {
            current_phase,
            completed,
            in_progress,
            failed,
            pending,
            skipped,
        };
        (progress, updated_at, completed_at)
    }

    /// The summary as one line; `None` where a text would break it.
    #[inline(never)]
    pub(super) fn line(&self) -> Option<String> {
        if !IS_WHOLE {
            return Some(String::new());
        }
        let mut line = String::new();
        for number in self.numbers {
            line.push_str(&number.to_string());
            line.push('\t');
        }
        for text in &self.texts {
            if let Some(text) = text {
                if text.bytes().any(|byte| byte < b' ') {
                    return None;
                }
                line.push('=');
                line.push_str(text);
            }
            line.push('\t');
        }
        Some(line)
    }

    /// Returns whether such a line is of a checkpoint that is complete.
    pub(super) fn is_of_completed(line: &str) -> bool {
        line.starts_with("1\t")
    }

    /// Reads such a line; `None` for any other.
    #[inline(never)]
    pub(super) fn of_line(line: &str) -> Option<Self> {
        let mut summary = RunSummary::default();
        let mut parts = line.split('\t');
        for number in &mut summary.numbers {
            *number = parts.next()?.parse().ok()?;
        }
        for text in &mut summary.texts {
            let part = parts.next()?;
            if !part.is_empty() {
                *text = Some(part.strip_prefix('=')?.to_owned());
            }
        }
        Some(summary)
    }
}

/// The branch that hooks recorded in an answer: null for a detached HEAD, whose name is empty.
pub(in crate::operation) fn branch_or_null(branch: String) -> Json {
    match branch.is_empty() {
        true => Json::Null,
        false => Json::from(branch),
    }
}

/// A text that hooks recorded; nothing in a wasm that never asks for it.
fn of_agents(run: &Object, of: impl Fn(&Object) -> Option<String>) -> Option<String> {
    match IS_WHOLE || cfg!(agents) {
        true => of(run),
        false => None,
    }
}

fn text(object: &Object, key: &str) -> Option<String> {
    object.get(key).and_then(Json::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::RunSummary;

    #[test]
    fn a_written_line_is_read_back_unchanged() {
        let texts = [None, Some(""), Some("ä = b"), Some("-")];
        for (number, text) in (0..).zip(texts) {
            let text = text.map(str::to_owned);
            let summary = RunSummary {
                numbers: [number, 1, (1 << 53) - number, 0, 2, 3, 4, 5],
                texts: [
                    None,
                    text.clone(),
                    text.clone(),
                    Some("a b".to_owned()),
                    text,
                    None,
                ],
                object: None,
                is_edited: false,
            };
            let line = summary.line().unwrap();
            assert_eq!(RunSummary::of_line(&line), Some(summary), "{line:?}");
            let part = &line[..line.len() / 2];
            assert_eq!(RunSummary::of_line(part), None, "{part:?}");
        }
    }

    #[test]
    fn a_text_with_a_tab_makes_no_line() {
        let mut summary = RunSummary::default();
        assert_ne!(summary.line(), None);
        summary.texts[2] = Some("a\tb".to_owned());
        assert_eq!(summary.line(), None);
    }
}
