//! What all checkpoints are listed by, and chosen by: a line of each.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::progress::{Progress, progress};
use crate::checkpoint::command::resume::point;
use crate::json::{Json, Object};
use crate::store::Document;

/// A checkpoint in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) revision: u64,
    pub(super) progress: Progress,
    pub(super) is_completed: bool,
    /// Whether it is unfinished, and a phase of it is to be done.
    pub(super) has_work: bool,
    pub(super) updated_at: Option<String>,
    pub(super) completed_at: Option<String>,
}

impl Summary {
    pub(super) fn of(document: &Document) -> Self {
        let object = &document.object;
        let is_completed = is_completed(object);
        Summary {
            revision: document.stamp.revision,
            progress: progress(object),
            is_completed,
            has_work: !is_completed && point(object).phase.is_some(),
            updated_at: text(object, "updated_at"),
            completed_at: text(object, "completed_at"),
        }
    }

    /// The same as one line; `None` where a text would break it.
    pub(super) fn line(&self) -> Option<String> {
        let mut line = String::new();
        for number in self.numbers() {
            line.push_str(&number.to_string());
            line.push('\t');
        }
        let texts = [
            &self.updated_at,
            &self.completed_at,
            &self.progress.current_phase,
        ];
        for text in texts {
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

    fn numbers(&self) -> [u64; 8] {
        let Progress {
            completed,
            in_progress,
            failed,
            pending,
            skipped,
            ..
        } = self.progress;
        let (is_completed, has_work) = (self.is_completed.into(), self.has_work.into());
        [
            self.revision,
            completed,
            in_progress,
            failed,
            pending,
            skipped,
            is_completed,
            has_work,
        ]
    }

    /// Reads such a line; `None` for any other.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        let mut numbers = [0; 8];
        for number in &mut numbers {
            *number = parts.next()?.parse().ok()?;
        }
        let [
            revision,
            completed,
            in_progress,
            failed,
            pending,
            skipped,
            is_completed,
            has_work,
        ] = numbers;
        let mut text = || {
            let part = parts.next()?;
            match part.strip_prefix('=') {
                None if !part.is_empty() => None,
                text => Some(text.map(str::to_owned)),
            }
        };
        let (updated_at, completed_at, current_phase) = (text()?, text()?, text()?);
        Some(Summary {
            revision,
            progress: Progress {
                current_phase,
                completed,
                in_progress,
                failed,
                pending,
                skipped,
            },
            is_completed: is_completed != 0,
            has_work: has_work != 0,
            updated_at,
            completed_at,
        })
    }
}

fn text(object: &Object, key: &str) -> Option<String> {
    object.get(key).and_then(Json::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::Summary;
    use crate::checkpoint::command::progress::Progress;

    #[test]
    fn a_line_that_was_written_is_read_as_it_was() {
        let texts = [None, Some(""), Some("ä = b"), Some("-")];
        for (number, text) in (0..).zip(texts) {
            let text = text.map(str::to_owned);
            let summary = Summary {
                revision: (1 << 53) - number,
                progress: Progress {
                    current_phase: text.clone(),
                    completed: number,
                    in_progress: 2,
                    failed: 3,
                    pending: 4,
                    skipped: 5,
                },
                is_completed: number == 1,
                has_work: number == 2,
                updated_at: None,
                completed_at: text,
            };
            let line = summary.line().unwrap();
            assert_eq!(Summary::of_line(&line), Some(summary), "{line:?}");
            let part = &line[..line.len() / 2];
            assert_eq!(Summary::of_line(part), None, "{part:?}");
        }
    }

    #[test]
    fn a_phase_with_a_tab_in_its_name_gave_its_neighbours_other_values() {
        let mut summary = Summary::of_line("1\t0\t1\t0\t0\t0\t0\t1\t\t\t=a\t").unwrap();
        summary.progress.current_phase = Some("a\tb".to_owned());
        assert_eq!(summary.line(), None);
    }
}
