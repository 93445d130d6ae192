//! `milepost notify`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::error::Error;
use crate::json::Object;

const HELP: &str = "\
The receivers are in `notifications` of .claude/config/integrations.json; docs/guide/notifications.md has
all of it. The first call sends what was reached since that file was last changed, and each later call
what was reached since the one before it. Exit code 75: something could not be sent and is due again; 1:
something was given up, or a receiver said that it is gone. A dry run ends as the call itself would if
every attempt succeeded.";

/// Notify others of what is done, failed or blocked (on Node)
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// Go on until it is stopped
    #[arg(long)]
    watch: bool,
    /// Only print what would be sent now, and to whom
    #[arg(long, conflicts_with = "watch")]
    dry_run: bool,
    /// Begin with all that history still has; what was sent before is sent again
    #[arg(long)]
    since_beginning: bool,
}

impl Arguments {
    /// The options for the host.
    pub(in crate::cli) fn options(&self) -> Object {
        Object::new()
            .with("watch", self.watch)
            .with("dry_run", self.dry_run)
            .with("since_beginning", self.since_beginning)
    }
}

pub(super) async fn run(call: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    Err(call.needs_node("notify"))
}
