//! How a session comes to the checkpoint that it works on.

use crate::agent;
use crate::checkpoint::command::name;
use crate::error::whole;
use crate::error::{Code, Error, Warning};
use crate::integrations::Agents;
use crate::operation::command::latest::first;
use crate::operation::command::list::Read;
use crate::operation::project::load_integrations::added_commands;
use crate::operation::{Noticed, Target};
use crate::root;

use super::bound::{Bound, Claim, Found};
use super::settings::agent_settings;
use super::standing;

/// Each try that fails is another session's success.
const ATTEMPTS: u32 = 20;

const MINUTE_MS: f64 = 60_000.0;

/// So much of a session's id tells two sessions of one branch apart.
const SHORT_ID: usize = 8;

/// The checkpoint that the session works on; where it has none, one that no living session has, else one
/// that begins. `None` where the project wants none to begin.
pub(super) async fn found_or_begun(
    bound: &Bound<'_>,
    noticed: &mut Noticed,
) -> Result<Option<Found>, Error> {
    if let Some(found) = bound.found().await? {
        return Ok(Some(found));
    }
    whole::needed()?;
    let settings = agent_settings(bound.io, bound.root).await;
    match any(bound, &settings, noticed).await? {
        Some(target) => bound.read(target).await,
        None => Ok(None),
    }
}

async fn any(
    bound: &Bound<'_>,
    settings: &Agents,
    noticed: &mut Noticed,
) -> Result<Option<Target>, Error> {
    let idle_ms = idle_ms(settings);
    for _ in 0..ATTEMPTS {
        let all = bound.unfinished().await?;
        let now_ms = bound.now_ms().await?;
        if let Some(target) = bound.free(&all, now_ms, idle_ms) {
            if claim(bound, &target, Claim::Free { idle_ms }, noticed).await? {
                return Ok(Some(target));
            }
            continue;
        }
        let Some(command) = &settings.default_command else {
            return Ok(None);
        };
        let target = named(bound, command, &all).await;
        if claim(bound, &target, Claim::Begun { idle_ms }, noticed).await? {
            return Ok(Some(target));
        }
    }
    Err(Error::busy(sentence!(
        "Other sessions began their work at the same time, {ATTEMPTS} times in a row"
    )))
}

/// Which checkpoint begins: that of the branch, unless another session works on it.
async fn named(bound: &Bound<'_>, command: &str, all: &[Read]) -> Target {
    let target = Target {
        command: command.to_owned(),
        feature: branch_feature(bound).await,
    };
    // Those that were free were taken before.
    if !all.iter().any(|(other, _)| *other == target) {
        return target;
    }
    let id: String = bound.session.id.chars().take(SHORT_ID).collect();
    let id = id.trim_end_matches(['.', '-', '_']);
    let feature = match &target.feature {
        Some(feature) => agent::feature_of_branch(&format!(
            "{}-{id}",
            feature.chars().take(100 - 1 - SHORT_ID).collect::<String>()
        )),
        None => agent::feature_of_branch(&format!("session-{id}")),
    };
    Target { feature, ..target }
}

/// The feature that the branch is for; none on the default branch, and where HEAD is on none.
async fn branch_feature(bound: &Bound<'_>) -> Option<String> {
    let branch = root::branch(bound.io, bound.root).await.ok()??;
    if root::default_branch(bound.io, bound.root).await.as_ref() == Some(&branch) {
        return None;
    }
    let feature = agent::feature_of_branch(&branch)?;
    name::stem("implement", Some(&feature))
        .is_ok()
        .then_some(feature)
}

/// Whether the session works on the checkpoint from now on.
async fn claim(
    bound: &Bound<'_>,
    target: &Target,
    claim: Claim,
    noticed: &mut Noticed,
) -> Result<bool, Error> {
    let mut nothing = |_: &mut _, _: &str| Ok(false);
    bound.commit(target, claim, noticed, &mut nothing).await
}

fn idle_ms(settings: &Agents) -> f64 {
    settings.session_idle as f64 * MINUTE_MS
}

/// A context begins: what it is told of the work, if there is any. The session carries on with its own
/// checkpoint, a fork with the one that was updated last, any other with one that no living session has.
pub(super) async fn resume(
    bound: &Bound<'_>,
    settings: &Agents,
    is_fork: bool,
    noticed: &mut Noticed,
) -> Result<Option<String>, Error> {
    let idle_ms = idle_ms(settings);
    for _ in 0..ATTEMPTS {
        let all = bound.unfinished().await?;
        let now_ms = bound.now_ms().await?;
        let own = bound.own(&all);
        let (target, wanted) = match own {
            Some(target) => (Some(target), Claim::Any),
            None if is_fork => (first(&all, |_| true), Claim::Any),
            None => (bound.free(&all, now_ms, idle_ms), Claim::Free { idle_ms }),
        };
        if let Some(target) = &target
            && !claim(bound, target, wanted, noticed).await?
        {
            continue;
        }
        notice_hidden(&all, noticed);
        return standing::context(bound, target.as_ref(), noticed).await;
    }
    Ok(None)
}

/// Warns of what could not be read: work may be hidden in it.
fn notice_hidden(all: &[Read], noticed: &mut Noticed) {
    for (target, read) in all {
        match read {
            Err(error) if error.code() == Code::InvalidName => {
                noticed.add(Warning::passed_over(error).about(target));
            }
            Err(error) => noticed.add(Warning::passed_over(error)),
            Ok(_) => {}
        }
    }
}

/// A prompt is a slash command. If it is one of a checkpoint, the session works on that from now on; the
/// answer is what there is to know of it.
pub(super) async fn command(
    bound: &Bound<'_>,
    settings: &Agents,
    word: &str,
    rest: &str,
    noticed: &mut Noticed,
) -> Result<Option<String>, Error> {
    let mut aliases = settings.commands.iter();
    let alias = aliases.find(|(name, _)| name == word);
    let command = alias.map_or(word, |(_, command)| command);
    if !is_command(bound, command).await {
        return Ok(None);
    }
    let all = bound.unfinished().await?;
    let own = bound.own(&all);
    let feature =
        (!rest.is_empty() && name::stem(command, Some(rest)).is_ok()).then(|| rest.to_owned());
    let target = match feature {
        Some(feature) => Target {
            command: command.to_owned(),
            feature: Some(feature),
        },
        None => without_feature(bound, settings, command, &all).await?,
    };
    if let Some(former) = own.filter(|own| *own != target) {
        bound.leave(&former, noticed).await?;
    }
    let was_there = all.iter().any(|(other, _)| *other == target);
    claim(bound, &target, Claim::Any, noticed).await?;
    match was_there {
        true => standing::context(bound, Some(&target), noticed).await,
        false => Ok(None),
    }
}

/// The checkpoint of a command for which no feature was named: the session's own, else one that no living
/// session has, else that of the branch.
async fn without_feature(
    bound: &Bound<'_>,
    settings: &Agents,
    command: &str,
    all: &[Read],
) -> Result<Target, Error> {
    let of_command: Vec<Read> = all
        .iter()
        .filter(|(target, _)| target.command == command)
        .cloned()
        .collect();
    if let Some(own) = bound.own(&of_command) {
        return Ok(own);
    }
    let now_ms = bound.now_ms().await?;
    match bound.free(&of_command, now_ms, idle_ms(settings)) {
        Some(free) => Ok(free),
        None => Ok(named(bound, command, all).await),
    }
}

/// Whether there is such a command: one of the seven, or one that the project adds.
async fn is_command(bound: &Bound<'_>, command: &str) -> bool {
    if name::is_built_in(command) {
        return true;
    }
    let added = added_commands(bound.io, bound.root).await;
    added.is_ok_and(|added| added.iter().any(|it| it == command))
}
