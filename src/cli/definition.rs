//! Every verb with its arguments, and the layout of their help.

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser};

use super::call::{GlobalOptions, HelpPage};
use super::meaning::with_meant_verb;
use super::program::ProgramName;
use super::screen::Screen;
use super::verb::{self, ALIASES, EVERYDAY, GROUPS, Verb, create, schema};

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
    pub(super) global: GlobalOptions,
    /// Print version
    #[arg(short = 'V', short_alias = 'v', long, action = ArgAction::Version)]
    version: Option<bool>,
    #[command(subcommand)]
    pub(super) verb: Option<Verb>,
}

/// The end of the page with every verb.
const HELP: &str = "\
Without a verb, the state of the work is printed, and what to type next.

COMMAND says what kind of work a run is of: start, design, reconcile, research, implement, ship or
review, or one that `commands` in .claude/config/integrations.json adds. A project has one run for each
command, and for each --feature of a command. Where COMMAND is in brackets, without it the latest run is
meant, as `resume` takes it, and the answer names it; with --json, an object names it in `command` and
`feature`, and a list stays as it is.

FILE may be - for standard input; it is read up to 16 MiB.

With --json the answer on standard output is JSON, and each warning or error is one line of JSON on
standard error: {\"warning\": {\"code\", \"message\"}} or {\"error\": {\"code\", \"message\", ...}}.

Exit codes: 0 done; 1 the answer is no (nothing found, invalid, gate closed); 64 wrong usage or
name; 65 wrong data; 70 the host cannot run this program; 74 input or output failed; 75 another
writer was faster, retry.";

/// The end of the first page.
const EVERYDAY_HELP: &str = "
Options:
  -C, --root <DIR>  Use DIR as the root of the project
      --json        Print JSON
  -q, --quiet       Print no warnings and no confirmations
  -h, --help        Print help
  -V, --version     Print version

Without a verb, the state of the work is printed, and what to type next.
`milepost help VERB` explains a verb, `milepost help all` lists every one.
";

/// The end of either page of a component.
const COMPONENT_HELP: &str = "\
Commands that are shown begin with the words that start the component, where
PATH stands for a folder that it cannot see. `wasmtime run --argv0 WORDS` has
them begin with WORDS, such as the name of an alias.";

/// Every verb with its arguments, and with help in which commands begin with the words that start the program.
pub(super) fn definition(program: &ProgramName, page: HelpPage) -> clap::Command {
    let command = Arguments::command().mut_subcommands(verb::defined);
    let command = reflowed(named(command, program));
    let command = command.mut_subcommands(|verb| with_usage(verb, program.words()));
    let mut template = match page {
        HelpPage::Everyday => everyday(&command) + &*program.named(EVERYDAY_HELP),
        HelpPage::All => all(&command) + "\nOptions:\n{options}{after-help}",
    };
    if program.is_component() {
        template.push_str(&match page {
            HelpPage::Everyday => format!("\n{COMPONENT_HELP}\n"),
            HelpPage::All => format!("\n\n{COMPONENT_HELP}"),
        });
    }
    command.bin_name(program.words()).help_template(template)
}

/// The verb with its usage, where the parser would word it otherwise; `before` are the words before the verb.
fn with_usage(verb: clap::Command, before: &str) -> clap::Command {
    let words = format!("{before} {}", verb.get_name());
    match verb.get_name() {
        // One of its forms is a global option, which the parser would leave out.
        "schema" => verb.override_usage(format!("{words} {}", schema::FORMS)),
        "create" => verb.override_usage(format!("{words} {}", create::USAGE)),
        "snapshot" => verb.mut_subcommands(|verb| with_usage(verb, &words)),
        _ => verb,
    }
}

/// The words of a call, parsed; the program's name is not among them.
///
/// # Errors
///
/// The parser's refusal, with the words that called the program.
pub(super) fn of_call(words: Vec<String>, program: &ProgramName) -> Result<Arguments, clap::Error> {
    let words: Vec<String> = std::iter::once("milepost".to_owned())
        .chain(words)
        .collect();
    // A call does not need the layout of the help.
    let mut matches = match Arguments::command().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(_) => definition(program, HelpPage::Everyday)
            .try_get_matches_from(&words)
            .map_err(|error| with_meant_verb(error, &words, program))?,
    };
    Arguments::from_arg_matches_mut(&mut matches)
}

/// The first page: the groups of verbs that are typed every day.
fn everyday(command: &clap::Command) -> String {
    groups(command, &GROUPS[..EVERYDAY])
}

/// The page with every group, but for the aliases.
fn all(command: &clap::Command) -> String {
    let shown: Vec<_> = GROUPS
        .iter()
        .filter(|(group, _)| *group != ALIASES)
        .copied()
        .collect();
    groups(command, &shown)
}

/// The beginning of a page: the verbs in groups, which the parser has no word for.
fn groups(command: &clap::Command, groups: &[(&str, &[&str])]) -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let names = groups.iter().flat_map(|(_, names)| *names);
    let column = names.map(|name| name.len()).max().unwrap_or_default();
    for (group, names) in groups {
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
    text
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
            // Indented lines are to be typed as they stand.
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
