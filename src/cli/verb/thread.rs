//! `milepost thread`

use std::fmt::Write;

use clap::{Args, Subcommand};

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::error::Error;
use crate::operation::thread::recover::{Recovered, recover};
use crate::text::visible;

const HELP: &str = "\
What is damaged is first copied to the folder quarantine of the thread, and the answer says where. The
thread then goes on from its document, its parts and the lines of its journal, as far as they can be
read; the answer counts what is lost. When all of it can be read, nothing is changed and the exit code
is 1.";

/// Look after the threads of LangGraph.js
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(in crate::cli) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Bring a thread back that cannot be read, as far as its files can
    #[command(after_help = HELP)]
    Recover {
        /// The id of the thread
        #[arg(value_name = "THREAD")]
        thread: String,
    },
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let Verb::Recover { thread } = arguments.verb;
    let reply = recover(call.io(), &call.settings, &thread).await;
    Ok(page(&thread, call.settle(reply).await?))
}

fn page(thread: &str, recovered: Recovered) -> Answer {
    let mut text = format!(
        "{}: recovered, with {}\n",
        visible(thread),
        counted(recovered.checkpoints, "checkpoint")
    );
    let (kept, lost) = (recovered.kept, recovered.lost);
    if kept + lost > 0 {
        let _ = writeln!(
            text,
            "Changes since its document was written: {kept} kept, {lost} lost"
        );
    }
    if recovered.dropped > 0 {
        let dropped = counted(recovered.dropped, "checkpoint");
        let _ = writeln!(
            text,
            "Left out, because a value goes on from one that is lost: {dropped}"
        );
    }
    if recovered.lost_parts > 0 {
        let parts = counted(recovered.lost_parts, "file");
        let _ = writeln!(
            text,
            "Gone or not to be read, of older checkpoints: {parts}"
        );
    }
    for copy in &recovered.quarantined {
        let _ = writeln!(text, "What is damaged is kept as {}", visible(copy));
    }
    Answer::confirmation(text, recovered)
}

fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
