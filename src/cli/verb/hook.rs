//! `milepost hook`

use clap::Args;

use crate::agent::CommandWords;
use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::effect::Until;
use crate::error::Error;
use crate::json::{self, Json};
use crate::operation::agent::hook::{HookEvent, hook, named};

const HELP: &str = "\
The payload is one JSON object on standard input. A failure is one line on standard error, and the exit
code is 0: an agent must not be disturbed.";

/// A payload has whole files in it.
const MAX_BYTES: u32 = 64 << 20;

/// Handle one event of a coding agent, sent by its hook
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// claude-code, codex, gemini, cursor, copilot, opencode or qwen-code
    agent: String,
    /// The event, for an agent whose payloads do not name it
    event: Option<String>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let answer = match answer(call, &arguments).await {
        Ok(answer) => answer,
        Err(error) => {
            call.fail(&error).await;
            None
        }
    };
    let text = answer.map(|line| format!("{line}\n")).unwrap_or_default();
    Ok(CliAnswer::verbatim(text).with_exit(Exit::Done))
}

async fn answer(call: &CliCall, arguments: &Arguments) -> Result<Option<String>, Error> {
    let agent = named(&arguments.agent)?;
    let bytes = call.io().input(MAX_BYTES, Until::Object).await;
    let bytes = bytes.map_err(|failed| failed.cannot_do("read the payload"))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let reading = json::read(&bytes);
    let reading = reading
        .map_err(|malformed| Error::usage(format!("The payload is not JSON: {malformed}")))?;
    let Json::Object(payload) = reading.value else {
        return Ok(None);
    };
    let variables = agent.project_variables().iter();
    let hook_event = HookEvent {
        agent,
        event: arguments.event.as_deref(),
        payload: &payload,
        project: variables.copied().find_map(|name| call.user.variable(name)),
        kept_in_files: None,
        words: &CommandWords {
            program: call.program().words(),
            database: None,
        },
    };
    // The agent gets warnings in the answer, where they are of use.
    hook(call.io(), &call.settings, &hook_event).await.result
}
