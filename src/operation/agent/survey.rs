//! The unfinished runs of a project, as a session finds them.

use crate::agent::{self, CommandWords, Relation};
use crate::checkpoint::command::agents::{self, SessionPresence};
use crate::error::{Error, whole};
use crate::integrations::Agents;
use crate::operation::Target;
use crate::operation::command::latest::ordered;
use crate::operation::command::list::Read;
use crate::operation::command::relation::relation_of;
use crate::operation::command::summary::RunSummary;
use crate::sorting;
use crate::text::visible;

use super::claim::Living;
use super::hook_context::HookContext;
use super::owner_record::state_of;
use super::process::ProcessState;

const MINUTE_MS: f64 = 60_000.0;

/// The unfinished runs, as a session finds them.
pub(super) struct Survey<'a> {
    pub(super) all: Vec<Read>,
    /// In the order in which the session sees them.
    pub(super) runs: Vec<SurveyedRun>,
    gone: Vec<String>,
    now_ms: f64,
    idle_ms: f64,
    words: &'a CommandWords<'a>,
}

/// An unfinished run.
pub(super) struct SurveyedRun {
    pub(super) target: Target,
    relation: Relation,
    pub(super) is_own: bool,
    /// Set where another session took it over from this one.
    pub(super) is_lost: bool,
    /// Set where its command alone means it, if it has no feature: elsewhere that means the run of the branch.
    is_meant_by_command: bool,
    /// Set where there is nothing to report of it.
    is_empty: bool,
    branch: Option<String>,
    updated_ms: Option<f64>,
    /// Another session that lives and works on it.
    pub(super) living: Option<OtherSession>,
    /// The session that was seen last.
    last: Option<OtherSession>,
}

/// Another session.
pub(super) struct OtherSession {
    agent: String,
    age_ms: Option<f64>,
    pub(super) is_running: bool,
}

impl<'a> Survey<'a> {
    pub(super) async fn of(hook: &HookContext<'a>, settings: &Agents) -> Result<Self, Error> {
        whole::needed()?;
        let all = hook.unfinished().await?;
        let now_ms = hook.now_ms().await?;
        let idle_ms = settings.session_idle as f64 * MINUTE_MS;
        let mut runs = Vec::new();
        let mut gone = Vec::new();
        for (target, summary) in ordered(&all, now_ms) {
            runs.push(run(hook, target, summary, (now_ms, idle_ms), &mut gone).await?);
        }
        // Runs of one rank stay in the order of their work.
        sorting::sort_by_key(&mut runs, |run: &SurveyedRun| {
            let is_other = !run.is_here();
            (is_other, !run.is_own, run.relation, run.living.is_some())
        });
        Ok(Survey {
            all,
            runs,
            gone,
            now_ms,
            idle_ms,
            words: hook.words,
        })
    }

    pub(super) fn living(&self) -> Living<'_> {
        Living {
            idle_ms: self.idle_ms,
            gone: &self.gone,
        }
    }

    pub(super) fn run(&self, target: &Target) -> Option<&SurveyedRun> {
        self.runs.iter().find(|run| run.target == *target)
    }

    /// The run that the session sees as its own.
    pub(super) fn first(&self) -> Option<&SurveyedRun> {
        self.runs.iter().find(|run| run.is_here() && !run.is_empty)
    }

    /// The sentence that a session reads about the session that works on this run.
    pub(super) fn owner_sentence(&self, run: &SurveyedRun) -> Option<String> {
        let OtherSession { agent, age_ms, .. } = run.living.as_ref()?;
        Some(format!(
            "Another session ({agent}) was here {} and may still be at work. Writing files does not take the \
             run over; {} does.",
            ago(*age_ms),
            self.take_over(run)
        ))
    }

    /// The other unfinished runs, a line each: those that belong here, and other work.
    pub(super) fn others(&self, shown: Option<&Target>) -> (Vec<String>, Vec<String>) {
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        let others = self.runs.iter().filter(|run| Some(&run.target) != shown);
        for run in others.filter(|run| !run.is_empty) {
            let list = match run.is_here() {
                true => &mut here,
                false => &mut elsewhere,
            };
            list.push(self.line(run));
        }
        (here, elsewhere)
    }

    fn line(&self, run: &SurveyedRun) -> String {
        let branch = match run.branch.as_deref() {
            None => "no branch recorded".to_owned(),
            Some("") => agents::branch_name(""),
            Some(branch) => format!("branch {branch}"),
        };
        let updated = run.updated_ms.map(|updated| self.now_ms - updated);
        let owner = match &run.last {
            Some(other) => format!("{}, seen {}", other.agent, ago(other.age_ms)),
            None => "no session".to_owned(),
        };
        let line = format!(
            "{}: {branch}, changed {}, {owner}; to take it over: {}",
            run.target.title(),
            ago(updated.filter(|age| *age >= -MINUTE_MS)),
            self.take_over(run)
        );
        visible(&line).into_owned()
    }

    fn take_over(&self, run: &SurveyedRun) -> String {
        let Target { command, feature } = &run.target;
        let feature = match feature.as_deref() {
            None if !run.is_meant_by_command => Some(""),
            feature => feature,
        };
        agent::take_over(self.words, (command.as_str(), feature))
    }
}

impl SurveyedRun {
    /// Returns whether the session may carry on with it.
    pub(super) fn is_here(&self) -> bool {
        self.relation != Relation::Other
    }
}

async fn run(
    hook: &HookContext<'_>,
    target: &Target,
    summary: &RunSummary,
    (now_ms, idle_ms): (f64, f64),
    gone: &mut Vec<String>,
) -> Result<SurveyedRun, Error> {
    let id = hook.session.id.as_str();
    let presence = agents::presence(summary.sessions(), id);
    let is_owned = matches!(
        presence,
        Some(SessionPresence::Working | SessionPresence::Ended)
    );
    let here = hook.here().await;
    let mut relation = relation_of(hook.io, hook.root, here, target, summary).await;
    // As the command line takes it, which knows nothing of this session.
    let is_meant_by_command = relation != Relation::Other && agent::feature_of(here).is_none();
    if relation == Relation::Other
        && presence == Some(SessionPresence::Working)
        && hook.is_here(summary).await?
    {
        relation = Relation::Branch;
    }
    let records = hook.records();
    let mut living: Option<OtherSession> = None;
    for owner in agents::others(summary.sessions(), id, now_ms, idle_ms) {
        let state = match &records {
            Some(records) => state_of(hook.io, &records.of_other(owner.session.id)).await,
            None => ProcessState::Unknown,
        };
        if state == ProcessState::Gone {
            gone.push(owner.session.id.to_owned());
            continue;
        }
        let other = OtherSession {
            agent: owner.session.agent.to_owned(),
            age_ms: owner.age_ms(now_ms),
            is_running: state == ProcessState::Running,
        };
        if living.as_ref().is_none_or(|it| it.age_ms > other.age_ms) {
            living = Some(other);
        }
    }
    let owners = agents::owners(summary.sessions()).map(|owner| OtherSession {
        agent: owner.session.agent.to_owned(),
        age_ms: owner.age_ms(now_ms),
        is_running: false,
    });
    let last = owners.reduce(|last, next| match (last.age_ms, next.age_ms) {
        (Some(age), Some(next_age)) if next_age < age => next,
        (None, Some(_)) => next,
        _ => last,
    });
    let updated = summary.updated_at().and_then(crate::time::parse);
    Ok(SurveyedRun {
        target: target.clone(),
        relation,
        is_own: is_owned && relation != Relation::Other,
        is_lost: matches!(
            presence,
            Some(SessionPresence::Replaced | SessionPresence::Displaced)
        ),
        is_meant_by_command,
        is_empty: summary.is_empty(),
        branch: summary.branch().map(str::to_owned),
        updated_ms: updated.map(crate::time::Time::wall_ms),
        living,
        last,
    })
}

/// The time since then, in words.
fn ago(age_ms: Option<f64>) -> String {
    let Some(age_ms) = age_ms else {
        return "at an unknown time".to_owned();
    };
    let minutes = (age_ms.max(0.0) / MINUTE_MS) as u64;
    let (count, unit) = match minutes {
        0 => return "less than a minute ago".to_owned(),
        1..=59 => (minutes, "minute"),
        60..=1_439 => (minutes / 60, "hour"),
        _ => (minutes / 1_440, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}
