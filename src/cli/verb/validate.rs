//! `milepost validate`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::command::document;
use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::cli::word_limit::in_words;
use crate::error::Error;
use crate::json::Object;
use crate::schema::Problem;
use crate::text::visible;

/// Check documents of runs and print every problem
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {
    /// The documents
    #[arg(value_name = "FILE|-", required = true)]
    files: Vec<String>,
}

/// Every file gets its verdict; one that cannot be read does not hide the others.
pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let added = call.added_commands().await;
    let added: Vec<&str> = added.iter().map(String::as_str).collect();
    let mut validated = Vec::new();
    let mut worst = Exit::Done;
    for file in arguments.files {
        match call.document(&file).await {
            Ok(json) => validated.push(Validated {
                problems: document::problems(&json, &added),
                file,
            }),
            Err(error) => worst = worst.max(call.fail(&error).await),
        }
    }
    let answer = page(&validated, call);
    let exit = worst.max(answer.exit);
    Ok(answer.with_exit(exit))
}

/// The problems of one file.
struct Validated {
    file: String,
    problems: Vec<Problem>,
}

fn page(files: &[Validated], call: &CliCall) -> CliAnswer {
    let mut text = String::new();
    let mut items = Vec::new();
    for Validated { file, problems } in files {
        let verdict = match problems.len() {
            0 => call.paint.good("valid"),
            1 => call.paint.bad("1 problem"),
            more => call.paint.bad(&format!("{more} problems")),
        };
        let _ = writeln!(text, "{}: {verdict}", visible(file));
        for problem in problems {
            let problem = problem.to_string();
            text.push_str(&call.screen.lines(&in_words(&problem), "  "));
        }
        let mut item = Object::new();
        item.set("file", file.as_str());
        item.set("valid", problems.is_empty());
        item.set("problems", problems.to_vec());
        items.push(item);
    }
    let valid = files.iter().all(|file| file.problems.is_empty());
    CliAnswer::data(text, items).with_exit(if valid { Exit::Done } else { Exit::No })
}
