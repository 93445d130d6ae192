//! The phases of a run as lanes: when each was worked on, as far as the kept revisions show it.

use crate::checkpoint::command::phases::Status;
use crate::checkpoint::command::progress::phases;
use crate::json::{Json, Object};
use crate::schema::{Kind, Shaped};
use crate::str_map::StrMap;
use crate::text::visible;
use crate::time;

use super::fold::milliseconds;

/// The status of a phase that was removed.
const REMOVED: &str = "removed";

/// A phase.
#[derive(Clone, Debug, PartialEq, Shaped)]
pub(super) struct Lane {
    /// Its name.
    #[shape(with = visible_name)]
    pub(super) phase: String,
    /// Its status.
    pub(super) status: &'static str,
    /// The times in which it was worked on.
    pub(super) bars: Vec<Bar>,
}

/// A time in which a phase was worked on.
#[derive(Clone, Copy, Debug, PartialEq, Shaped)]
pub(super) struct Bar {
    /// Its beginning, in milliseconds since 1970.
    #[shape(kind = Kind::Integer, with = milliseconds)]
    pub(super) from_ms: f64,
    /// Its end; null while it is in progress.
    #[shape(kind = Kind::Nullable(&Kind::Integer), with = end_milliseconds)]
    pub(super) to_ms: Option<f64>,
    /// The status that it ended with, or that of work in progress.
    pub(super) status: &'static str,
}

/// The phases as one revision has them.
#[derive(Clone, Debug, Default)]
pub(super) struct RevisionPhases {
    phases: Vec<Phase>,
}

#[derive(Clone, Debug)]
struct Phase {
    name: String,
    status: Status,
    started_ms: Option<f64>,
    updated_ms: Option<f64>,
}

impl RevisionPhases {
    /// Reads the phases of a document.
    pub(super) fn new(document: &Object) -> Self {
        let entries = document.get("phases").and_then(Json::as_object);
        let entries = entries.map(Object::index).unwrap_or_default();
        let phase = |(name, status): (&str, Status)| {
            let entry = entries.get(name).and_then(|entry| entry.as_object());
            let at = |key: &str| {
                let text = entry.and_then(|entry| entry.get(key)?.as_str());
                text.and_then(time::parse).map(time::Time::wall_ms)
            };
            Phase {
                name: name.to_owned(),
                status,
                started_ms: at("started_at"),
                updated_ms: at("updated_at"),
            }
        };
        RevisionPhases {
            phases: phases(document).into_iter().map(phase).collect(),
        }
    }
}

/// The lanes of what was seen at these times, the oldest first: in the order of the newest, then those that
/// were there before.
pub(super) fn lanes(seen: &[(f64, RevisionPhases)]) -> Vec<Lane> {
    let mut names = Vec::new();
    for (_, seen) in seen.iter().rev() {
        for phase in &seen.phases {
            names.push(phase.name.as_str());
        }
    }
    let first: StrMap<'_, usize> = names.iter().copied().zip(0..).collect();
    let mut lanes = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if first.get(name) == Some(&at) {
            lanes.push(OpenLane::new(name));
        }
    }
    for (at_ms, seen) in seen {
        let phases = seen.phases.iter();
        let phases: StrMap<'_, &Phase> = phases.map(|it| (it.name.as_str(), it)).collect();
        for lane in &mut lanes {
            lane.see(*at_ms, phases.get(lane.name).copied());
        }
    }
    lanes.into_iter().map(OpenLane::end).collect()
}

/// A lane while the revisions are gone through.
struct OpenLane<'a> {
    name: &'a str,
    status: Option<Status>,
    /// The time at which it was seen last.
    seen_ms: Option<f64>,
    began_ms: Option<f64>,
    bars: Vec<Bar>,
}

impl<'a> OpenLane<'a> {
    fn new(name: &'a str) -> Self {
        OpenLane {
            name,
            status: None,
            seen_ms: None,
            began_ms: None,
            bars: Vec::new(),
        }
    }

    fn see(&mut self, at_ms: f64, phase: Option<&Phase>) {
        let status = phase.map(|phase| phase.status);
        if status != self.status {
            match (status, phase) {
                (Some(Status::InProgress), Some(phase)) => {
                    self.began_ms = Some(self.started(at_ms, phase));
                }
                (Some(Status::Pending), _) => self.close(at_ms, Status::Pending.as_str()),
                (Some(status), Some(phase)) => self.finish(at_ms, status, phase),
                _ => self.close(at_ms, REMOVED),
            }
        }
        self.status = status;
        self.seen_ms = Some(at_ms);
    }

    /// The time at which work began that this is the first to show: as it says itself, between the last revision
    /// that did not know of it and this one.
    fn started(&self, at_ms: f64, phase: &Phase) -> f64 {
        let said = phase.started_ms.unwrap_or(at_ms);
        said.max(self.seen_ms.unwrap_or(f64::MIN)).min(at_ms)
    }

    fn finish(&mut self, at_ms: f64, status: Status, phase: &Phase) {
        let from_ms = match self.began_ms.take() {
            Some(began_ms) => began_ms,
            None => self.started(at_ms, phase),
        };
        // Of what was over before the oldest revision, when it says that it was.
        let said = match self.seen_ms {
            None => phase.updated_ms.unwrap_or(at_ms),
            Some(_) => at_ms,
        };
        self.bars.push(Bar {
            from_ms,
            to_ms: Some(said.max(from_ms).min(at_ms)),
            status: status.as_str(),
        });
    }

    fn close(&mut self, at_ms: f64, status: &'static str) {
        if let Some(from_ms) = self.began_ms.take() {
            self.bars.push(Bar {
                from_ms,
                to_ms: Some(at_ms),
                status,
            });
        }
    }

    fn end(mut self) -> Lane {
        if let Some(from_ms) = self.began_ms {
            self.bars.push(Bar {
                from_ms,
                to_ms: None,
                status: Status::InProgress.as_str(),
            });
        }
        Lane {
            phase: self.name.to_owned(),
            status: self.status.map_or(REMOVED, Status::as_str),
            bars: self.bars,
        }
    }
}

fn visible_name(name: String) -> String {
    visible(&name).into_owned()
}

fn end_milliseconds(end: Option<f64>) -> Option<Json> {
    end.map(milliseconds)
}

#[cfg(test)]
mod tests {
    use super::{Lane, RevisionPhases, lanes};
    use crate::json;

    fn seen(phases: &str) -> RevisionPhases {
        let text = format!(r#"{{"phases": {{{phases}}}}}"#);
        let value = json::read(text.as_bytes()).unwrap().value;
        RevisionPhases::new(value.as_object().unwrap())
    }

    fn of(states: &[(f64, &str)]) -> Vec<(String, &'static str, Vec<String>)> {
        let states: Vec<(f64, RevisionPhases)> =
            states.iter().map(|(at, it)| (*at, seen(it))).collect();
        let shown = |lane: Lane| {
            let bars = lane.bars.iter().map(|bar| {
                let to = bar.to_ms.map_or("…".to_owned(), |to| to.to_string());
                format!("{}-{to} {}", bar.from_ms, bar.status)
            });
            (lane.phase, lane.status, bars.collect())
        };
        lanes(&states).into_iter().map(shown).collect()
    }

    fn lane(
        name: &str,
        status: &'static str,
        bars: &[&str],
    ) -> (String, &'static str, Vec<String>) {
        let bars = bars.iter().map(|it| (*it).to_owned()).collect();
        (name.to_owned(), status, bars)
    }

    #[test]
    fn each_try_of_a_phase_is_a_bar_that_says_how_it_ended() {
        assert_eq!(
            of(&[
                (1.0, r#""a": {"status": "pending"}"#),
                (2.0, r#""a": {"status": "in_progress"}"#),
                (3.0, r#""a": {"status": "in_progress"}"#),
                (4.0, r#""a": {"status": "failed"}"#),
                (
                    5.0,
                    r#""a": {"status": "in_progress"}, "b": {"status": "skipped"}"#
                ),
                (
                    6.0,
                    r#""a": {"status": "complete"}, "b": {"status": "skipped"}, "c": {"status": "in_progress"}"#
                ),
            ]),
            [
                lane("a", "complete", &["2-4 failed", "5-6 complete"]),
                lane("b", "skipped", &["5-5 skipped"]),
                lane("c", "in_progress", &["6-… in_progress"]),
            ]
        );
    }

    #[test]
    fn a_phase_that_was_over_before_the_oldest_kept_revision_is_where_its_own_times_say() {
        let begun =
            r#""started_at": "1970-01-01T00:00:00.100Z", "updated_at": "1970-01-01T00:00:00.300Z""#;
        let over = format!(r#""a": {{"status": "complete", {begun}}}"#);
        let open = format!(r#""a": {{"status": "in_progress", {begun}}}"#);
        assert_eq!(
            of(&[(900.0, &over)]),
            [lane("a", "complete", &["100-300 complete"])]
        );
        assert_eq!(
            of(&[(900.0, &open)]),
            [lane("a", "in_progress", &["100-… in_progress"])]
        );
    }

    #[test]
    fn a_phase_that_was_begun_and_completed_between_two_revisions_has_a_bar_between_them() {
        let state = r#""a": {"status": "complete", "started_at": "1970-01-01T00:00:00.100Z"}"#;
        for (before, expected) in [(50.0, "100-900 complete"), (400.0, "400-900 complete")] {
            let states = [(before, r#""a": {"status": "pending"}"#), (900.0, state)];
            assert_eq!(of(&states), [lane("a", "complete", &[expected])]);
        }
    }

    #[test]
    fn times_of_a_phase_that_contradict_its_revision_make_no_negative_bar() {
        let state = r#""a": {"status": "complete", "started_at": "1970-01-01T00:00:05.000Z",
            "updated_at": "1970-01-01T00:00:00.001Z"}"#;
        assert_eq!(
            of(&[(900.0, state)]),
            [lane("a", "complete", &["900-900 complete"])]
        );
    }

    #[test]
    fn a_phase_that_went_keeps_its_lane_behind_the_others() {
        assert_eq!(
            of(&[
                (1.0, r#""old": {"status": "in_progress"}"#),
                (2.0, r#""new": {"status": "pending"}"#),
            ]),
            [
                lane("new", "pending", &[]),
                lane("old", "removed", &["1-2 removed"]),
            ]
        );
    }

    #[test]
    fn no_bar_is_negative_for_any_documents() {
        const STATUSES: [&str; 6] = [
            "pending",
            "in_progress",
            "complete",
            "failed",
            "skipped",
            "?",
        ];
        for seed in 0..2_000 {
            let _run = milepost_property::seed("no bar is negative for any documents", seed);
            let mut random = fastrand::Rng::with_seed(seed);
            let mut now = 0.0;
            let states: Vec<(f64, RevisionPhases)> = (0..random.usize(1..9))
                .map(|_| {
                    now += f64::from(random.u8(..4));
                    let time = |ms: u32| crate::time::format(f64::from(ms));
                    let phase = format!(
                        r#""{}": {{"status": "{}", "started_at": "{}", "updated_at": "{}"}}"#,
                        ["a", "b"][random.usize(..2)],
                        STATUSES[random.usize(..6)],
                        time(random.u32(..20)),
                        time(random.u32(..20)),
                    );
                    (now, seen(&phase))
                })
                .collect();
            for lane in lanes(&states) {
                for bar in &lane.bars {
                    assert!(bar.to_ms.is_none_or(|to| to >= bar.from_ms), "seed {seed}");
                }
                for pair in lane.bars.windows(2) {
                    assert!(
                        pair[0].to_ms <= Some(pair[1].from_ms),
                        "seed {seed}: {lane:?}"
                    );
                }
            }
        }
    }
}
