//! `milepost tokens`

use clap::Args;

use crate::cli::answer::{Answer, Exit};
use crate::cli::call::Call;
use crate::error::Error;
use crate::json::Object;
use crate::tokens;

const HELP: &str = "\
A token is a word: a run of characters without white space. Text that has no spaces, such as Chinese,
counts as one.";

/// Count the tokens of a text, which are its words
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// The text
    #[arg(value_name = "FILE|-")]
    file: String,
    /// Exit with code 1 when there are more than this
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let text = call.text(&arguments.file).await?;
    Ok(page(tokens::count(&text), arguments.limit))
}

fn page(count: u64, limit: Option<u64>) -> Answer {
    let valid = limit.is_none_or(|limit| count <= limit);
    let mut json = Object::new();
    json.set("valid", valid);
    json.set("token_count", count);
    json.set("limit", limit);
    Answer::data(format!("{count}\n"), json).with_exit(if valid { Exit::Done } else { Exit::No })
}
