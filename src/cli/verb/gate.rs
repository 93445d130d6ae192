//! `milepost gate`

use clap::Args;

use crate::checkpoint::command::gate::GateVerdict;
use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::cli::meaning::{GATE_VERBS, gate_options};
use crate::cli::page::gate_in_words;
use crate::cli::target_arg::{ChosenTarget, TargetArg};
use crate::error::{Code, Error};
use crate::json::Json;
use crate::operation::command::gate::{Decision, gate, set_gate};
use crate::text::visible;

const HELP: &str = "\
The exit code is 0 when the gate is open and 1 when it is closed. A gate holds for the commit that it was
set at: at any other one it is closed. With --close, the exit code is 0 when that was done.";

/// Say whether a run may ship, with the blockers
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: TargetArg,
    /// Open it, for the present commit
    #[arg(long)]
    open: bool,
    /// Close it, for these reasons
    #[arg(long, value_name = "REASON", num_args = 1.., conflicts_with = "open")]
    close: Vec<String>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let command = arguments.target_arg.command.clone();
    let word = command.filter(|word| GATE_VERBS.contains(&word.as_str()));
    match (word, answered(call, arguments).await) {
        // A project may add a command of this name.
        (Some(word), Err(error)) if error.code() == Code::InvalidName => {
            let options = gate_options(call.program().words());
            Err(Error::usage(format!(
                "Expected COMMAND or an option, got {word}: {options}"
            )))
        }
        (_, answer) => answer,
    }
}

async fn answered(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments {
        target_arg,
        open,
        close,
    } = arguments;
    let chosen = target_arg.choose(call).await?;
    let (io, settings, target) = (call.io(), &call.settings, &chosen.target);
    let reasons: Vec<&str> = close.iter().map(String::as_str).collect();
    let reply = match (open, reasons.as_slice()) {
        (false, []) => gate(io, settings, target).await,
        (true, _) => set_gate(io, settings, target, Decision::Open).await,
        (false, reasons) => set_gate(io, settings, target, Decision::Close(reasons)).await,
    };
    let verdict = call.settle(reply).await?;
    let answer = chosen.name_in(page(verdict, &chosen, call), call);
    Ok(match close.is_empty() {
        true => answer,
        false => answer.with_exit(Exit::Done),
    })
}

fn page(verdict: GateVerdict, chosen: &ChosenTarget, call: &CliCall) -> CliAnswer {
    let word = visible(&gate_in_words(&verdict)).into_owned();
    let (word, exit) = match verdict.open {
        true => (call.paint.good(&word), Exit::Done),
        false => (call.paint.bad(&word), Exit::No),
    };
    let mut text = format!("{word}\n");
    for blocker in &verdict.blockers {
        text.push_str(&call.screen.lines(blocker, "  "));
    }
    CliAnswer::data(text, chosen.name_in_json(Json::from(verdict))).with_exit(exit)
}
