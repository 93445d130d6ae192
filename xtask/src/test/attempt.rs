//! The result of one execution of a step, and the verdict on two of them.

use std::time::Duration;

use anyhow::Error;

use crate::steps::Outcome;

/// The beginning of a line that reports a lost acknowledgement, a torn read or a violated model.
pub(crate) const VIOLATED: &str = "violated: ";

/// One execution of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Attempt {
    pub(super) step: String,
    pub(super) end: End,
    pub(super) took: Duration,
}

/// The end of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With a remark for its line, or an empty one.
    Passed(String),
    /// With the reason why it could not run here.
    Skipped(String),
    /// With everything that was printed.
    Failed(String),
}

/// The count of a step that could not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipping {
    /// As skipped.
    Allowed,
    /// As failed: where every part can be installed, it has checked nothing.
    Refused,
}

/// A run's judgement of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Skipped,
    /// It failed, and passed when nothing else ran.
    Unstable,
    Failed,
    /// It found a proof against a promise, which a second execution cannot take back.
    Violated,
}

impl End {
    pub(super) fn of(result: Result<Outcome, Error>, skipping: Skipping) -> Self {
        match result {
            Ok(Outcome::Passed(remark)) => Self::Passed(remark),
            Ok(Outcome::Skipped(why)) => match skipping {
                Skipping::Allowed => Self::Skipped(why),
                Skipping::Refused => Self::Failed(format!("skipped: {why}")),
            },
            Err(error) => Self::Failed(format!("{error:#}")),
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

/// Judges a step by its first execution, and by the second one where the first failed.
pub(super) fn verdict(first: &End, second: Option<&End>) -> Verdict {
    let text = match first {
        End::Passed(_) => return Verdict::Passed,
        End::Skipped(_) => return Verdict::Skipped,
        End::Failed(text) => text,
    };
    if let Some(End::Failed(again)) = second
        && is_proof(again)
    {
        return Verdict::Violated;
    }
    match second {
        _ if is_proof(text) => Verdict::Violated,
        Some(End::Passed(_)) => Verdict::Unstable,
        _ => Verdict::Failed,
    }
}

/// Returns whether some output has a line that begins with [`VIOLATED`], however a test runner has indented, quoted or
/// numbered it.
fn is_proof(output: &str) -> bool {
    output.match_indices(VIOLATED).any(|(start, _)| {
        let before = output[..start].chars().next_back();
        before.is_none_or(|character| !character.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::{End, Skipping, Verdict, verdict};
    use crate::steps::Outcome;
    use anyhow::anyhow;

    fn failed(text: &str) -> End {
        End::Failed(text.to_owned())
    }

    fn passed() -> End {
        End::Passed(String::new())
    }

    #[test]
    fn a_failure_that_passes_the_second_time_is_unstable() {
        let first = failed("expected 3, got 2");
        assert_eq!(verdict(&first, Some(&passed())), Verdict::Unstable);
        assert_eq!(verdict(&first, Some(&first)), Verdict::Failed);
        assert_eq!(verdict(&first, None), Verdict::Failed);
        let skipped = End::Skipped("no strace".to_owned());
        assert_eq!(verdict(&first, Some(&skipped)), Verdict::Failed);
    }

    #[test]
    fn a_step_that_passes_needs_no_second_execution() {
        assert_eq!(verdict(&passed(), None), Verdict::Passed);
        let skipped = End::Skipped("no strace".to_owned());
        assert_eq!(verdict(&skipped, None), Verdict::Skipped);
    }

    #[test]
    fn a_proof_stands_in_either_execution() {
        for output in [
            "violated: revision 7 was acknowledged and is gone",
            "seed 5\nviolated: a torn read",
            "not ok 3\n  error: 'violated: a torn read'",
            "# violated: a torn read",
            "thread panicked at a.rs:1:\nviolated: the model has 3, the store 2",
        ] {
            let proof = failed(output);
            assert_eq!(
                verdict(&proof, Some(&passed())),
                Verdict::Violated,
                "{output}"
            );
            let second = verdict(&failed("exit 1"), Some(&proof));
            assert_eq!(second, Verdict::Violated, "{output}");
        }
    }

    #[test]
    fn a_word_that_ends_like_the_mark_is_no_proof() {
        let other = failed("unviolated: 3");
        assert_eq!(verdict(&other, Some(&passed())), Verdict::Unstable);
    }

    #[test]
    fn a_skipped_step_fails_where_everything_can_be_installed() {
        let skipped = || Ok(Outcome::Skipped("no strace".to_owned()));
        let refused = End::of(skipped(), Skipping::Refused);
        assert_eq!(refused, failed("skipped: no strace"));
        let allowed = End::of(skipped(), Skipping::Allowed);
        assert_eq!(allowed, End::Skipped("no strace".to_owned()));
    }

    #[test]
    fn an_error_is_shown_with_its_causes() {
        let error = anyhow!("cause").context("no build");
        let end = End::of(Err(error), Skipping::Allowed);
        assert_eq!(end, failed("no build: cause"));
    }
}
