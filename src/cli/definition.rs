//! Every verb with its arguments, and how their help is laid out.

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser};

use super::call::Global;
use super::program::ProgramName;
use super::screen::Screen;
use super::verb::{self, GROUPS, Verb, schema};

/// Help is as wide everywhere, so that it reads the same in a terminal, a page and a bug report.
const WIDTH: usize = 80;

/// Keeps the state of a coding agent's work, so that the next process carries on.
#[derive(Debug, Parser)]
#[command(
    name = "milepost",
    version,
    disable_help_subcommand = true,
    disable_version_flag = true,
    arg_required_else_help = false,
    subcommand_value_name = "VERB",
    term_width = WIDTH,
    after_help = HELP
)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: Global,
    /// Print version
    #[arg(short = 'V', short_alias = 'v', long, action = ArgAction::Version)]
    version: Option<bool>,
    #[command(subcommand)]
    pub(super) verb: Option<Verb>,
}

const HELP: &str = "\
Without a verb, the state of the work is printed, and what to type next.

COMMAND says what kind of work a checkpoint is of: start, design, reconcile, research, implement,
ship or review, or one that `commands` in .claude/config/integrations.json adds. A project has one
checkpoint for each command, and for each --feature of a command. Where COMMAND is in brackets,
without it the latest checkpoint is meant, as `resume` takes it, and the answer names it; with
--json, an object names it in `command` and `feature`, and a list stays as it is.

FILE may be - for standard input; it is read up to 16 MiB.

With --json the answer on standard output is JSON, and each warning or error is one line of JSON on
standard error: {\"warning\": {\"code\", \"message\"}} or {\"error\": {\"code\", \"message\", ...}}.

Exit codes: 0 done; 1 the answer is no (nothing found, invalid, gate closed); 64 wrong usage or
name; 65 wrong data; 70 the host cannot run this program; 74 input or output failed; 75 somebody
else was faster, try again.";

/// Every verb with its arguments, and with help in which commands begin with the words that start the program.
pub(super) fn definition(program: &ProgramName) -> clap::Command {
    let command = Arguments::command().mut_subcommands(verb::defined);
    let command = reflowed(named(command, program));
    // One of its forms is a global option, which the parser would leave out.
    let usage = format!("{} schema {}", program.words(), schema::FORMS);
    let command = command.mut_subcommands(|verb| match verb.get_name() {
        "schema" => verb.override_usage(usage.clone()),
        _ => verb,
    });
    let template = template(&command);
    command.bin_name(program.words()).help_template(template)
}

/// What the words of a call ask for, which has the program's name not among them.
///
/// # Errors
///
/// The parser's refusal, with the program as it was called in it.
pub(super) fn of_call(words: Vec<String>, program: &ProgramName) -> Result<Arguments, clap::Error> {
    let words: Vec<String> = std::iter::once("milepost".to_owned())
        .chain(words)
        .collect();
    // How help is laid out matters only to who sees it: it is not made for a call.
    let mut matches = match Arguments::command().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(_) => definition(program).try_get_matches_from(words)?,
    };
    Arguments::from_arg_matches_mut(&mut matches)
}

/// The first page: the verbs in groups, which the parser has no word for.
fn template(command: &clap::Command) -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let verbs = || command.get_subcommands();
    let longest = verbs().map(|verb| verb.get_name().len()).max();
    let column = longest.unwrap_or_default();
    for (group, names) in GROUPS {
        text.push_str(&format!("\n{group}:\n"));
        for verb in names
            .iter()
            .filter_map(|name| command.find_subcommand(name))
        {
            let about = verb.get_about().map(ToString::to_string);
            let line = format!(
                "  {:column$}  {}",
                verb.get_name(),
                about.unwrap_or_default()
            );
            text.push_str(&Screen::new(Some(WIDTH as u64)).fold_after(&line, column + 4));
        }
    }
    text + "\nOptions:\n{options}{after-help}"
}

/// The command and those below it, with commands in the help of each that begin with the words that start the program.
fn named(command: clap::Command, program: &ProgramName) -> clap::Command {
    let of = |text: &clap::builder::StyledStr| program.named(&text.to_string()).into_owned();
    let (about, help) = (
        command.get_about().map(of),
        command.get_after_help().map(of),
    );
    let command = match about {
        Some(about) => command.about(about),
        None => command,
    };
    let command = match help {
        Some(help) => command.after_help(help),
        None => command,
    };
    let command = command.mut_args(|argument| match argument.get_help().map(of) {
        Some(help) => argument.help(help),
        None => argument,
    });
    command.mut_subcommands(|command| named(command, program))
}

/// The command and those below it with each paragraph of their help in one line, for the parser to
/// break where the width ends.
fn reflowed(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(ToString::to_string);
    let command = match help {
        Some(help) => {
            // What is indented is to be typed as it stands.
            let reflow = |it: &str| match it.starts_with(' ') {
                true => it.to_owned(),
                false => it.replace('\n', " "),
            };
            let paragraphs: Vec<_> = help.split("\n\n").map(reflow).collect();
            command.after_help(paragraphs.join("\n\n"))
        }
        None => command,
    };
    command.mut_subcommands(reflowed)
}
