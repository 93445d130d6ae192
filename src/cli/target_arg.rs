//! The arguments that name a run.

use clap::Args;

use crate::checkpoint::command::agents::branch_name;
use crate::checkpoint::command::definition::COMMANDS;
use crate::effect::Io;
use crate::error::{Error, Target};
use crate::json::{Json, Object};
use crate::operation::agent::latest_here::{LatestHere, UnfinishedRun, latest_here};
use crate::operation::agent::newest_run::newest_run;
use crate::operation::agent::run_here::run_here;
use crate::operation::{Reply, Settings, Warnings};

use super::answer::CliAnswer;
use super::any_word::AnyWord;
use super::call::CliCall;

/// The arguments that name a run by its command.
#[derive(Args, Debug)]
pub(super) struct NamedTarget {
    /// start, design, reconcile, research, implement, ship, review, or one that integrations.json
    /// adds
    #[arg(value_parser = COMMAND_WORD, hide_possible_values = true)]
    command: String,
    /// The feature of the run, '' for none; by default that of the current branch
    #[arg(short, long, value_name = "NAME")]
    feature: Option<String>,
}

impl NamedTarget {
    /// Returns whether the feature is not left to the branch.
    pub(super) fn is_feature_named(&self) -> bool {
        self.feature.is_some()
    }

    /// The run of that name.
    pub(super) async fn target(self, call: &CliCall) -> Result<Target, Error> {
        named(call, self.command, self.feature).await
    }
}

/// The arguments that name a run to the letter: of a document that has its own names.
#[derive(Args, Debug)]
pub(super) struct ExactTarget {
    /// start, design, reconcile, research, implement, ship, review, or one that integrations.json
    /// adds
    #[arg(value_parser = COMMAND_WORD, hide_possible_values = true)]
    command: String,
    /// The feature of the run
    #[arg(short, long, value_name = "NAME")]
    feature: Option<String>,
}

impl From<ExactTarget> for Target {
    fn from(exact: ExactTarget) -> Self {
        Target {
            command: exact.command,
            feature: exact.feature,
        }
    }
}

/// The run of a command: the one that is named, else that of the branch that is checked out.
pub(super) async fn named(
    call: &CliCall,
    command: String,
    feature: Option<String>,
) -> Result<Target, Error> {
    if feature.as_deref() == Some("") {
        call.note_featureless();
    }
    let reply = run_of(call.io(), &call.settings, command, feature).await;
    call.settle(reply).await
}

/// The run of [`named`] in a place.
pub(super) async fn run_of(
    io: &Io,
    settings: &Settings,
    command: String,
    feature: Option<String>,
) -> Reply<Target> {
    match feature {
        // An empty name stands for none.
        Some(name) => Warnings::default().reply(Ok(Target {
            command,
            feature: (!name.is_empty()).then_some(name),
        })),
        None => run_here(io, settings, &command).await,
    }
}

/// The arguments that name a run, or leave it to the store: the latest one.
#[derive(Args, Debug)]
pub(super) struct TargetArg {
    /// The command, such as implement; without it, the latest run
    #[arg(value_parser = COMMAND_WORD, hide_possible_values = true)]
    pub(super) command: Option<String>,
    /// The feature of the run, '' for none; by default that of the current branch
    #[arg(short, long, value_name = "NAME", requires = "command")]
    pub(super) feature: Option<String>,
}

impl TargetArg {
    /// The run that was named, or else the latest one: the unfinished one to resume. One of another branch
    /// has to be named.
    pub(super) async fn target(self, call: &CliCall) -> Result<Target, Error> {
        Ok(self.choose(call).await?.target)
    }

    /// The run of [`TargetArg::target`], for answers that would not say which it is.
    pub(super) async fn choose(self, call: &CliCall) -> Result<ChosenTarget, Error> {
        let chosen = self.find(call).await?.ok_or_else(|| no_latest(call))?;
        match chosen.elsewhere {
            None => Ok(chosen),
            Some(run) => Err(Error::not_found(format!(
                "No unfinished run belongs to what is checked out here: name one, such as {}",
                title(&run)
            ))),
        }
    }

    /// The run for verbs that only read: the latest one may be of another branch, and once nothing is unfinished it
    /// is the newest one.
    pub(super) async fn look_up(self, call: &CliCall) -> Result<ChosenTarget, Error> {
        if let Some(chosen) = self.find(call).await? {
            return Ok(chosen);
        }
        let reply = newest_run(call.io(), &call.settings).await;
        let newest = call.settle(reply).await?;
        let target = newest.ok_or_else(|| no_latest(call))?;
        Ok(ChosenTarget {
            target,
            is_latest: true,
            elsewhere: None,
        })
    }

    /// Takes a number from the place of the command, where it is a revision. Beside a feature it is a command.
    pub(super) fn take_number(&mut self) -> Option<u64> {
        if self.feature.is_some() {
            return None;
        }
        let number = self.command.as_deref()?.parse().ok()?;
        self.command = None;
        Some(number)
    }

    /// The run that was named, or else the unfinished one to resume; `None` where nothing is unfinished.
    async fn find(self, call: &CliCall) -> Result<Option<ChosenTarget>, Error> {
        let TargetArg { command, feature } = self;
        if let Some(command) = command {
            let target = named(call, command, feature).await?;
            return Ok(Some(ChosenTarget {
                target,
                is_latest: false,
                elsewhere: None,
            }));
        }
        if feature.is_some() {
            return Err(Error::usage("Expected COMMAND beside --feature".to_owned()));
        }
        let reply = latest_here(call.io(), &call.settings).await;
        let latest = call.settle(reply).await?;
        Ok(latest.map(|LatestHere { run, .. }| ChosenTarget {
            target: run.target.clone(),
            is_latest: true,
            elsewhere: run.is_elsewhere.then_some(run),
        }))
    }
}

/// The failure where no name was given, and nothing is unfinished.
fn no_latest(call: &CliCall) -> Error {
    Error::not_found(format!(
        "There is no unfinished run to use without COMMAND: name a run; `{}` lists them",
        call.command("status --all", None, "")
    ))
}

/// The names of an unfinished run, with the branch of one that belongs elsewhere.
pub(super) fn title(run: &UnfinishedRun) -> String {
    let title = run.target.title();
    match &run.branch {
        Some(branch) if run.is_elsewhere => format!("{title} on {}", branch_name(branch)),
        _ => title,
    }
}

/// A run, and whether the words left it to the store which one.
#[derive(Debug)]
pub(super) struct ChosenTarget {
    pub(super) target: Target,
    is_latest: bool,
    /// The run, where it belongs to another branch or worktree.
    elsewhere: Option<UnfinishedRun>,
}

impl ChosenTarget {
    /// The answer with the run in its first line, where the caller did not name it.
    pub(super) fn name_in(&self, answer: CliAnswer, call: &CliCall) -> CliAnswer {
        if !self.is_latest {
            return answer;
        }
        let heading = call.paint.heading(&self.target.title());
        let text = call.screen.fold(&heading) + &answer.text;
        CliAnswer { text, ..answer }
    }

    /// An object with `command` and `feature` before its members, where the caller did not name
    /// them; a list stays as it is.
    pub(super) fn name_in_json(&self, value: impl Into<Json>) -> Json {
        match value.into() {
            Json::Object(object) if self.is_latest => {
                let mut named = Object::new()
                    .with("command", self.target.command.as_str())
                    .with("feature", self.target.feature.clone());
                for (key, value) in object {
                    named.set(&key, value);
                }
                named.into()
            }
            value => value,
        }
    }
}

/// Any word, because a project can add commands: whether one can have runs is for the rules. The seven of the schema are what shells offer.
pub(super) const COMMAND_WORD: AnyWord = AnyWord(|| COMMANDS.to_vec());
