//! `milepost completions`

use clap::Args;
use clap_complete::Shell;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::error::Error;

/// Print a completion script for a shell
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let mut script = Vec::new();
    let mut definition = (call.definition)();
    clap_complete::generate(arguments.shell, &mut definition, "milepost", &mut script);
    Ok(Answer::verbatim(
        String::from_utf8_lossy(&script).into_owned(),
    ))
}
