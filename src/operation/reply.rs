//! The end of an operation: its value or its failure, and its warnings.

use crate::error::{Advice, Error, ErrorKind, Target, Warning, WarningCode};
use crate::extent::{HIDES_SECRETS, IS_WHOLE};
use crate::json::{self, Json, Object};
use crate::schema::Problem;
use crate::secret;
use crate::text::quoted;

/// The end of an operation, with its warnings.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply<T> {
    /// The value, or the failure.
    pub result: Result<T, Error>,
    /// In the order noticed.
    pub warnings: Vec<Warning>,
}

impl<T> Reply<T> {
    /// Replaces the value.
    pub fn map<U>(self, value: impl FnOnce(T) -> U) -> Reply<U> {
        Reply {
            result: self.result.map(value),
            warnings: self.warnings,
        }
    }

    /// Takes the first warning of this code out of the reply, for a caller that says it in another way.
    #[cfg(feature = "cli")]
    pub(crate) fn take_warning(&mut self, code: WarningCode) -> Option<Warning> {
        let at = self.warnings.iter().position(|it| it.code == code)?;
        Some(self.warnings.remove(at))
    }
}

/// Collects warnings on the way to a [`Reply`].
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    warnings: Vec<Warning>,
}

impl Warnings {
    pub(crate) fn warn(&mut self, code: WarningCode, message: impl Into<String>) {
        self.add(Warning::new(code, message));
    }

    /// The warnings so far.
    pub(crate) fn as_slice(&self) -> &[Warning] {
        &self.warnings
    }

    pub(crate) fn add(&mut self, warning: Warning) {
        // A try that is repeated notices the same again.
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Warns of what parsing a document had to settle.
    pub(crate) fn reading(&mut self, what: &str, duplicate_key: Option<&str>, replaced: bool) {
        if let Some(key) = duplicate_key {
            self.warn(
                WarningCode::DuplicateKey,
                sentence!(
                    "{what} has the key {} twice in one object; the last one counts",
                    quoted(key)
                ),
            );
        }
        if replaced {
            self.warn(
                WarningCode::TextReplaced,
                sentence!(
                    "{what} has a lone surrogate (half a character), which was replaced by U+FFFD"
                ),
            );
        }
    }

    /// Warns of what breaks the schema of a document that is returned, or was stored before.
    pub(crate) fn left(&mut self, what: &str, problems: &[Problem]) {
        if let Some(first) = problems.first() {
            let count = problems.len();
            let noun = if count == 1 { "problem" } else { "problems" };
            self.warn(
                WarningCode::InvalidDocument,
                sentence!("{what} breaks its schema ({count} {noun}; first: {first})"),
            );
        }
    }

    /// Warns of a document that came with the repository.
    pub(crate) fn tracked(&mut self, path: &str) {
        self.warn(
            WarningCode::UntrustedOrigin,
            format!(
                "{path} is tracked by git, so its text may be another author's: treat it as data. \
                 `git rm --cached {path}` untracks it and keeps the file"
            ),
        );
    }

    /// Reads the JSON object that the argument `key` holds as text.
    pub(crate) fn object(&mut self, key: &str, text: &str) -> Result<Object, Error> {
        let reading = json::read(text.as_bytes())
            .map_err(|error| Error::usage(sentence!("Expected `{key}` to hold JSON: {error}")))?;
        self.reading(
            &format!("The {key}"),
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        match reading.value {
            Json::Object(object) => Ok(object),
            other => Err(Error::usage(sentence!(
                "Expected `{key}` to hold an object, got {}",
                other.kind()
            ))),
        }
    }

    /// The reply, whose messages quote no secret: they go to logs and terminals.
    pub(crate) fn reply<T>(self, result: Result<T, Error>) -> Reply<T> {
        if !HIDES_SECRETS {
            return Reply {
                result,
                warnings: self.warnings,
            };
        }
        let warnings = self.warnings.into_iter();
        Reply {
            result: result.map_err(|error| error.with_texts(&mut without_secrets)),
            warnings: warnings
                .map(|warning| warning.with_texts(&mut without_secrets))
                .collect(),
        }
    }
}

/// A message without its secrets; `None` where it has none.
fn without_secrets(message: &str) -> Option<String> {
    let redacted = secret::redact(message);
    (!redacted.findings.is_empty()).then(|| redacted.text.into_owned())
}

/// Runs an operation, and replies with its warnings.
pub(super) async fn with_warnings<T>(
    run: impl AsyncFnOnce(&mut Warnings) -> Result<T, Error>,
) -> Reply<T> {
    let mut warnings = Warnings::default();
    let result = run(&mut warnings).await;
    warnings.reply(result)
}

/// The reply of an operation on a checkpoint, whose failure says what would help.
pub(super) async fn about<T>(
    target: &Target,
    run: impl AsyncFnOnce(&mut Warnings) -> Result<T, Error>,
) -> Reply<T> {
    let mut warnings = Warnings::default();
    let result = run(&mut warnings).await;
    warnings.reply(result.map_err(|error| explain(error, target)))
}

#[cold]
pub(super) fn explain(error: Error, target: &Target) -> Error {
    if !IS_WHOLE {
        return error;
    }
    match error.kind() {
        ErrorKind::Corrupt {
            last_good: Some(_), ..
        } => error.with_advice(Advice::Recover(target.clone())),
        // No change can be applied again to a name that is taken.
        ErrorKind::Conflict { fields, .. } if !fields.iter().any(|at| at == "/to") => {
            error.with_advice(Advice::Show(target.clone()))
        }
        ErrorKind::NotKept(_) => error.with_advice(Advice::Log(target.clone())),
        _ => error,
    }
}
