//! Calls of the command line, made from its definition: mostly ones that mean something.

use std::any::TypeId;
use std::sync::LazyLock;

use clap::{Arg, Command};
use milepost::cli;

use super::{Result, Unstructured, document, one_in, several, text};

/// Files that a call names.
pub(crate) const FILES: [&str; 4] = ["-", "given.json", "absent.json", "sub"];

/// Asks for JSON.
pub(crate) const JSON: &str = "--json";

static PROGRAM: LazyLock<Command> = LazyLock::new(cli::definition);

/// The words of one call.
pub(crate) fn call(u: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let mut words = Vec::new();
    match one_in(u, 20)? {
        true => words.extend(several(u, 4, text::any)?),
        false => verb(u, &PROGRAM, &mut words)?,
    }
    options(u, &PROGRAM, 12, &mut words)?;
    for flag in ["--help", "--version"] {
        if one_in(u, 12)? {
            words.push(flag.to_owned());
        }
    }
    if one_in(u, 8)? {
        let at = u.int_in_range(0..=words.len())?;
        words.insert(at, text::any(u)?);
    }
    if u.arbitrary()? {
        // In front, where it is the value of no option.
        words.insert(0, JSON.to_owned());
    }
    Ok(words)
}

/// A verb of `program`, with what it has to have and some of what it may have.
fn verb(u: &mut Unstructured<'_>, program: &Command, words: &mut Vec<String>) -> Result<()> {
    let verbs: Vec<&Command> = program.get_subcommands().collect();
    let Some(last) = verbs.len().checked_sub(1) else {
        return Ok(());
    };
    let chosen = verbs[u.int_in_range(0..=last)?];
    words.push(chosen.get_name().to_owned());
    verb(u, chosen, words)?;
    for arg in chosen.get_positionals() {
        // Where nothing is stored without it, it mostly is there.
        if arg.is_required_set() && !one_in(u, 40)? || one_in(u, 2)? {
            words.push(value(u, arg)?);
        }
    }
    options(u, chosen, 3, words)
}

/// The options of a command, each one time in `count`, or nearly always where it is required.
fn options(
    u: &mut Unstructured<'_>,
    command: &Command,
    count: u8,
    words: &mut Vec<String>,
) -> Result<()> {
    for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
        let is_wanted = match arg.is_required_set() {
            true => !one_in(u, 40)?,
            false => one_in(u, count)?,
        };
        let Some(name) = arg.get_long().filter(|_| is_wanted) else {
            continue;
        };
        words.push(format!("--{name}"));
        if arg.get_action().takes_values() {
            let values = arg.get_num_args().map_or(1, |range| range.min_values());
            for _ in 0..values {
                words.push(value(u, arg)?);
            }
        }
    }
    Ok(())
}

/// A value that the name of an argument stands for, or else anything of its type.
fn value(u: &mut Unstructured<'_>, arg: &Arg) -> Result<String> {
    let possible = arg.get_possible_values();
    if arg.get_id() == "command" && !one_in(u, 6)? {
        // Mostly the one that is stored.
        return Ok("design".to_owned());
    }
    if !possible.is_empty() && !one_in(u, 12)? {
        return Ok(u.choose(&possible)?.get_name().to_owned());
    }
    if arg.get_value_parser().type_id() == TypeId::of::<u64>() {
        return Ok(u.int_in_range(0..=20_u8)?.to_string());
    }
    Ok(match arg.get_id().as_str() {
        _ if one_in(u, 6)? => text::any(u)?,
        "feature" => text::feature(u)?,
        "phase" => document::phase_name(u)?.to_owned(),
        "file" | "files" => (*u.choose(&FILES)?).to_owned(),
        _ => text::any(u)?,
    })
}
