//! Runs of properties: their number, and the line of a proof, which is printed where one finds a lost
//! acknowledgement, a torn read or a violated model.
//!
//! `cargo xtask test` runs a failed step again, because a machine may have been slow. A step that printed such a line
//! has failed regardless of its second run: a seed that violates a property does so on every machine. A program that
//! cannot be started, or a disk without space, proves nothing and does not print it.

// Tests and command lines print it on their streams.
#![allow(clippy::print_stdout)]

use std::fmt;
use std::thread;

/// The beginning of the line. `cargo xtask test` looks for it in what a failed step printed.
pub const MARK: &str = "violated: ";

/// Returns the line for a violation, which may have several lines itself.
pub fn line(what: impl fmt::Display) -> String {
    let what = what.to_string();
    let lines = what.lines().map(str::trim).filter(|it| !it.is_empty());
    format!("{MARK}{}", lines.collect::<Vec<_>>().join("; "))
}

/// Prints the line, on the output that a test's harness captures.
pub fn report(what: impl fmt::Display) {
    println!("{}", line(what));
}

/// A run of a property, whose panic is a proof.
///
/// It names the property and the seed, and stays in scope as long as the property is checked. What cannot be set up
/// for reasons of the machine is set up before.
#[derive(Debug)]
#[must_use = "the run ends where this is dropped"]
pub struct Run<T: fmt::Display> {
    what: T,
}

/// Begins a run of a property.
pub fn run<T: fmt::Display>(what: T) -> Run<T> {
    Run { what }
}

impl<T: fmt::Display> Drop for Run<T> {
    fn drop(&mut self) {
        if thread::panicking() {
            report(&self.what);
        }
    }
}

/// Begins a run of a property that a seed decides.
pub fn seed(property: &'static str, seed: u64) -> Run<Seed> {
    run(Seed { property, seed })
}

/// A property, and the seed that decides its run.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    property: &'static str,
    seed: u64,
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Seed { property, seed } = self;
        write!(f, "{property}: seed {seed}")
    }
}

/// Returns `all` where everything is tested, and `decisive` where a change is decided.
///
/// `cargo xtask test --all` sets `MILEPOST_TEST_RANGE` to `all`.
pub fn rounds<N>(decisive: N, all: N) -> N {
    match std::env::var("MILEPOST_TEST_RANGE") {
        Ok(range) if range == "all" => all,
        _ => decisive,
    }
}
