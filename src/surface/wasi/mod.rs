//! The command line as a component: the world `command`, over WASI 0.2 alone.
//!
//! There is no C library between: what the component imports is what it uses. WASI has no modes of
//! files and starts no programs, so what is made here has the modes that the runtime gives, and
//! git is never asked.

// The bindings of wit-bindgen are the unsafe half of the boundary.
#![allow(unsafe_code)]

mod fault;
mod files;
mod host;
mod streams;
mod view;
mod worktree;

use crate::agent::registration::{LineRuns, VARIABLES};
use crate::blocking::cli::{self, Invocation, ProgramName};
use crate::blocking::effect::Io;
use crate::blocking::operation::Settings;
use crate::blocking::operation::hooks::User;
use crate::blocking::store::{Retention, Storage};
use crate::effect::Sync;
use crate::surface::vocabulary::CallVocabulary;

use bindings::exports::wasi::cli::run::Guest;
use bindings::wasi::cli::{environment, exit, terminal_stderr, terminal_stdin, terminal_stdout};
use view::OpenedFolders;

mod bindings {
    #![allow(missing_docs, unreachable_pub, clippy::all)]

    wit_bindgen::generate!({
        path: "wit",
        world: "command",
        generate_all,
    });
}

/// The component's exports.
#[derive(Debug)]
pub struct Component;

// Elsewhere the linker does not take the name of the export.
#[cfg(target_arch = "wasm32")]
bindings::export!(Component with_types_in bindings);

impl Guest for Component {
    fn run() -> Result<(), ()> {
        let view = OpenedFolders::open();
        let invocation = invocation(&view);
        let vocabulary = CallVocabulary::new(cli::vocabulary(&invocation.arguments));
        let perform = move |effect| host::perform(&view, &vocabulary, effect);
        let io = Io::new(cli::watched(perform, Some(&invocation)));
        let code = cli::run(io, invocation);
        if code != 0 {
            exit::exit_with_code(code);
        }
        Ok(())
    }
}

fn invocation(view: &OpenedFolders) -> Invocation {
    let environment = environment::get_environment();
    let variable = |name: &str| {
        let mut found = environment.iter().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.clone())
    };
    let is_dumb = variable("TERM").is_some_and(|terminal| terminal == "dumb");
    let is_output = terminal_stdout::get_terminal_stdout().is_some();
    let is_error = terminal_stderr::get_terminal_stderr().is_some();
    let is_input = terminal_stdin::get_terminal_stdin().is_some();
    let is_ci = variable("CI").is_some_and(|value| !value.is_empty());
    let is_terminal = is_output && !is_dumb;
    // WASI has no width of a terminal.
    let width = variable("COLUMNS").and_then(|columns| columns.parse().ok());
    let no_color = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    let mut words = environment::get_arguments().into_iter();
    // The first word is the program's name.
    let first = words.next().unwrap_or_default();
    Invocation {
        arguments: words.collect(),
        program: ProgramName::of_component(&first, view.names(), |name| files::has(view, name)),
        settings: Settings {
            root: None,
            git_root: variable("GIT_ROOT"),
            working: environment::initial_cwd().unwrap_or_else(|| view.working()),
            alias: None,
            dir: None,
            durability: Sync::Durable,
            history: Retention::default(),
            storage: Storage::Files,
        },
        color: !no_color && is_terminal,
        width: is_terminal.then(|| width.unwrap_or_default()),
        interactive: is_input && is_output && is_error,
        progress: (is_error && !is_dumb && !is_ci).then(|| width.unwrap_or_default()),
        unreachable: None,
        user: User {
            home: variable("HOME"),
            variables: VARIABLES
                .iter()
                .filter_map(|&name| Some((name.to_owned(), variable(name)?)))
                .collect(),
            package: None,
            program: None,
            // A component starts no programs.
            compiled: None,
            runs: LineRuns::default(),
            // Nor does it reach a database.
            database: None,
        },
    }
}
