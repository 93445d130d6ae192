//! Keeping some of the checkpoints of a thread, with all that they need of the others; and the copy of a thread.
//!
//! A kept checkpoint reads as before: its values, its writes, and the history of the channels that have no value in it.
//! A value that is stored with a checkpoint that goes is stored with the first kept one that has it. The history of a
//! channel is the writes of the checkpoints before, back to one that has a value, so that of an ancestor that goes these
//! are left, without the checkpoint. Numbers stay, by which entries are in order.

use super::change::{NextThread, ThreadOutcome};
use super::difference::json_of;
use super::entry::{PrunedLine, ThreadCheckpoint, ThreadEntry};
use super::index::{Stray, Thread};
use super::log::{Log, ThreadStop};
use super::moved_values::{MovedValues, channels};
use super::seal::{Sealed, lay_out};
use super::texts::with_texts;
use super::value::{Ref, Typed};
use super::writes::{self, ChannelWrite};
use crate::json::Json;
use crate::sorting;
use crate::str_map::{StrMap, StrSet};
use crate::time;

/// From this format of LangGraph on, a checkpoint has the packets for its nodes in a channel.
const FORMAT_WITH_PACKETS: u64 = 4;

/// The checkpoints that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptCheckpoints {
    /// So many of each namespace, the newest.
    Newest(usize),
    /// All but those of these runs.
    AllBut(Vec<String>),
}

/// The number of checkpoints that stayed, and of those that went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retained {
    /// Those that stayed.
    pub kept: usize,
    /// Those that went.
    pub removed: usize,
}

/// Keeps some checkpoints of a thread, at this time. New parts have this token. Where none stays, a tombstone takes the
/// place of the thread.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or is not what it should be;
/// [`Error::too_large`](crate::error::Error::too_large) for a part that could not be read again.
pub fn retain(
    log: Log<'_>,
    keep: &KeptCheckpoints,
    token: &str,
    at: &str,
) -> Result<(ThreadOutcome, Retained), ThreadStop> {
    let all = log.all()?;
    let names: Vec<String> = all.iter().map(|it| key(&it.namespace, &it.id)).collect();
    let mut is_kept = keep.chosen(&all);
    keep_senders(log, &all, &names, &mut is_kept)?;
    let kept = is_kept.iter().filter(|it| **it).count();
    let visible = all.iter().filter(|it| it.is_visible()).count();
    let removed = visible - kept;
    let retained = Retained { kept, removed };
    if removed == 0 {
        return Ok((outcome(None), retained));
    }
    if kept == 0 {
        let next = vacated(log, &all, &names, token, at)?;
        return Ok((outcome(Some(next)), retained));
    }
    let gone = all.iter().zip(&is_kept);
    let gone = gone.filter(|(entry, is_kept)| entry.is_visible() && !**is_kept);
    let highest = gone.map(|(entry, _)| entry.order()).max();
    let retention = ThreadRetention::new(log, &all, &names, is_kept)?;
    let mut thread = log.thread.emptied();
    thread.note_gone(at, highest.unwrap_or_default());
    let entries = retention.entries(&mut thread.strays)?;
    let sealed = lay_out(&mut thread, entries, token)?;
    Ok((outcome(Some((thread, sealed))), retained))
}

/// Keeps the parents that checkpoints of a format before 4 read packets for nodes from: these are among the parent's
/// writes.
fn keep_senders(
    log: Log<'_>,
    all: &[&ThreadEntry],
    names: &[String],
    is_kept: &mut [bool],
) -> Result<(), ThreadStop> {
    let visible = (0..all.len()).filter(|at| all[*at].is_visible());
    let places: StrMap<'_, usize> = visible.map(|at| (names[at].as_str(), at)).collect();
    for at in (0..all.len()).rev().filter(|at| all[*at].is_visible()) {
        let Some(checkpoint) = all[at].checkpoint.as_ref().filter(|_| is_kept[at]) else {
            continue;
        };
        let body = json_of(&checkpoint.body);
        let version = body.as_ref().and_then(|it| it.at("/v")?.as_u64());
        let is_old = version.is_some_and(|it| it < FORMAT_WITH_PACKETS);
        let Some(parent) = checkpoint.parent.as_ref().filter(|_| is_old) else {
            continue;
        };
        if let Some(place) = places.get(&key(&all[at].namespace, parent)) {
            let writes = log.writes(all[*place])?;
            is_kept[*place] |= writes.iter().any(|it| it.channel == writes::PACKETS);
        }
    }
    Ok(())
}

/// The tombstone of a thread of which nothing is kept, with the writes that wait for their checkpoints: these are of a
/// run that is going on.
fn vacated(
    log: Log<'_>,
    all: &[&ThreadEntry],
    names: &[String],
    token: &str,
    at: &str,
) -> Result<(Thread, Vec<Sealed>), ThreadStop> {
    let (there, early): (Vec<usize>, Vec<usize>) =
        (0..all.len()).partition(|at| all[*at].checkpoint.is_some());
    let highest = there.iter().map(|at| all[*at].order()).max();
    let mut thread = log
        .thread
        .tombstone_above(highest.unwrap_or_default(), token, at);
    let there: StrSet<'_> = there.iter().map(|at| names[*at].as_str()).collect();
    let mut entries = Vec::new();
    for at in early.into_iter().filter(|at| !there.contains(&names[*at])) {
        let entry = ThreadEntry {
            number: thread.next,
            ..all[at].clone()
        };
        thread.strays.push(Stray {
            number: entry.number,
            namespace: entry.namespace.clone(),
            id: entry.id.clone(),
        });
        thread.next += 1;
        entries.push(entry);
    }
    let sealed = lay_out(&mut thread, entries, token)?;
    Ok((thread, sealed))
}

/// The copy of a thread under the name of another one, in whose place it comes; and the number of its checkpoints. New
/// parts have this token. Where there are texts, they take the place of its own.
///
/// # Errors
///
/// As [`retain`], and [`with_texts`].
pub fn copy(
    log: Log<'_>,
    target: &Thread,
    token: &str,
    texts: Option<&[Typed]>,
) -> Result<(ThreadOutcome, usize), ThreadStop> {
    let all = log.all()?;
    let count = all.iter().filter(|it| it.is_visible()).count();
    let mut thread = log.thread.emptied();
    target.name.clone_into(&mut thread.name);
    thread.deleted.clone_from(&target.deleted);
    // Writes that came early go, and their checkpoint is refused.
    for stray in &target.strays {
        thread.note_late(&stray.id);
    }
    // Nothing is written to what is left of a pruned checkpoint.
    if all.iter().any(|it| it.is_pruned()) {
        thread.note_gone_of(log.thread);
    }
    thread.strays.clone_from(&log.thread.strays);
    let entries = match texts {
        Some(texts) => with_texts(log, texts)?,
        None => all.into_iter().cloned().collect(),
    };
    let sealed = lay_out(&mut thread, entries, token)?;
    Ok((outcome(Some((thread, sealed))), count))
}

/// Puts a tombstone in the place of a thread whose newest checkpoint is from before this time.
///
/// # Errors
///
/// As [`retain`].
pub fn expire(
    log: Log<'_>,
    before_ms: f64,
    token: &str,
    at: &str,
) -> Result<ThreadOutcome, ThreadStop> {
    let is_old = newest_ms(log)?.is_some_and(|it| it < before_ms);
    let tombstone = is_old.then(|| log.thread.tombstone(token, at));
    Ok(outcome(tombstone.map(|it| (it, Vec::new()))))
}

/// The time of the newest checkpoint in ms since 1970: as its maker wrote it, or else as its id has it. `None` where
/// neither says so, or nothing is there.
///
/// # Errors
///
/// As [`retain`].
pub fn newest_ms(log: Log<'_>) -> Result<Option<f64>, ThreadStop> {
    let newest = log.newest(1, &|_| true, &|_| true)?;
    let newest = newest.first().and_then(|entry| {
        let body = json_of(&entry.checkpoint.as_ref()?.body);
        let at = body.as_ref().and_then(|it| it.at("/ts")?.as_str());
        let at = at.and_then(time::parse).map(time::Time::wall_ms);
        at.or_else(|| time_of_id(&entry.id))
    });
    Ok(newest)
}

/// The time in a UUID of the versions 6 and 7.
fn time_of_id(id: &str) -> Option<f64> {
    /// 1970 in the count of version 6: 100 ns since 1582-10-15.
    const FIRST_TICK: u64 = 0x01b2_1dd2_1381_4000;
    let groups: Vec<&str> = id.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|it| it.len()).collect();
    if lengths != [8, 4, 4, 4, 12] {
        return None;
    }
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let (high, middle) = (number(groups[0])?, number(groups[1])?);
    match groups[2].split_at_checked(1)? {
        ("6", low) => {
            let ticks = (high << 28) | (middle << 12) | number(low)?;
            Some(ticks.checked_sub(FIRST_TICK)? as f64 / 1e4)
        }
        ("7", _) => Some(((high << 16) | middle) as f64),
        _ => None,
    }
}

fn outcome(next: Option<(Thread, Vec<Sealed>)>) -> ThreadOutcome {
    let is_changed = next.is_some();
    ThreadOutcome {
        next: next.map(|(thread, sealed)| NextThread {
            thread: Box::new(thread),
            sealed,
            line: None,
        }),
        results: vec![Ok(is_changed)],
    }
}

/// Names have no U+0000.
fn key(namespace: &str, id: &str) -> String {
    format!("{namespace}\0{id}")
}

impl KeptCheckpoints {
    /// Of each entry, whether it is a checkpoint that is kept.
    fn chosen(&self, all: &[&ThreadEntry]) -> Vec<bool> {
        let mut chosen: Vec<bool> = all.iter().map(|it| it.is_visible()).collect();
        match self {
            KeptCheckpoints::Newest(count) => {
                let mut order: Vec<usize> = (0..all.len()).filter(|it| chosen[*it]).collect();
                let rank = |at: usize| (all[at].order(), all[at].number);
                sorting::sort_by(&mut order, |a, b| rank(*b).cmp(&rank(*a)));
                let mut counts: Vec<(&str, usize)> = Vec::new();
                for at in order {
                    let namespace = all[at].namespace.as_str();
                    let place = counts.iter().position(|(name, _)| *name == namespace);
                    let place = place.unwrap_or_else(|| {
                        counts.push((namespace, 0));
                        counts.len() - 1
                    });
                    counts[place].1 += 1;
                    chosen[at] = counts[place].1 <= *count;
                }
            }
            KeptCheckpoints::AllBut(runs) => {
                for (chosen, entry) in chosen.iter_mut().zip(all) {
                    let run = entry.checkpoint.as_ref().and_then(run_of);
                    *chosen &= run.is_none_or(|run| !runs.contains(&run));
                }
            }
        }
        chosen
    }
}

/// The run of a checkpoint, as its maker said, or its metadata.
fn run_of(checkpoint: &ThreadCheckpoint) -> Option<String> {
    if checkpoint.run.is_some() {
        return checkpoint.run.clone();
    }
    let metadata = json_of(&checkpoint.metadata)?;
    let run = metadata.at("/run_id").and_then(Json::as_str)?;
    Some(run.to_owned())
}

/// The fate of an entry.
enum EntryFate<'a> {
    /// It stays.
    Kept,
    /// A kept one goes on from it: from all of its channels but these.
    Origin(Vec<&'a str>),
    /// It goes.
    Gone,
}

/// The entries of a thread, and what becomes of each.
struct ThreadRetention<'a> {
    log: Log<'a>,
    all: &'a [&'a ThreadEntry],
    /// The place of the checkpoint that each follows from, where that is there.
    parents: Vec<Option<usize>>,
    checkpoints: StrMap<'a, usize>,
    fates: Vec<EntryFate<'a>>,
    /// The remains of each origin.
    remains: Vec<Option<Remains<'a>>>,
    /// Of each entry, the nearest one in its line, itself included, that has something to go on from.
    nearest: Vec<Option<usize>>,
}

/// The values and writes that others go on from.
struct Remains<'a> {
    channels: Vec<&'a (String, Ref)>,
    writes: Vec<ChannelWrite>,
}

impl<'a> ThreadRetention<'a> {
    fn new(
        log: Log<'a>,
        all: &'a [&'a ThreadEntry],
        names: &'a [String],
        is_kept: Vec<bool>,
    ) -> Result<Self, ThreadStop> {
        // Of two with one name the newer one counts.
        let places = (0..all.len())
            .rev()
            .filter(|at| all[*at].checkpoint.is_some());
        let checkpoints: StrMap<'a, usize> = places.map(|at| (names[at].as_str(), at)).collect();
        let parent = |at: usize| {
            let entry = all[at];
            let parent = entry.checkpoint.as_ref()?.before()?;
            let place = *checkpoints.get(&key(&entry.namespace, parent))?;
            (place < at).then_some(place)
        };
        let parents: Vec<Option<usize>> = (0..all.len()).map(parent).collect();
        let mut fates: Vec<EntryFate<'a>> = is_kept
            .into_iter()
            .map(|it| if it { EntryFate::Kept } else { EntryFate::Gone })
            .collect();
        for at in (0..all.len()).rev() {
            let mut closed = match &fates[at] {
                EntryFate::Kept => Vec::new(),
                EntryFate::Origin(closed) => closed.clone(),
                EntryFate::Gone => continue,
            };
            let Some(parent) = parents[at] else {
                continue;
            };
            for (channel, _) in channels(all[at]) {
                if !closed.contains(&channel.as_str()) {
                    closed.push(channel);
                }
            }
            match &mut fates[parent] {
                EntryFate::Kept => {}
                EntryFate::Origin(others) => others.retain(|it| closed.contains(it)),
                fate @ EntryFate::Gone => *fate = EntryFate::Origin(closed),
            }
        }
        let mut retention = ThreadRetention {
            log,
            all,
            parents,
            checkpoints,
            fates,
            remains: Vec::new(),
            nearest: Vec::new(),
        };
        for at in 0..all.len() {
            let remains = retention.remains_of(at)?;
            let is_nearest = remains.is_some() || matches!(retention.fates[at], EntryFate::Kept);
            let nearest = match is_nearest {
                true => Some(at),
                false => retention.before(at),
            };
            retention.remains.push(remains);
            retention.nearest.push(nearest);
        }
        Ok(retention)
    }

    /// The remains of an origin, if there are any.
    fn remains_of(&self, at: usize) -> Result<Option<Remains<'a>>, ThreadStop> {
        let EntryFate::Origin(closed) = &self.fates[at] else {
            return Ok(None);
        };
        let is_open = |channel: &str| !closed.contains(&channel) && !writes::is_own(channel);
        let channels = channels(self.all[at]).iter();
        let channels: Vec<_> = channels.filter(|(name, _)| is_open(name)).collect();
        let mut writes = self.log.writes(self.all[at])?;
        writes.retain(|it| is_open(&it.channel));
        let is_empty = channels.is_empty() && writes.is_empty();
        Ok((!is_empty).then_some(Remains { channels, writes }))
    }

    /// The nearest entry before this one in its line that has something to go on from.
    fn before(&self, at: usize) -> Option<usize> {
        self.parents[at].and_then(|parent| self.nearest[parent])
    }

    /// The entries that are left, the oldest first, and the writes among them whose checkpoint is not there.
    fn entries(&self, strays: &mut Vec<Stray>) -> Result<Vec<ThreadEntry>, ThreadStop> {
        let mut is_named = vec![false; self.all.len()];
        for (at, fate) in self.fates.iter().enumerate() {
            if let (EntryFate::Kept, Some(parent)) = (fate, self.parents[at]) {
                is_named[parent] = self.nearest[parent].is_some();
            }
        }
        let mut moved = MovedValues::new(self.log, self.all);
        let mut left = Vec::new();
        for (at, entry) in self.all.iter().enumerate() {
            let next = match (&self.fates[at], &entry.checkpoint) {
                (EntryFate::Kept, Some(checkpoint)) => {
                    let kept = ThreadCheckpoint {
                        channels: Vec::new(),
                        values: Vec::new(),
                        ..checkpoint.clone()
                    };
                    let writes = self.log.writes(entry)?;
                    moved.entry(at, kept, checkpoint.channels.iter().collect(), writes)?
                }
                (EntryFate::Origin(_), Some(checkpoint)) => {
                    let remains = self.remains[at].as_ref();
                    if remains.is_none() && !is_named[at] {
                        continue;
                    }
                    let channels = remains.map_or_else(Vec::new, |it| it.channels.clone());
                    let writes = remains.map_or_else(Vec::new, |it| it.writes.clone());
                    moved.entry(at, self.origin(at, checkpoint), channels, writes)?
                }
                (_, None) => {
                    let name = key(&entry.namespace, &entry.id);
                    // Otherwise they are with their checkpoint now.
                    if self.checkpoints.contains(&name) {
                        continue;
                    }
                    let of = self.log.thread.strays.iter();
                    strays.extend(of.filter(|it| it.number == entry.number).cloned());
                    (*entry).clone()
                }
                (_, Some(_)) => continue,
            };
            left.push(next);
        }
        Ok(left)
    }

    /// A pruned checkpoint, before its values are in it.
    fn origin(&self, at: usize, checkpoint: &ThreadCheckpoint) -> ThreadCheckpoint {
        let before = self.before(at).map(|it| self.all[it].id.clone());
        ThreadCheckpoint {
            parent: checkpoint.parent.clone(),
            order: checkpoint.order.clone(),
            run: None,
            pruned: Some(PrunedLine { before }),
            // It says to which version of its channel a value belongs.
            body: checkpoint.body.clone(),
            metadata: Typed::nothing(),
            channels: Vec::new(),
            values: Vec::new(),
        }
    }
}
