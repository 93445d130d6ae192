//! `milepost gate`

use clap::Args;

use crate::checkpoint::command::gate::Verdict;
use crate::cli::answer::{Answer, Exit};
use crate::cli::call::Call;
use crate::cli::page::{Paint, lines};
use crate::cli::which::Which;
use crate::error::Error;
use crate::operation::command::gate::gate;

/// Tell whether shipping is allowed: exit code 0 open, 1 closed, with the blockers
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let reply = gate(call.io(), &call.settings, &arguments.which.into()).await;
    Ok(page(call.settle(reply).await?, call.paint))
}

fn page(verdict: Verdict, paint: Paint) -> Answer {
    let (word, exit) = match verdict.open {
        true => (paint.good("open"), Exit::Done),
        false => (paint.bad("closed"), Exit::No),
    };
    let mut text = format!("{word}\n");
    for blocker in &verdict.blockers {
        text.push_str(&lines(blocker, "  "));
    }
    Answer::data(text, verdict).with_exit(exit)
}
