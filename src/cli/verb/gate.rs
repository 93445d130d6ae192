//! `milepost gate`

use clap::Args;

use crate::checkpoint::command::gate::Verdict;
use crate::cli::answer::{Answer, Exit};
use crate::cli::call::Call;
use crate::cli::which::{Chosen, Which};
use crate::error::Error;
use crate::operation::command::gate::gate;

/// Tell whether shipping is allowed: exit code 0 open, 1 closed, with the blockers
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let chosen = arguments.which.choose(call).await?;
    let reply = gate(call.io(), &call.settings, &chosen.target).await;
    let verdict = call.settle(reply).await?;
    Ok(chosen.name_in(page(verdict, &chosen, call), call))
}

fn page(verdict: Verdict, chosen: &Chosen, call: &Call) -> Answer {
    let (word, exit) = match verdict.open {
        true => (call.paint.good("open"), Exit::Done),
        false => (call.paint.bad("closed"), Exit::No),
    };
    let mut text = format!("{word}\n");
    for blocker in &verdict.blockers {
        text.push_str(&call.screen.lines(blocker, "  "));
    }
    Answer::data(text, chosen.name_in_json(verdict)).with_exit(exit)
}
