//! The events that must not have happened to Milepost. The naive strategies may lose what they like.

use anyhow::Result;

use crate::aftermath::is_preparation;
use crate::cast::Host;
use crate::faults::Faults;
use crate::ledger::Findings;
use crate::reader::Reads;
use crate::run::Ran;
use crate::write_strategy::WriteStrategy;

/// With these an operation may be refused: it waited too long, another writer changed the same or
/// its base was trimmed away since, or a folder could not be read.
const REFUSALS: [&str; 3] = ["busy", "conflict", "io"];

/// The text that an `io` has to have to be one of those: names vanished while a host listed a folder, again and
/// again. Any other one would mean that the disk fails, or that the store does.
const IO_REASON: &str = ": every listing ended early";

/// The number of each kind that are named.
const SHOWN: usize = 5;

/// Fails with everything that is wrong.
pub(crate) fn judge(ran: &Ran) -> Result<()> {
    if ran.strategy != WriteStrategy::Milepost {
        return Ok(());
    }
    let findings = &ran.findings;
    let mut faults = Faults::default();
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
    faults.add(ran.reads.wrong.clone());
    faults.add(ran.quiet.wrong.clone());
    let unexpected = findings
        .refused
        .keys()
        .filter(|code| !REFUSALS.contains(&code.as_str()));
    faults.extend(unexpected.map(|code| format!("an operation was refused with `{code}`")));
    refused_wrongly(findings).for_each(|it| faults.doubt(it));
    // In a small run not every host has a writer.
    let written = ran.hosts.iter().take(ran.writers);
    let kept = written.filter_map(|host| kept_from_writing(*host, findings));
    kept.for_each(|it| faults.doubt(it));
    let readers = ran.hosts.iter();
    let kept = readers.filter_map(|host| kept_from_reading(*host, &ran.reads));
    kept.for_each(|it| faults.doubt(it));
    if ran.reads.shown_to_driver == 0 {
        faults.doubt("no file that the driver read was a document".to_owned());
    }
    faults.judge()
}

/// Refusals for a reason of which there must be none. How many are `busy` is a matter of the machine.
fn refused_wrongly(findings: &Findings) -> impl Iterator<Item = String> {
    let io = findings.refused.get("io").into_iter().flatten();
    io.filter(|message| !message.contains(IO_REASON))
        .take(SHOWN)
        .map(|message| format!("an operation was refused with `io`: {message}"))
}

/// A run without writers loses nothing.
fn kept_from_writing(host: Host, findings: &Findings) -> Option<String> {
    let share = findings.shares.get(&host).copied().unwrap_or_default();
    let (answered, acknowledged) = (share.answered, share.acknowledged);
    (acknowledged == 0).then(|| {
        format!(
            "{acknowledged} of {answered} operations were acknowledged on {}",
            host.name()
        )
    })
}

/// A run without readers sees nothing torn.
fn kept_from_reading(host: Host, reads: &Reads) -> Option<String> {
    let is_enough = reads.shown.get(&host).is_some_and(|count| *count > 0);
    (!is_enough).then(|| format!("no read on {} showed a document", host.name()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::judge;
    use crate::cast::Host;
    use crate::faults::Violated;
    use crate::ledger::{Findings, Share};
    use crate::quiet::Quiet;
    use crate::reader::Reads;
    use crate::run::Ran;
    use crate::write_strategy::WriteStrategy;

    fn ran(strategy: WriteStrategy, findings: Findings) -> Ran {
        Ran {
            strategy,
            hosts: vec![Host::Node, Host::Wasmtime],
            writers: 16,
            findings,
            reads: Reads {
                shown: [(Host::Node, 1), (Host::Wasmtime, 1)].into(),
                shown_to_driver: 2,
                ..Reads::default()
            },
            quiet: Quiet::default(),
            left_over: Vec::new(),
            documents: 1,
            took: Duration::ZERO,
        }
    }

    fn share(answered: usize, acknowledged: usize) -> Share {
        Share {
            answered,
            acknowledged,
        }
    }

    /// Of a run in which all is well.
    fn sound() -> Findings {
        Findings {
            acknowledged: 75,
            shares: [(Host::Node, share(50, 50)), (Host::Wasmtime, share(50, 25))].into(),
            ..Findings::default()
        }
    }

    fn refused(code: &str, messages: &[&str]) -> Findings {
        let messages = messages.iter().map(|it| (*it).to_owned()).collect();
        Findings {
            refused: [(code.to_owned(), messages)].into(),
            ..sound()
        }
    }

    fn is_sound(findings: Findings) -> bool {
        judge(&ran(WriteStrategy::Milepost, findings)).is_ok()
    }

    fn is_proof(ran: &Ran) -> bool {
        judge(ran).is_err_and(|error| error.is::<Violated>())
    }

    fn one(id: &str) -> Vec<String> {
        vec![id.to_owned()]
    }

    #[test]
    fn a_run_that_lost_something_fails() {
        let faults = [
            Findings {
                lost: one("a"),
                ..sound()
            },
            Findings {
                twice: one("a"),
                ..sound()
            },
            Findings {
                refused_yet_written: one("a"),
                ..sound()
            },
            Findings {
                wrong: one("a lock is left over"),
                ..sound()
            },
            refused("corrupt", &["why"]),
        ];
        for findings in faults {
            assert!(
                is_proof(&ran(WriteStrategy::Milepost, findings.clone())),
                "{findings:?}"
            );
            assert!(judge(&ran(WriteStrategy::Rename, findings)).is_ok());
        }
        let mut torn = ran(WriteStrategy::Milepost, sound());
        torn.reads.wrong.extend(one("corrupt"));
        assert!(is_proof(&torn));
        let mut locked = ran(WriteStrategy::Milepost, sound());
        locked.left_over = one(".milepost/implement-r0/lock");
        assert!(is_proof(&locked));
    }

    #[test]
    fn a_run_in_which_a_writer_waits_too_long_passes() {
        assert!(is_sound(sound()));
        assert!(is_sound(refused("busy", &["held"; 99])));
    }

    #[test]
    fn a_failing_disk_fails_and_a_folder_full_of_changes_passes() {
        let early = "Cannot list a/tokens: every listing ended early";
        assert!(is_sound(refused("io", &[early, early])));
        assert!(!is_sound(refused("io", &[early, "Cannot write a: EIO"])));
    }

    #[test]
    fn an_update_that_a_dead_writer_holds_up_for_ever_fails() {
        let mut held = ran(WriteStrategy::Milepost, sound());
        let what = "the quiet update of document 0 was refused: busy: held";
        held.quiet.wrong.doubt(what.to_owned());
        assert!(judge(&held).is_err());
        let mut forgetful = ran(WriteStrategy::Milepost, sound());
        let what = "what was replaced is not in its history";
        forgetful.quiet.wrong.push(what.to_owned());
        assert!(is_proof(&forgetful));
    }

    #[test]
    fn a_host_on_which_no_process_wrote_fails() {
        for of_wasmtime in [None, Some(share(0, 0)), Some(share(50, 0))] {
            let mut findings = sound();
            findings.shares.remove(&Host::Wasmtime);
            findings
                .shares
                .extend(of_wasmtime.map(|it| (Host::Wasmtime, it)));
            assert!(!is_sound(findings.clone()), "{of_wasmtime:?}");
            // One writer is on the first host.
            let mut small = ran(WriteStrategy::Milepost, findings);
            small.writers = 1;
            assert!(judge(&small).is_ok(), "{of_wasmtime:?}");
        }
    }

    #[test]
    fn a_host_on_which_no_process_read_fails() {
        for shown in [
            vec![(Host::Node, 9)],
            vec![(Host::Node, 9), (Host::Wasmtime, 0)],
        ] {
            let mut unread = ran(WriteStrategy::Milepost, sound());
            unread.reads.shown = shown.into_iter().collect();
            assert!(judge(&unread).is_err() && !is_proof(&unread));
        }
        let mut unread = ran(WriteStrategy::Milepost, sound());
        unread.reads.shown_to_driver = 0;
        assert!(judge(&unread).is_err() && !is_proof(&unread));
    }
}
