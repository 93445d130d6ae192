//! The words of the command line: one definition for parsing, help and shell completions.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::checkpoint::command::document::Command;
use crate::checkpoint::command::phases::Status;
use crate::handoff::Policy;

/// Keeps the state of a coding agent's work, so that the next process carries on.
#[derive(Debug, Parser)]
#[command(
    name = "milepost",
    bin_name = "milepost",
    version,
    disable_help_subcommand = true,
    arg_required_else_help = false,
    after_help = AFTER_HELP
)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) verb: Verb,
}

const AFTER_HELP: &str = "\
FILE may be - for standard input; it is read up to 16 MiB.

With --json the answer on standard output is JSON, and each warning or error is one line of JSON on
standard error: {\"warning\": {\"code\", \"message\"}} or {\"error\": {\"code\", \"message\", ...}}.

Exit codes: 0 done; 1 the answer is no (nothing found, invalid, gate closed); 64 wrong usage or
name; 65 wrong data; 74 input or output failed; 75 somebody else was faster, try again.";

const AFTER_SAVE: &str = "\
With the revision and seal that `milepost show --json` printed, changes that others made since are
merged, and a field that both changed is a conflict. Without them the document is replaced; the
replaced one stays in the history.";

const AFTER_PHASE: &str = "\
What is given replaces what the phase held, and everything else stays: --created and --modified
replace the whole list. A checkpoint that does not exist is created.";

const AFTER_SHOW: &str = "\
`milepost log` lists the revisions that are kept.";

const AFTER_UNDO: &str = "\
The content of the revision before the present one becomes the next revision, so that an undo can be
undone. With --seen, what somebody else saved since that revision is a conflict, and nothing is
written.";

const AFTER_RECOVER: &str = "\
The last good revision takes the place of a file that is corrupt or gone, as a new revision. A
corrupt file is first copied to the folder quarantine, and the answer says where. When the checkpoint
can be read, nothing is changed and the exit code is 1.";

const AFTER_TRIM: &str = "\
Without options, 50 replaced revisions are kept, at any age, as every few commits do by themselves.
The newest 10 are never removed.";

const AFTER_RESUME: &str = "\
The latest one is the unfinished checkpoint that was updated last. When there is nothing to resume,
the exit code is 1.";

const AFTER_DOCTOR: &str = "\
It tries the file system in a folder of its own and with one file in the state folder, removes both,
and changes nothing else. With --fix it takes access to the state folder from other users, makes its
.gitignore where that is missing, and removes what writers that died have left. Where a command mends
another finding, it is told, to be run in the root. What a writer at work can cause counts only if it
stands unchanged for 2 seconds.

The exit code is 0 when nothing has to be mended, and 1 otherwise.";

const AFTER_SCHEMA: &str = "\
With --json it is JSON Schema, draft 2020-12.";

/// What every command takes.
#[derive(Args, Debug)]
pub(super) struct Global {
    /// Work in this folder instead of the repository around the working directory
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub(super) root: Option<String>,
    /// Print JSON
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(super) json: bool,
    /// Print no warnings and no confirmations, only answers and errors
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(super) quiet: bool,
}

const GLOBAL: &str = "Global options";

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Create the folders and, where absent, the configuration and protocol files
    Init,
    /// Save a whole checkpoint document
    #[command(after_help = AFTER_SAVE)]
    Save {
        #[command(flatten)]
        which: Which,
        /// The document, as JSON
        #[arg(value_name = "FILE|-")]
        file: String,
    },
    /// Record the status of one phase
    #[command(after_help = AFTER_PHASE)]
    Phase(PhaseArguments),
    /// Print where to carry on: the phase to do, and the summary of the last completed one
    #[command(after_help = AFTER_RESUME)]
    Resume {
        /// Without it, the latest one
        #[arg(value_parser = commands())]
        command: Option<String>,
        /// The checkpoint of this feature
        #[arg(long, value_name = "NAME", requires = "command")]
        feature: Option<String>,
    },
    /// Print one checkpoint
    #[command(after_help = AFTER_SHOW)]
    Show {
        #[command(flatten)]
        which: Which,
        /// As it was at this revision
        #[arg(long, value_name = "N")]
        revision: Option<u64>,
    },
    /// Print all checkpoints, a line each
    Status,
    /// Mark a checkpoint as complete
    Complete {
        #[command(flatten)]
        which: Which,
    },
    /// Tell whether shipping is allowed: exit code 0 open, 1 closed, with the blockers
    Gate {
        #[command(flatten)]
        which: Which,
    },
    /// Print the revisions of a checkpoint, newest first, a line each: number, time, what changed
    Log {
        #[command(flatten)]
        which: Which,
    },
    /// Print what changed between two revisions; with --json, as a JSON Patch (RFC 6902)
    Diff {
        #[command(flatten)]
        which: Which,
        /// The earlier revision; without it, the one before B
        #[arg(value_name = "A")]
        from: Option<u64>,
        /// The later revision; without it, the present one
        #[arg(value_name = "B")]
        to: Option<u64>,
    },
    /// Go back to an earlier revision
    #[command(after_help = AFTER_UNDO)]
    Undo {
        #[command(flatten)]
        which: Which,
        /// Go back to this revision
        #[arg(long, value_name = "N")]
        to: Option<u64>,
        /// Only if this is the present revision
        #[arg(long, value_name = "N")]
        seen: Option<u64>,
    },
    /// Bring a corrupt or lost checkpoint back from its history
    #[command(after_help = AFTER_RECOVER)]
    Recover {
        #[command(flatten)]
        which: Which,
        /// Take this revision instead of the last good one
        #[arg(long, value_name = "N")]
        to: Option<u64>,
    },
    /// Remove old revisions of a checkpoint
    #[command(after_help = AFTER_TRIM)]
    Trim {
        #[command(flatten)]
        which: Which,
        /// Keep so many replaced revisions
        #[arg(long, value_name = "N")]
        keep: Option<u64>,
        /// Remove those that are older as well
        #[arg(long, value_name = "D")]
        days: Option<u64>,
    },
    /// Check checkpoint documents and print every problem
    Validate {
        /// The documents
        #[arg(value_name = "FILE|-", required = true)]
        files: Vec<String>,
    },
    /// Count the tokens of a text
    Tokens {
        /// The text
        #[arg(value_name = "FILE|-")]
        file: String,
        /// Exit with code 1 when there are more than this
        #[arg(long, value_name = "N")]
        limit: Option<u64>,
    },
    /// Check what passes between an orchestrator and its sub-agents
    #[command(subcommand, arg_required_else_help = false)]
    Handoff(Handoff),
    /// Print the definition of a checkpoint document
    // The third form is the global `--json`.
    #[command(
        override_usage = "milepost schema <--json|--ts|--markdown>",
        after_help = AFTER_SCHEMA
    )]
    Schema {
        /// As TypeScript declarations
        #[arg(long)]
        ts: bool,
        /// As the page checkpoint-schema.md
        #[arg(long)]
        markdown: bool,
    },
    /// Examine the state folder and its file system, and say what mends what is wrong
    #[command(after_help = AFTER_DOCTOR)]
    Doctor {
        /// Mend what can be mended without a risk
        #[arg(long)]
        fix: bool,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Handoff {
    /// Check a request or response and print the document to pass on
    Check {
        /// The document, as JSON
        #[arg(value_name = "FILE|-")]
        file: String,
        /// It is a sub-agent's response instead of a request
        #[arg(long)]
        response: bool,
        /// What becomes of too long a summary
        #[arg(
            long,
            value_name = "POLICY",
            requires = "response",
            default_value = "reject",
            value_parser = policies()
        )]
        policy: Policy,
    },
}

/// Which checkpoint.
#[derive(Args, Debug)]
pub(super) struct Which {
    /// The command
    #[arg(value_parser = commands())]
    pub(super) command: String,
    /// The checkpoint of this feature
    #[arg(long, value_name = "NAME")]
    pub(super) feature: Option<String>,
}

#[derive(Args, Debug)]
pub(super) struct PhaseArguments {
    #[command(flatten)]
    pub(super) which: Which,
    /// The phase's name
    pub(super) phase: String,
    /// Its status from now on
    #[arg(value_parser = statuses())]
    pub(super) status: String,
    /// What the next process must know, within 500 tokens; - reads standard input
    // An agent's summary often begins with a list's dash.
    #[arg(long, value_name = "TEXT|-", allow_hyphen_values = true)]
    pub(super) summary: Option<String>,
    /// A file that the phase created; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(super) created: Vec<String>,
    /// A file that the phase modified; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(super) modified: Vec<String>,
    /// Why the phase failed
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) error: Option<String>,
    /// The task that is being worked on, such as T002
    #[arg(long, value_name = "ID")]
    pub(super) task: Option<String>,
}

fn commands() -> PossibleValuesParser {
    PossibleValuesParser::new(Command::ALL.map(Command::as_str))
}

fn statuses() -> PossibleValuesParser {
    PossibleValuesParser::new(Status::ALL.map(Status::as_str))
}

fn policies() -> impl TypedValueParser<Value = Policy> {
    PossibleValuesParser::new(Policy::ALL.map(Policy::as_str))
        .try_map(|name| Policy::parse(&name).ok_or("no policy of this name"))
}
