//! `milepost statusline`

use clap::Args;

use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::effect::Until;
use crate::error::Error;
use crate::json::{self, Json};
use crate::operation::agent::status_line::status_line;

const HELP: &str = "\
Standard input has what Claude Code sends to its status line. After a failure the exit code is 0 and the
line is empty.";

/// The limit of what is sent, which is small.
const MAX_BYTES: u32 = 1 << 20;

/// Print the current run as one line, for Claude Code's status line
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {}

pub(super) async fn run(call: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    let line = match line(call).await {
        Ok(line) => line,
        Err(error) => {
            call.fail(&error).await;
            None
        }
    };
    let text = line.map(|line| format!("{line}\n")).unwrap_or_default();
    Ok(CliAnswer::verbatim(text).with_exit(Exit::Done))
}

async fn line(call: &CliCall) -> Result<Option<String>, Error> {
    let bytes = call.io().input(MAX_BYTES, Until::Object).await;
    let bytes = bytes.map_err(|failed| failed.cannot_do("read what Claude Code sends"))?;
    let Ok(Json::Object(payload)) = json::read(&bytes).map(|reading| reading.value) else {
        return Ok(None);
    };
    let reply = status_line(call.io(), &call.settings, &payload).await;
    reply.result
}
