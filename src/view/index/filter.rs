//! The filter of checkpoints, and the counts of other choices.

use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::str_map;

use super::badge::Badge;
use super::facts::{IndexedRun, RunStatus, milliseconds};
use super::lower::lower;
use super::order::Sort;

/// The conditions under which a checkpoint is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::view) struct RunFilter {
    /// In small letters; empty for any.
    pub(super) text: String,
    /// One of these; any where there are none.
    command: Vec<String>,
    status: Vec<String>,
    phase: Vec<String>,
    badge: Vec<String>,
    /// A part of the path of a file that it names, in small letters.
    file: String,
    after_ms: Option<u64>,
    before_ms: Option<u64>,
}

/// The checkpoints that a filter leaves, and their number with another choice of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::view) struct FilterResult {
    /// Their places among all, in the order of the rows.
    pub(in crate::view) places: Vec<usize>,
    pub(in crate::view) facets: Facets,
}

/// Each value of each kind, with how many checkpoints have it that the rest of the filter leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Shaped)]
pub(in crate::view) struct Facets {
    /// The commands.
    #[shape(into = FacetValue)]
    command: Vec<(String, u64)>,
    /// The statuses of runs.
    #[shape(into = FacetValue)]
    status: Vec<(String, u64)>,
    /// The phases to go on with.
    #[shape(into = FacetValue)]
    phase: Vec<(String, u64)>,
    /// The badges.
    #[shape(into = FacetValue)]
    badge: Vec<(String, u64)>,
}

/// A value that a filter can choose.
#[derive(Shaped)]
struct FacetValue {
    /// The value.
    value: String,
    /// The number of checkpoints that have it.
    count: u64,
}

impl From<(String, u64)> for FacetValue {
    fn from((value, count): (String, u64)) -> Self {
        FacetValue { value, count }
    }
}

impl RunFilter {
    /// As a question says it.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for a text that is no time.
    pub(in crate::view) fn of(question: &Object) -> Result<Self, Error> {
        let Some(filter) = question.get("filter").and_then(Json::as_object) else {
            return Ok(RunFilter::default());
        };
        let text = |key: &str| {
            let text = filter.get(key).and_then(Json::as_str);
            lower(text.unwrap_or_default().trim())
        };
        let list = |key: &str| {
            let list = filter.get(key).and_then(Json::as_array);
            let list = list.unwrap_or_default().iter();
            list.filter_map(Json::as_str).map(str::to_owned).collect()
        };
        let time = |key: &str| match filter.get(key).and_then(Json::as_str) {
            None | Some("") => Ok(None),
            Some(text) => match milliseconds(text) {
                Some(ms) => Ok(Some(ms)),
                None => Err(Error::usage(format!(
                    "Expected `{key}` to be a time, such as 2026-01-31T00:00:00Z"
                ))),
            },
        };
        Ok(RunFilter {
            text: text("text"),
            command: list("command"),
            status: list("status"),
            phase: list("phase"),
            badge: list("badge"),
            file: text("file"),
            after_ms: time("after")?,
            before_ms: time("before")?,
        })
    }

    /// Those of all that it leaves, sorted; `all` are in the order of their names, each with whether the text is in
    /// it.
    pub(in crate::view) fn find(
        &self,
        all: &[(&str, &IndexedRun, bool)],
        sort: Sort,
    ) -> FilterResult {
        let mut ranked: Vec<(u64, usize)> = Vec::new();
        let mut counts = Counts::default();
        for (at, (_, facts, has_text)) in all.iter().enumerate() {
            if !has_text || !self.leaves(facts) {
                continue;
            }
            // The counts of a kind leave the choice of that kind out.
            let mut refused = ChoiceKind::ALL
                .into_iter()
                .filter(|kind| self.refuses(*kind, facts));
            match (refused.next(), refused.next()) {
                (None, _) => {
                    ranked.push((sort.rank(facts), at));
                    ChoiceKind::ALL
                        .into_iter()
                        .for_each(|kind| counts.add(kind, facts));
                }
                (Some(kind), None) => counts.add(kind, facts),
                (Some(_), Some(_)) => {}
            }
        }
        ranked.sort_unstable();
        FilterResult {
            places: ranked.into_iter().map(|(_, at)| at).collect(),
            facets: counts.into_facets(),
        }
    }

    /// Returns whether a checkpoint passes the conditions that have no counts.
    fn leaves(&self, facts: &IndexedRun) -> bool {
        let is_of_time = match (self.after_ms, self.before_ms) {
            (None, None) => true,
            (after, before) => facts.updated_ms.is_some_and(|ms| {
                after.is_none_or(|after| after <= ms) && before.is_none_or(|before| ms < before)
            }),
        };
        is_of_time && (self.file.is_empty() || facts.files.contains(&self.file))
    }

    /// Returns whether the choice of this kind refuses a checkpoint.
    fn refuses(&self, kind: ChoiceKind, facts: &IndexedRun) -> bool {
        let chosen = match kind {
            ChoiceKind::Command => &self.command,
            ChoiceKind::Status => &self.status,
            ChoiceKind::Phase => &self.phase,
            ChoiceKind::Badge => &self.badge,
        };
        let mut is_chosen = |value: &str| chosen.iter().any(|it| it == value);
        !chosen.is_empty() && !kind.any(facts, &mut is_chosen)
    }
}

/// The kinds of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChoiceKind {
    Command,
    Status,
    Phase,
    Badge,
}

impl ChoiceKind {
    const ALL: [ChoiceKind; 4] = [
        ChoiceKind::Command,
        ChoiceKind::Status,
        ChoiceKind::Phase,
        ChoiceKind::Badge,
    ];

    /// Returns whether any value of this kind that a checkpoint has is looked for.
    fn any(self, facts: &IndexedRun, is_wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            ChoiceKind::Command => is_wanted(&facts.target.command),
            ChoiceKind::Status => is_wanted(facts.status.as_str()),
            ChoiceKind::Phase => {
                let current = facts.progress.current_phase.as_deref();
                current.is_some_and(is_wanted)
            }
            ChoiceKind::Badge => facts.badges.iter().any(|badge| is_wanted(badge.code())),
        }
    }
}

/// The values that were met, each as often as it occurred.
#[derive(Default)]
struct Counts<'a> {
    commands: Vec<&'a str>,
    phases: Vec<&'a str>,
    statuses: [u64; RunStatus::ALL.len()],
    badges: [u64; Badge::ALL.len()],
}

impl<'a> Counts<'a> {
    fn add(&mut self, kind: ChoiceKind, facts: &'a IndexedRun) {
        match kind {
            ChoiceKind::Command => self.commands.push(&facts.target.command),
            ChoiceKind::Status => self.statuses[facts.status as usize] += 1,
            ChoiceKind::Phase => self.phases.extend(facts.progress.current_phase.as_deref()),
            ChoiceKind::Badge => {
                for badge in facts.badges.iter() {
                    self.badges[badge as usize] += 1;
                }
            }
        }
    }

    fn into_facets(self) -> Facets {
        let statuses =
            RunStatus::ALL.map(|it| (it.as_str().to_owned(), self.statuses[it as usize]));
        let badges = Badge::ALL.map(|it| (it.code().to_owned(), self.badges[it as usize]));
        let met = |counted: &[(String, u64)]| {
            let met = counted.iter().filter(|(_, count)| *count > 0);
            met.cloned().collect()
        };
        Facets {
            command: count(&self.commands),
            status: met(&statuses),
            phase: count(&self.phases),
            badge: met(&badges),
        }
    }
}

/// Each text once, sorted, with how often it stands there.
fn count(texts: &[&str]) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = Vec::new();
    for at in str_map::order(texts) {
        match counts.last_mut() {
            Some((text, count)) if text == texts[at] => *count += 1,
            _ => counts.push((texts[at].to_owned(), 1)),
        }
    }
    counts
}
