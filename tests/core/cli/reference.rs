//! `docs/reference/command-line.md`: the verbs with their arguments, the aliases and the exit codes, from the
//! definition of the command line.

use std::fmt::Write;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use milepost::cli;
use milepost::error::Code;

use super::User;
use super::help::{ALIASES, listed};
use crate::reference::{page_is_as_printed, table};

/// The text of a part of the help.
fn text(styled: Option<impl ToString>) -> String {
    styled.map(|it| it.to_string()).unwrap_or_default()
}

/// An argument as it is typed, and its help.
fn row(argument: &Arg) -> Vec<String> {
    let short = argument.get_short().map(|it| format!("-{it}, "));
    let mut meaning = text(argument.get_help());
    if argument.get_action().takes_values() {
        for default in argument.get_default_values() {
            let _ = write!(meaning, " [default: {}]", default.to_string_lossy());
        }
        let values = argument.get_possible_values();
        let values: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
        if !values.is_empty() && !argument.is_hide_possible_values_set() {
            let _ = write!(meaning, " [possible values: {}]", values.join(", "));
        }
    }
    let typed = format!("`{}{argument}`", short.unwrap_or_default());
    vec![typed, meaning]
}

/// The section of a verb, and those of the verbs below it.
fn section(verb: &Command, page: &mut String) {
    let words = text(verb.get_bin_name());
    let level = "#".repeat(words.split(' ').count() + 1);
    let usage = verb.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let about = text(verb.get_about());
    let _ = write!(page, "{level} {words}\n\n{about}.\n\n```\n{usage}\n```\n\n");
    for alias in verb.get_visible_aliases() {
        let _ = write!(page, "Alias: `{alias}`.\n\n");
    }
    let is_shown =
        |it: &&Arg| !it.is_global_set() && !it.is_hide_set() && it.get_id().as_str() != "help";
    let (mut arguments, options): (Vec<&Arg>, Vec<&Arg>) = verb
        .get_arguments()
        .filter(is_shown)
        .partition(|it| it.is_positional());
    arguments.extend(options);
    if !arguments.is_empty() {
        let rows = arguments.into_iter().map(row);
        let _ = writeln!(page, "{}", table(&["argument", "meaning"], rows));
    }
    for paragraph in text(verb.get_after_help()).split_terminator("\n\n") {
        let _ = match paragraph.starts_with(' ') {
            true => write!(page, "```\n{paragraph}\n```\n\n"),
            false => write!(page, "{paragraph}\n\n"),
        };
    }
    for below in verb.get_subcommands() {
        section(below, page);
    }
}

/// Every verb below the heading of its group, as the page with every verb has them.
fn verbs(definition: &Command) -> String {
    let all = User::new().line("help all").answer();
    let (groups, _) = all.split_once("\nOptions:\n").unwrap();
    let mut page = String::new();
    for line in groups.lines() {
        if let Some(group) = line.strip_suffix(':') {
            let _ = write!(page, "## {group}\n\n");
        }
        for verb in listed(line) {
            section(definition.find_subcommand(verb).unwrap(), &mut page);
        }
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

/// The exit codes as the help has them, each with the error codes that end so.
fn exit_codes(definition: &Command) -> String {
    let help = text(definition.get_after_help());
    let (_, listed) = help.split_once("Exit codes: ").unwrap();
    let rows = listed.trim_end_matches('.').split("; ").map(|line| {
        let (exit, meaning) = line.split_once(' ').unwrap();
        let errors = Code::ALL.into_iter();
        let errors = errors.filter(|code| cli::exit_code(*code).to_string() == exit);
        let errors: Vec<String> = errors.map(|it| format!("`{}`", it.as_str())).collect();
        vec![exit.to_owned(), meaning.to_owned(), errors.join(", ")]
    });
    table(&["exit code", "meaning", "errors"], rows)
}

#[test]
fn the_page_of_the_command_line_is_as_printed() {
    let mut definition = cli::definition();
    definition.build();
    let global = definition.get_arguments().filter(|it| it.is_global_set());
    let aliases = ALIASES.map(|(alias, name)| [alias, name].map(|it| format!("`milepost {it}`")));
    page_is_as_printed(
        "command-line.md",
        &[
            ("options", table(&["option", "meaning"], global.map(row))),
            ("exit codes", exit_codes(&definition)),
            ("verbs", verbs(&definition)),
            ("aliases", table(&["alias", "verb"], aliases.map(Vec::from))),
        ],
    );
}
