//! One call of the command line, by the environment of a host that is a program itself.

use crate::agent::registration::{LineRuns, VARIABLES};
use crate::blocking::cli::{Invocation, ProgramName};
use crate::blocking::operation::Settings;
use crate::blocking::operation::hooks::User;
use crate::blocking::store::{Retention, Storage};
use crate::effect::Sync;

/// The environment of a call.
pub(super) struct CallEnvironment<V> {
    /// The value of a variable.
    pub(super) variable: V,
    /// The user's home folder.
    pub(super) home: Option<String>,
    /// The file of this program, where hooks can run it.
    pub(super) file: Option<String>,
    /// True where standard input is a terminal.
    pub(super) is_input_terminal: bool,
    /// The columns of standard output, if it is a terminal; 0 where that does not say.
    pub(super) output: Option<u64>,
    /// Those of standard error.
    pub(super) error: Option<u64>,
}

impl<V: Fn(&str) -> Option<String>> CallEnvironment<V> {
    /// The call of these words.
    pub(super) fn invocation(
        self,
        program: ProgramName,
        arguments: Vec<String>,
        settings: Settings,
    ) -> Invocation {
        let is_dumb = self.set("TERM").is_some_and(|terminal| terminal == "dumb");
        let width = self.output.filter(|_| !is_dumb);
        let can_redraw = !is_dumb && self.set("CI").is_none();
        let progress = self.error.filter(|_| can_redraw);
        Invocation {
            arguments,
            settings,
            program,
            color: width.is_some() && self.set("NO_COLOR").is_none(),
            width,
            interactive: self.is_input_terminal && self.output.is_some() && self.error.is_some(),
            progress: progress.map(|columns| width.unwrap_or(columns)),
            unreachable: None,
            user: self.user(),
        }
    }

    fn user(&self) -> User {
        let variables = VARIABLES.iter();
        User {
            home: self.home.clone().filter(|home| !home.is_empty()),
            variables: variables
                .filter_map(|&name| Some((name.to_owned(), self.set(name)?)))
                .collect(),
            program: self.file.clone(),
            // Of a package and of a component it has none.
            package: None,
            compiled: None,
            runs: LineRuns::default(),
            // Nor does it reach a database.
            database: None,
        }
    }

    fn set(&self, name: &str) -> Option<String> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }
}

/// The settings of a call that works in this folder.
pub(super) fn settings(working: String, git_root: Option<String>) -> Settings {
    Settings {
        root: None,
        git_root,
        working,
        alias: None,
        dir: None,
        durability: Sync::Durable,
        history: Retention::default(),
        storage: Storage::Files,
    }
}
