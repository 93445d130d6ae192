//! `milepost view`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::error::Error;
use crate::json::Object;

const HELP: &str = "\
It prints the address of the page, and opens it in the browser where there is one. The address lets
in once; the first that opens it keeps the access. Nothing is changed, and no other machine is served:
from one, use `ssh -L`. It ends when it is stopped, and 30 minutes after the last page was closed.
docs/guide/viewer.md says more.";

/// Show everything in the browser, live (on Node)
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// Listen on this port; without it, or with 0, on any that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
}

impl Arguments {
    /// The options for the host.
    pub(in crate::cli) fn options(&self) -> Object {
        let port = self.port.filter(|port| *port != 0);
        Object::new()
            .with("port", port.map(u64::from))
            .with("no_open", self.no_open)
    }
}

pub(super) async fn run(call: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    Err(call.needs_node("view"))
}
