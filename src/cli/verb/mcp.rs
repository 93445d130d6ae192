//! `milepost mcp`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::error::Error;

const HELP: &str = "\
An agent's host starts it, and speaks to it on standard input and output; it ends with its client.
Without --root it works on the project that the client or its environment names, else on that of the
working folder. docs/reference/mcp.md says how it is registered with each host, and what its tools are.";

/// Serve runs to agents over the Model Context Protocol (on Node)
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {}

pub(super) async fn run(call: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    Err(call.needs_node("mcp"))
}
