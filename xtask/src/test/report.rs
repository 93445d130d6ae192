//! What is printed of a run: a line when something starts, one piece when a step ends, and the
//! totals.

use std::time::Duration;

use anyhow::Error;

use crate::steps::Outcome;

/// What is counted.
#[derive(Debug, Default)]
pub(super) struct Total {
    passed: usize,
    skipped: usize,
    left_out: usize,
    failed: Vec<&'static str>,
}

/// How a step that did not run is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipping {
    /// As one that could not run here.
    Allowed,
    /// As one that failed: where every part can be installed, it has checked nothing.
    Refused,
}

impl Total {
    pub(super) fn new(left_out: usize) -> Self {
        Self {
            left_out,
            ..Self::default()
        }
    }

    /// Counts a step, and says what came of it.
    pub(super) fn add(
        &mut self,
        name: &'static str,
        outcome: Result<Outcome, Error>,
        took: Duration,
        skipping: Skipping,
    ) -> String {
        let seconds = took.as_secs_f64();
        match outcome {
            Ok(Outcome::Passed(remark)) => {
                self.passed += 1;
                let remark = match remark.is_empty() {
                    true => String::new(),
                    false => format!(" [{remark}]"),
                };
                format!("{name}: passed ({seconds:.1} s){remark}")
            }
            Ok(Outcome::Skipped(why)) if skipping == Skipping::Refused => {
                self.failed.push(name);
                format!("{name}: FAILED, skipped: {why}")
            }
            Ok(Outcome::Skipped(why)) => {
                self.skipped += 1;
                format!("{name}: skipped: {why}")
            }
            Err(error) => {
                self.failed.push(name);
                format!("{name}: FAILED ({seconds:.1} s)\n{error:#}\n")
            }
        }
    }

    pub(super) fn is_well(&self) -> bool {
        self.failed.is_empty()
    }

    /// The numbers stand alone on the last line, for whoever reads them by program.
    pub(super) fn report(&self) -> String {
        let mut report = String::new();
        if !self.failed.is_empty() {
            report.push_str(&format!("failed: {}\n", self.failed.join(", ")));
        }
        report.push_str(&format!(
            "{} passed, {} failed",
            self.passed,
            self.failed.len()
        ));
        for (number, word) in [(self.skipped, "skipped"), (self.left_out, "left out")] {
            if number > 0 {
                report.push_str(&format!(", {number} {word}"));
            }
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::{Skipping, Total};
    use crate::steps::Outcome;
    use anyhow::anyhow;
    use std::time::Duration;

    const MOMENT: Duration = Duration::from_millis(40);

    #[test]
    fn the_last_line_is_the_totals_alone() {
        let mut total = Total::default();
        for _ in 0..12 {
            let passed = Ok(Outcome::Passed(String::new()));
            assert_eq!(
                total.add("format", passed, MOMENT, Skipping::Allowed),
                "format: passed (0.0 s)"
            );
        }
        assert_eq!(total.report(), "12 passed, 0 failed");
    }

    #[test]
    fn failed_skipped_and_left_out_steps_are_told_apart() {
        let mut total = Total::new(3);
        let skipped = || Ok(Outcome::Skipped("no strace".to_owned()));
        total.add("a", skipped(), MOMENT, Skipping::Allowed);
        let shown = total.add("b", skipped(), MOMENT, Skipping::Refused);
        assert_eq!(shown, "b: FAILED, skipped: no strace");
        let shown = total.add("c", Err(anyhow!("why")), MOMENT, Skipping::Allowed);
        assert_eq!(shown, "c: FAILED (0.0 s)\nwhy\n");
        assert_eq!(
            total.report(),
            "failed: b, c\n0 passed, 2 failed, 1 skipped, 3 left out"
        );
        assert!(!total.is_well());
    }
}
