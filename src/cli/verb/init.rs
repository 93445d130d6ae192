//! `milepost init`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::error::Error;
use crate::json::Object;
use crate::operation::project::init::{Made, MadeOutcome, init};
use crate::text::visible;

/// Create the folders and, where absent, the configuration and protocol files
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {}

pub(super) async fn run(call: &Call, _: Arguments) -> Result<Answer, Error> {
    let reply = init(call.io(), &call.settings).await;
    let made = call.settle(reply).await?;
    Ok(page(&made))
}

fn page(made: &[Made]) -> Answer {
    let mut text = String::new();
    let mut lacking = String::new();
    let mut items = Vec::new();
    for Made { path, outcome } in made {
        let mut item = Object::from_iter([("path", path.as_str())]);
        // The folder of documents has the name that the caller gave it.
        let path = visible(path);
        let word = match outcome {
            MadeOutcome::Created => "created",
            MadeOutcome::Kept => "kept",
            MadeOutcome::MissingSection(_) => "missing_section",
            MadeOutcome::InRecords => "in_records",
        };
        item.set("outcome", word);
        if let MadeOutcome::MissingSection(section) = outcome {
            item.set("section", section.as_str());
            let section = section.trim();
            let _ = write!(
                lacking,
                "\n{path} is yours and stays as it is. Please add:\n\n{section}\n"
            );
        }
        items.push(item);
        let word = if word == "created" { word } else { "kept" };
        let _ = writeln!(text, "{word:7}  {path}");
    }
    if lacking.is_empty() {
        Answer::confirmation(text, items)
    } else {
        Answer::data(text + &lacking, items)
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::operation::project::init::{Made, MadeOutcome};

    #[test]
    fn a_folder_whose_name_holds_an_escape_is_named_without_acting_on_it() {
        let made = Made {
            path: "a\u{1b}[31m".to_owned(),
            outcome: MadeOutcome::Created,
        };
        assert_eq!(page(&[made]).text, "created  a\\u{1b}[31m\n");
    }
}
