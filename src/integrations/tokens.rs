//! The tokens in which context summaries are limited: `tokens` of the settings.

use crate::encoding::Encoding;
use crate::error::Error;
use crate::json::{Json, Object, Pointer};
use crate::schema::{Budget, Kind, Problem, ProblemCode, Shape, optional, published, required};
use crate::tokens::MAX_SUMMARY_TOKENS;

/// The encodings as settings may name them: tiktoken's names as well.
const ENCODINGS: [&str; 4] = [
    Encoding::O200k.name(),
    Encoding::Cl100k.name(),
    Encoding::O200k.name_in_tiktoken(),
    Encoding::Cl100k.name_in_tiktoken(),
];

pub(super) static TOKENS: Shape = Shape {
    name: "TokenSettings",
    doc: published("A limit of context summaries in exact tokens, beside the 500 words."),
    fields: &[
        required(
            "encoding",
            Kind::Enum(&ENCODINGS),
            "The encoding of OpenAI in which they are counted.",
        ),
        optional(
            "limit",
            Kind::Integer,
            "The most tokens of a summary, from 1 to 65536; without it, 500.",
        ),
    ],
};

/// The part of the settings that says whether there is a budget.
static SETTINGS: Shape = Shape {
    name: "BudgetSettings",
    doc: published("The settings, as far as a budget goes."),
    fields: &[optional(NAME, Kind::Object(&TOKENS), "The limit.")],
};

const NAME: &str = "tokens";

/// The budget that a file of settings asks for; `None` where words alone are counted. What is wrong elsewhere in
/// the file is no reason not to count.
///
/// # Errors
///
/// [`Error::invalid_document`] where `tokens` is wrong.
pub fn budget(file: &Json) -> Result<Option<Budget>, Error> {
    let mut problems = SETTINGS.problems(file);
    problems.extend(problem(file));
    if !problems.is_empty() {
        return Err(Error::invalid_document(problems));
    }
    Ok(configured(file))
}

fn configured(file: &Json) -> Option<Budget> {
    let said = file.as_object()?.get(NAME)?.as_object()?;
    let encoding = Encoding::of(said.get("encoding")?.as_str()?)?;
    Budget::new(encoding, limit(said)).ok()
}

fn limit(said: &Object) -> u64 {
    let limit = said.get("limit").and_then(Json::as_u64);
    limit.unwrap_or(MAX_SUMMARY_TOKENS)
}

/// The problem that the shape of the settings cannot find.
pub(super) fn problem(file: &Json) -> Option<Problem> {
    let said = file.as_object()?.get(NAME)?.as_object()?;
    let message = Budget::new(Encoding::O200k, limit(said)).err()?;
    Some(Problem {
        at: Pointer::root().key(NAME).key("limit"),
        code: ProblemCode::Range,
        message,
    })
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::{ENCODINGS, budget};
    use crate::encoding::Encoding;
    use crate::error::{Error, ErrorKind};
    use crate::json::{self, Json};
    use crate::schema::Budget;

    fn read(text: &str) -> Json {
        json::read(text.as_bytes()).unwrap().value
    }

    fn parsed(text: &str) -> Option<Budget> {
        budget(&read(text)).unwrap()
    }

    /// The positions of the problems that an error names.
    #[track_caller]
    fn places<T>(result: Result<T, Error>) -> Vec<String> {
        let Err(ErrorKind::InvalidDocument(problems)) = result.map_err(Error::into_kind) else {
            panic!("it is refused");
        };
        problems.iter().map(|it| it.at.to_string()).collect()
    }

    #[test]
    fn every_name_of_an_encoding_makes_a_budget() {
        for name in ENCODINGS {
            let encoding = Encoding::of(name).unwrap();
            let budget = parsed(&format!(r#"{{"tokens": {{"encoding": "{name}"}}}}"#)).unwrap();
            assert_eq!((budget.encoding, budget.limit), (encoding, 500));
        }
        let budget = parsed(r#"{"tokens": {"encoding": "cl100k", "limit": 65536}}"#);
        assert_eq!(budget.unwrap().limit, 65_536);
        assert_eq!(parsed("{}"), None);
    }

    #[test]
    fn problems_elsewhere_in_the_settings_do_not_hide_the_budget() {
        let text = r#"{"vercel": 5, "tokens": {"encoding": "o200k", "limit": 7}}"#;
        assert_eq!(parsed(text).unwrap().limit, 7);
        assert_eq!(places(parse(read(text))), ["/vercel"]);
    }

    #[test]
    fn the_problem_of_an_invalid_budget_is_named() {
        for (member, at) in [
            (r#"{}"#, "/tokens/encoding"),
            (r#"{"limit": 500}"#, "/tokens/encoding"),
            (r#"{"encoding": "p50k"}"#, "/tokens/encoding"),
            (r#"{"encoding": "O200K"}"#, "/tokens/encoding"),
            (r#"{"encoding": "o200k", "limit": 0}"#, "/tokens/limit"),
            (r#"{"encoding": "o200k", "limit": 65537}"#, "/tokens/limit"),
            (r#"{"encoding": "o200k", "limit": "500"}"#, "/tokens/limit"),
            (r#"{"encoding": "o200k", "limit": 1.5}"#, "/tokens/limit"),
            ("500", "/tokens"),
        ] {
            let file = read(&format!(r#"{{"tokens": {member}}}"#));
            assert_eq!(places(budget(&file)), [at], "{member}");
            assert_eq!(places(parse(file)), [at], "{member}");
        }
    }
}
