//! One call of the command line, from the environment of this process.

use std::env;
use std::io::{self, IsTerminal};

use crate::blocking::cli::{Invocation, ProgramName};
use crate::blocking::operation::Settings;
use crate::blocking::root::Alias;
use crate::surface::invocation::{self as environment, CallEnvironment};
use crate::text::shell_word;

use super::alias::alias_of;
use super::fault::not_text;
use super::program_file;
use super::system::{columns, io_failed};

/// The folder that this process works in; what is wrong with it, in the system's words.
pub(super) fn working() -> Result<String, String> {
    let working = env::current_dir().map_err(|error| io_failed(error).detail)?;
    let text = working.into_os_string().into_string();
    text.map_err(|_| not_text().detail)
}

/// A variable of the environment that is set, not empty, and text.
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

pub(super) fn invocation(first: &str, words: Vec<String>, working: String) -> Invocation {
    let (output, error) = (io::stdout(), io::stderr());
    let settings = Settings {
        alias: other_name(&words, &working),
        ..settings(working)
    };
    let home = env::home_dir().and_then(|home| home.into_os_string().into_string().ok());
    let call = CallEnvironment {
        variable,
        home,
        file: program_file::own(),
        is_input_terminal: io::stdin().is_terminal(),
        output: output.is_terminal().then(|| columns(&output)),
        error: error.is_terminal().then(|| columns(&error)),
    };
    call.invocation(program(first), words, settings)
}

/// The place to work in.
pub(super) fn settings(working: String) -> Settings {
    environment::settings(working, variable("GIT_ROOT"))
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

/// The word that started this program starts it again.
fn program(first: &str) -> ProgramName {
    match first {
        "" => ProgramName::default(),
        first => ProgramName::new(shell_word(first)),
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
