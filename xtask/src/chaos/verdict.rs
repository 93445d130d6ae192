//! What must not have happened to Milepost. The naive ways may lose what they like.

use anyhow::{Result, bail};

use super::aftermath::is_preparation;
use super::run::Ran;
use super::way::Way;

/// With these an operation may be refused: it waited too long, another writer changed the same or
/// its base was trimmed away meanwhile, or a folder could not be read.
const REFUSALS: [&str; 3] = ["busy", "conflict", "io"];

/// How many of each kind are named.
const SHOWN: usize = 5;

/// Fails with everything that is wrong.
pub(super) fn judge(ran: &Ran) -> Result<()> {
    if ran.way != Way::Milepost {
        return Ok(());
    }
    let findings = &ran.findings;
    let mut faults = Vec::new();
    let mut name = |what: &str, operations: &[String]| {
        if !operations.is_empty() {
            let first: Vec<&str> = operations.iter().take(SHOWN).map(String::as_str).collect();
            faults.push(format!("{} {what}: {}", operations.len(), first.join(", ")));
        }
    };
    name("acknowledged operations are lost", &findings.lost);
    name("operations were applied twice", &findings.twice);
    name(
        "refused operations were written",
        &findings.refused_yet_written,
    );
    let left_over = ran.left_over.iter();
    let left_over: Vec<String> = left_over
        .filter(|it| !is_preparation(it))
        .cloned()
        .collect();
    name("files are left over", &left_over);
    faults.extend(findings.wrong.iter().cloned());
    faults.extend(ran.reads.wrong.iter().cloned());
    let unexpected = findings
        .refused
        .keys()
        .filter(|code| !REFUSALS.contains(&code.as_str()));
    faults.extend(unexpected.map(|code| format!("an operation was refused with `{code}`")));
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::judge;
    use crate::chaos::ledger::Findings;
    use crate::chaos::reader::Reads;
    use crate::chaos::run::Ran;
    use crate::chaos::way::Way;

    fn ran(way: Way, findings: Findings) -> Ran {
        Ran {
            way,
            findings,
            reads: Reads::default(),
            left_over: Vec::new(),
            documents: 1,
            took: Duration::ZERO,
        }
    }

    fn refused(code: &str) -> Findings {
        Findings {
            refused: [(code.to_owned(), 1)].into(),
            ..Findings::default()
        }
    }

    fn one(id: &str) -> Vec<String> {
        vec![id.to_owned()]
    }

    #[test]
    fn a_run_that_lost_something_passes() {
        let faults = [
            Findings {
                lost: one("a"),
                ..Findings::default()
            },
            Findings {
                twice: one("a"),
                ..Findings::default()
            },
            Findings {
                refused_yet_written: one("a"),
                ..Findings::default()
            },
            Findings {
                wrong: one("a lock is left over"),
                ..Findings::default()
            },
            refused("corrupt"),
        ];
        for findings in faults {
            let verdict = judge(&ran(Way::Milepost, findings.clone()));
            assert!(verdict.is_err(), "{findings:?}");
            assert!(judge(&ran(Way::Rename, findings)).is_ok());
        }
        let mut torn = ran(Way::Milepost, Findings::default());
        torn.reads.wrong = one("corrupt");
        assert!(judge(&torn).is_err());
        let mut locked = ran(Way::Milepost, Findings::default());
        locked.left_over = one(".milepost/implement-r0/lock");
        assert!(judge(&locked).is_err());
    }

    #[test]
    fn a_run_in_which_somebody_had_to_wait_too_long_fails() {
        assert!(judge(&ran(Way::Milepost, refused("busy"))).is_ok());
    }
}
