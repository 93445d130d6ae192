//! Speaks to the user: answers on standard output, warnings and errors on standard error.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write;

use crate::effect::{Failed, Fault, Io, Stream, Until};
use crate::error::{Error, ErrorKind, Warning};
use crate::json::{Json, Object};
use crate::operation::wire::{error_json, warning_json};
use crate::secret::redact;
use crate::text::{self, escaped_json};

use super::advice::{self, CommandContext};
use super::answer::{CliAnswer, Weight};
use super::page::Paint;
use super::program::ProgramName;
use super::word_limit::in_words;

/// No answer to a question is longer.
const MAX_ANSWER_BYTES: u32 = 1024;

/// The user's end of the call.
#[derive(Debug)]
pub(super) struct Console {
    pub(super) io: Io,
    pub(super) json: bool,
    pub(super) quiet: bool,
    /// The styles that answers may have.
    pub(super) paint: Paint,
    /// The parts of the place that the caller named, and the words that called the program.
    pub(super) context: CommandContext,
    /// The warnings so far. A verb that first looks for the latest run reads it twice.
    pub(super) warned: RefCell<Vec<Warning>>,
}

impl Console {
    /// The console of words that are not a call.
    pub(super) fn before_a_call(io: Io, json: bool, program: ProgramName) -> Self {
        Console {
            io,
            json,
            quiet: false,
            paint: Paint(false),
            context: CommandContext::of(program),
            warned: RefCell::default(),
        }
    }

    /// Prints an answer, in which nothing is hidden or acts, however it was made. A reader that is gone has
    /// read enough.
    pub(super) async fn answer(&self, answer: CliAnswer) -> Result<(), Failed> {
        let text = match (self.json, answer.weight) {
            (true, _) => escaped_json(&answer.json),
            (false, Weight::Confirmation) if self.quiet => return Ok(()),
            (false, _) => self.paint.harmless(&answer.text),
        };
        if text.is_empty() {
            return Ok(());
        }
        match self.io.print(Stream::Output, text).await {
            Err(failed) if failed.fault == Fault::Closed => Ok(()),
            printed => printed,
        }
    }

    pub(super) async fn warn(&self, warning: &Warning) {
        if self.quiet || self.warned.borrow().contains(warning) {
            return;
        }
        self.warned.borrow_mut().push(warning.clone());
        let program = &self.context.program;
        let warning = Warning {
            message: program.named(&warning.message).into_owned(),
            ..warning.clone()
        };
        if self.json {
            self.say_to_program("warning", warning_json(&warning)).await;
        } else {
            let mut text = format!("warning: {}", in_words(&warning.message));
            if let Some(advice) = &warning.advice {
                let _ = write!(text, "\n  {}", advice::words(advice, &self.context));
            }
            self.say(&text).await;
        }
    }

    pub(super) async fn fail(&self, error: &Error) {
        if self.json {
            let program = &self.context.program;
            let error = error.clone().with_texts(&mut without_secrets);
            let error = error.with_texts(&mut |text| named_otherwise(program, text));
            self.say_to_program("error", error_json(&error)).await;
        } else {
            let text = error_text(error, &self.context);
            self.say(&self.context.program.named(&text)).await;
        }
    }

    /// One message on standard error, where logs are made of it: without secrets. Where it cannot be printed, the exit
    /// code still speaks.
    pub(super) async fn say(&self, message: &str) {
        let message = redact(message).text;
        let lines: Vec<_> = message.trim_end().split('\n').map(text::visible).collect();
        let text = format!("milepost: {}\n", lines.join("\n"));
        let _ = self.io.print(Stream::Error, text).await;
    }

    /// Shows a text, and asks for a yes. Both are on standard error, so that standard output has the answer
    /// alone. Anything else is a no: the end of the input, or an answer that cannot be read.
    pub(super) async fn confirms(&self, text: &str, question: &str) -> bool {
        let word = self.ask(text, &format!("{question} [y/N] ")).await;
        let word = word.unwrap_or_default();
        ["y", "yes"]
            .iter()
            .any(|yes| word.eq_ignore_ascii_case(yes))
    }

    /// Shows a text, and asks for a line, both on standard error; `None` where the input ends, or cannot be read.
    pub(super) async fn ask(&self, text: &str, question: &str) -> Option<String> {
        let prompt = format!("{}{question}", self.paint.harmless(text));
        self.io.print(Stream::Error, prompt).await.ok()?;
        let answer = self.io.input(MAX_ANSWER_BYTES, Until::Line).await;
        let answer = answer.unwrap_or_default();
        let Some(line) = answer.strip_suffix(b"\n") else {
            // The cursor stands behind the question.
            let _ = self.io.print(Stream::Error, "\n".to_owned()).await;
            return None;
        };
        Some(String::from_utf8_lossy(line.trim_ascii()).into_owned())
    }

    async fn say_to_program(&self, kind: &str, content: Json) {
        let line = Json::from(Object::from_iter([(kind, content)])).to_line();
        let text = format!("{}\n", escaped_json(&line));
        let _ = self.io.print(Stream::Error, text).await;
    }
}

/// A message without its secrets; `None` where it has none.
fn without_secrets(message: &str) -> Option<String> {
    let redacted = redact(message);
    (!redacted.findings.is_empty()).then(|| redacted.text.into_owned())
}

/// A message whose commands begin as the program was called; `None` where it stays as it is.
fn named_otherwise(program: &ProgramName, message: &str) -> Option<String> {
    match program.named(message) {
        Cow::Borrowed(_) => None,
        Cow::Owned(named) => Some(named),
    }
}

/// A failure in full: every problem, and what to do.
fn error_text(error: &Error, context: &CommandContext) -> String {
    let text = match error.kind() {
        ErrorKind::InvalidDocument(problems) if problems.len() > 1 => {
            let mut text = format!("Document is invalid, {} problems:", problems.len());
            for problem in problems {
                let _ = write!(text, "\n  {problem}");
            }
            text
        }
        _ => error.to_string(),
    };
    let mut text = in_words(&text).into_owned();
    let lines = [
        advice::of_code(error, context),
        error.advice().map(|advice| advice::words(advice, context)),
    ];
    for line in lines.into_iter().flatten() {
        let _ = write!(text, "\n  {line}");
    }
    text
}
