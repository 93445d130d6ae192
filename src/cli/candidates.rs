//! The candidates of the store for the last word of a line, for shells that complete it: commands with runs, features,
//! phases and snapshots.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Arg, ArgAction, Command};

use crate::checkpoint::command::progress::phases;
use crate::effect::Io;
use crate::error::Target;
use crate::operation::Settings;
use crate::operation::command::list::list as list_runs;
use crate::operation::command::load::load;
use crate::operation::session::list::list as list_snapshots;
use crate::text::visible;

use super::input;
use super::target_arg::run_of;

/// The candidates for the last of these words, in order. A store that cannot be read has none: nothing is printed
/// while a line is typed.
pub(super) async fn candidates(
    io: &Io,
    settings: &Settings,
    program: &Command,
    words: &[String],
) -> Vec<String> {
    let Some((last, before)) = words.split_last() else {
        return Vec::new();
    };
    let cursor = CompletionCursor::behind(program, before);
    let settings = cursor.settings(settings);
    let mut names = BTreeSet::new();
    for source in cursor.sources() {
        match source {
            CandidateSource::Commands => {
                names.extend(runs(io, &settings).await.into_iter().map(|it| it.command));
            }
            CandidateSource::Features => {
                let command = cursor.given.get("command");
                let runs = runs(io, &settings).await.into_iter();
                let runs = runs.filter(|it| command.is_none_or(|command| *command == it.command));
                names.extend(runs.filter_map(|it| it.feature));
            }
            CandidateSource::Phases => names.extend(cursor.phases(io, &settings).await),
            CandidateSource::Snapshots => {
                let listed = list_snapshots(io, &settings, true, None).await;
                let listed = listed.result.unwrap_or_default();
                names.extend(listed.iter().map(|it| it.id.to_string()));
            }
        }
    }
    let is_fit = |name: &String| name.starts_with(last) && visible(name) == name.as_str();
    names.into_iter().filter(is_fit).collect()
}

/// The runs of the store.
async fn runs(io: &Io, settings: &Settings) -> Vec<Target> {
    let listed = list_runs(io, settings).await;
    let listed = listed.result.unwrap_or_default();
    listed.into_iter().map(|it| it.target).collect()
}

/// One kind of candidates.
#[derive(Clone, Copy)]
enum CandidateSource {
    Commands,
    Features,
    Phases,
    Snapshots,
}

/// The place in a line where a word is completed.
struct CompletionCursor<'a> {
    verb: &'a Command,
    /// The argument that the word is for, where it is one.
    argument: Option<&'a Arg>,
    /// The values of the arguments before it, by their ids.
    given: BTreeMap<String, String>,
}

impl<'a> CompletionCursor<'a> {
    /// The place behind these words of a line, without the program's name.
    fn behind(program: &'a Command, words: &[String]) -> Self {
        let mut verb = program;
        let mut given = BTreeMap::new();
        let mut position = 0;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if let Some(option) = option(program, verb, word) {
                if !option.get_action().takes_values() {
                    continue;
                }
                let inline = word.split_once('=').map(|(_, value)| value.to_owned());
                let Some(value) = inline.or_else(|| words.next().cloned()) else {
                    return CompletionCursor {
                        verb,
                        argument: Some(option),
                        given,
                    };
                };
                given.insert(option.get_id().to_string(), value);
            } else if let Some(below) = verb.find_subcommand(word) {
                verb = below;
            } else {
                if let Some(argument) = positional(verb, position) {
                    given.insert(argument.get_id().to_string(), word.clone());
                }
                position += 1;
            }
        }
        CompletionCursor {
            verb,
            argument: positional(verb, position),
            given,
        }
    }

    /// The kinds of candidates for the word.
    fn sources(&self) -> &'static [CandidateSource] {
        let argument = self.argument.map(|it| it.get_id().as_str());
        match (self.verb.get_name(), argument.unwrap_or_default()) {
            ("show" | "diff", "command") => {
                &[CandidateSource::Commands, CandidateSource::Snapshots]
            }
            ("diff", "from" | "to") => &[CandidateSource::Snapshots],
            (_, "command" | "commands") => &[CandidateSource::Commands],
            (_, "feature") => &[CandidateSource::Features],
            (_, "phase" | "phases") => &[CandidateSource::Phases],
            (_, "id" | "named_id") => &[CandidateSource::Snapshots],
            _ => &[],
        }
    }

    /// The settings of the call that the line is to become.
    fn settings(&self, settings: &Settings) -> Settings {
        let mut settings = settings.clone();
        if let Some(root) = self.given.get("root") {
            settings.root = Some(input::resolve(&settings.working, root));
        }
        if let Some(dir) = self.given.get("dir") {
            settings.dir = Some(dir.clone());
        }
        settings
    }

    /// The phases of the run that the line names.
    async fn phases(&self, io: &Io, settings: &Settings) -> Vec<String> {
        let Some(command) = self.given.get("command") else {
            return Vec::new();
        };
        let feature = self.given.get("feature").cloned();
        let target = run_of(io, settings, command.clone(), feature).await;
        let Ok(target) = target.result else {
            return Vec::new();
        };
        let loaded = load(io, settings, &target).await;
        let Ok(Some(loaded)) = loaded.result else {
            return Vec::new();
        };
        let phases = phases(&loaded.object).into_iter();
        phases.map(|(name, _)| name.to_owned()).collect()
    }
}

/// The option of a verb, or of every verb, that a word names.
fn option<'a>(program: &'a Command, verb: &'a Command, word: &str) -> Option<&'a Arg> {
    let long = word.strip_prefix("--");
    let long = long.map(|it| it.split_once('=').map_or(it, |(name, _)| name));
    let mut options = verb.get_arguments().chain(program.get_arguments());
    options.find(|option| match long {
        Some(name) => option.get_long() == Some(name),
        None => option
            .get_short()
            .is_some_and(|short| word == format!("-{short}")),
    })
}

/// The argument at a position; the last one where that may be repeated.
fn positional(verb: &Command, position: usize) -> Option<&Arg> {
    let last = verb.get_positionals().last();
    let repeated = last.filter(|it| matches!(it.get_action(), ArgAction::Append));
    verb.get_positionals().nth(position).or(repeated)
}
