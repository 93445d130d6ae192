//! What users ask for, each as one `async fn` over effects: the only rooms that know both the
//! rules and the store.

pub mod command;
pub mod project;
pub mod request;
pub mod text;
mod value;

use crate::checkpoint::command::document::Command;
use crate::checkpoint::command::name;
use crate::error::{Advice, Error, ErrorKind, Warning, WarningCode};
use crate::json::{self, Json, Object};
use crate::store::Stem;
use crate::text::quoted;

pub use crate::error::Target;
pub use crate::root::Settings;

impl Target {
    /// The command, and what the checkpoint is stored under.
    fn stem(&self) -> Result<(Command, Stem), Error> {
        let command = Command::parse(&self.command).ok_or_else(|| {
            let known = Command::ALL.map(Command::as_str).join(", ");
            Error::invalid_name(format!(
                "Invalid command {}: expected one of {known}",
                quoted(&self.command)
            ))
        })?;
        let stem = name::stem(command.as_str(), self.feature.as_deref())?;
        Ok((command, Stem::new(stem)?))
    }

    /// A failure of an operation on this checkpoint, with what would help.
    fn explain(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Corrupt {
                last_good: Some(_), ..
            } => error.with_advice(Advice::Recover(self.clone())),
            ErrorKind::NotKept(_) => error.with_advice(Advice::Log(self.clone())),
            _ => error,
        }
    }

    fn missing(&self) -> Error {
        let feature = self
            .feature
            .as_ref()
            .map(|feature| format!(" for {feature}"));
        let feature = feature.unwrap_or_default();
        Error::not_found(format!(
            "There is no checkpoint of {}{feature}",
            self.command
        ))
    }
}

/// How an operation ended, and what it noticed.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply<T> {
    /// The value, or why there is none.
    pub result: Result<T, Error>,
    /// In the order noticed.
    pub warnings: Vec<Warning>,
}

/// Collects warnings on the way to a [`Reply`].
#[derive(Debug, Default)]
pub(crate) struct Noticed {
    warnings: Vec<Warning>,
}

impl Noticed {
    pub(crate) fn warn(&mut self, code: WarningCode, message: impl Into<String>) {
        let warning = Warning::new(code, message);
        // A try that is repeated notices the same again.
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Warns of what reading a document had to settle.
    pub(crate) fn reading(&mut self, what: &str, duplicate_key: Option<&str>, replaced: bool) {
        if let Some(key) = duplicate_key {
            let key = quoted(key);
            self.warn(
                WarningCode::DuplicateKey,
                format!("{what} has the key {key} twice in one object; the last one counts"),
            );
        }
        if replaced {
            self.warn(
                WarningCode::TextReplaced,
                format!("{what} holds half a character (a lone surrogate); U+FFFD replaces it"),
            );
        }
    }

    /// Reads the JSON that the argument `key` holds.
    pub(crate) fn json(&mut self, key: &str, text: &str) -> Result<Json, Error> {
        let reading = json::read(text.as_bytes())
            .map_err(|error| Error::usage(format!("Expected `{key}` to hold JSON: {error}")))?;
        self.reading(
            &format!("The {key}"),
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        Ok(reading.value)
    }

    /// Reads the JSON object that the argument `key` holds.
    pub(crate) fn object(&mut self, key: &str, text: &str) -> Result<Object, Error> {
        match self.json(key, text)? {
            Json::Object(object) => Ok(object),
            other => Err(Error::usage(format!(
                "Expected `{key}` to hold an object, got {}",
                other.kind()
            ))),
        }
    }

    /// The reply of an operation on a checkpoint.
    pub(crate) fn reply_about<T>(self, target: &Target, result: Result<T, Error>) -> Reply<T> {
        self.reply(result.map_err(|error| target.explain(error)))
    }

    pub(crate) fn reply<T>(self, result: Result<T, Error>) -> Reply<T> {
        Reply {
            result,
            warnings: self.warnings,
        }
    }
}
