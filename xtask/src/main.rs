//! Build, test and measuring steps of Milepost, each with the set-up that it needs.

// A command line speaks on its streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod building;
mod command;
#[cfg(all(test, unix))]
mod copied;
mod folder;
mod process;
mod stamp;
mod steps;
mod test;
mod tools;
#[cfg(test)]
mod workflows;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use building::BuildContext;
use building::program::Program;
use building::remap;
use command::{agents, audit, bench, chaos, corpus, release, run, screenshots, space, syscalls};
use workspace::Workspace;

/// Build, test and measuring steps of Milepost
///
/// Each first sets up what it needs: the wasm target, and the npm tools in ~/.cache/milepost.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build milepost.tgz, milepost-exact-tokens.tgz, both components and claude-plugin in target/milepost
    Build,
    /// Without arguments, a guided run in a throwaway repository; with them, `milepost ARGS…`
    Run {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// The steps that decide a change; with --all, every step
    Test(test::Options),
    /// Run the scenarios on every host; all have to give the same bytes
    Corpus(corpus::Options),
    /// Writers on several hosts, stopped and killed at random: nothing acknowledged may be lost
    #[command(disable_help_flag = true)]
    Chaos {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Faults at every system call of one update, and a table of what became of them
    Syscalls(syscalls::Options),
    /// The story of the tests with real coding agents; with --latest, what changed in their payloads
    Agents(agents::Options),
    /// Every crash, loss of power and order of a few writers, in memory: [--seeds N] [--seed S]
    #[command(disable_help_flag = true)]
    Simulate {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Properties on bytes that chance makes: [TARGET] [--seconds N] [--seed S] [--count N]
    #[command(disable_help_flag = true)]
    Fuzz {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Make every artefact of this version from a clean clone, with its SHA-256; publish nothing
    Release(release::Options),
    /// Ask the network what is known of holes in dependencies, and who signed the packages of npm
    Audit,
    /// Print what takes the space in the components, by crate and module
    Space,
    /// Write the pictures of docs/guide/viewer.md again: every view of a sample project, light and dark
    Screenshots,
    /// Measure the package against plain JavaScript and what careful users would write
    ///
    /// Contestants take turns in one run; benches/README.md has what each row compares. A missed
    /// target is said in the table and does not change the exit code.
    Bench {
        /// One row, such as `hook-process`; all of them without it
        what: Option<String>,
    },
}

fn main() -> ExitCode {
    let result = remap::as_rustc().unwrap_or_else(|| perform(&Arguments::parse().command));
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn exit(is_well: bool) -> ExitCode {
    match is_well {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn perform(command: &Command) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    match command {
        Command::Build => {
            let _lock = workspace.lock()?;
            building::build(&BuildContext::new(&workspace))?;
            println!(
                "milepost.tgz, milepost-exact-tokens.tgz, milepost.wasm, milepost-core.wasm and claude-plugin are up to date in target/milepost"
            );
            Ok(ExitCode::SUCCESS)
        }
        Command::Run { args } => Ok(ExitCode::from(run::run(&workspace, args)?)),
        Command::Test(options) => Ok(exit(test::run(&workspace, options)?)),
        Command::Corpus(options) => {
            let _lock = workspace.lock()?;
            corpus::run(&workspace, options)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Chaos { args } => {
            let _lock = workspace.lock()?;
            Ok(exit(chaos::run(&workspace, args)?))
        }
        Command::Syscalls(options) => {
            let _lock = workspace.lock()?;
            syscalls::run(&workspace, options)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Agents(options) => {
            let _lock = workspace.lock()?;
            Ok(exit(agents::run(&workspace, options)?))
        }
        Command::Simulate { args } => Ok(exit(run::program(&workspace, Program::Simulator, args)?)),
        Command::Fuzz { args } => Ok(exit(run::program(&workspace, Program::Fuzz, args)?)),
        Command::Release(options) => {
            let _lock = workspace.lock()?;
            release::run(&workspace, options)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Audit => {
            audit::run(&workspace)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Space => {
            let _lock = workspace.lock()?;
            space::run(&workspace)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Screenshots => {
            let _lock = workspace.lock()?;
            screenshots::run(&workspace)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Bench { what } => {
            let _lock = workspace.lock()?;
            bench::run(&workspace, what.as_deref())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
