//! Problems, warnings and errors, from the core's types to those of the interface `types`.

use super::exports::types;
use crate::error::{self, ErrorKind, WarningCode};
use crate::schema::{self, ProblemCode};

pub(super) fn problems(problems: Vec<schema::Problem>) -> Vec<types::Problem> {
    let convert = |problem: schema::Problem| types::Problem {
        at: problem.at.into_string(),
        code: problem_code(problem.code),
        message: problem.message,
    };
    problems.into_iter().map(convert).collect()
}

fn problem_code(code: ProblemCode) -> types::ProblemCode {
    match code {
        ProblemCode::Required => types::ProblemCode::Required,
        ProblemCode::Type => types::ProblemCode::Type,
        ProblemCode::Enum => types::ProblemCode::Enum,
        ProblemCode::Time => types::ProblemCode::Time,
        ProblemCode::Range => types::ProblemCode::Range,
        ProblemCode::SummaryTooLong => types::ProblemCode::SummaryTooLong,
        ProblemCode::Name => types::ProblemCode::Name,
        ProblemCode::Contradiction => types::ProblemCode::Contradiction,
        ProblemCode::Secret => types::ProblemCode::Secret,
    }
}

pub(super) fn warnings(warnings: Vec<error::Warning>) -> Vec<types::Warning> {
    let convert = |warning: error::Warning| types::Warning {
        code: warning_code(warning.code),
        message: warning.message,
    };
    warnings.into_iter().map(convert).collect()
}

fn warning_code(code: WarningCode) -> types::WarningCode {
    match code {
        WarningCode::DuplicateKey => types::WarningCode::DuplicateKey,
        WarningCode::TextReplaced => types::WarningCode::TextReplaced,
        WarningCode::LegacyName => types::WarningCode::LegacyName,
        WarningCode::SummaryTooLong => types::WarningCode::SummaryTooLong,
        // Only operations, whose replies are text, warn of anything else.
        other => types::WarningCode::Other(other.as_str().to_owned()),
    }
}

pub(super) fn error(error: error::Error) -> types::Error {
    let message = error.to_string();
    match error.into_kind() {
        ErrorKind::InvalidName(message) => types::Error::InvalidName(message),
        ErrorKind::InvalidDocument(found) => types::Error::InvalidDocument(problems(found)),
        ErrorKind::SummaryTooLong { at, message } => {
            types::Error::SummaryTooLong(types::Excess { at, message })
        }
        ErrorKind::TooLarge { .. } => types::Error::TooLarge(message),
        ErrorKind::UnsupportedVersion { .. } => types::Error::UnsupportedVersion(message),
        ErrorKind::Usage(message) => types::Error::Usage(message),
        // Only operations, whose replies are text, fail with anything else.
        _ => types::Error::Other(message),
    }
}

#[cfg(test)]
mod tests {
    use super::{error, problems, warnings};
    use crate::error::{Error, Warning, WarningCode};
    use crate::json::Pointer;
    use crate::schema::{Problem, ProblemCode};
    use crate::surface::wit::exports::types;

    #[test]
    fn a_failure_of_an_operation_keeps_its_sentence() {
        let failure = Error::busy("a.json".to_owned());
        let sentence = failure.to_string();
        let converted = error(failure);
        let types::Error::Other(message) = converted else {
            panic!("{converted:?}");
        };
        assert_eq!(message, sentence);
    }

    #[test]
    fn a_warning_of_an_operation_keeps_its_code() {
        let converted = warnings(vec![Warning::new(WarningCode::Stale, "Old")]);
        let [
            types::Warning {
                code: types::WarningCode::Other(code),
                message,
            },
        ] = converted.as_slice()
        else {
            panic!("{converted:?}");
        };
        assert_eq!((code.as_str(), message.as_str()), ("stale", "Old"));
    }

    #[test]
    fn a_problem_keeps_its_place() {
        let converted = problems(vec![Problem {
            at: Pointer::root().key("state"),
            code: ProblemCode::Required,
            message: "is missing".to_owned(),
        }]);
        let [
            types::Problem {
                at,
                code: types::ProblemCode::Required,
                message,
            },
        ] = converted.as_slice()
        else {
            panic!("{converted:?}");
        };
        assert_eq!((at.as_str(), message.as_str()), ("/state", "is missing"));
    }
}
