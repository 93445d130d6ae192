//! Everything that CI runs, as named steps with one total.

use std::env;
use std::time::Instant;

use anyhow::Result;

use crate::steps::{self, Ground, Outcome};
use crate::workspace::Workspace;

/// Runs every step, also after a failure, and prints a line for each. Returns whether all is
/// well.
///
/// # Errors
///
/// Nothing could be run at all.
pub(crate) fn run(workspace: &Workspace) -> Result<bool> {
    let ground = Ground::new(workspace);
    // Where every part can be installed, a step that did not run has checked nothing.
    let strict = env::var("CI").is_ok_and(|value| value == "true");
    let mut total = Total::default();
    for step in steps::ALL {
        let started = Instant::now();
        let outcome = (step.run)(&ground);
        let seconds = started.elapsed().as_secs_f64();
        let name = step.name;
        match outcome {
            Ok(Outcome::Passed(remark)) => {
                total.passed += 1;
                println!("{name}: passed ({seconds:.1} s){}", in_brackets(&remark));
            }
            Ok(Outcome::Skipped(why)) if strict => {
                total.failed.push(name);
                println!("{name}: FAILED, skipped: {why}");
            }
            Ok(Outcome::Skipped(why)) => {
                total.skipped += 1;
                println!("{name}: skipped: {why}");
            }
            Err(error) => {
                total.failed.push(name);
                println!("{name}: FAILED ({seconds:.1} s)\n{error:#}\n");
            }
        }
    }
    println!("{}", total.report());
    Ok(total.failed.is_empty())
}

fn in_brackets(remark: &str) -> String {
    if remark.is_empty() {
        String::new()
    } else {
        format!(" [{remark}]")
    }
}

#[derive(Default)]
struct Total {
    passed: usize,
    skipped: usize,
    failed: Vec<&'static str>,
}

impl Total {
    /// The numbers stand alone on the last line, for whoever reads them by program.
    fn report(&self) -> String {
        let mut report = String::new();
        if !self.failed.is_empty() {
            report.push_str(&format!("failed: {}\n", self.failed.join(", ")));
        }
        report.push_str(&format!(
            "{} passed, {} failed",
            self.passed,
            self.failed.len()
        ));
        if self.skipped > 0 {
            report.push_str(&format!(", {} skipped", self.skipped));
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::Total;

    #[test]
    fn the_last_line_is_the_totals_alone() {
        let total = Total {
            passed: 12,
            ..Total::default()
        };
        assert_eq!(total.report(), "12 passed, 0 failed");
    }

    #[test]
    fn failed_and_skipped_steps_are_told_apart() {
        let total = Total {
            passed: 1,
            skipped: 2,
            failed: vec!["format", "doc"],
        };
        assert_eq!(
            total.report(),
            "failed: format, doc\n1 passed, 2 failed, 2 skipped"
        );
    }
}
