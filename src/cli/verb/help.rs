//! `milepost help`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::{CliCall, HelpPage};
use crate::cli::meaning::with_meant_verb;
use crate::error::Error;

/// The word that asks for every verb.
const ALL: &str = "all";

/// Explain a verb; `help all` lists every verb
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    /// The verb, or all
    #[arg(value_name = "VERB")]
    words: Vec<String>,
}

/// The page that the verb itself prints.
pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let is_all = arguments.words.iter().map(String::as_str).eq([ALL]);
    let (page, verb) = match is_all {
        true => (HelpPage::All, Vec::new()),
        false => (HelpPage::Everyday, arguments.words),
    };
    let words = ["milepost".to_owned()].into_iter().chain(verb);
    let words: Vec<String> = words.chain(["--help".to_owned()]).collect();
    match call.definition(page).try_get_matches_from(&words) {
        Err(page) if !page.use_stderr() => Ok(CliAnswer::verbatim(page.render().to_string())),
        Err(error) => {
            let error = with_meant_verb(error, &words, call.program());
            let text = error.render().to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            Err(Error::usage(text.trim_end().to_owned()))
        }
        Ok(_) => Ok(CliAnswer::verbatim(String::new())),
    }
}
