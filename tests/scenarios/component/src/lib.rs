//! Runs scenarios on the core component: the world `runner` of `wit/`.

// The bindings of wit-bindgen are the unsafe half of the border.
#![allow(unsafe_code)]

mod convert;

use milepost::effect::{Effect, Outcome};
use milepost::tokens::WordLimitVerdict;
use milepost_scenarios::run::{Core, outcome};
use milepost_scenarios::scenario::Scenario;

mod bindings {
    #![allow(missing_docs, unreachable_pub, clippy::all)]

    wit_bindgen::generate!({
        path: ["../../../wit", "wit"],
        world: "milepost:scenarios/runner",
        generate_all,
    });
}

use bindings::milepost::checkpoint::{operations, tokens};
use bindings::wasi::cli::{stdin, stdout};
use bindings::wasi::io::streams::StreamError;

/// `blocking-write-and-flush` takes no more bytes in one call.
const MOST_WRITTEN: usize = 4096;
/// The request of one read of standard input.
const MOST_READ: u64 = 64 * 1024;

struct Runner;

// Elsewhere the linker does not take the name of the export.
#[cfg(target_arch = "wasm32")]
bindings::export!(Runner with_types_in bindings);

impl bindings::exports::wasi::cli::run::Guest for Runner {
    fn run() -> Result<(), ()> {
        let scenarios = String::from_utf8(read_input()?).map_err(drop)?;
        let output = stdout::get_stdout();
        for line in scenarios.lines() {
            let scenario = Scenario::read(line).map_err(drop)?;
            let outcome = format!("{}\n", outcome(Component, &scenario));
            for part in outcome.as_bytes().chunks(MOST_WRITTEN) {
                output.blocking_write_and_flush(part).map_err(drop)?;
            }
        }
        Ok(())
    }
}

fn read_input() -> Result<Vec<u8>, ()> {
    let input = stdin::get_stdin();
    let mut bytes = Vec::new();
    loop {
        match input.blocking_read(MOST_READ) {
            Ok(more) => bytes.extend(more),
            Err(StreamError::Closed) => return Ok(bytes),
            Err(StreamError::LastOperationFailed(_)) => return Err(()),
        }
    }
}

/// The component that this one is composed with.
struct Component;

impl Core for Component {
    fn count(&mut self, text: &str) -> u64 {
        tokens::count(text)
    }

    fn validate_summary(&mut self, text: &str, limit: u64) -> WordLimitVerdict {
        let verdict = tokens::validate(text, limit);
        WordLimitVerdict {
            valid: verdict.valid,
            token_count: verdict.token_count,
            limit: verdict.limit,
            error: verdict.error,
        }
    }

    fn truncate(&mut self, text: &str, limit: u64) -> String {
        tokens::truncate(text, limit)
    }

    fn run(&mut self, request: &str, perform: &mut dyn FnMut(Effect) -> Outcome) -> String {
        let operation = operations::Operation::new(request);
        let mut turn = operation.step();
        loop {
            match turn {
                Ok(operations::Turn::Done(reply)) => return reply,
                Ok(operations::Turn::Failed(failed)) => return failed.reply,
                Ok(operations::Turn::Effect(effect)) => {
                    let outcome = perform(convert::to_effect(effect));
                    turn = operation.resume(&convert::from_outcome(outcome));
                }
                // Shows in the outcome as what no other host says.
                Err(misuse) => return format!("{misuse:?}"),
            }
        }
    }
}
