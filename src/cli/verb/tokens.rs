//! `milepost tokens`

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::encoding::Encoding;
use crate::error::Error;
use crate::json::Object;
use crate::operation::project::budget;
use crate::tokens;

const HELP: &str = "\
A word is what white space separates. Text that has no spaces, such as Chinese, counts as one. With
--encoding the tokens of OpenAI's models are counted, exactly.";

/// Count the words of a text, or the tokens of a model
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// The text
    #[arg(value_name = "FILE|-")]
    file: String,
    /// Exit with code 1 when there are more than this
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Count as the models of OpenAI do that have this encoding
    #[arg(long, value_name = "ENCODING", value_parser = encodings())]
    encoding: Option<Encoding>,
}

fn encodings() -> impl TypedValueParser<Value = Encoding> {
    let named = |one: Encoding| PossibleValue::new(one.name()).alias(one.name_in_tiktoken());
    PossibleValuesParser::new(Encoding::ALL.map(named))
        .try_map(|name| Encoding::of(&name).ok_or("no encoding of this name"))
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let text = call.text(&arguments.file).await?;
    let Some(encoding) = arguments.encoding else {
        return Ok(page(tokens::count(&text), &arguments));
    };
    // The prefix within the limit is not needed.
    let (count, _) = budget::count(call.io(), encoding, &text, 0).await?;
    Ok(page(count, &arguments))
}

fn page(count: u64, arguments: &Arguments) -> CliAnswer {
    let limit = arguments.limit;
    let valid = limit.is_none_or(|limit| count <= limit);
    let mut json = Object::new();
    json.set("valid", valid);
    json.set("token_count", count);
    json.set("limit", limit);
    if let Some(encoding) = arguments.encoding {
        json.set("encoding", encoding.name());
    }
    CliAnswer::data(format!("{count}\n"), json).with_exit(if valid { Exit::Done } else { Exit::No })
}
