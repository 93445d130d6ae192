//! Calls of the command line: mostly ones that mean something.

use milepost::checkpoint::command::document::Command;
use milepost::checkpoint::command::phases::Status;

use super::{Result, Unstructured, document, one_in, several, text};

/// Files that a call names.
pub(crate) const FILES: [&str; 4] = ["-", "given.json", "absent.json", "sub"];

/// Asks for JSON.
pub(crate) const JSON: &str = "--json";

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "elvish", "powershell"];

const POLICIES: [&str; 3] = ["reject", "truncate", "warn"];

/// The words of one call.
pub(crate) fn call(u: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let mut words = Words::default();
    match u.int_in_range(0..=21_u8)? {
        0 => words.push("init"),
        1 => {
            words.on(u, "save")?;
            words.push(&file(u)?);
        }
        2 | 3 => words.phase(u)?,
        4 => words.push("resume"),
        5 => words.on(u, "resume")?,
        6 => {
            words.on(u, "show")?;
            words.number(u, "--revision")?;
        }
        7 => words.push("status"),
        8 => words.on(u, "complete")?,
        9 => words.on(u, "gate")?,
        10 => words.on(u, "log")?,
        11 => {
            words.on(u, "diff")?;
            for number in several(u, 2, |u| u.int_in_range(0..=4_u8))? {
                words.push(&number.to_string());
            }
        }
        12 => {
            words.push("validate");
            for file in several(u, 3, file)? {
                words.push(&file);
            }
        }
        13 => {
            words.push("tokens");
            words.push(&file(u)?);
        }
        14 => {
            words.push("handoff");
            words.push("check");
            words.push(&file(u)?);
            if u.arbitrary()? {
                words.push("--response");
                words.option("--policy", u.choose(&POLICIES)?);
            }
        }
        15 => words.push("schema"),
        16 => {
            words.push("completions");
            words.push(u.choose(&SHELLS)?);
        }
        17 => {
            words.on(u, "undo")?;
            words.number(u, "--to")?;
        }
        18 => {
            words.on(u, "recover")?;
            words.number(u, "--to")?;
        }
        19 => {
            words.on(u, "trim")?;
            words.number(u, "--keep")?;
            words.number(u, "--days")?;
        }
        20 => {
            words.push("doctor");
            if u.arbitrary()? {
                words.push("--fix");
            }
        }
        _ => words.0.extend(several(u, 4, text::any)?),
    }
    for flag in ["--quiet", "--ts", "--markdown", "--help", "--version"] {
        if one_in(u, 12)? {
            words.push(flag);
        }
    }
    if one_in(u, 8)? {
        let at = u.int_in_range(0..=words.0.len())?;
        words.0.insert(at, text::any(u)?);
    }
    if u.arbitrary()? {
        // In front, where it is the value of no option.
        words.0.insert(0, JSON.to_owned());
    }
    Ok(words.0)
}

fn file(u: &mut Unstructured<'_>) -> Result<String> {
    if one_in(u, 6)? {
        return text::any(u);
    }
    Ok((*u.choose(&FILES)?).to_owned())
}

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn push(&mut self, word: &str) {
        self.0.push(word.to_owned());
    }

    fn option(&mut self, name: &str, value: &str) {
        self.push(name);
        self.push(value);
    }

    /// Mostly without the option.
    fn number(&mut self, u: &mut Unstructured<'_>, option: &str) -> Result<()> {
        if one_in(u, 3)? {
            self.option(option, &u.int_in_range(0..=20_u8)?.to_string());
        }
        Ok(())
    }

    /// A command on a checkpoint.
    fn on(&mut self, u: &mut Unstructured<'_>, verb: &str) -> Result<()> {
        self.push(verb);
        // Mostly the one that is stored.
        let command = match one_in(u, 6)? {
            true => *u.choose(&Command::ALL)?,
            false => Command::Design,
        };
        self.push(command.as_str());
        if one_in(u, 5)? {
            self.option("--feature", &text::feature(u)?);
        }
        Ok(())
    }

    fn phase(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        self.on(u, "phase")?;
        let name = match one_in(u, 4)? {
            true => text::any(u)?,
            false => document::phase_name(u)?.to_owned(),
        };
        self.push(&name);
        self.push(u.choose(&Status::ALL)?.as_str());
        for option in ["--summary", "--created", "--modified", "--error", "--task"] {
            if one_in(u, 3)? {
                let value = text::any(u)?;
                self.option(option, &value);
            }
        }
        Ok(())
    }
}
