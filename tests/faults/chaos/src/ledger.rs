//! The acknowledged operations, held against what is stored in the end.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::actor::Refusal;
use crate::cast::Host;

/// The answer of a writer to one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is written: from now on it has to be there.
    Acknowledged,
    /// It says why, and whether something may be written all the same.
    Refused(Refusal),
    /// Killed before it answered: it may be there or not.
    Unknown,
}

/// One operation, as its writer's driver saw it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// No other writer's.
    pub(crate) operation: String,
    /// The number of the document that it was to be written to.
    pub(crate) document: usize,
    /// The runtime of its writer.
    pub(crate) host: Host,
    pub(crate) outcome: Outcome,
}

/// The content of a document in the end; nothing where it is missing or cannot be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stored {
    pub(crate) revision: u64,
    /// The operations in it, each as often as applied.
    pub(crate) operations: Vec<String>,
}

/// The results of the operations of the writers on one host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Share {
    /// Those whose writer was killed before it answered are not among them.
    pub(crate) answered: usize,
    pub(crate) acknowledged: usize,
}

/// The findings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    pub(crate) acknowledged: usize,
    /// The results for each host.
    pub(crate) shares: BTreeMap<Host, Share>,
    /// The messages of those that were refused, by code.
    pub(crate) refused: BTreeMap<String, Vec<String>>,
    /// The number of writers that were killed before they answered.
    pub(crate) unknown: usize,
    /// The number of those whose operation is there.
    pub(crate) unknown_written: usize,
    /// Acknowledged, and not there.
    pub(crate) lost: Vec<String>,
    /// Applied more than once.
    pub(crate) twice: Vec<String>,
    /// Refused, and there all the same.
    pub(crate) refused_yet_written: Vec<String>,
    /// The other contradictions, a sentence each.
    pub(crate) wrong: Vec<String>,
}

impl Findings {
    /// Counts those of another run with them.
    pub(crate) fn add(&mut self, other: Findings) {
        self.acknowledged += other.acknowledged;
        for (host, share) in other.shares {
            let total = self.shares.entry(host).or_default();
            total.answered += share.answered;
            total.acknowledged += share.acknowledged;
        }
        for (code, messages) in other.refused {
            self.refused.entry(code).or_default().extend(messages);
        }
        self.unknown += other.unknown;
        self.unknown_written += other.unknown_written;
        self.lost.extend(other.lost);
        self.twice.extend(other.twice);
        self.refused_yet_written.extend(other.refused_yet_written);
        self.wrong.extend(other.wrong);
    }
}

/// Looks every operation up. Each commit of the run holds one operation, so that a document's
/// revision is the number of operations in it.
pub(crate) fn look_up(entries: &[Entry], documents: &[Stored]) -> Findings {
    let mut findings = Findings::default();
    let mut times: Vec<HashMap<&str, usize>> = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let mut found = HashMap::new();
        for operation in &document.operations {
            *found.entry(operation.as_str()).or_default() += 1;
        }
        for (operation, count) in &found {
            if *count > 1 {
                findings.twice.push((*operation).to_owned());
            }
        }
        let operations = document.operations.len() as u64;
        if document.revision != operations {
            findings.wrong.push(format!(
                "document {number} is at revision {} with {operations} operations in it",
                document.revision
            ));
        }
        times.push(found);
    }
    findings.twice.sort();

    let mut known = HashSet::new();
    for entry in entries {
        known.insert((entry.document, entry.operation.as_str()));
        let is_there = times
            .get(entry.document)
            .is_some_and(|found| found.contains_key(entry.operation.as_str()));
        let share = findings.shares.entry(entry.host).or_default();
        share.answered += usize::from(entry.outcome != Outcome::Unknown);
        match &entry.outcome {
            Outcome::Acknowledged => {
                findings.acknowledged += 1;
                share.acknowledged += 1;
                if !is_there {
                    findings.lost.push(entry.operation.clone());
                }
            }
            Outcome::Refused(refusal) => {
                let messages = findings.refused.entry(refusal.code.clone()).or_default();
                messages.push(refusal.message.clone());
                if is_there && !refusal.may_be_there {
                    findings.refused_yet_written.push(entry.operation.clone());
                }
            }
            Outcome::Unknown => {
                findings.unknown += 1;
                findings.unknown_written += usize::from(is_there);
            }
        }
    }
    for (number, found) in times.iter().enumerate() {
        let strangers = found.keys().filter(|id| !known.contains(&(number, **id)));
        findings.wrong.extend(
            strangers.map(|id| format!("document {number} holds {id}, which no writer asked for")),
        );
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{Entry, Findings, Outcome, Share, Stored, look_up};
    use crate::actor::Refusal;
    use crate::cast::Host;

    fn entry(operation: &str, outcome: Outcome) -> Entry {
        Entry {
            operation: operation.to_owned(),
            document: 0,
            host: Host::Node,
            outcome,
        }
    }

    fn stored(revision: u64, operations: &[&str]) -> Vec<Stored> {
        let operations = operations.iter().map(|id| (*id).to_owned()).collect();
        vec![Stored {
            revision,
            operations,
        }]
    }

    fn refused(code: &str) -> Outcome {
        Outcome::Refused(Refusal::new(code, "why"))
    }

    #[test]
    fn an_acknowledged_operation_that_is_gone_counts_as_lost() {
        let entries = [
            entry("a", Outcome::Acknowledged),
            entry("b", Outcome::Acknowledged),
        ];
        let findings = look_up(&entries, &stored(1, &["b"]));
        assert_eq!(
            (findings.acknowledged, findings.lost),
            (2, vec!["a".to_owned()])
        );
    }

    #[test]
    fn an_operation_in_another_document_counts_as_lost() {
        let mut documents = stored(0, &[]);
        documents.extend(stored(1, &["a"]));
        let findings = look_up(&[entry("a", Outcome::Acknowledged)], &documents);
        assert_eq!(findings.lost, ["a"]);
        assert_eq!(
            findings.wrong,
            ["document 1 holds a, which no writer asked for"]
        );
    }

    #[test]
    fn an_operation_of_a_missing_document_is_lost() {
        let findings = look_up(&[entry("a", Outcome::Acknowledged)], &[]);
        assert_eq!(findings.lost, ["a"]);
    }

    #[test]
    fn an_operation_applied_twice_is_noticed() {
        let findings = look_up(
            &[entry("a", Outcome::Acknowledged)],
            &stored(2, &["a", "a"]),
        );
        assert_eq!(findings.twice, ["a"]);
        // Where applying it again leaves no second trace, the revision shows it.
        let findings = look_up(&[entry("a", Outcome::Acknowledged)], &stored(2, &["a"]));
        assert_eq!(
            findings.wrong,
            ["document 0 is at revision 2 with 1 operations in it"]
        );
    }

    #[test]
    fn a_killed_operation_has_to_be_there_or_must_not() {
        let entries = [entry("a", Outcome::Unknown), entry("b", Outcome::Unknown)];
        let findings = look_up(&entries, &stored(1, &["b"]));
        let expected = Findings {
            unknown: 2,
            unknown_written: 1,
            shares: [(Host::Node, Share::default())].into(),
            ..Findings::default()
        };
        assert_eq!(findings, expected);
    }

    #[test]
    fn a_killed_operation_counts_against_its_host() {
        let mut entries = vec![
            entry("a", Outcome::Acknowledged),
            entry("b", refused("busy")),
            entry("c", Outcome::Unknown),
        ];
        entries[0].host = Host::Deno;
        let findings = look_up(&entries, &stored(1, &["a"]));
        let share = |answered, acknowledged| Share {
            answered,
            acknowledged,
        };
        let expected = [(Host::Node, share(1, 0)), (Host::Deno, share(1, 1))];
        assert_eq!(findings.shares, expected.into());
    }

    #[test]
    fn an_operation_that_said_nothing_was_written_may_have_written() {
        let open = Outcome::Refused(Refusal {
            may_be_there: true,
            ..Refusal::new("io", "why")
        });
        let entries = [
            entry("a", refused("busy")),
            entry("b", refused("io")),
            entry("c", open.clone()),
            entry("d", open),
        ];
        let findings = look_up(&entries, &stored(3, &["a", "b", "c"]));
        assert_eq!(findings.refused_yet_written, ["a", "b"]);
        assert_eq!(findings.refused.values().flatten().count(), 4);
    }
}
