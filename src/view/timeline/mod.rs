//! A run from its oldest kept revision to the present: what each revision changed, and when each phase was
//! worked on.

mod clock;
mod fold;
mod lanes;

use crate::blocking::operation::command::log::{LogEntry, headlines, log_seeing};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::{Kind, Shaped};
use crate::text::visible;
use crate::time;

use super::overview::stem;
use super::resume_point::{RunResume, of_run};
use super::version_ref::{self, settle};
use super::viewer::Viewer;

use fold::{TimelineSegment, milliseconds};
use lanes::{Lane, RevisionPhases};

/// The part of a state that is needed.
struct TimelineState {
    revision: u64,
    /// The time at which it was saved, as it says itself.
    at_ms: Option<f64>,
    seen: Option<RevisionPhases>,
}

/// Answers when each revision and each phase began and ended.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let key = version_ref::key(question)?;
    let title = key.title();
    let target = key.target()?;
    let mut states = Vec::new();
    let reply = log_seeing(
        &viewer.io(),
        &viewer.settings(),
        &target,
        &mut |revision, document| {
            let at = document.get("updated_at").and_then(Json::as_str);
            states.push(TimelineState {
                revision,
                at_ms: at.and_then(time::parse).map(time::Time::wall_ms),
                seen: Some(RevisionPhases::new(document)),
            });
        },
    );
    let entries = settle(viewer, reply)?;
    let stem = question.get("key").and_then(Json::as_str).and_then(stem);
    let since = stem.and_then(|stem| viewer.index().since_recorded(stem));
    let answer = Timeline {
        title,
        drawing: drawn(&entries, states),
        since_recorded: since.map(str::to_owned),
        resume: of_run(viewer, &target),
    };
    Ok(answer.into())
}

/// A run from its oldest kept revision to the present.
#[derive(Shaped)]
pub(super) struct Timeline {
    /// The command and the feature, to be shown.
    title: String,
    #[shape(flatten)]
    drawing: Drawing,
    /// The distance of HEAD from the recorded commit, in words, where the source gives it.
    #[shape(left_out, kind = Kind::String)]
    since_recorded: Option<String>,
    /// The resume point; null where the run cannot be read.
    resume: Option<RunResume>,
}

/// The revisions of a run, and its phases on an axis.
#[derive(Shaped)]
struct Drawing {
    /// The revisions, the newest first.
    revisions: Vec<TimelineRevision>,
    /// The phases.
    lanes: Vec<Lane>,
    /// The axis.
    segments: Vec<TimelineSegment>,
}

/// A revision of a run.
#[derive(Shaped)]
#[shape(name = "Revision")]
struct TimelineRevision {
    /// Its number.
    revision: u64,
    /// The time at which it was saved, in milliseconds since 1970.
    #[shape(kind = Kind::Nullable(&Kind::Integer))]
    at_ms: Option<Json>,
    /// The time at which it was saved, as it says itself.
    at: Option<String>,
    /// Its line of `milepost log`.
    headline: String,
    /// All that it changed, a line each.
    changes: Vec<String>,
    /// The earlier revision, not the one before it, with the same content.
    same_as: Option<u64>,
    /// The revision that the changes start from.
    compared_with: Option<u64>,
    /// So many revisions after this one only renewed the time.
    heartbeats: u64,
    /// Why it cannot be read.
    problem: Option<String>,
}

fn drawn(entries: &[LogEntry], mut states: Vec<TimelineState>) -> Drawing {
    for entry in entries.iter().filter(|entry| entry.problem.is_some()) {
        // One that cannot be read has a place all the same.
        states.push(TimelineState {
            revision: entry.revision,
            at_ms: None,
            seen: None,
        });
    }
    states.sort_unstable_by_key(|state| state.revision);
    let times: Vec<Option<f64>> = states.iter().map(|state| state.at_ms).collect();
    let mut events = clock::in_order(&times);
    let (mut places, mut seen) = (Vec::new(), Vec::new());
    for (state, at_ms) in states.into_iter().zip(&events) {
        places.push((state.revision, *at_ms));
        if let Some(phases) = state.seen {
            seen.push((*at_ms, phases));
        }
    }
    let lanes = lanes::lanes(&seen);
    for bar in lanes.iter().flat_map(|lane| &lane.bars) {
        events.push(bar.from_ms);
        events.extend(bar.to_ms);
    }
    events.sort_unstable_by(f64::total_cmp);
    let headlines = headlines(entries);
    let newest_first = entries.iter().zip(headlines).rev();
    let revisions = newest_first.map(|(entry, headline)| revision(entry, headline, &places));
    Drawing {
        revisions: revisions.collect(),
        lanes,
        segments: fold::segments(&events),
    }
}

fn revision(entry: &LogEntry, headline: String, places: &[(u64, f64)]) -> TimelineRevision {
    let place = places.binary_search_by_key(&entry.revision, |(revision, _)| *revision);
    let at_ms = place.ok().map(|place| milliseconds(places[place].1));
    let at = entry
        .updated_at
        .as_deref()
        .map(|at| visible(at).into_owned());
    let problem = entry.problem.as_deref().map(|it| visible(it).into_owned());
    TimelineRevision {
        revision: entry.revision,
        at_ms,
        at,
        headline,
        changes: entry.changes.clone(),
        same_as: entry.same_as,
        compared_with: entry.compared_with,
        heartbeats: entry.heartbeats,
        problem,
    }
}
