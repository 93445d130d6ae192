//! `milepost schema`

use clap::Args;

use crate::checkpoint::command::publish;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::error::Error;

const HELP: &str = "\
With --json it is JSON Schema, draft 2020-12. The commands that integrations.json adds are in it.";

/// The forms, as they stand in its usage.
pub(in crate::cli) const FORMS: &str = "<--json|--ts|--markdown>";

/// Print the definition of a run's document
// The third form is the global `--json`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// As TypeScript declarations
    #[arg(long)]
    ts: bool,
    /// As the page checkpoint-schema.md
    #[arg(long)]
    markdown: bool,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let added = call.added_commands().await;
    let form = match (call.wants_json(), arguments.ts, arguments.markdown) {
        (true, false, false) => publish::json_schema(&added),
        (false, true, false) => publish::typescript(&added),
        (false, false, true) => publish::markdown(&added),
        _ => {
            return Err(Error::usage(
                "Expected exactly one of --json, --ts and --markdown".to_owned(),
            ));
        }
    };
    Ok(CliAnswer::verbatim(form))
}
