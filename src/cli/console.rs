//! Speaks to the user: answers on standard output, warnings and errors on standard error.

use std::fmt::Write;

use crate::effect::{Failed, Io, Stream};
use crate::error::{Code, Error, ErrorKind, Warning};
use crate::json::{Json, Object};
use crate::operation::wire::{error_json, warning_json};
use crate::text;

use super::answer::{Answer, Weight, escape_json};

/// The user's end of the call.
#[derive(Debug)]
pub(super) struct Console {
    pub(super) io: Io,
    pub(super) json: bool,
    pub(super) quiet: bool,
    /// The root that the caller named.
    pub(super) root: Option<String>,
}

impl Console {
    /// Prints an answer.
    pub(super) async fn answer(&self, answer: Answer) -> Result<(), Failed> {
        let text = match (self.json, answer.weight) {
            (true, _) => answer.json,
            (false, Weight::Confirmation) if self.quiet => return Ok(()),
            (false, _) => answer.text,
        };
        if text.is_empty() {
            return Ok(());
        }
        self.io.print(Stream::Output, text).await
    }

    pub(super) async fn warn(&self, warning: &Warning) {
        if self.quiet {
            return;
        }
        if self.json {
            self.tell_program("warning", warning_json(warning)).await;
        } else {
            self.tell(&format!("warning: {}", warning.message)).await;
        }
    }

    pub(super) async fn fail(&self, error: &Error) {
        if self.json {
            self.tell_program("error", error_json(error)).await;
        } else {
            self.tell(&error_text(error, self.root.as_deref())).await;
        }
    }

    /// One message on standard error. If nobody can be told, the exit code still speaks.
    pub(super) async fn tell(&self, message: &str) {
        let lines: Vec<_> = message.trim_end().split('\n').map(text::visible).collect();
        let text = format!("milepost: {}\n", lines.join("\n"));
        let _ = self.io.print(Stream::Error, text).await;
    }

    async fn tell_program(&self, kind: &str, content: Json) {
        let line = Json::from(Object::from_iter([(kind, content)])).to_line();
        let text = format!("{}\n", escape_json(&line));
        let _ = self.io.print(Stream::Error, text).await;
    }
}

/// A failure in full: every problem, and what to do.
fn error_text(error: &Error, root: Option<&str>) -> String {
    let mut text = match error.kind() {
        ErrorKind::InvalidDocument(problems) if problems.len() > 1 => {
            let mut text = format!("Document is invalid, {} problems:", problems.len());
            for problem in problems {
                let _ = write!(text, "\n  {problem}");
            }
            text
        }
        _ => error.to_string(),
    };
    if let Some(advice) = advice(error) {
        let _ = write!(text, "\n  {advice}");
    }
    if let Some(advice) = error.advice() {
        let _ = write!(text, "\n  {}", super::advice::words(advice, root));
    }
    text
}

/// What to do, where the sentence of the error cannot know it.
fn advice(error: &Error) -> Option<&'static str> {
    match error.code() {
        Code::SummaryTooLong => Some("Shorten it; `milepost tokens -` counts."),
        Code::Corrupt => Some("It was left as it is. `milepost doctor` says what mends it."),
        Code::Conflict if is_of_another(error) => Some(
            "Nothing was written. If the file was copied or renamed by hand, `milepost doctor` says \
             where it belongs.",
        ),
        Code::Conflict => Some(
            "Nothing was written. Read it with `milepost show COMMAND --json`, apply your change \
             to that, and save it.",
        ),
        Code::Busy => Some("Nothing was written. Try again."),
        Code::UnsupportedVersion => Some("Use a newer milepost."),
        Code::Usage => Some("`milepost --help` shows the commands."),
        Code::InvalidName
        | Code::InvalidDocument
        | Code::NotFound
        | Code::UnsafePath
        | Code::TooLarge
        | Code::Io => None,
    }
}

/// Whether a document belongs to another checkpoint: no change to it can be applied again.
fn is_of_another(error: &Error) -> bool {
    let ErrorKind::Conflict { fields, .. } = error.kind() else {
        return false;
    };
    let is_own = |field: &String| matches!(field.as_str(), "/command" | "/feature");
    fields.iter().any(is_own)
}
