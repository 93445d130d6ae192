//! `milepost doctor`

use std::fmt::Write;

use clap::Args;

use crate::cli::advice::CommandContext;
use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::cli::fix_command;
use crate::cli::page::Paint;
use crate::doctor::{Finding, Fix, Level};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::database::import::import_runs;
use crate::operation::project::doctor::doctor_of;
use crate::operation::project::location::location;
use crate::text::visible;

const HELP: &str = "\
It tries the file system in a folder of its own and with one file in the state folder, removes both, and
changes nothing else. With --fix it takes access to the state folder from other users, gives
its owner back what saves need in Milepost's folders, makes its .gitignore where that is missing, removes
what writers that died have left, and puts back files that a restore that died has moved aside. Where a
command fixes another finding, it is printed, to be run in the root. A finding that a running writer can
cause counts only if it stays for 2 seconds.

Where hooks name a database, or --store does, runs that were kept in files while it could not be used
are named, and --fix brings them into it. A run that is newer in the database stays unchanged. Where only
settings of the project name it, which a clone brings, --fix needs --store, and the command is printed.

The exit code is 0 when there is nothing to fix, and 1 otherwise.";

/// Check the state folder, and print how to fix what is wrong
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// Fix what can be fixed without a risk
    #[arg(long)]
    fix: bool,
    /// Leave out trying the file system, so that nothing at all is written
    #[arg(long, conflicts_with = "fix")]
    look_only: bool,
}

impl Arguments {
    /// The options for the host.
    pub(in crate::cli) fn options(&self) -> Object {
        Object::new()
            .with("examines", true)
            .with("fix", self.fix)
            .with("look_only", self.look_only)
    }
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let fix = match (arguments.fix, arguments.look_only) {
        (true, _) => Fix::Safe,
        (false, true) => Fix::Look,
        (false, false) => Fix::None,
    };
    if call.database.is_some() && call.user.database.is_none() {
        return Err(CliCall::needs_database());
    }
    let reply = doctor_of(call.io(), &call.settings, fix, &call.user).await;
    let mut findings = call.settle(reply).await?;
    if let Some(hook_database) = &call.user.database {
        let reply = import_runs(call.io(), &call.settings, hook_database, fix).await;
        findings.extend(call.settle(reply).await?);
    }
    let located = location(call.io(), &call.settings).await;
    let located = call.settle(located).await?;
    let answer = page(findings, &call.context_in_root(), call.paint);
    if located.of_state == located.root {
        return Ok(answer);
    }
    let note = format!(
        "State is kept with the main worktree: paths and commands about it are relative to {}",
        visible(&located.of_state)
    );
    let text = format!("{}\n{}", call.screen.fold(&note), answer.text);
    Ok(CliAnswer { text, ..answer })
}

/// Stands before the lines below the sentence of a finding.
const INDENT: &str = "         ";

fn page(findings: Vec<Finding>, context: &CommandContext, paint: Paint) -> CliAnswer {
    let mut text = String::new();
    for finding in &findings {
        text.push_str(&lines(finding, context, paint));
    }
    let wrong = findings.iter().filter(|finding| finding.is_wrong()).count();
    let (verdict, exit) = match wrong {
        0 => (paint.good("Nothing to fix"), Exit::Done),
        1 => (paint.bad("1 thing to fix"), Exit::No),
        more => (paint.bad(&format!("{more} things to fix")), Exit::No),
    };
    let _ = writeln!(text, "\n{verdict}");
    let items = findings.into_iter().map(|finding| item(finding, context));
    CliAnswer::data(text, items.collect::<Vec<_>>()).with_exit(exit)
}

/// A finding for programs, with the command that fixes it.
fn item(finding: Finding, context: &CommandContext) -> Json {
    let command = fix_command::line(&finding.fix_steps, context);
    let mut item = Json::from(finding);
    if let (Some(item), Some(command)) = (item.as_object_mut(), command) {
        item.set("mend", command);
    }
    item
}

fn lines(finding: &Finding, context: &CommandContext, paint: Paint) -> String {
    let word = match finding.level {
        _ if finding.is_fixed => "fixed",
        level => level.as_str(),
    };
    let word = format!("{word:7}");
    let word = match finding.level {
        Level::Ok => paint.good(&word),
        Level::Note => word,
        _ if finding.is_fixed => paint.good(&word),
        Level::Warning | Level::Error => paint.bad(&word),
    };
    let mut text = format!("{word}  ");
    // Sentences of errors name their path.
    let named = finding.path.as_ref();
    if let Some(path) = named.filter(|path| !finding.found.contains(path.as_str())) {
        let _ = write!(text, "{}: ", visible(path));
    }
    let _ = writeln!(text, "{}", visible(&finding.found));
    if finding.is_fixed {
        return text;
    }
    if let Some(why) = finding.why {
        let _ = writeln!(text, "{INDENT}{why}");
    }
    if let Some(command) = fix_command::line(&finding.fix_steps, context) {
        let _ = writeln!(text, "{INDENT}{}", paint.heading(&visible(&command)));
    }
    text
}
