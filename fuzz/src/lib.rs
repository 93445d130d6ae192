//! The properties that hold for any input: one module for each target, one function of bytes for each module.
//!
//! `cargo xtask fuzz` runs the targets on the stable toolchain, on seeded bytes, after the inputs in
//! `regressions/TARGET`, which broke something once. `cargo fuzz run --features libfuzzer TARGET`
//! runs the same functions under libFuzzer. A target panics where its property does not hold.
//!
//! An input of bytes means what `input` makes of it, so it may come to mean something else when that
//! changes: what an input has shown gets a test of its own, beside the code that was wrong.

// An input that breaks a property ends as a panic, in which the reason stands.
#![allow(clippy::unwrap_used)]

pub mod diff;
pub mod json;
pub mod machine;
pub mod merge;
pub mod names;
pub mod phases;
pub mod terminal;
pub mod yaml;

mod host;
mod input;

/// One property, and what it is tried on.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// As it is called on the command line, and in `regressions/`.
    pub name: &'static str,
    /// Panics where the property does not hold.
    pub run: fn(&[u8]),
    /// Inputs to begin with; without them, chance alone makes the bytes.
    pub seeds: &'static [&'static [u8]],
    /// The number of inputs that decide a change: about a second of them.
    pub inputs: u64,
}

/// Every target.
pub const ALL: &[Target] = &[
    Target {
        name: "json",
        run: json::run,
        seeds: json::SEEDS,
        inputs: 300_000,
    },
    Target {
        name: "yaml",
        run: yaml::run,
        seeds: yaml::SEEDS,
        inputs: 300_000,
    },
    Target {
        name: "names",
        run: names::run,
        seeds: &[],
        inputs: 55_000,
    },
    Target {
        name: "phases",
        run: phases::run,
        seeds: &[],
        inputs: 60_000,
    },
    Target {
        name: "merge",
        run: merge::run,
        seeds: &[],
        inputs: 20_000,
    },
    Target {
        name: "diff",
        run: diff::run,
        seeds: &[],
        inputs: 40_000,
    },
    Target {
        name: "terminal",
        run: terminal::run,
        seeds: &[],
        inputs: 9_000,
    },
    Target {
        name: "machine",
        run: machine::run,
        seeds: &[],
        inputs: 11_000,
    },
];
