//! The text of a run: a piece for each execution of a step, and the totals.

use std::path::PathBuf;
use std::time::Duration;

use super::attempt::{Attempt, End, Verdict, verdict};

/// A step of a run: its execution, and the second one where the first failed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ran {
    pub(super) first: Attempt,
    pub(super) second: Option<Attempt>,
}

impl Ran {
    pub(super) fn verdict(&self) -> Verdict {
        verdict(&self.first.end, self.second.as_ref().map(|it| &it.end))
    }

    pub(super) fn step(&self) -> &str {
        &self.first.step
    }
}

/// A run that has ended.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) ran: Vec<Ran>,
    pub(super) left_out: usize,
    /// The files with the output of each unstable step.
    pub(super) kept: Vec<PathBuf>,
    pub(super) took: Duration,
}

impl Report {
    fn steps(&self, wanted: Verdict) -> Vec<&str> {
        let ran = self.ran.iter().filter(|ran| ran.verdict() == wanted);
        ran.map(Ran::step).collect()
    }

    /// Returns whether no step has failed. An unstable one has not.
    pub(super) fn is_well(&self) -> bool {
        self.steps(Verdict::Failed).is_empty() && self.steps(Verdict::Violated).is_empty()
    }

    /// The verdicts that need attention, and the totals. The last line is the totals alone, for
    /// programs that read it.
    pub(super) fn summary(&self) -> String {
        let (failed, violated) = (self.steps(Verdict::Failed), self.steps(Verdict::Violated));
        let unstable = self.steps(Verdict::Unstable);
        let seconds = self.took.as_secs();
        let mut summary = format!("in {} min {} s\n", seconds / 60, seconds % 60);
        for (label, steps) in [
            ("unstable", &unstable),
            ("violated", &violated),
            ("failed", &failed),
        ] {
            if !steps.is_empty() {
                summary.push_str(&format!("{label}: {}\n", steps.join(", ")));
            }
        }
        for path in &self.kept {
            summary.push_str(&format!("first failure: {}\n", path.display()));
        }
        let passed = self.steps(Verdict::Passed).len() + unstable.len();
        let failed = failed.len() + violated.len();
        summary.push_str(&format!("{passed} passed, {failed} failed"));
        let skipped = self.steps(Verdict::Skipped).len();
        for (number, word) in [(skipped, "skipped"), (self.left_out, "left out")] {
            if number > 0 {
                summary.push_str(&format!(", {number} {word}"));
            }
        }
        summary
    }
}

/// The text that is printed when a step ends.
pub(super) fn line(attempt: &Attempt) -> String {
    let (step, seconds) = (&attempt.step, attempt.took.as_secs_f64());
    match &attempt.end {
        End::Passed(remark) if remark.is_empty() => format!("{step}: passed ({seconds:.1} s)"),
        End::Passed(remark) => format!("{step}: passed ({seconds:.1} s) [{remark}]"),
        End::Skipped(why) => format!("{step}: skipped: {why}"),
        End::Failed(text) => format!("{step}: FAILED ({seconds:.1} s)\n{text}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, End, Ran, Report, line};
    use std::path::PathBuf;
    use std::time::Duration;

    fn attempt(step: &str, end: End) -> Attempt {
        Attempt {
            step: step.to_owned(),
            end,
            took: Duration::from_millis(40),
        }
    }

    fn passed() -> End {
        End::Passed(String::new())
    }

    fn failed(text: &str) -> End {
        End::Failed(text.to_owned())
    }

    fn ran(step: &str, first: End, second: Option<End>) -> Ran {
        Ran {
            first: attempt(step, first),
            second: second.map(|end| attempt(step, end)),
        }
    }

    #[test]
    fn the_last_line_is_the_totals_alone() {
        let report = Report {
            ran: vec![ran("a", passed(), None), ran("b", passed(), None)],
            took: Duration::from_secs(61),
            ..Report::default()
        };
        assert_eq!(report.summary(), "in 1 min 1 s\n2 passed, 0 failed");
        assert!(report.is_well());
    }

    #[test]
    fn unstable_steps_pass_and_are_named_with_their_output() {
        let report = Report {
            ran: vec![ran("a", failed("no"), Some(passed()))],
            kept: vec![PathBuf::from("target/test/unstable/a.txt")],
            ..Report::default()
        };
        assert_eq!(
            report.summary(),
            "in 0 min 0 s\nunstable: a\nfirst failure: target/test/unstable/a.txt\n1 passed, 0 failed"
        );
        assert!(report.is_well());
    }

    #[test]
    fn violated_failed_skipped_and_left_out_steps_are_counted_apart() {
        let violated = failed("violated: a torn read");
        let report = Report {
            ran: vec![
                ran("a", violated, Some(passed())),
                ran("b", failed("no"), Some(failed("no"))),
                ran("c", End::Skipped("no strace".to_owned()), None),
            ],
            left_out: 3,
            ..Report::default()
        };
        assert_eq!(
            report.summary(),
            "in 0 min 0 s\nviolated: a\nfailed: b\n0 passed, 2 failed, 1 skipped, 3 left out"
        );
        assert!(!report.is_well());
    }

    #[test]
    fn a_line_has_the_seconds_and_the_remark() {
        let remark = End::Passed("12 tests".to_owned());
        assert_eq!(line(&attempt("a", remark)), "a: passed (0.0 s) [12 tests]");
        assert_eq!(
            line(&attempt("a", failed("why"))),
            "a: FAILED (0.0 s)\nwhy\n"
        );
    }
}
