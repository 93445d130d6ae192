//! The verbs. Each has a file: its arguments with their help, its call of an operation, and the page
//! that shows the answer. A new one is one file, and one line here, in the order of the help.

use clap::Subcommand;

use crate::error::Error;

use super::answer::Answer;
use super::call::Call;

/// From each line: the module, the subcommand, its place in [`Verb::run`], and that in the help.
macro_rules! verbs {
    ($($group:literal { $($verb:ident $subcommand:ident)+ })+) => {
        $($(pub(in crate::cli) mod $verb;)+)+

        #[derive(Debug, Subcommand)]
        pub(super) enum Verb {
            $($($subcommand($verb::Arguments),)+)+
        }

        impl Verb {
            pub(super) async fn run(self, call: &Call) -> Result<Answer, Error> {
                match self {
                    $($(Verb::$subcommand(arguments) => $verb::run(call, arguments).await,)+)+
                }
            }
        }

        /// The groups of the help, each with the names of its verbs.
        pub(super) const GROUPS: &[(&str, &[&str])] = &[
            $(($group, &[$(stringify!($verb)),+]),)+
        ];
    };
}

verbs! {
    "Work on it" {
        resume Resume
        phase Phase
        complete Complete
        save Save
        rename Rename
        remove Remove
    }
    "Look" {
        status Status
        show Show
        gate Gate
    }
    "Sessions" {
        create Create
        list List
        restore Restore
        verify Verify
        cleanup Cleanup
        archive Archive
        pin Pin
    }
    "History" {
        log Log
        diff Diff
        undo Undo
        redo Redo
        recover Recover
        trim Trim
    }
    "Check and set up" {
        init Init
        doctor Doctor
        validate Validate
        handoff Handoff
        tokens Tokens
        schema Schema
        completions Completions
        help Help
        version Version
    }
}
