//! The tasks of one worker each: what they hold follows from the operations, one after the other. One that was
//! cut off may have happened, so that a task can be in several states until an answer shows which.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::job::{Job, KEPT, Save};
use super::journal::{Outcome, Record};

/// A task as it may be.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    /// Id and version of each checkpoint, in the order of first saves.
    entries: Vec<(String, u64)>,
    /// `None` where no answer was heard: a task that is begun again counts from any number.
    revision: Option<u64>,
}

/// Goes through the operations on one task, in their order.
///
/// # Errors
///
/// Returns the answers that no order of events explains.
pub(super) fn replay<'a>(records: impl Iterator<Item = &'a Record>) -> Result<(), String> {
    let mut states = BTreeSet::from([State::default()]);
    for record in records {
        let after: BTreeSet<State> = states.iter().flat_map(|it| it.after(record)).collect();
        if after.is_empty() {
            return Err(format!(
                "{:?} came to {:?}, but the task was one of {states:?}",
                record.job, record.outcome
            ));
        }
        states = after;
    }
    Ok(())
}

impl State {
    /// The states that it can be in after an operation.
    fn after(&self, record: &Record) -> Vec<State> {
        match &record.outcome {
            Outcome::Answered(answer) => self.answering(&record.job, answer).into_iter().collect(),
            Outcome::Refused(refusal) if refusal.code == "conflict" => {
                let fits = match &record.job {
                    Job::Save(save) => save.expected.is_some() && !self.must_be_at(save.expected),
                    _ => false,
                };
                fits.then(|| self.clone()).into_iter().collect()
            }
            _ if record.is_open() => {
                let done = self.done(&record.job).map(|it| it.0);
                [Some(self.clone()), done].into_iter().flatten().collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// The state in which it gives such an answer.
    fn answering(&self, job: &Job, answer: &Value) -> Option<State> {
        let (mut next, expected) = self.done(job)?;
        let answered = match job {
            Job::Save(_) | Job::Restore { .. } | Job::RestoreById { .. } => {
                answer["revision"].as_u64()
            }
            _ => None,
        };
        if let (Some(known), Some(answered)) = (next.revision, answered)
            && known != answered
        {
            return None;
        }
        next.revision = answered.or(next.revision);
        let answer = match answer {
            Value::Object(_) => {
                let expected = expected.as_object()?.keys();
                Value::Object(
                    expected
                        .map(|it| (it.clone(), answer[it].clone()))
                        .collect(),
                )
            }
            other => other.clone(),
        };
        (answer == expected).then_some(next)
    }

    /// The state after an operation, and its answer, but for revisions; `None` where it is refused.
    fn done(&self, job: &Job) -> Option<(State, Value)> {
        let task = job.task().unwrap_or_default();
        let same = |answer| Some((self.clone(), answer));
        let shown = |(id, version): &(String, u64)| json!({"id": id, "task": task, "version": version, "whole": true});
        let restored = |found: Option<&(String, u64)>| match found {
            Some(found) => {
                let mut answer = shown(found);
                answer["success"] = json!(true);
                answer
            }
            None => json!({"success": false}),
        };
        match job {
            Job::Save(save) => self.saved(save),
            Job::Restore { .. } => same(restored(self.entries.last())),
            Job::RestoreById { id } => {
                same(restored(self.entries.iter().find(|entry| entry.0 == *id)))
            }
            Job::List { .. } => same(self.entries.iter().map(shown).collect()),
            Job::Delete { id } => {
                let kept = self.entries.iter().filter(|entry| entry.0 != *id);
                let kept: Vec<_> = kept.cloned().collect();
                match kept.len() < self.entries.len() {
                    true => Some((self.changed(kept), json!(true))),
                    false => same(json!(false)),
                }
            }
            Job::DeleteAll { .. } => Some((State::default(), json!(self.entries.len()))),
            Job::Follow { .. } | Job::CleanUp | Job::Tasks => same(Value::Null),
        }
    }

    fn saved(&self, save: &Save) -> Option<(State, Value)> {
        if save.expected.is_some() && !self.may_be_at(save.expected) {
            return None;
        }
        let mut entries = self.entries.clone();
        let known = entries.iter_mut().find(|entry| entry.0 == save.id);
        let updated = known.is_some();
        match known {
            Some(entry) => entry.1 = save.version,
            None => entries.push((save.id.clone(), save.version)),
        }
        let surplus = entries.len().saturating_sub(KEPT);
        let evicted: Vec<String> = entries.drain(..surplus).map(|entry| entry.0).collect();
        let answer = json!({"id": save.id, "updated": updated, "evicted": evicted});
        Some((self.changed(entries), answer))
    }

    fn changed(&self, entries: Vec<(String, u64)>) -> State {
        let is_counted = !self.entries.is_empty() && !entries.is_empty();
        State {
            entries,
            revision: self.revision.filter(|_| is_counted).map(|it| it + 1),
        }
    }

    /// The revision that a save has to expect, if that is known.
    fn visible(&self) -> Option<u64> {
        match self.entries.is_empty() {
            true => Some(0),
            false => self.revision,
        }
    }

    fn may_be_at(&self, revision: Option<u64>) -> bool {
        self.visible().is_none() || self.must_be_at(revision)
    }

    fn must_be_at(&self, revision: Option<u64>) -> bool {
        self.visible().is_some() && self.visible() == revision
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::job::{Job, Save};
    use super::super::journal::{Outcome, Record};
    use super::replay;
    use crate::actor::Refusal;

    fn save(number: u64, expected: Option<u64>) -> Job {
        Job::Save(Save {
            task: "own 0".to_owned(),
            id: format!("own 0 #{number}"),
            version: number,
            expected,
        })
    }

    fn saved(number: u64, revision: u64, evicted: &[&str]) -> Outcome {
        let id = format!("own 0 #{number}");
        Outcome::Answered(
            json!({"id": id, "revision": revision, "updated": false, "evicted": evicted}),
        )
    }

    fn listed(numbers: &[u64]) -> (Job, Outcome) {
        let list = numbers.iter().map(|number| {
            json!({"id": format!("own 0 #{number}"), "task": "own 0", "version": number, "whole": true})
        });
        let task = "own 0".to_owned();
        (
            Job::List { task },
            Outcome::Answered(list.collect::<Value>()),
        )
    }

    fn is_explained(done: Vec<(Job, Outcome)>) -> bool {
        let records: Vec<Record> = done
            .into_iter()
            .map(|(job, outcome)| Record {
                job,
                began: 0,
                ended: 0,
                outcome,
            })
            .collect();
        replay(records.iter()).is_ok()
    }

    #[test]
    fn an_acknowledged_save_that_is_not_listed_is_noticed() {
        let first = || (save(1, None), saved(1, 7, &[]));
        assert!(is_explained(vec![first(), listed(&[1])]));
        assert!(!is_explained(vec![first(), listed(&[])]));
        let second = || (save(2, None), saved(2, 8, &[]));
        assert!(is_explained(vec![first(), second(), listed(&[1, 2])]));
        assert!(!is_explained(vec![first(), second(), listed(&[2, 1])]));
    }

    #[test]
    fn a_save_that_was_cut_off_has_happened_or_not() {
        for numbers in [&[1][..], &[1, 2]] {
            let done = vec![
                (save(1, None), saved(1, 7, &[])),
                (save(2, None), Outcome::Silent),
                listed(numbers),
            ];
            assert!(is_explained(done.clone()));
            // It cannot have happened later.
            let other: &[u64] = if numbers.len() == 1 { &[1, 2] } else { &[1] };
            let again = [done, vec![listed(other)]].concat();
            assert!(!is_explained(again));
        }
    }

    #[test]
    fn a_refused_save_is_not_there() {
        let refused = Outcome::Refused(Refusal::new("busy", "held"));
        assert!(is_explained(vec![
            (save(1, None), refused.clone()),
            listed(&[])
        ]));
        assert!(!is_explained(vec![(save(1, None), refused), listed(&[1])]));
    }

    #[test]
    fn an_eviction_of_another_than_the_oldest_is_noticed() {
        let full = |evicted: &[&str]| {
            let four = (1..5).map(|number| (save(number, None), saved(number, number, &[])));
            let fifth = (save(5, None), saved(5, 5, evicted));
            four.chain([fifth]).collect::<Vec<_>>()
        };
        assert!(is_explained(full(&["own 0 #1"])));
        assert!(!is_explained(full(&["own 0 #2"])));
        assert!(!is_explained(full(&[])));
    }

    #[test]
    fn a_conflict_where_the_revision_is_the_expected_one_is_noticed() {
        let conflict = || Outcome::Refused(Refusal::new("conflict", "another revision"));
        let first = || (save(1, None), saved(1, 7, &[]));
        assert!(is_explained(vec![first(), (save(2, Some(6)), conflict())]));
        assert!(!is_explained(vec![first(), (save(2, Some(7)), conflict())]));
        assert!(!is_explained(vec![first(), (save(2, None), conflict())]));
        assert!(!is_explained(vec![
            first(),
            (save(2, Some(6)), saved(2, 8, &[]))
        ]));
    }
}
