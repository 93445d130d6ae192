//! `milepost restore`

use clap::Args;

use crate::cli::answer::{Answer, Exit};
use crate::cli::call::Call;
use crate::error::Error;
use crate::operation::session::load::Which;
use crate::operation::session::restore::restore;

const HELP: &str = "\
Prints what to do next, the decisions, the files and the summary, for the session that carries on. When
nothing is left to do, the exit code is 1.";

/// Print what a session checkpoint says to whoever carries on
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Chosen,
}

/// The options that name a session checkpoint.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(super) struct Chosen {
    /// The checkpoint of this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The newest one that is not archived
    #[arg(long)]
    latest: bool,
}

impl Chosen {
    /// Which one is meant.
    pub(super) fn which(&self) -> Result<Which, Error> {
        Which::new(self.id.as_deref(), self.latest)
    }
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let reply = restore(call.io(), &call.settings, arguments.which.which()?).await;
    let restored = call.settle(reply).await?;
    let exit = match restored.can_resume {
        true => Exit::Done,
        false => Exit::No,
    };
    let text = call.screen.lines(&restored.resume, "");
    Ok(Answer::data(text, restored).with_exit(exit))
}
