//! The command line as a program of the operating system: the host that performs effects with the system's own calls.
//!
//! It is the blocking variant of the source, as on Node and wasmtime, and has what they have: modes, programs, a terminal,
//! an input that stays open. Each effect is the fewest system calls that keep its promise.

mod alias;
mod entry;
mod facts;
mod fault;
mod files;
mod hook;
mod hook_trials;
mod host;
mod invocation;
mod manual;
mod process;
mod program_file;
#[cfg(all(test, unix))]
mod program_tests;
mod settings_lookup;
#[cfg(all(test, unix))]
mod tests;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::env;
use std::panic;
use std::process::{self as this_process, ExitCode};
use std::rc::Rc;

use crate::blocking::cli::{self, Invocation};
use crate::blocking::effect::Io;
use crate::effect::Stream;

use hook::AgentCall;
pub use host::NativeHost;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// sysexits.h: the host cannot run this program; an error of input or output.
const EX_SOFTWARE: u8 = 70;
const EX_IOERR: u8 = 74;

/// Runs the program on the words of this process, and returns its exit code.
pub fn run() -> ExitCode {
    // An argument that is not UTF-8 gets the character by which the command line knows that.
    let mut words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let first = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    if let Some(call) = AgentCall::of(&words) {
        report_panics("[milepost hook]", 0);
        call.run();
        return ExitCode::SUCCESS;
    }
    report_panics("milepost:", EX_SOFTWARE);
    if let Some(page) = manual::page(&words) {
        return match system::print(Stream::Output, page.as_bytes()) {
            Ok(_) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(EX_IOERR),
        };
    }
    ExitCode::from(run_verb(&first, words))
}

fn run_verb(first: &str, words: Vec<String>) -> u8 {
    let working = match invocation::working() {
        Ok(working) => working,
        Err(reason) => {
            let text =
                format!("milepost: The working folder is gone, or may not be read: {reason}\n");
            // The exit code says it as well, should this not be read.
            let _ = system::print(Stream::Error, text.as_bytes());
            return EX_IOERR;
        }
    };
    let host = Rc::new(NativeHost::new(working.clone(), cli::vocabulary(&words)));
    let trials = cli::hook_trials(&words, &working);
    let mut invocation = invocation::invocation(first, words, working);
    if let Some(trials) = trials {
        let host = host.clone();
        let io = Io::new(move |effect| host.perform(effect));
        let Invocation { settings, user, .. } = &invocation;
        invocation.user.runs = hook_trials::run(&io, settings, user, &trials);
    }
    let perform = move |effect| host.perform(effect);
    let io = Io::new(cli::watched(perform, Some(&invocation)));
    cli::run(io, invocation)
}

/// Has a defect of this program say in a line where it is, and end with a code that agents do not read as a refusal.
fn report_panics(before: &'static str, code: u8) {
    panic::set_hook(Box::new(move |panicked| {
        let place = panicked.location().map(ToString::to_string);
        let place = place.unwrap_or_default();
        // The message of a panic may hold a part of a document, and is not shown.
        let text = format!("{before} internal error at {place}\n");
        let _ = system::print(Stream::Error, text.as_bytes());
        this_process::exit(code.into());
    }));
}
