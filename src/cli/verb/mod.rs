//! The verbs. Each has a file: its arguments with their help, its call of an operation, and the page
//! that shows the answer. A new one is one file, and one line here, in the order of the help. A noun, such
//! as `snapshot`, is a verb that groups others.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::error::Error;

use super::answer::CliAnswer;
use super::call::CliCall;

mod thread_changes;

/// From each line: the module, the subcommand, its place in [`Verb::run`], and that in the help.
macro_rules! verbs {
    ($($group:literal { $($verb:ident $subcommand:ident)+ })+) => {
        $($(pub(in crate::cli) mod $verb;)+)+

        #[derive(Debug)]
        pub(super) enum Verb {
            $($($subcommand($verb::Arguments),)+)+
        }

        impl Verb {
            /// The word of the verb.
            pub(super) fn name(&self) -> &'static str {
                match self {
                    $($(Verb::$subcommand(_) => stringify!($verb),)+)+
                }
            }

            pub(super) async fn run(self, call: &CliCall) -> Result<CliAnswer, Error> {
                match self {
                    $($(Verb::$subcommand(arguments) => {
                        // Apart, so that a call compiles its own verb alone.
                        #[inline(never)]
                        async fn run(call: &CliCall, arguments: $verb::Arguments) -> Result<CliAnswer, Error> {
                            $verb::run(call, arguments).await
                        }
                        run(call, arguments).await
                    })+)+
                }
            }
        }

        /// As it would be derived, but that a call makes the definition of the one verb that it names: all
        /// of them are a third of what starting costs.
        impl Subcommand for Verb {
            fn augment_subcommands(command: Command) -> Command {
                let verbs = [
                    $($(with_aliases(stringify!($verb)).defer($verb::Arguments::augment_args),)+)+
                ];
                command.subcommands(verbs)
            }

            fn augment_subcommands_for_update(command: Command) -> Command {
                Self::augment_subcommands(command)
            }

            fn has_subcommand(name: &str) -> bool {
                GROUPS.iter().any(|(_, names)| names.contains(&name))
            }
        }

        impl FromArgMatches for Verb {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                Self::from_arg_matches_mut(&mut matches.clone())
            }

            fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
                let (name, mut matches) = matches.remove_subcommand().unwrap_or_default();
                match name.as_str() {
                    $($(stringify!($verb) => {
                        $verb::Arguments::from_arg_matches_mut(&mut matches).map(Verb::$subcommand)
                    })+)+
                    _ => Err(clap::Error::new(ErrorKind::MissingSubcommand)),
                }
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }

        /// A verb with its arguments, in place of its definition that waits for a call.
        pub(super) fn defined(verb: Command) -> Command {
            match verb.get_name() {
                $($(stringify!($verb) => {
                    $verb::Arguments::augment_args(with_aliases(stringify!($verb)))
                })+)+
                _ => verb,
            }
        }

        /// The groups of the help, each with the names of its verbs.
        pub(super) const GROUPS: &[(&str, &[&str])] = &[
            $(($group, &[$(stringify!($verb)),+]),)+
        ];
    };
}

/// A verb with the words that stand for it and that no help shows.
fn with_aliases(name: &'static str) -> Command {
    let command = Command::new(name);
    match name {
        "prune" => command.alias("trim"),
        _ => command,
    }
}

/// The number of groups, the first ones, that the first page of the help lists: what is typed every day.
pub(super) const EVERYDAY: usize = 4;

/// The group of verbs that have a better name by now. They work, and no list of verbs has them.
pub(super) const ALIASES: &str = "Aliases";

verbs! {
    "Runs" {
        begin Begin
        phase Phase
        resume Resume
        status Status
        show Show
        complete Complete
        gate Gate
    }
    "History of a run" {
        log Log
        diff Diff
        undo Undo
        redo Redo
    }
    "Other kinds" {
        snapshot Snapshot
        rewind Rewind
        task Task
        thread Thread
    }
    "Project" {
        init Init
        hooks Hooks
        doctor Doctor
        view View
    }
    "More about runs" {
        save Save
        rename Rename
        remove Remove
        recover Recover
        prune Prune
        export Export
    }
    "Called by programs" {
        hook Hook
        statusline Statusline
        mcp Mcp
        notify Notify
    }
    "Checks and pages" {
        validate Validate
        handoff Handoff
        tokens Tokens
        schema Schema
        completions Completions
        help Help
        version Version
    }
    "Aliases" {
        create Create
        list List
        restore Restore
        verify Verify
        cleanup Cleanup
        archive Archive
        pin Pin
    }
}
