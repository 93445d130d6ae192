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

use crate::blocking::cli::{self, Invocation, ProgramName};
use crate::blocking::effect::Io;
use crate::surface::invocation::{CallEnvironment, settings};
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
    // WASI has no width of a terminal.
    let columns = variable("COLUMNS").and_then(|columns| columns.parse().ok());
    let columns = columns.unwrap_or_default();
    let output = terminal_stdout::get_terminal_stdout();
    let error = terminal_stderr::get_terminal_stderr();
    let mut words = environment::get_arguments().into_iter();
    // The first word is the program's name.
    let first = words.next().unwrap_or_default();
    let program = ProgramName::of_component(&first, view.names(), |name| files::has(view, name));
    let working = environment::initial_cwd().unwrap_or_else(|| view.working());
    let settings = settings(working, variable("GIT_ROOT"));
    let call = CallEnvironment {
        home: variable("HOME"),
        // A component is started by a runtime.
        file: None,
        variable,
        is_input_terminal: terminal_stdin::get_terminal_stdin().is_some(),
        output: output.map(|_| columns),
        error: error.map(|_| columns),
    };
    call.invocation(program, words.collect(), settings)
}
