//! The history of a checkpoint.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use crate::checkpoint::command::diff;
use crate::checkpoint::command::diff::PatchStep;
use crate::checkpoint::command::gate;
use crate::checkpoint::command::restores::restored_by;
use crate::effect::{Io, boxed};
use crate::error::{Code, WarningCode};
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{Kind, Shaped};
use crate::store::CommitMark;
use crate::str_map::Mixer;
use crate::text::visible;

use super::states::{State, States};

pub(super) const OPERATION: Operation = Operation::at::<Target, Vec<LogEntry>>(
    "log",
    "The revisions of a checkpoint that are kept, the newest first.",
    perform,
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let target = arguments.read();
        log(io, settings, &target).await.map(Json::from)
    })
}

/// One revision of a checkpoint.
#[derive(Clone, Debug, PartialEq, Shaped)]
pub struct LogEntry {
    /// The revision.
    pub revision: u64,
    /// The time at which it was saved.
    pub updated_at: Option<String>,
    /// The changes, a line each.
    pub changes: Vec<String>,
    /// The revision that the changes start from: the nearest one before it that can be read.
    pub compared_with: Option<u64>,
    /// The changes as a JSON Patch (RFC 6902) of that revision; empty without one.
    #[shape(kind = Kind::List(&PatchStep::KIND))]
    pub patch: Json,
    /// The earlier revision, not the one before it, with the same content.
    pub same_as: Option<u64>,
    /// So many revisions after this one only renewed the time, and are left out.
    pub heartbeats: u64,
    /// True if its bytes are not the ones that were saved.
    pub altered: bool,
    /// Why it cannot be read, if it cannot: altered, or no file, for example.
    pub problem: Option<String>,
    /// The change of the gate in a line, for people, where it opened, closed or moved: [`gate::change`]. Programs find
    /// it in the changes.
    #[shape(skip)]
    pub gate: Option<String>,
}

/// The revisions that are kept, newest first, without those that only renewed the time; of a corrupt
/// checkpoint, with a warning, those of its history. One that cannot be read is listed with the
/// problem, and the next one is compared with the nearest good one before it.
///
/// Fails with `not_found` when there is no checkpoint, and with `invalid_name`, `corrupt`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn log(io: &Io, settings: &Settings, target: &Target) -> Reply<Vec<LogEntry>> {
    log_seeing(io, settings, target, &mut |_, _| {}).await
}

/// The log for a caller that goes through the documents as well: each state that can be read is shown, the oldest
/// first, including those that only renewed the time.
pub async fn log_seeing(
    io: &Io,
    settings: &Settings,
    target: &Target,
    see: &mut dyn FnMut(u64, &Object),
) -> Reply<Vec<LogEntry>> {
    about(target, async |warnings| {
        let states = States::open(io, settings, target, warnings).await?;
        let mut log = LogBuilder::new(&states);
        // One behind, because the last one that is there counts as the present one.
        let mut last = None;
        for at in 0..states.len() {
            let Some(state) = states.read(at).await else {
                continue;
            };
            if let Ok(object) = &state {
                see(states.revision(at).0, object);
            }
            if let Some((at, state)) = last.replace((at, state)) {
                log.add(at, state, StatePosition::Before);
            }
        }
        let Some((at, state)) = last else {
            return Err(states.none());
        };
        log.add(at, state, StatePosition::Last);
        if let Some(error) = &states.corrupt {
            warnings.warn(WarningCode::InvalidDocument, error.to_string());
        }
        let mut entries = log.entries;
        entries.reverse();
        Ok(entries)
    })
    .await
}

/// The revisions that are kept, oldest first, without reading them; the present one last. Of a corrupt checkpoint those
/// of its history.
///
/// Fails as [`log`] does.
pub async fn revisions(io: &Io, settings: &Settings, target: &Target) -> Reply<Vec<u64>> {
    about(target, async |warnings| {
        let states = States::open(io, settings, target, warnings).await?;
        Ok((0..states.len()).map(|at| states.revision(at).0).collect())
    })
    .await
}

/// A line for each entry of a log, which is whole: what says most of what changed, and how many changes
/// more there are. Stored text in it is harmless.
pub fn headlines(entries: &[LogEntry]) -> Vec<String> {
    let line = |(at, entry): (usize, &LogEntry)| {
        let before = entries.get(at + 1);
        match (entry.altered, &entry.problem) {
            (true, _) => "altered: its digest does not hold".to_owned(),
            (false, Some(problem)) => format!("cannot be read: {}", visible(problem)),
            (false, None) => {
                what_changed(entry, before.is_none())
                    + &since(entry, before)
                    + &heartbeats(entry.heartbeats)
            }
        }
    };
    entries.iter().enumerate().map(line).collect()
}

/// The number of left-out revisions after one, in words.
fn heartbeats(count: u64) -> String {
    match count {
        0 => String::new(),
        1 => " (and 1 save without a change)".to_owned(),
        many => format!(" (and {many} saves without a change)"),
    }
}

/// The revision that the changes start from, in words, where the one before cannot be read.
fn since(entry: &LogEntry, before: Option<&LogEntry>) -> String {
    match (before.is_some_and(|it| it.problem.is_some()), entry) {
        (
            true,
            LogEntry {
                same_as: None,
                compared_with: Some(revision),
                ..
            },
        ) => {
            format!(", since revision {revision}")
        }
        _ => String::new(),
    }
}

/// The most telling change in one harmless line, and the number of the others.
fn what_changed(entry: &LogEntry, is_oldest: bool) -> String {
    if let Some(same) = entry.same_as {
        return format!("as revision {same} again");
    }
    let Some(first) = entry.changes.first() else {
        return match entry.revision {
            1 => "created".to_owned(),
            _ if is_oldest => "the oldest that is kept".to_owned(),
            _ if entry.compared_with.is_none() => "nothing before it can be read".to_owned(),
            _ => "no change".to_owned(),
        };
    };
    // The lists of the state follow from what becomes of a phase.
    let of_a_phase = entry.changes.iter().find(|it| it.starts_with("phase "));
    let is_of_gate = |it: &&String| it.starts_with("gate: ") || it.starts_with("gate.");
    let of_gate = entry.changes.iter().filter(is_of_gate).count();
    let (change, count) = match (of_a_phase, &entry.gate) {
        (Some(change), _) => (change, 1),
        // One line for all of its members.
        (None, Some(change)) => (change, of_gate),
        (None, None) => (entry.changes.iter().find(is_of_gate).unwrap_or(first), 1),
    };
    match entry.changes.len().saturating_sub(count) {
        0 => change.clone(),
        more => format!("{change} (+{more} more)"),
    }
}

/// The position of a state among those that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StatePosition {
    Before,
    Last,
}

/// A state that the log has shown.
struct LoggedState {
    /// The revision that it is shown under.
    revision: u64,
    hash: Hash128,
}

/// The entries of the states so far, oldest first.
struct LogBuilder<'a> {
    states: &'a States<'a>,
    entries: Vec<LogEntry>,
    contents: Vec<LoggedState>,
    /// The one that the next one is compared with.
    before: Option<(u64, Cow<'a, Object>)>,
}

impl<'a> LogBuilder<'a> {
    fn new(states: &'a States<'a>) -> Self {
        LogBuilder {
            states,
            entries: Vec::new(),
            contents: Vec::new(),
            before: None,
        }
    }

    fn add(&mut self, at: usize, state: State<'a>, place: StatePosition) {
        let (revision, mark) = self.states.revision(at);
        let hash = state.as_ref().ok().map(|object| hash(object));
        if let (CommitMark::Heartbeat, StatePosition::Before, Some(last), Some(hash)) =
            (mark, place, self.entries.last_mut(), hash)
            && last.problem.is_none()
        {
            last.heartbeats += 1;
            let revision = last.revision;
            self.contents.push(LoggedState { revision, hash });
            return;
        }
        let (changes, patch, compared_with, gate) = match (&self.before, &state) {
            (Some((number, before)), Ok(after)) => {
                let changes = diff::changes(before, after);
                let changes = changes.iter().map(ToString::to_string).collect();
                let patch = diff::json_patch(before, after);
                (changes, patch, Some(*number), gate::change(before, after))
            }
            _ => (Vec::new(), Json::Array(Vec::new()), None, None),
        };
        let mut same_as = None;
        if let (Ok(object), Some(hash)) = (&state, hash) {
            same_as = self.same_as(object, hash);
            self.contents.push(LoggedState { revision, hash });
        }
        let object = state.as_ref().ok();
        let updated_at = object.and_then(|object| object.get("updated_at"));
        self.entries.push(LogEntry {
            revision,
            updated_at: updated_at.and_then(Json::as_str).map(str::to_owned),
            changes,
            gate,
            compared_with,
            patch,
            same_as,
            heartbeats: 0,
            altered: matches!(&state, Err(error) if error.code() == Code::Corrupt),
            problem: state.as_ref().err().map(ToString::to_string),
        });
        if let Ok(object) = state {
            self.before = Some((revision, object));
        }
    }

    /// The earlier revision with the same content, where it is not the one before: the one that it
    /// says it restores, and not a copy of that, else the latest.
    fn same_as(&self, object: &Object, hash: Hash128) -> Option<u64> {
        if self.contents.last()?.hash == hash {
            return None;
        }
        let restored = restored_by(object);
        let earlier = || self.contents.iter().rev().filter(|it| it.hash == hash);
        let named = earlier().find(|it| Some(it.revision) == restored);
        let same = named.or_else(|| earlier().next());
        same.map(|it| it.revision)
    }
}

/// Of a content. Two that differ never have the same one by chance, and a SHA-256 would take half the
/// time of a log; who makes two that have reaches no more than a wrong number in it.
type Hash128 = [u64; 2];

/// The hash of a revision's content, apart from what every commit changes.
fn hash(object: &Object) -> Hash128 {
    [half_of_hash(object, 1), half_of_hash(object, 2)]
}

fn half_of_hash(object: &Object, seed: u8) -> u64 {
    let mut mixer = Mixer::default();
    mixer.write(&[seed]);
    for (key, value) in object.iter() {
        if !matches!(key, "revision" | "seal" | "updated_at" | "restores") {
            key.hash(&mut mixer);
            value.hash(&mut mixer);
        }
    }
    mixer.finish()
}
