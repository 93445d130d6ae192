//! The steps by which a session comes to the run that it works on.

use crate::agent;
use crate::checkpoint::command::agents::{self, SessionPresence};
use crate::checkpoint::command::name;
use crate::error::whole;
use crate::error::{Code, Error, Warning};
use crate::integrations::Agents;
use crate::operation::command::list::Read;
use crate::operation::command::summary::RunSummary;
use crate::operation::project::load_integrations::added_commands;
use crate::operation::reply::explain;
use crate::operation::{Target, Warnings, secrets};
use crate::secret::suspect;
use crate::text::visible;

use super::claim::RunClaim;
use super::hook_context::{FoundRun, HookContext};
use super::settings::agent_settings;
use super::shell_changes::{self, Begins};
use super::survey::{Survey, SurveyedRun};
use super::work_state::{self, Telling};

/// Each try that fails is another session's success.
const ATTEMPTS: u32 = 20;

/// The run that the session works on; where it has none, one of its branch that no living session works on, else
/// one that begins. `None` where the project wants none to begin. The second value is what the agent is to know.
pub(super) async fn found_or_begun(
    hook: &HookContext<'_>,
    warnings: &mut Warnings,
) -> Result<(Option<FoundRun>, Option<String>), Error> {
    found_or_begun_by(hook, &[], warnings).await
}

/// Finds or begins a run for an event that names files, which a tool has just written.
pub(super) async fn found_or_begun_by(
    hook: &HookContext<'_>,
    files: &[(String, Option<bool>)],
    warnings: &mut Warnings,
) -> Result<(Option<FoundRun>, Option<String>), Error> {
    if let Some(found) = hook.found().await? {
        return Ok((Some(found), None));
    }
    whole::needed()?;
    let settings = agent_settings(hook.io, hook.root).await;
    let notice = notice_of_replacement(hook, warnings).await?;
    let found = match any(hook, &settings, warnings).await? {
        Some(target) => {
            shell_changes::begin(hook, Begins::Part, files).await;
            hook.read(target).await?
        }
        None => None,
    };
    Ok((found, notice))
}

async fn any(
    hook: &HookContext<'_>,
    settings: &Agents,
    warnings: &mut Warnings,
) -> Result<Option<Target>, Error> {
    whole::needed()?;
    for attempt in 0..ATTEMPTS {
        let survey = Survey::of(hook, settings).await?;
        let living = survey.living();
        let mut runs = survey.runs.iter();
        let is_free = |run: &&SurveyedRun| run.is_here() && run.living.is_none() && !run.is_lost;
        if let Some(run) = runs.find(is_free) {
            if claim(hook, &run.target, RunClaim::Free(living), warnings).await? {
                return Ok(Some(run.target.clone()));
            }
            continue;
        }
        let Some(command) = &settings.default_command else {
            return Ok(None);
        };
        let target = new_target(hook, command, &survey, attempt).await;
        if claim(hook, &target, RunClaim::Begun(living), warnings).await? {
            return Ok(Some(target));
        }
    }
    Err(Error::busy("Each run of this branch".to_owned()))
}

/// The run that begins: that of the branch, unless there is one of that name, or a secret may be in it.
async fn new_target(
    hook: &HookContext<'_>,
    command: &str,
    survey: &Survey<'_>,
    attempt: u32,
) -> Target {
    let feature = agent::feature_of(hook.here().await).filter(|feature| !suspect(feature));
    let target = Target {
        command: command.to_owned(),
        feature,
    };
    if attempt == 0 && survey.run(&target).is_none() {
        return target;
    }
    let id = hook.session.id.as_str();
    let of = match attempt {
        0 => id.to_owned(),
        attempt => format!("{id} {attempt}"),
    };
    let name = target.feature.as_deref().unwrap_or("session");
    let feature = Some(agent::with_digest(name, &of));
    Target { feature, ..target }
}

/// Makes the session work on the run from now on, and returns whether it does.
async fn claim(
    hook: &HookContext<'_>,
    target: &Target,
    claim: RunClaim<'_>,
    warnings: &mut Warnings,
) -> Result<bool, Error> {
    let mut nothing = |_: &mut _, _: &str| Ok(false);
    let holds = hook.commit(target, claim, warnings, &mut nothing).await?;
    if holds && claim != RunClaim::Own {
        leave_others(hook, target, warnings).await?;
        let record = hook.owner_record().await;
        hook.record_owner(record.as_ref(), false).await;
    }
    Ok(holds)
}

/// The session takes a run over.
pub(super) async fn take(
    hook: &HookContext<'_>,
    target: &Target,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    claim(hook, target, RunClaim::Any, warnings).await?;
    shell_changes::begin(hook, Begins::Part, &[]).await;
    Ok(())
}

/// A session works on one run of a worktree at a time.
async fn leave_others(
    hook: &HookContext<'_>,
    target: &Target,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let here = hook.here().await.worktree();
    for (other, read) in &hook.unfinished().await? {
        let sessions = read.as_ref().map_or("", RunSummary::sessions);
        let worktree = read.as_ref().ok().and_then(RunSummary::worktree);
        let is_of_other = worktree.is_some() && worktree != here;
        if other != target && !is_of_other && agents::works_on(sessions, &hook.session.id) {
            hook.leave(other, warnings).await?;
        }
    }
    Ok(())
}

/// The notice for a session whose run another one took over, given once with the first event that can show it.
async fn notice_of_replacement(
    hook: &HookContext<'_>,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    whole::needed()?;
    if !hook.can_answer {
        return Ok(None);
    }
    let id = hook.session.id.as_str();
    for (target, read) in &hook.unfinished().await? {
        let sessions = read.as_ref().map_or("", RunSummary::sessions);
        if agents::presence(sessions, id) == Some(SessionPresence::Replaced) {
            hook.leave(target, warnings).await?;
            return Ok(Some(format!(
                "Another session has taken over {}. From now on, what this session writes is recorded in a run of \
                 its own.",
                visible(&target.title())
            )));
        }
    }
    Ok(None)
}

/// A context begins: it gets the state of the work. The session keeps the run that it owns, and seeing another run does
/// not bind it to that one.
pub(super) async fn resume(
    hook: &HookContext<'_>,
    settings: &Agents,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    whole::needed()?;
    let notice = notice_of_replacement(hook, warnings).await?;
    let notice = join(hook.kept_in_files.map(|it| it.sentence(hook.words)), notice);
    let survey = Survey::of(hook, settings).await?;
    notice_hidden(&survey.all, warnings);
    let context = describe(hook, &survey, survey.first(), notice, warnings).await?;
    // Only now, so that the text speaks of the commit that was recorded before.
    if let Some(own) = survey.runs.iter().find(|run| run.is_own) {
        claim(hook, &own.target, RunClaim::Own, warnings).await?;
    }
    let record = hook.owner_record().await;
    hook.record_owner(record.as_ref(), true).await;
    Ok(context)
}

/// Two sentences as one notice.
fn join(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first} {second}")),
        (first, second) => first.or(second),
    }
}

/// The text for a session about a run, and about the others.
async fn describe(
    hook: &HookContext<'_>,
    survey: &Survey<'_>,
    run: Option<&SurveyedRun>,
    notice: Option<String>,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    let target = run.map(|run| &run.target);
    let (also_here, other_work) = survey.others(target);
    let telling = Telling {
        target,
        notice,
        owner: run.and_then(|run| survey.owner_sentence(run)),
        also_here,
        other_work,
    };
    work_state::context(hook, telling, warnings).await
}

/// Warns of what could not be read: work may be hidden in it.
fn notice_hidden(all: &[Read], warnings: &mut Warnings) {
    for (target, read) in all {
        match read {
            Err(error) if error.code() == Code::InvalidName => {
                warnings.add(Warning::passed_over(error).about(target));
            }
            Err(error) => {
                let error = explain(error.clone(), target);
                warnings.add(Warning::passed_over(&error));
            }
            Ok(_) => {}
        }
    }
}

/// A prompt that is no command: the session gets a notice if it has lost its run, or if the branch is another one than
/// it saw last.
pub(super) async fn prompt(
    hook: &HookContext<'_>,
    settings: &Agents,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    whole::needed()?;
    let notice = notice_of_replacement(hook, warnings).await?;
    let record = hook.owner_record().await;
    let is_switched = match &record {
        Some(record) => record.branch.as_deref() != hook.branch_here().await?,
        None => false,
    };
    if !is_switched {
        return Ok(notice.map(|notice| agent::notice(&notice)));
    }
    let survey = Survey::of(hook, settings).await?;
    let context = describe(hook, &survey, survey.first(), notice, warnings).await?;
    hook.record_owner(record.as_ref(), true).await;
    Ok(context)
}

/// A prompt is a slash command. If it is the command of a run, the session works on that from now on; the answer
/// is what there is to know of it.
pub(super) async fn command(
    hook: &HookContext<'_>,
    settings: &Agents,
    word: &str,
    rest: &str,
    warnings: &mut Warnings,
) -> Result<Option<String>, Error> {
    whole::needed()?;
    let mut aliases = settings.commands.iter();
    let alias = aliases.find(|(name, _)| name == word);
    let command = alias.map_or(word, |(_, command)| command);
    if !is_command(hook, command).await {
        return prompt(hook, settings, warnings).await;
    }
    let mut notice = notice_of_replacement(hook, warnings).await?;
    let survey = Survey::of(hook, settings).await?;
    let is_feature =
        !rest.is_empty() && name::stem(command, Some(rest)).is_ok() && !secrets::holds(rest)?;
    let target = match is_feature {
        true => Target {
            command: command.to_owned(),
            feature: Some(rest.to_owned()),
        },
        false => {
            let mut of_command = survey.runs.iter();
            let run = of_command.find(|run| run.is_here() && run.target.command == command);
            match run {
                Some(run) if !run.living.as_ref().is_some_and(|it| it.is_running) => {
                    notice = join(notice, passed_over(&survey, run));
                    run.target.clone()
                }
                Some(taken) => {
                    let target = new_target(hook, command, &survey, 0).await;
                    let sentence = format!(
                        "{} This session works on {}, a run of its own.",
                        survey.owner_sentence(taken).unwrap_or_default(),
                        target.title()
                    );
                    notice = Some(visible(&sentence).into_owned());
                    target
                }
                None => new_target(hook, command, &survey, 0).await,
            }
        }
    };
    let run = survey.run(&target);
    let context = match run.is_some() || notice.is_some() {
        // Before the claim: what it says of the commit is that of before.
        true => {
            let (also_here, other_work) = survey.others(Some(&target));
            let telling = Telling {
                target: run.map(|run| &run.target),
                notice,
                owner: None,
                also_here,
                other_work,
            };
            work_state::context(hook, telling, warnings).await?
        }
        false => None,
    };
    let is_new = run.is_none() && !is_feature;
    let begun = RunClaim::Begun(survey.living());
    if is_new && !claim(hook, &target, begun, warnings).await? {
        // One of that name is complete, and of another branch or worktree.
        let target = new_target(hook, command, &survey, 1).await;
        claim(hook, &target, RunClaim::Any, warnings).await?;
    }
    if !is_new {
        claim(hook, &target, RunClaim::Any, warnings).await?;
    }
    shell_changes::begin(hook, Begins::Part, &[]).await;
    Ok(context)
}

/// The sentence for a session that gets this free run of a command, where another session works on another run of it
/// here.
fn passed_over(survey: &Survey<'_>, run: &SurveyedRun) -> Option<String> {
    if run.is_own || run.living.is_some() {
        return None;
    }
    let mut others = survey.runs.iter();
    let taken = others.find(|other| {
        other.is_here() && other.living.is_some() && other.target.command == run.target.command
    })?;
    let sentence = format!(
        "{} That run is {}; this session works on {}.",
        survey.owner_sentence(taken)?,
        taken.target.title(),
        run.target.title()
    );
    Some(visible(&sentence).into_owned())
}

/// Returns whether there is such a command: one of the seven, or one that the project adds.
async fn is_command(hook: &HookContext<'_>, command: &str) -> bool {
    if name::is_built_in(command) {
        return true;
    }
    let added = added_commands(hook.io, hook.root).await;
    added.is_ok_and(|added| added.iter().any(|it| it == command))
}
