//! The tasks of all: what must be so in any order of the operations.

use std::collections::{BTreeMap, BTreeSet};

use super::job::{CHAIN, Job, KEPT, SHARED, Save, is_saved_once};
use super::journal::{Outcome, Record, Shown};
use crate::actor::Refusal;

/// Everything that is wrong.
pub(super) fn faults(records: &[Record]) -> Vec<String> {
    let mut faults = torn(records);
    faults.extend(came_back(records));
    faults.extend(twice_at_a_revision(records));
    for task in SHARED {
        faults.extend(out_of_order(records, task));
        faults.extend(lost(records, task));
    }
    faults
}

/// The acknowledged saves of a shared task: revision and id of each checkpoint that was saved once.
fn saved<'a>(
    records: &'a [Record],
    task: &'a str,
) -> impl Iterator<Item = (u64, &'a Record, &'a str)> {
    records.iter().filter_map(move |record| match &record.job {
        Job::Save(save) if save.task == task && is_saved_once(&save.id) => {
            let revision = record.answer()?["revision"].as_u64()?;
            Some((revision, record, save.id.as_str()))
        }
        _ => None,
    })
}

/// Checkpoints that were shown and are not whole, were never saved so, or were refused.
fn torn(records: &[Record]) -> Vec<String> {
    let mut asked: BTreeMap<u64, (&Save, bool)> = BTreeMap::new();
    for record in records {
        if let Job::Save(save) = &record.job {
            let is_refused = record.answer().is_none() && !record.is_open();
            asked.insert(save.version, (save, is_refused));
        }
    }
    let mut faults = Vec::new();
    let shown = records.iter().flat_map(|record| {
        let shown = record.shown().into_iter();
        shown.map(move |it| (&record.job, it))
    });
    for (job, shown) in shown {
        let Shown {
            id, task, version, ..
        } = &shown;
        let is_asked_for = match job {
            Job::RestoreById { id: asked } => id == asked,
            _ => job.task() == Some(task),
        };
        let fault = match asked.get(version) {
            _ if !shown.is_whole => "is torn",
            _ if !is_asked_for => "was not asked for",
            _ if task == CHAIN => continue,
            None => "was never saved",
            Some((save, _)) if (&save.id, &save.task) != (id, task) => "is another one's",
            Some((_, true)) => "was refused",
            Some(_) => continue,
        };
        faults.push(format!("{shown:?}, which {job:?} has shown, {fault}"));
    }
    faults
}

/// The checkpoints that were evicted or removed, and shown by an operation that began later; and those removed twice.
fn came_back(records: &[Record]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut gone: BTreeMap<String, u64> = BTreeMap::new();
    let mut removed: BTreeSet<String> = BTreeSet::new();
    for record in records {
        let Some(answer) = record.answer() else {
            continue;
        };
        let taken: Vec<String> = match &record.job {
            Job::Save(_) | Job::Follow { .. } => {
                let evicted = answer["evicted"].as_array().into_iter().flatten();
                let evicted = evicted.filter_map(|id| id.as_str());
                evicted.map(str::to_owned).collect()
            }
            Job::Delete { id } if *answer == true => vec![id.clone()],
            _ => Vec::new(),
        };
        for id in taken.into_iter().filter(|id| is_removed_once(id)) {
            if !removed.insert(id.clone()) {
                faults.push(format!("{id} was removed twice"));
            }
            gone.entry(id).or_insert(record.ended);
        }
        // Those that were there before are gone, regardless of who has removed them.
        let before: Vec<&Record> = match &record.job {
            Job::DeleteAll { task } | Job::Delete { id: task } => {
                let is_all = matches!(record.job, Job::DeleteAll { .. });
                let earlier = records.iter().filter(|it| it.ended < record.began);
                let meant = earlier.filter(|it| match &it.job {
                    Job::Save(save) if is_all => save.task == *task,
                    Job::Save(save) => save.id == *task,
                    _ => false,
                });
                meant.filter(|it| it.answer().is_some()).collect()
            }
            _ => Vec::new(),
        };
        for earlier in before {
            if let Job::Save(save) = &earlier.job
                && is_saved_once(&save.id)
            {
                gone.entry(save.id.clone()).or_insert(record.ended);
            }
        }
    }
    for record in records {
        for Shown { id, .. } in record.shown() {
            if gone.get(&id).is_some_and(|ended| *ended < record.began) {
                faults.push(format!("{id} was gone, and {:?} has shown it", record.job));
            }
        }
    }
    faults
}

/// Returns whether an id is not saved again once it is gone.
fn is_removed_once(id: &str) -> bool {
    is_saved_once(id) || id.starts_with("link ")
}

/// Each change of a task has a revision of its own: two with one would be two that have followed from the same
/// state, of which one is lost.
fn twice_at_a_revision(records: &[Record]) -> Vec<String> {
    let mut seen: BTreeMap<(&str, u64), &Job> = BTreeMap::new();
    let mut faults = Vec::new();
    for record in records {
        let (Job::Save(_) | Job::Follow { .. }, Some(answer)) = (&record.job, record.answer())
        else {
            continue;
        };
        let Some((task, revision)) = record.job.task().zip(answer["revision"].as_u64()) else {
            faults.push(format!("{:?} was answered with {answer}", record.job));
            continue;
        };
        if let Some(other) = seen.insert((task, revision), &record.job) {
            let job = &record.job;
            faults.push(format!(
                "{other:?} and {job:?} are both revision {revision}"
            ));
        }
    }
    faults
}

/// Lists that are not in the order of first saves, or too long; latest checkpoints that are not the latest.
fn out_of_order(records: &[Record], task: &str) -> Vec<String> {
    let saved: BTreeMap<u64, &str> = saved(records, task).map(|it| (it.0, it.2)).collect();
    let revisions: BTreeMap<&str, u64> = saved.iter().map(|(at, id)| (*id, *at)).collect();
    let mut faults = Vec::new();
    for record in records.iter().filter(|it| it.job.task() == Some(task)) {
        let shown = record.shown();
        let ids: Vec<&str> = shown.iter().map(|it| it.id.as_str()).collect();
        let known: Vec<u64> = ids
            .iter()
            .filter_map(|id| revisions.get(id).copied())
            .collect();
        let different: BTreeSet<&&str> = ids.iter().collect();
        if !known.is_sorted() || ids.len() > KEPT || different.len() < ids.len() {
            faults.push(format!("{task} is listed as {ids:?}, saved at {known:?}"));
        }
        if let (Job::Restore { .. }, Some(answer)) = (&record.job, record.answer())
            && let Some(latest) = answer["revision"].as_u64().and_then(|at| saved.get(&at))
            && ids != [*latest]
        {
            faults.push(format!(
                "{latest} is the latest of {task}, and {ids:?} was restored"
            ));
        }
    }
    faults
}

/// The checkpoints that were not removed, that so few saves have followed that they cannot have evicted them, and that
/// are not in the last list all the same.
fn lost(records: &[Record], task: &str) -> Vec<String> {
    let last = |is_meant: fn(&Job) -> bool| {
        let mut of_task = records.iter().rev();
        of_task.find(|it| is_meant(&it.job) && it.job.task() == Some(task) && it.answer().is_some())
    };
    let restored = last(|job| matches!(job, Job::Restore { .. }));
    let listed = last(|job| matches!(job, Job::List { .. }));
    let (Some(restored), Some(listed)) = (restored, listed) else {
        return vec![format!("{task} was not read in the end")];
    };
    let now = restored.answer().and_then(|it| it["revision"].as_u64());
    let ids: Vec<String> = listed.shown().into_iter().map(|it| it.id).collect();
    let deleted: BTreeSet<&str> = records
        .iter()
        .filter_map(|record| match &record.job {
            Job::Delete { id } => Some(id.as_str()),
            _ => None,
        })
        .collect();
    let young = saved(records, task).filter(|(at, _, id)| {
        let after = now.and_then(|now| now.checked_sub(*at));
        after.is_some_and(|after| after < KEPT as u64) && !deleted.contains(id)
    });
    young
        .filter(|(_, _, id)| !ids.iter().any(|it| it == id))
        .map(|(at, _, id)| format!("{id} was acknowledged as revision {at} of {task}, and is lost"))
        .collect()
}

/// The result of the chain: the number of links, and the faults. Each link that was acknowledged has a
/// number of its own, which follows from the revision, and the other numbers are of links that were cut off.
pub(super) fn chain(records: &[Record]) -> (u64, Vec<String>) {
    let mut faults = Vec::new();
    let mut links: BTreeMap<u64, &str> = BTreeMap::new();
    let mut bases: BTreeSet<u64> = BTreeSet::new();
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for record in records {
        let Job::Follow { id } = &record.job else {
            continue;
        };
        if record.is_open() {
            open.insert(id);
        }
        if let Some(answer) = record.answer() {
            let number = answer["version"].as_u64().unwrap_or_default();
            let revision = answer["revision"].as_u64().unwrap_or_default();
            bases.insert(revision.wrapping_sub(number));
            if let Some(other) = links.insert(number, id) {
                faults.push(format!(
                    "{other} and {id} are both number {number} of the chain"
                ));
            }
        }
    }
    if bases.len() > 1 {
        faults.push(format!("the chain was counted from {bases:?}"));
    }
    let mut lists = records.iter().filter(|record| {
        matches!(&record.job, Job::List { task } if task == CHAIN) && record.answer().is_some()
    });
    let last: Vec<Shown> = lists.next_back().map(Record::shown).unwrap_or_default();
    let length = last.last().map_or(0, |it| it.version);
    let first = length - (length.min(KEPT as u64)) + 1;
    let versions: Vec<u64> = last.iter().map(|it| it.version).collect();
    if versions != (first..=length).collect::<Vec<_>>() {
        faults.push(format!("the chain ends with {versions:?}"));
    }
    for Shown { id, version, .. } in &last {
        let is_known = match links.get(version) {
            Some(link) => link == id,
            None => open.contains(id.as_str()),
        };
        if !is_known {
            faults.push(format!("number {version} of the chain is {id}"));
        }
    }
    let missing = (1..=length)
        .filter(|number| !links.contains_key(number))
        .count();
    if missing > open.len() || links.keys().any(|number| *number > length) {
        faults.push(format!(
            "the chain has {length} links, {} were acknowledged, {} cut off",
            links.len(),
            open.len()
        ));
    }
    (links.len() as u64, faults)
}

/// Refusals that no other's work explains.
pub(super) fn refused_wrongly(record: &Record) -> Option<(&Refusal, String)> {
    let Outcome::Refused(refusal) = &record.outcome else {
        return None;
    };
    let is_contended = match &record.job {
        Job::Save(save) => save.expected.is_some() || !is_saved_once(&save.id),
        Job::Follow { .. } => true,
        _ => false,
    };
    let is_explained = refusal.code == "busy"
        || (refusal.code == "conflict" && is_contended)
        || refusal.message.contains(": every listing ended early");
    let (code, message) = (&refusal.code, &refusal.message);
    let what = || format!("{:?} was refused with `{code}`: {message}", record.job);
    (!is_explained).then(|| (refusal, what()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::job::{CHAIN, Job};
    use super::super::journal::{Outcome, Record};
    use super::{chain, twice_at_a_revision};

    fn record(job: Job, outcome: Outcome) -> Record {
        Record {
            job,
            began: 0,
            ended: 0,
            outcome,
        }
    }

    fn link(number: u64) -> Record {
        let id = format!("link {number}");
        let answer = json!({"id": id, "version": number, "revision": 100 + number});
        record(Job::Follow { id }, Outcome::Answered(answer))
    }

    fn listed(numbers: &[u64]) -> Record {
        let list = numbers.iter().map(|number| {
            json!({"id": format!("link {number}"), "task": CHAIN, "version": number, "whole": true})
        });
        let task = CHAIN.to_owned();
        record(
            Job::List { task },
            Outcome::Answered(list.collect::<Value>()),
        )
    }

    #[test]
    fn a_chain_that_lost_a_link_is_noticed() {
        assert!(chain(&[link(1), link(2), listed(&[1, 2])]).1.is_empty());
        assert!(!chain(&[link(1), link(2), listed(&[1])]).1.is_empty());
        assert!(!chain(&[link(1), link(3), listed(&[1, 2, 3])]).1.is_empty());
    }

    #[test]
    fn two_saves_of_one_revision_are_noticed() {
        assert!(twice_at_a_revision(&[link(1), link(2)]).is_empty());
        assert!(!twice_at_a_revision(&[link(1), link(1)]).is_empty());
    }
}
