//! One call of the command line, from the environment of this process.

use std::env;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

use rustix::io::Errno;
use rustix::termios::tcgetwinsize;

use crate::agent::registration::{LineRuns, VARIABLES};
use crate::blocking::cli::{Invocation, ProgramName};
use crate::blocking::operation::Settings;
use crate::blocking::operation::hooks::User;
use crate::blocking::root::Alias;
use crate::blocking::store::{Retention, Storage};
use crate::effect::Sync;
use crate::text::shell_word;

use super::alias::alias_of;
use super::fault::{failed, io_failed};
use super::program_file;

/// The folder that this process works in; what is wrong with it, in the system's words.
pub(super) fn working() -> Result<String, String> {
    let working = env::current_dir().map_err(|error| io_failed(error).detail)?;
    let text = working.into_os_string().into_string();
    text.map_err(|_| failed(Errno::ILSEQ).detail)
}

/// A variable of the environment that is set, not empty, and text.
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

pub(super) fn invocation(first: &str, words: Vec<String>, working: String) -> Invocation {
    let (output, error) = (io::stdout(), io::stderr());
    let is_dumb = variable("TERM").is_some_and(|terminal| terminal == "dumb");
    let is_terminal = output.is_terminal() && !is_dumb;
    let can_redraw = error.is_terminal() && !is_dumb && variable("CI").is_none();
    let is_interactive = io::stdin().is_terminal() && output.is_terminal() && error.is_terminal();
    let progress = match is_terminal {
        true => columns(&output),
        false => columns(&error),
    };
    let color = is_terminal && variable("NO_COLOR").is_none();
    let width = is_terminal.then(|| columns(&output));
    Invocation {
        settings: Settings {
            alias: other_name(&words, &working),
            ..settings(working)
        },
        arguments: words,
        program: program(first),
        color,
        width,
        interactive: is_interactive,
        progress: can_redraw.then_some(progress),
        unreachable: None,
        user: user(),
    }
}

/// The place to work in.
pub(super) fn settings(working: String) -> Settings {
    Settings {
        root: None,
        git_root: variable("GIT_ROOT"),
        working,
        alias: None,
        dir: None,
        durability: Sync::Durable,
        history: Retention::default(),
        storage: Storage::Files,
    }
}

/// The name that a shell gives the working folder, where absolute paths may begin with it.
fn other_name(words: &[String], working: &str) -> Option<Alias> {
    let is_absolute = |word: &String| {
        let value = word
            .split_once('=')
            .map_or(word.as_str(), |(_, value)| value);
        value.starts_with('/') || word.starts_with('/')
    };
    let is_typed = words.iter().any(is_absolute);
    is_typed.then(|| alias_of(&variable("PWD")?, working))?
}

/// The columns of a terminal; 0 where it does not say.
fn columns(terminal: &impl AsFd) -> u64 {
    tcgetwinsize(terminal).map_or(0, |size| size.ws_col.into())
}

/// The word that started this program starts it again.
fn program(first: &str) -> ProgramName {
    match first {
        "" => ProgramName::default(),
        first => ProgramName::new(shell_word(first)),
    }
}

fn user() -> User {
    let home = env::home_dir().and_then(|home| home.into_os_string().into_string().ok());
    User {
        home: home.filter(|home| !home.is_empty()),
        variables: VARIABLES
            .iter()
            .filter_map(|&name| Some((name.to_owned(), variable(name)?)))
            .collect(),
        program: program_file::own(),
        // Of a package and of a component it has none.
        package: None,
        compiled: None,
        runs: LineRuns::default(),
        // Nor does it reach a database.
        database: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{other_name, program};
    use crate::blocking::cli::ProgramName;

    #[test]
    fn the_program_is_started_again_by_the_word_that_started_it() {
        assert_eq!(program("milepost"), ProgramName::default());
        assert_eq!(program(""), ProgramName::default());
        assert_eq!(program("./milepost"), ProgramName::new("./milepost"));
        assert_eq!(program("/my home/mp"), ProgramName::new("'/my home/mp'"));
    }

    #[test]
    fn another_name_of_the_working_folder_is_looked_for_where_a_path_could_begin_with_it() {
        let words = |words: &[&str]| words.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        assert_eq!(other_name(&words(&["status", "--root=x"]), "/"), None);
        assert_eq!(other_name(&[], "/"), None);
    }
}
