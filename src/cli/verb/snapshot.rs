//! `milepost snapshot`

use clap::{Args, Subcommand};

use crate::checkpoint::session::id::SnapshotId;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::session;
use crate::cli::snapshot_arg::SnapshotArg;
use crate::error::Error;

use super::{archive, cleanup, create, list, pin, restore, verify};

const HELP: &str = "\
A snapshot is one moment of the work that never changes: what was done and decided, what is to be done
next, and the contents of the files that differ from HEAD.

`milepost create`, `list`, `restore`, `verify`, `cleanup`, `archive` and `pin` are aliases with the same
options; `cleanup` is that of `milepost snapshot prune`.";

/// Keep moments of the work: create, list, restore, verify, prune
#[derive(Args, Debug)]
#[command(arg_required_else_help = false, after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(subcommand)]
    verb: SnapshotVerb,
}

#[derive(Debug, Subcommand)]
enum SnapshotVerb {
    Create(create::Arguments),
    List(list::Arguments),
    Show(Show),
    Diff(SnapshotDiffArguments),
    Restore(restore::Arguments),
    Verify(verify::Arguments),
    Pin(pin::Arguments),
    Unpin(pin::Removal),
    #[command(visible_alias = "cleanup")]
    Prune(cleanup::Arguments),
    Archive(archive::Arguments),
}

/// Print a snapshot, with the difference of each file
#[derive(Args, Debug)]
struct Show {
    #[command(flatten)]
    snapshot: SnapshotArg,
}

/// Print what differs between two snapshots
#[derive(Args, Debug)]
struct SnapshotDiffArguments {
    /// The id of the earlier one
    #[arg(value_name = "A")]
    from: String,
    /// The id of the later one
    #[arg(value_name = "B")]
    to: String,
}

impl Arguments {
    /// Returns the words of the verb, all of which work on files alone.
    pub(in crate::cli) fn on_files(&self) -> &'static str {
        match self.verb {
            SnapshotVerb::Create(_) => "snapshot create",
            SnapshotVerb::List(_) => "snapshot list",
            SnapshotVerb::Show(_) => "snapshot show",
            SnapshotVerb::Diff(_) => "snapshot diff",
            SnapshotVerb::Restore(_) => "snapshot restore",
            SnapshotVerb::Verify(_) => "snapshot verify",
            SnapshotVerb::Pin(_) => "snapshot pin",
            SnapshotVerb::Unpin(_) => "snapshot unpin",
            SnapshotVerb::Prune(_) => "snapshot prune",
            SnapshotVerb::Archive(_) => "snapshot archive",
        }
    }
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    match arguments.verb {
        SnapshotVerb::Create(arguments) => create::run(call, arguments).await,
        SnapshotVerb::List(arguments) => list::run(call, arguments).await,
        SnapshotVerb::Show(arguments) => session::show(call, arguments.snapshot.selector()?).await,
        SnapshotVerb::Diff(arguments) => {
            let (from, to): (SnapshotId, SnapshotId) =
                (arguments.from.parse()?, arguments.to.parse()?);
            session::diff(call, from, to).await
        }
        SnapshotVerb::Restore(arguments) => restore::run(call, arguments).await,
        SnapshotVerb::Verify(arguments) => verify::run(call, arguments).await,
        SnapshotVerb::Pin(arguments) => pin::run(call, arguments).await,
        SnapshotVerb::Unpin(arguments) => pin::run(call, arguments.into()).await,
        SnapshotVerb::Prune(arguments) => cleanup::run(call, arguments).await,
        SnapshotVerb::Archive(arguments) => archive::run(call, arguments).await,
    }
}
