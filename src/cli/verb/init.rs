//! `milepost init`

use std::fmt::Write;

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::error::Error;
use crate::handoff::Missing;
use crate::json::Json;
use crate::operation::hooks::agents_present::agents_present;
use crate::operation::project::init::{InitEntry, InitOutcome, init};
use crate::text::visible;

const HELP: &str = "\
A file that exists stays as it is, and what it lacks is printed.

For an agent that works in the project without hooks, the command that installs them is printed.
With --json the answer has the files alone; `milepost --json` names that command while there is no
run.";

/// Create the folders, and the configuration and protocol files
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {}

pub(super) async fn run(call: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    let reply = init(call.io(), &call.settings).await;
    let made = call.settle(reply).await?;
    let mut answer = page(&made);
    // The files are made, regardless of what is known of agents.
    let agents = agents_present(call.io(), &call.settings, &call.user).await;
    for agent in agents.result.unwrap_or_default() {
        let name = agent.name();
        let command = call.command("hooks", None, &format!("install {name}"));
        let _ = writeln!(
            answer.text,
            "{name} works here; it keeps runs by itself after: {command}"
        );
    }
    Ok(answer)
}

fn page(made: &[InitEntry]) -> CliAnswer {
    let mut text = String::new();
    let mut lacking = String::new();
    let mut items = Vec::new();
    for InitEntry { path, outcome } in made {
        items.push(Json::from(InitEntry {
            path: path.clone(),
            outcome: outcome.clone(),
        }));
        // The folder of documents has the name that the caller gave it.
        let path = visible(path);
        if let InitOutcome::MissingSections(missing) = outcome {
            let names: Vec<&str> = missing.iter().map(|it| it.name).collect();
            let names = names.join(", ");
            let _ = writeln!(
                lacking,
                "\n{path} is yours and stays as it is. It lacks: {names}. Please add:"
            );
            for Missing { text, .. } in missing {
                let _ = write!(lacking, "\n{text}\n");
            }
        }
        let word = match outcome {
            InitOutcome::Created => "created",
            _ => "kept",
        };
        let _ = writeln!(text, "{word:7}  {path}");
    }
    if lacking.is_empty() {
        CliAnswer::confirmation(text, items)
    } else {
        CliAnswer::data(text + &lacking, items)
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::operation::project::init::{InitEntry, InitOutcome};

    #[test]
    fn a_folder_whose_name_holds_an_escape_is_named_without_acting_on_it() {
        let made = InitEntry {
            path: "a\u{1b}[31m".to_owned(),
            outcome: InitOutcome::Created,
        };
        assert_eq!(page(&[made]).text, "created  a\\u{1b}[31m\n");
    }
}
