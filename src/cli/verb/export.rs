//! `milepost export`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::input;
use crate::error::Error;
use crate::json::{Json, Object};

const HELP: &str = "\
The file is the page of `milepost view`, and works without a server or the network. It has every kept
revision of each COMMAND; without COMMAND, all runs, snapshots and tasks. It has no contents of files
that snapshots keep. With --redact, text that looks like a secret is taken out. An existing file is
replaced only if it is such a page.";

/// Export runs as one HTML page to share (on Node)
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// The commands of the runs; without one, everything
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,
    /// The file, or - for standard output
    #[arg(long, value_name = "FILE|-", required = true)]
    html: String,
    /// The runs of this feature
    #[arg(short, long, value_name = "NAME", requires = "commands")]
    feature: Option<String>,
    /// Take secrets out
    #[arg(long)]
    redact: bool,
}

impl Arguments {
    /// The options for the host.
    pub(in crate::cli) fn options(&self, working: &str) -> Object {
        let target = |command: &String| {
            Object::new()
                .with("command", command.as_str())
                .with("feature", self.feature.clone())
        };
        let checkpoints: Vec<Object> = self.commands.iter().map(target).collect();
        // The file belongs to where the caller is, not to the root.
        let file = (self.html != "-").then(|| input::resolve(working, &self.html));
        Object::new()
            .with("checkpoints", checkpoints)
            .with("file", file.map_or(Json::Null, Json::from))
            .with("shown", self.html.as_str())
            .with("redact", self.redact)
    }
}

pub(super) async fn run(call: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    Err(call.needs_node("export"))
}
