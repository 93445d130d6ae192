//! `milepost snapshot`

use clap::{Args, Subcommand};

use crate::checkpoint::session::id::SnapshotId;
use crate::cli::answer::Answer;
use crate::cli::call::Call;
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
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Create(create::Arguments),
    List(list::Arguments),
    Show(Show),
    Diff(Diff),
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
struct Diff {
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
            Verb::Create(_) => "snapshot create",
            Verb::List(_) => "snapshot list",
            Verb::Show(_) => "snapshot show",
            Verb::Diff(_) => "snapshot diff",
            Verb::Restore(_) => "snapshot restore",
            Verb::Verify(_) => "snapshot verify",
            Verb::Pin(_) => "snapshot pin",
            Verb::Unpin(_) => "snapshot unpin",
            Verb::Prune(_) => "snapshot prune",
            Verb::Archive(_) => "snapshot archive",
        }
    }
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    match arguments.verb {
        Verb::Create(arguments) => create::run(call, arguments).await,
        Verb::List(arguments) => list::run(call, arguments).await,
        Verb::Show(arguments) => session::show(call, arguments.snapshot.selector()?).await,
        Verb::Diff(arguments) => {
            let (from, to): (SnapshotId, SnapshotId) =
                (arguments.from.parse()?, arguments.to.parse()?);
            session::diff(call, from, to).await
        }
        Verb::Restore(arguments) => restore::run(call, arguments).await,
        Verb::Verify(arguments) => verify::run(call, arguments).await,
        Verb::Pin(arguments) => pin::run(call, arguments).await,
        Verb::Unpin(arguments) => pin::run(call, arguments.into()).await,
        Verb::Prune(arguments) => cleanup::run(call, arguments).await,
        Verb::Archive(arguments) => archive::run(call, arguments).await,
    }
}
