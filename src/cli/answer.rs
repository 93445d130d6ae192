//! The answer of a verb at its end.

use crate::error::Code;
use crate::json::Json;

/// An exit code after `sysexits.h`. Never 2: agents read a hook's 2 as "block".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exit {
    Done,
    /// The answer is no: nothing found, invalid, gate closed.
    No,
    Usage,
    Data,
    Io,
    TryAgain,
}

impl Exit {
    pub(super) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::Usage => 64,
            Exit::Data => 65,
            Exit::Io => 74,
            Exit::TryAgain => 75,
        }
    }
}

impl From<Code> for Exit {
    fn from(code: Code) -> Self {
        match code {
            Code::NotFound => Exit::No,
            Code::Usage | Code::InvalidName => Exit::Usage,
            Code::InvalidDocument
            | Code::SummaryTooLong
            | Code::Corrupt
            | Code::UnsafePath
            | Code::TooLarge
            | Code::UnsupportedVersion => Exit::Data,
            Code::Io => Exit::Io,
            Code::Conflict | Code::Busy => Exit::TryAgain,
        }
    }
}

/// The answer of a command that did not fail.
#[derive(Debug)]
pub(super) struct CliAnswer {
    /// For people. Stored text in it has been made visible.
    pub(super) text: String,
    /// For programs: JSON text.
    pub(super) json: String,
    pub(super) weight: Weight,
    pub(super) exit: Exit,
}

/// The weight of an answer: `--quiet` leaves out a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// The data that the call is for.
    Data,
    /// A sentence that the thing was done.
    Confirmation,
}

impl CliAnswer {
    pub(super) fn data(text: String, json: impl Into<Json>) -> Self {
        CliAnswer::with_document(text, &json.into().to_document())
    }

    pub(super) fn confirmation(text: String, json: impl Into<Json>) -> Self {
        CliAnswer {
            weight: Weight::Confirmation,
            ..CliAnswer::data(text, json)
        }
    }

    /// The JSON is a document that stays as it is written, numbers and layout included.
    pub(super) fn with_document(text: String, document: &str) -> Self {
        CliAnswer {
            text,
            json: document.to_owned(),
            weight: Weight::Data,
            exit: Exit::Done,
        }
    }

    /// One text for people and programs.
    pub(super) fn verbatim(text: String) -> Self {
        CliAnswer {
            json: text.clone(),
            text,
            weight: Weight::Data,
            exit: Exit::Done,
        }
    }

    /// Nothing on standard output.
    pub(super) fn silence(exit: Exit) -> Self {
        CliAnswer::verbatim(String::new()).with_exit(exit)
    }

    pub(super) fn with_exit(self, exit: Exit) -> Self {
        CliAnswer { exit, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;
    use crate::error::Code;

    #[test]
    fn every_error_code_has_the_exit_code_of_its_kind_and_none_is_2() {
        let codes = Code::ALL.map(|code| (code.as_str(), Exit::from(code).code()));
        assert_eq!(
            codes,
            [
                ("invalid_name", 64),
                ("invalid_document", 65),
                ("summary_too_long", 65),
                ("not_found", 1),
                ("corrupt", 65),
                ("conflict", 75),
                ("busy", 75),
                ("unsafe_path", 65),
                ("too_large", 65),
                ("unsupported_version", 65),
                ("io", 74),
                ("usage", 64),
            ]
        );
    }
}
