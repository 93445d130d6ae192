//! `milepost help`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::error::Error;

/// Explain a verb, or list all of them
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    /// The verb
    #[arg(value_name = "VERB")]
    words: Vec<String>,
}

/// The page that the verb itself prints.
pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let words = ["milepost".to_owned()].into_iter().chain(arguments.words);
    let words = words.chain(["--help".to_owned()]);
    match call.definition().try_get_matches_from(words) {
        Err(page) if !page.use_stderr() => Ok(Answer::verbatim(page.render().to_string())),
        Err(error) => {
            let text = error.render().to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            Err(Error::usage(text.trim_end().to_owned()))
        }
        Ok(_) => Ok(Answer::verbatim(String::new())),
    }
}
