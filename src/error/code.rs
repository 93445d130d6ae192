//! The stable names of failures.

/// The stable name of a kind of failure: the same in Rust, JavaScript and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A command, feature or phase name that no checkpoint can have.
    InvalidName,
    /// A document that breaks its schema, or that contradicts the arguments.
    InvalidDocument,
    /// A context summary above its word, byte or token limit.
    SummaryTooLong,
    /// There is no such checkpoint, revision or phase.
    NotFound,
    /// The file exists but is no readable document. It is unchanged.
    Corrupt,
    /// Another writer changed the same thing. Nothing was written, unless the failure says so: a restore of files
    /// stops before a file that was changed, and what it has done stays.
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
