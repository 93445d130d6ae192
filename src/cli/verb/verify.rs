//! `milepost snapshot verify`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::session::plan::verify::FileVerdict;
use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::cli::snapshot_arg::SnapshotArg;
use crate::error::Error;
use crate::git::head::short;
use crate::operation::session::verify::{VerifiedSnapshot, verify};
use crate::text::visible;

const HELP: &str = "\
Contents decide: that something differs from HEAD is no mismatch, and that a file has other bytes than it
had then is one. When something does not match, the exit code is 1.";

/// Compare the files with a snapshot
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    snapshot: SnapshotArg,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let reply = verify(call.io(), &call.settings, arguments.snapshot.selector()?).await;
    let verified = call.settle(reply).await?;
    let exit = match verified.matches {
        true => Exit::Done,
        false => Exit::No,
    };
    Ok(CliAnswer::data(page(&verified), verified).with_exit(exit))
}

fn page(verified: &VerifiedSnapshot) -> String {
    let mut text = String::new();
    if verified.has_head_moved {
        let commit = |commit: Option<&String>| match commit {
            Some(commit) => visible(short(commit)).into_owned(),
            None => "no commit".to_owned(),
        };
        let _ = writeln!(
            text,
            "HEAD has moved: {} then, {} now",
            commit(verified.recorded_head.as_ref()),
            commit(verified.present_head.as_ref())
        );
    }
    let mut same = 0;
    for (path, answer) in &verified.files {
        match answer {
            FileVerdict::Same => same += 1,
            answer => {
                let _ = writeln!(text, "{:10}  {}", answer.as_str(), visible(path));
            }
        }
    }
    let id = &verified.id;
    let _ = match (verified.matches, verified.has_snapshot) {
        (true, true) => writeln!(text, "{id} matches: {same} files are the same"),
        (true, false) => writeln!(text, "{id} matches, and no files were kept with it"),
        (false, _) => writeln!(text, "{id} does not match; {same} files are the same"),
    };
    text
}
