//! The failures of operations, and the warnings on the way.
//!
//! Every failure has a stable [`Code`]; its `Display` says what was wrong, what was expected and
//! what to do. Warnings never change an answer or an exit code.

mod advice;
mod code;
mod warning;
pub(crate) mod whole;

use std::fmt;

use crate::extent::IS_WHOLE;
use crate::json::Pointer;
use crate::schema::Problem;
use crate::text::visible;

pub use advice::{Advice, Target};
pub use code::Code;
pub use warning::{Warning, WarningCode};

/// The answer to whether a failed operation wrote anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Written {
    /// Nothing: everything is unchanged.
    #[default]
    No,
    /// The write is there; the failure came after it, so that a loss of power may still take it.
    Yes,
    /// Unknown to the host. Read it again.
    Unknown,
}

impl Written {
    /// Every state, in the order of the documentation.
    pub const ALL: [Written; 3] = [Written::No, Written::Yes, Written::Unknown];

    /// The state as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Written::No => "no",
            Written::Yes => "yes",
            Written::Unknown => "unknown",
        }
    }
}

/// A failure: what failed, whether anything was written all the same, and what would help.
///
/// It is one word: results carry it through every step of an operation, and moving a larger one
/// would cost 12 KB of wasm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Failure>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    kind: ErrorKind,
    written: Written,
    advice: Option<Advice>,
}

/// The purpose of a file that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// It holds a checkpoint, or a revision of one.
    Checkpoint,
    /// It says which services the project works with.
    Integrations,
}

impl FilePurpose {
    fn noun(self) -> &'static str {
        match self {
            FilePurpose::Checkpoint => "Checkpoint file",
            FilePurpose::Integrations => "Integrations file",
        }
    }
}

/// The kinds of failures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name that no checkpoint can have; the sentence says which and why.
    InvalidName(String),
    /// The document has these problems, all of them.
    InvalidDocument(Vec<Problem>),
    /// A summary above its limit. `at` is a JSON pointer, or empty for a bare text.
    SummaryTooLong {
        /// JSON pointer to the summary in the document; empty for a summary outside of one.
        at: String,
        /// The sentence, such as `Context summary exceeds 500 token limit (actual: 501 tokens)`.
        message: String,
    },
    /// The sentence says what is missing.
    NotFound(String),
    /// History does not have the revision of this number.
    NotKept(u64),
    /// The file is no readable document.
    Corrupt {
        /// The purpose of the file.
        file: FilePurpose,
        /// Relative to the root, with `/`.
        path: String,
        /// The problem with the bytes, and its place.
        reason: String,
        /// The newest revision in history that is whole, if there is one.
        last_good: Option<u64>,
    },
    /// Two sides changed the same fields, or the base is unknown.
    Conflict {
        /// The sentence.
        message: String,
        /// JSON pointers to the fields that both sides changed; empty when the base is unknown.
        fields: Vec<String>,
    },
    /// Others held this document until the deadline.
    Busy {
        /// Relative to the root, with `/`.
        path: String,
    },
    /// Something else than a plain file or folder stands at this path.
    UnsafePath {
        /// Relative to the root, with `/`.
        path: String,
        /// The sentence, which says what stands there.
        message: String,
    },
    /// The input is larger than its limit.
    TooLarge {
        /// The path or the name of the input.
        input: String,
        /// The sentence, which says the limit.
        message: String,
    },
    /// The document has this version, which is higher than the one that can be written.
    UnsupportedVersion {
        /// The version that was found.
        found: u64,
        /// The highest version that can be written.
        expected: u64,
    },
    /// The host failed.
    Io {
        /// The effect that failed, as [`crate::effect::Effect::name`] has it.
        effect: &'static str,
        /// The object of the effect, relative to the root; empty where it is not a path.
        path: String,
        /// The sentence.
        message: String,
    },
    /// The sentence says what was expected.
    Usage(String),
}

impl From<ErrorKind> for Error {
    // Failures are rare and made in many places: each is one call.
    #[cold]
    #[inline(never)]
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(Failure {
            kind,
            written: Written::No,
            advice: None,
        }))
    }
}

impl Error {
    /// [`ErrorKind::InvalidName`]
    #[cold]
    #[inline(never)]
    pub fn invalid_name(message: String) -> Self {
        ErrorKind::InvalidName(message).into()
    }

    /// [`ErrorKind::InvalidDocument`]
    #[cold]
    #[inline(never)]
    pub fn invalid_document(problems: Vec<Problem>) -> Self {
        ErrorKind::InvalidDocument(problems).into()
    }

    /// [`ErrorKind::NotFound`]: there is no such run.
    #[cold]
    #[inline(never)]
    pub fn no_checkpoint(target: &Target) -> Self {
        Error::not_found(format!("There is no run of {}", target.title()))
    }

    /// [`ErrorKind::NotFound`]: a task has no checkpoint, or is unknown.
    #[cold]
    #[inline(never)]
    pub fn no_checkpoint_of_task(task: &str) -> Self {
        Error::not_found(format!("No checkpoint found for task: {}", visible(task)))
    }

    /// [`ErrorKind::NotFound`]: no task has a checkpoint of this id.
    #[cold]
    #[inline(never)]
    pub fn no_checkpoint_with_id(id: &str) -> Self {
        Error::not_found(format!("Checkpoint not found: {}", visible(id)))
    }

    /// [`ErrorKind::NotFound`]
    #[cold]
    #[inline(never)]
    pub fn not_found(message: String) -> Self {
        ErrorKind::NotFound(message).into()
    }

    /// [`ErrorKind::Busy`]
    #[cold]
    #[inline(never)]
    pub fn busy(path: String) -> Self {
        ErrorKind::Busy { path }.into()
    }

    /// [`ErrorKind::UnsafePath`]
    #[cold]
    #[inline(never)]
    pub fn unsafe_path(path: String, message: String) -> Self {
        ErrorKind::UnsafePath { path, message }.into()
    }

    /// [`ErrorKind::TooLarge`]
    #[cold]
    #[inline(never)]
    pub fn too_large(input: String, message: String) -> Self {
        ErrorKind::TooLarge { input, message }.into()
    }

    /// [`ErrorKind::UnsupportedVersion`]
    #[cold]
    #[inline(never)]
    pub fn unsupported_version(found: u64, expected: u64) -> Self {
        ErrorKind::UnsupportedVersion { found, expected }.into()
    }

    /// [`ErrorKind::Io`]
    #[cold]
    #[inline(never)]
    pub fn io(effect: &'static str, path: String, message: String) -> Self {
        ErrorKind::Io {
            effect,
            path,
            message,
        }
        .into()
    }

    /// [`ErrorKind::Usage`]
    #[cold]
    #[inline(never)]
    pub fn usage(message: String) -> Self {
        ErrorKind::Usage(message).into()
    }

    /// [`ErrorKind::SummaryTooLong`]
    #[cold]
    #[inline(never)]
    pub fn summary_too_long(at: String, message: String) -> Self {
        ErrorKind::SummaryTooLong { at, message }.into()
    }

    /// [`ErrorKind::Corrupt`]
    #[cold]
    #[inline(never)]
    pub fn corrupt(path: String, reason: String, last_good: Option<u64>) -> Self {
        ErrorKind::Corrupt {
            file: FilePurpose::Checkpoint,
            path,
            reason,
            last_good,
        }
        .into()
    }

    /// [`ErrorKind::Corrupt`], of a file that people write and no history has.
    #[cold]
    #[inline(never)]
    pub fn corrupt_integrations(path: String, reason: String) -> Self {
        ErrorKind::Corrupt {
            file: FilePurpose::Integrations,
            path,
            reason,
            last_good: None,
        }
        .into()
    }

    /// [`ErrorKind::Conflict`]
    #[cold]
    #[inline(never)]
    pub fn conflict(message: String, fields: Vec<String>) -> Self {
        ErrorKind::Conflict { message, fields }.into()
    }

    /// Returns the failure for an operation that has written something, or may have.
    #[must_use]
    pub fn with_written(mut self, written: Written) -> Self {
        self.0.written = written;
        self
    }

    /// Returns the failure with advice.
    #[must_use]
    pub fn with_advice(mut self, advice: Advice) -> Self {
        self.0.advice = Some(advice);
        self
    }

    /// Returns the failure with its texts changed by `change`, where it changes them: they quote
    /// names, paths and texts of others.
    #[must_use]
    pub fn with_texts(mut self, change: &mut dyn FnMut(&str) -> Option<String>) -> Self {
        let Failure { kind, advice, .. } = &mut *self.0;
        let mut set = |text: &mut String| {
            if let Some(next) = change(text) {
                *text = next;
            }
        };
        match kind {
            ErrorKind::InvalidName(text) | ErrorKind::NotFound(text) | ErrorKind::Usage(text) => {
                set(text);
            }
            ErrorKind::InvalidDocument(problems) => {
                for problem in problems {
                    set(&mut problem.message);
                    let mut at = problem.at.as_str().to_owned();
                    set(&mut at);
                    // Such a place holds a secret itself.
                    if at != problem.at.as_str() {
                        problem.at = Pointer::root();
                    }
                }
            }
            ErrorKind::SummaryTooLong { at, message }
            | ErrorKind::UnsafePath { path: at, message }
            | ErrorKind::TooLarge { input: at, message }
            | ErrorKind::Io {
                path: at, message, ..
            } => {
                set(at);
                set(message);
            }
            ErrorKind::Corrupt { path, reason, .. } => {
                set(path);
                set(reason);
            }
            ErrorKind::Conflict { message, fields } => {
                set(message);
                fields.iter_mut().for_each(set);
            }
            ErrorKind::Busy { path } => set(path),
            ErrorKind::NotKept(_) | ErrorKind::UnsupportedVersion { .. } => {}
        }
        *advice = advice.take().filter(|advice| !advice.has(change));
        self
    }

    /// Returns the kind of failure, to take apart.
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the kind of failure.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns whether anything was written.
    pub fn written(&self) -> Written {
        self.0.written
    }

    /// Returns the advice, where there is any.
    pub fn advice(&self) -> Option<&Advice> {
        self.0.advice.as_ref()
    }

    /// The stable code of this failure.
    pub fn code(&self) -> Code {
        match self.kind() {
            ErrorKind::InvalidName(_) => Code::InvalidName,
            ErrorKind::InvalidDocument(_) => Code::InvalidDocument,
            ErrorKind::SummaryTooLong { .. } => Code::SummaryTooLong,
            ErrorKind::NotFound(_) | ErrorKind::NotKept(_) => Code::NotFound,
            ErrorKind::Corrupt { .. } => Code::Corrupt,
            ErrorKind::Conflict { .. } => Code::Conflict,
            ErrorKind::Busy { .. } => Code::Busy,
            ErrorKind::UnsafePath { .. } => Code::UnsafePath,
            ErrorKind::TooLarge { .. } => Code::TooLarge,
            ErrorKind::UnsupportedVersion { .. } => Code::UnsupportedVersion,
            ErrorKind::Io { .. } => Code::Io,
            ErrorKind::Usage(_) => Code::Usage,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ErrorKind::InvalidDocument(_) | ErrorKind::UnsupportedVersion { .. } if !IS_WHOLE => {
                Ok(())
            }
            ErrorKind::InvalidDocument(problems) => match problems.as_slice() {
                [] => f.write_str("Document is invalid"),
                [only] => write!(f, "Document is invalid: {only}"),
                [first, rest @ ..] => {
                    write!(f, "Document is invalid: {first} (and {} more)", rest.len())
                }
            },
            ErrorKind::SummaryTooLong { at, message } if !at.is_empty() => {
                write!(f, "{message} at {at}")
            }
            ErrorKind::Corrupt {
                file,
                path,
                reason,
                last_good,
            } => {
                let noun = file.noun();
                write!(f, "{noun} exists but is corrupt: {path} ({reason})")?;
                match last_good {
                    Some(revision) => write!(f, "; the last good revision is {revision}"),
                    None => Ok(()),
                }
            }
            ErrorKind::Conflict { message, fields } if !fields.is_empty() => {
                let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
                write!(f, "{message}: {}", fields.join(", "))
            }
            ErrorKind::NotKept(revision) => write!(f, "Revision {revision} is not kept"),
            ErrorKind::Busy { path } => {
                write!(f, "{path} was held by other writers for 5 s; retry")
            }
            ErrorKind::UnsupportedVersion { found, expected } => write!(
                f,
                "The document has schema version {found}, and this release writes only version \
                 {expected}; upgrade milepost"
            ),
            ErrorKind::InvalidName(message)
            | ErrorKind::SummaryTooLong { message, .. }
            | ErrorKind::NotFound(message)
            | ErrorKind::Conflict { message, .. }
            | ErrorKind::UnsafePath { message, .. }
            | ErrorKind::TooLarge { message, .. }
            | ErrorKind::Io { message, .. }
            | ErrorKind::Usage(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}
