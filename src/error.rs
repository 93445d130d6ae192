//! Why an operation failed, and what it noticed on the way.
//!
//! Every failure has a stable [`Code`]; its `Display` says what was wrong, what was expected and
//! what to do. Warnings never change an answer or an exit code.

use std::fmt;

use crate::schema::Problem;

/// The stable name of a kind of failure: the same in Rust, JavaScript and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A command, feature or phase name that no checkpoint can have.
    InvalidName,
    /// A document that breaks its schema, or that contradicts the arguments.
    InvalidDocument,
    /// A context summary above its token or byte limit.
    SummaryTooLong,
    /// There is no such checkpoint, revision or phase.
    NotFound,
    /// The file exists but is no readable document. It was left as it is.
    Corrupt,
    /// Somebody else changed the same thing. Nothing was written.
    Conflict,
    /// Others held the checkpoint until the deadline. Nothing was written.
    Busy,
    /// A symbolic link or special file stands where a plain file or folder must be.
    UnsafePath,
    /// The input is larger than the limit.
    TooLarge,
    /// The document was written by a later version of the schema.
    UnsupportedVersion,
    /// The host could not read or write.
    Io,
    /// The call itself is wrong.
    Usage,
}

impl Code {
    /// Every code, in the order of the documentation.
    pub const ALL: [Code; 12] = [
        Code::InvalidName,
        Code::InvalidDocument,
        Code::SummaryTooLong,
        Code::NotFound,
        Code::Corrupt,
        Code::Conflict,
        Code::Busy,
        Code::UnsafePath,
        Code::TooLarge,
        Code::UnsupportedVersion,
        Code::Io,
        Code::Usage,
    ];

    /// The code as users see it, such as `invalid_name`.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::InvalidName => "invalid_name",
            Code::InvalidDocument => "invalid_document",
            Code::SummaryTooLong => "summary_too_long",
            Code::NotFound => "not_found",
            Code::Corrupt => "corrupt",
            Code::Conflict => "conflict",
            Code::Busy => "busy",
            Code::UnsafePath => "unsafe_path",
            Code::TooLarge => "too_large",
            Code::UnsupportedVersion => "unsupported_version",
            Code::Io => "io",
            Code::Usage => "usage",
        }
    }
}

/// Names a command checkpoint as the caller named it: nothing is checked. It stands here because
/// failures and advice name one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The command.
    pub command: String,
    /// The feature, if the checkpoint belongs to one.
    pub feature: Option<String>,
}

/// A failure. It is one word: results carry it through every step of an operation, and moving a
/// larger one would cost 12 KB of wasm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<ErrorKind>);

/// What failed. Unless the variant says otherwise, nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name that no checkpoint can have; the sentence says which and why.
    InvalidName(String),
    /// The document has these problems, all of them.
    InvalidDocument(Vec<Problem>),
    /// A summary above its limit. `at` is a JSON pointer, or empty for a bare text.
    SummaryTooLong {
        /// JSON pointer to the summary in the document; empty when there is none.
        at: String,
        /// The sentence, such as `Context summary exceeds 500 token limit (actual: 501 tokens)`.
        message: String,
    },
    /// The sentence says what is missing.
    NotFound(String),
    /// The file is no readable document.
    Corrupt {
        /// Relative to the root, with `/`.
        path: String,
        /// What is wrong with the bytes, and where.
        reason: String,
        /// The newest revision in history that is whole, if there is one.
        last_good: Option<u64>,
    },
    /// Both sides changed the same fields, or the base is unknown.
    Conflict {
        /// The sentence.
        message: String,
        /// JSON pointers to the fields that both sides changed; empty when the base is unknown.
        fields: Vec<String>,
    },
    /// Others held the checkpoint until the deadline.
    Busy(String),
    /// The sentence names the path and what stands there.
    UnsafePath(String),
    /// The sentence names the input, its size and the limit.
    TooLarge(String),
    /// The version that was found.
    UnsupportedVersion(String),
    /// The host's failure. After the commit the outcome can be unknown; the sentence says so.
    Io(String),
    /// The sentence says what was expected.
    Usage(String),
}

impl From<ErrorKind> for Error {
    // Failures are rare and made in many places: each is one call.
    #[cold]
    #[inline(never)]
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
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

    /// [`ErrorKind::NotFound`]
    #[cold]
    #[inline(never)]
    pub fn not_found(message: String) -> Self {
        ErrorKind::NotFound(message).into()
    }

    /// [`ErrorKind::Busy`]
    #[cold]
    #[inline(never)]
    pub fn busy(message: String) -> Self {
        ErrorKind::Busy(message).into()
    }

    /// [`ErrorKind::UnsafePath`]
    #[cold]
    #[inline(never)]
    pub fn unsafe_path(message: String) -> Self {
        ErrorKind::UnsafePath(message).into()
    }

    /// [`ErrorKind::TooLarge`]
    #[cold]
    #[inline(never)]
    pub fn too_large(message: String) -> Self {
        ErrorKind::TooLarge(message).into()
    }

    /// [`ErrorKind::UnsupportedVersion`]
    #[cold]
    #[inline(never)]
    pub fn unsupported_version(message: String) -> Self {
        ErrorKind::UnsupportedVersion(message).into()
    }

    /// [`ErrorKind::Io`]
    #[cold]
    #[inline(never)]
    pub fn io(message: String) -> Self {
        ErrorKind::Io(message).into()
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
            path,
            reason,
            last_good,
        }
        .into()
    }

    /// [`ErrorKind::Conflict`]
    #[cold]
    #[inline(never)]
    pub fn conflict(message: String, fields: Vec<String>) -> Self {
        ErrorKind::Conflict { message, fields }.into()
    }

    /// What failed, to take apart.
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// What failed.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// The stable code of this failure.
    pub fn code(&self) -> Code {
        match &*self.0 {
            ErrorKind::InvalidName(_) => Code::InvalidName,
            ErrorKind::InvalidDocument(_) => Code::InvalidDocument,
            ErrorKind::SummaryTooLong { .. } => Code::SummaryTooLong,
            ErrorKind::NotFound(_) => Code::NotFound,
            ErrorKind::Corrupt { .. } => Code::Corrupt,
            ErrorKind::Conflict { .. } => Code::Conflict,
            ErrorKind::Busy(_) => Code::Busy,
            ErrorKind::UnsafePath(_) => Code::UnsafePath,
            ErrorKind::TooLarge(_) => Code::TooLarge,
            ErrorKind::UnsupportedVersion(_) => Code::UnsupportedVersion,
            ErrorKind::Io(_) => Code::Io,
            ErrorKind::Usage(_) => Code::Usage,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
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
                path,
                reason,
                last_good,
            } => {
                write!(
                    f,
                    "Checkpoint file exists but is corrupt: {path} ({reason})"
                )?;
                match last_good {
                    Some(revision) => write!(
                        f,
                        "; the last good revision is {revision}: `milepost recover` brings it back"
                    ),
                    None => Ok(()),
                }
            }
            ErrorKind::Conflict { message, fields } if !fields.is_empty() => {
                let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
                write!(f, "{message}: {}", fields.join(", "))
            }
            ErrorKind::InvalidName(message)
            | ErrorKind::SummaryTooLong { message, .. }
            | ErrorKind::NotFound(message)
            | ErrorKind::Conflict { message, .. }
            | ErrorKind::Busy(message)
            | ErrorKind::UnsafePath(message)
            | ErrorKind::TooLarge(message)
            | ErrorKind::UnsupportedVersion(message)
            | ErrorKind::Io(message)
            | ErrorKind::Usage(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

/// The stable name of a kind of warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningCode {
    /// Saved at another HEAD than the current one.
    Stale,
    /// The file is tracked by git and came with a clone.
    UntrustedOrigin,
    /// The file was changed without this tool; the change was adopted.
    EditedByHand,
    /// A key stands twice in one object; the last one counts.
    DuplicateKey,
    /// A lone surrogate was replaced by U+FFFD.
    TextReplaced,
    /// The repository is there, but its HEAD cannot be read.
    HeadUnreadable,
    /// A field carries the name of an earlier schema.
    LegacyName,
    /// The document breaks its schema; it was returned as it is.
    InvalidDocument,
    /// A summary is above its limit; it was cut or passed on, as the caller chose.
    SummaryTooLong,
}

impl WarningCode {
    /// The code as users see it, such as `stale`.
    pub fn as_str(self) -> &'static str {
        match self {
            WarningCode::Stale => "stale",
            WarningCode::UntrustedOrigin => "untrusted_origin",
            WarningCode::EditedByHand => "edited_by_hand",
            WarningCode::DuplicateKey => "duplicate_key",
            WarningCode::TextReplaced => "text_replaced",
            WarningCode::HeadUnreadable => "head_unreadable",
            WarningCode::LegacyName => "legacy_name",
            WarningCode::InvalidDocument => "invalid_document",
            WarningCode::SummaryTooLong => "summary_too_long",
        }
    }
}

/// Something that the user should know and that changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The stable code.
    pub code: WarningCode,
    /// One sentence.
    pub message: String,
}

impl Warning {
    /// A warning with its sentence.
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Warning {
            code,
            message: message.into(),
        }
    }
}
