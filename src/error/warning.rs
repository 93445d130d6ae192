//! What an operation noticed on the way.

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
