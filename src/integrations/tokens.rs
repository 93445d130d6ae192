//! In which tokens context summaries are limited: `tokens` of the settings.

use crate::encoding::Encoding;
use crate::json::{Json, Object, Pointer};
use crate::schema::{Budget, Kind, Problem, ProblemCode, Shape, published, required};
use crate::tokens::MAX_SUMMARY_TOKENS;

use super::field;

/// The encodings as settings may name them: tiktoken's names as well.
const ENCODINGS: [&str; 4] = ["o200k", "cl100k", "o200k_base", "cl100k_base"];

pub(super) static TOKENS: Shape = Shape {
    name: "TokenSettings",
    doc: published("A limit of context summaries in exact tokens, beside the 500 words."),
    fields: &[
        required(
            "encoding",
            Kind::Enum(&ENCODINGS),
            "The encoding of OpenAI in which they are counted.",
        ),
        field(
            "limit",
            Kind::Integer,
            "The most tokens of a summary, from 1 to 65536; without it, 500.",
        ),
    ],
};

/// The budget of settings that were checked; `None` where they count words alone.
pub fn budget(settings: &Object) -> Option<Budget> {
    let said = settings.get("tokens")?.as_object()?;
    let encoding = Encoding::of(said.get("encoding")?.as_str()?)?;
    Budget::new(encoding, limit(said)).ok()
}

fn limit(said: &Object) -> u64 {
    let limit = said.get("limit").and_then(Json::as_u64);
    limit.unwrap_or(MAX_SUMMARY_TOKENS)
}

/// What the shape of the settings does not say.
pub(super) fn problem(file: &Json) -> Option<Problem> {
    let said = file.as_object()?.get("tokens")?.as_object()?;
    let message = Budget::new(Encoding::O200k, limit(said)).err()?;
    Some(Problem {
        at: Pointer::root().key("tokens").key("limit"),
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
    use crate::json::{self, Object};

    fn parse_text(text: &str) -> Result<Object, Error> {
        parse(json::read(text.as_bytes()).unwrap().value)
    }

    #[test]
    fn every_name_of_an_encoding_is_one() {
        for name in ENCODINGS {
            let encoding = Encoding::of(name).unwrap();
            let settings = parse_text(&format!(r#"{{"tokens": {{"encoding": "{name}"}}}}"#));
            let budget = budget(&settings.unwrap()).unwrap();
            assert_eq!((budget.encoding, budget.limit), (encoding, 500));
        }
        let settings = parse_text(r#"{"tokens": {"encoding": "cl100k", "limit": 65536}}"#);
        assert_eq!(budget(&settings.unwrap()).unwrap().limit, 65_536);
        assert_eq!(budget(&parse_text("{}").unwrap()), None);
    }

    #[test]
    fn what_is_no_budget_is_named() {
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
            let parsed = parse_text(&format!(r#"{{"tokens": {member}}}"#));
            let Err(ErrorKind::InvalidDocument(problems)) = parsed.map_err(Error::into_kind) else {
                panic!("{member} is refused");
            };
            let places: Vec<_> = problems.iter().map(|it| it.at.as_str()).collect();
            assert_eq!(places, [at], "{member}");
        }
    }
}
