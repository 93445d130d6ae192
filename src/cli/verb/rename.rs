//! `milepost rename`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::target_arg::COMMAND_WORD;
use crate::error::{Error, Target};
use crate::json::Object;
use crate::operation::command::rename::rename;
use crate::text::visible;

const HELP: &str = "\
The run of feature A is then that of feature B, with its history. When B has a run already, nothing is
changed and the exit code is 75. A process that dies midway leaves nothing half done: the next one that
reads A goes on.";

/// Change the feature name of a run and of its history
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// The command, such as implement
    #[arg(value_parser = COMMAND_WORD, hide_possible_values = true)]
    command: String,
    /// The present feature name, and the new one
    #[arg(short, long, num_args = 2, value_names = ["A", "B"], required = true)]
    feature: Vec<String>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments { command, feature } = arguments;
    let [from, to] = <[String; 2]>::try_from(feature).map_err(|_| {
        Error::usage("Expected two names after --feature: the present one and the new one".into())
    })?;
    let target = Target {
        command,
        feature: Some(from),
    };
    let reply = rename(call.io(), &call.settings, &target, &to).await;
    let stamp = call.settle(reply).await?;
    let text = format!(
        "{}: is feature {} now, at revision {}\n",
        target.title(),
        visible(&to),
        stamp.revision
    );
    let members = Object::new()
        .with("revision", stamp.revision)
        .with("seal", stamp.seal);
    Ok(CliAnswer::confirmation(text, members))
}
