//! The warnings of an operation.

use super::{Advice, Code, Error, Target};

/// The stable name of a kind of warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningCode {
    /// Saved at another HEAD than the current one.
    Stale,
    /// The file is tracked by git and came with a clone, or a filter was not run that only the repository defines.
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
    /// A run was completed though phases of it are still to be done.
    OpenPhases,
    /// Secrets were taken out of what was stored, or left out of it; the sentence names the rules, and no value.
    Redacted,
    /// A summary is above its limit; it was cut or passed on, as the caller chose.
    SummaryTooLong,
    /// A step of a task is both completed and pending: it is done again.
    RepeatedStep,
    /// A loss of power took changes of a thread that did not wait for the disk.
    LostChanges,
    /// A first call of notifications leaves out milestones from before its settings were changed; or
    /// a rewind, or the undo of one, leaves a run as it is.
    HeldBack,
    /// A path that was named does not exist.
    MissingFile,
    /// A phase was given a path that is outside of the repository, and keeps it.
    OutsideRepository,
    /// A checkpoint is gone though its history is kept.
    Vanished,
    /// A checkpoint that was passed over is corrupt.
    Corrupt,
    /// One is too large to be read.
    TooLarge,
    /// A file is not a regular file, or is behind a link.
    UnsafePath,
    /// The host failed to read one.
    Io,
}

impl WarningCode {
    /// Every code, in the order above.
    #[cfg(not(target_family = "wasm"))]
    pub const ALL: [WarningCode; 21] = [
        WarningCode::Stale,
        WarningCode::UntrustedOrigin,
        WarningCode::EditedByHand,
        WarningCode::DuplicateKey,
        WarningCode::TextReplaced,
        WarningCode::HeadUnreadable,
        WarningCode::LegacyName,
        WarningCode::InvalidDocument,
        WarningCode::OpenPhases,
        WarningCode::Redacted,
        WarningCode::SummaryTooLong,
        WarningCode::RepeatedStep,
        WarningCode::LostChanges,
        WarningCode::HeldBack,
        WarningCode::MissingFile,
        WarningCode::OutsideRepository,
        WarningCode::Vanished,
        WarningCode::Corrupt,
        WarningCode::TooLarge,
        WarningCode::UnsafePath,
        WarningCode::Io,
    ];

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
            WarningCode::OpenPhases => "open_phases",
            WarningCode::Redacted => "redacted",
            WarningCode::SummaryTooLong => "summary_too_long",
            WarningCode::RepeatedStep => "repeated_step",
            WarningCode::LostChanges => "lost_changes",
            WarningCode::HeldBack => "held_back",
            WarningCode::MissingFile => "missing_file",
            WarningCode::OutsideRepository => "outside_repository",
            WarningCode::Vanished => "vanished",
            WarningCode::Corrupt => "corrupt",
            WarningCode::TooLarge => "too_large",
            WarningCode::UnsafePath => "unsafe_path",
            WarningCode::Io => "io",
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
    /// The advice, where there is any.
    pub advice: Option<Advice>,
}

impl Warning {
    /// A warning with its sentence.
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Warning {
            code,
            message: message.into(),
            advice: None,
        }
    }

    /// Returns the warning with advice.
    #[must_use]
    pub fn with_advice(mut self, advice: Option<Advice>) -> Self {
        self.advice = advice;
        self
    }

    /// Returns the warning with its texts changed by `change`, where it changes them.
    #[must_use]
    pub fn with_texts(mut self, change: &mut dyn FnMut(&str) -> Option<String>) -> Self {
        if let Some(message) = change(&self.message) {
            self.message = message;
        }
        self.advice = self.advice.filter(|advice| !advice.has(change));
        self
    }

    /// Returns the warning with the checkpoint that it is about at its beginning.
    #[must_use]
    pub fn about(mut self, target: &Target) -> Self {
        self.message = format!("{}: {}", target.title(), self.message);
        self
    }

    /// The warning that a checkpoint was passed over, which failed with this error.
    pub fn passed_over(error: &Error) -> Self {
        let code = match error.code() {
            Code::Corrupt => WarningCode::Corrupt,
            Code::TooLarge => WarningCode::TooLarge,
            Code::UnsafePath => WarningCode::UnsafePath,
            Code::Io => WarningCode::Io,
            Code::NotFound => WarningCode::Vanished,
            _ => WarningCode::InvalidDocument,
        };
        Warning::new(code, error.to_string()).with_advice(error.advice().cloned())
    }
}
