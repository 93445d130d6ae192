//! The verbs. Each has a file: its arguments with their help, its call of an operation, and the page
//! that shows the answer. A new one is one file, and one line here, in the order of the help.

use clap::Subcommand;

use crate::error::Error;

use super::answer::Answer;
use super::call::Call;

/// From each line: the module, the subcommand, and its place in [`Verb::run`].
macro_rules! verbs {
    ($($verb:ident $subcommand:ident)+) => {
        $(mod $verb;)+

        #[derive(Debug, Subcommand)]
        pub(super) enum Verb {
            $($subcommand($verb::Arguments),)+
        }

        impl Verb {
            pub(super) async fn run(self, call: &Call) -> Result<Answer, Error> {
                match self {
                    $(Verb::$subcommand(arguments) => $verb::run(call, arguments).await,)+
                }
            }
        }
    };
}

verbs! {
    init Init
    save Save
    phase Phase
    resume Resume
    show Show
    status Status
    complete Complete
    gate Gate
    log Log
    diff Diff
    undo Undo
    redo Redo
    recover Recover
    trim Trim
    rename Rename
    remove Remove
    validate Validate
    tokens Tokens
    handoff Handoff
    schema Schema
    doctor Doctor
    completions Completions
}
