//! `milepost snapshot create`

use std::fmt::Write;

use clap::Args;

use crate::checkpoint::session::reason::SnapshotReason;
use crate::checkpoint::session::yaml;
use crate::cli::answer::CliAnswer;
use crate::cli::any_word::AnyWord;
use crate::cli::call::CliCall;
use crate::cli::input;
use crate::cli::target_arg::COMMAND_WORD;
use crate::error::{Error, Target};
use crate::json::{self, Json, Object, Pointer};
use crate::operation::session::create::{CreatedSnapshot, create_session};
use crate::operation::session::request::{ChangedFiles, Create};
use crate::schema::{Problem, ProblemCode};
use crate::text::visible;

const HELP: &str = "\
REASON is phase_complete, handoff, error, mode_switch or user_requested.

The task, how far it is, its files and what the next session must know come from the run that was updated
last, or from that of COMMAND. FILE has fields of the snapshot, as YAML or JSON, which take their place:
task, progress, decisions, files, gotchas, evidence, git_diff, context_summary, tokens_used, resume.
Secrets are taken out of every text before it is written.

Files of secrets by their names, files with what looks like a secret, files of more than 256 MiB and what
is beyond 4 GiB in all are left out, and named. In .claude/config/integrations.json, `sessions` says
otherwise: max_file_bytes, max_snapshot_bytes, max_diff_bytes for git_diff (65536), and allow, a list of
paths from the root on; --allow takes them from the working directory on.

Afterwards the newest ten are kept; `milepost snapshot pin` keeps one for good. `milepost status` lists the
runs, `milepost snapshot list` the snapshots.";

/// The usage behind the verb, with a required option that the parser takes for optional: the refusal without it
/// lists the reasons.
pub(in crate::cli) const USAGE: &str = "[OPTIONS] --reason <REASON> [COMMAND]";

/// Make a snapshot: one moment of the work, to carry on from
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// The occasion
    #[arg(long, value_name = "REASON", value_parser = REASON_WORD, hide_possible_values = true)]
    reason: Option<String>,
    /// A text about it, or - for standard input
    #[arg(short, long, value_name = "TEXT|-")]
    message: Option<String>,
    /// Fields of the snapshot
    #[arg(long, value_name = "FILE|-")]
    from: Option<String>,
    /// Leave the files of the work tree alone
    #[arg(long)]
    no_files: bool,
    /// Keep this file though it looks like one of secrets, or is large; may be given again
    #[arg(long, value_name = "PATH", conflicts_with = "no_files")]
    allow: Vec<String>,
    /// The command whose run it is made of; without it, the run that was updated last
    #[arg(value_parser = COMMAND_WORD, hide_possible_values = true)]
    command: Option<String>,
    /// The feature of the run
    #[arg(short, long, value_name = "NAME", requires = "command")]
    feature: Option<String>,
}

const REASON_WORD: AnyWord = AnyWord(|| SnapshotReason::ALL.map(SnapshotReason::as_str).to_vec());

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let Arguments {
        reason,
        message,
        from,
        no_files,
        allow,
        command,
        feature,
    } = arguments;
    let reason = reason.ok_or_else(|| {
        let message = format!("Expected --reason with one of {}", SnapshotReason::list());
        Error::usage(message)
    })?;
    let reason: SnapshotReason = reason.parse()?;
    let is_named = command.is_some();
    let given = match &from {
        Some(file) => fields_in(call, file).await?,
        None => Object::new(),
    };
    let message = match message {
        Some(message) => Some(call.option(message).await?),
        None => None,
    };
    let create = Create {
        reason,
        message: message.as_deref(),
        given,
        target: command.map(|command| Target { command, feature }),
        files: match no_files {
            true => ChangedFiles::None,
            false => ChangedFiles::Kept(allow),
        },
        undo_of: None,
        made_by: None,
        turn: None,
    };
    let reply = create_session(call.io(), &call.settings, create).await;
    let created = call.settle(reply).await?;
    let run = match is_named {
        true => String::new(),
        false => run_taken(&created, reason, call),
    };
    Ok(page(created, &run))
}

/// The fields in a file: JSON where it is that, else YAML.
async fn fields_in(call: &CliCall, file: &str) -> Result<Object, Error> {
    let text = call.text(file).await?;
    if let Ok(reading) = json::read(text.as_bytes())
        && let Json::Object(object) = reading.value
    {
        return Ok(object);
    }
    yaml::read(text.as_bytes()).map_err(|malformed| {
        Error::invalid_document(vec![Problem {
            at: Pointer::root(),
            code: ProblemCode::Type,
            message: format!("{} cannot be read: {malformed}", input::title(file)),
        }])
    })
}

/// The run that was taken where none was named, and how another one is.
fn run_taken(created: &CreatedSnapshot, reason: SnapshotReason, call: &CliCall) -> String {
    let Some(run) = &created.run else {
        return String::new();
    };
    let mut text = format!("Made of the run {}\n", run.title());
    if let Some(first) = created.others.first() {
        let others: Vec<String> = created.others.iter().map(Target::title).collect();
        let reason = format!("--reason {}", reason.as_str());
        let line = call.command("snapshot create", Some(first), &reason);
        let _ = writeln!(
            text,
            "Also unfinished: {}; `{}` takes the first of them",
            others.join(", "),
            visible(&line)
        );
    }
    text
}

fn page(created: CreatedSnapshot, run: &str) -> CliAnswer {
    let mut text = format!("{} made: {}\n{run}", created.id, visible(&created.path));
    match created.files {
        None => {}
        Some(1) => text.push_str("1 file that differs from HEAD is kept\n"),
        Some(count) => {
            let _ = writeln!(text, "{count} files that differ from HEAD are kept");
        }
    }
    for out in &created.left_out {
        let _ = writeln!(
            text,
            "left out: {} {}",
            visible(&out.path),
            visible(&out.reason)
        );
    }
    match created.redacted {
        0 => {}
        1 => text.push_str("Secrets were taken out of one text\n"),
        many => {
            let _ = writeln!(text, "Secrets were taken out of {many} texts");
        }
    }
    if let Some(left_out) = &created.summary_left_out {
        let _ = writeln!(text, "No room in the summary for {left_out}");
    }
    match created.removed.as_slice() {
        [] => {}
        [only] => {
            let _ = writeln!(text, "Removed {only}, which the settings do not keep");
        }
        many => {
            let _ = writeln!(
                text,
                "Removed {} older ones, which the settings do not keep",
                many.len()
            );
        }
    }
    CliAnswer::confirmation(text, created)
}
