//! The settings of secrets in texts: `redaction`.

use crate::json::{Json, Object, Pointer};
use crate::schema::{Kind, Problem, ProblemCode, Shape, optional, published};
use crate::secret::Rule;

const NAME: &str = "redaction";

const ALLOW: &str = "allow";

pub(super) static REDACTION: Shape = Shape {
    name: "RedactionSettings",
    doc: published("The rules by which secrets are taken out of texts."),
    fields: &[optional(
        ALLOW,
        Kind::List(&Kind::String),
        "Rules whose findings stay in texts, names and paths, such as `named_secret`; contents of files have \
         `sessions.allow`.",
    )],
};

/// The names of rules whose findings stay, from settings that were checked.
pub fn allowed_secrets(settings: &Object) -> Vec<String> {
    let allowed = said(settings).into_iter().flatten();
    allowed
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect()
}

fn said(settings: &Object) -> Option<&[Json]> {
    settings.get(NAME)?.as_object()?.get(ALLOW)?.as_array()
}

/// Names that no rule has.
pub(super) fn problems(file: &Json) -> Vec<Problem> {
    let rules = file.as_object().and_then(said).unwrap_or_default();
    let unknown = rules.iter().enumerate().filter(|(_, rule)| {
        let name = rule.as_str();
        name.is_some_and(|name| Rule::parse(name).is_none())
    });
    let problem = |(index, _): (usize, &Json)| Problem {
        at: Pointer::root().key(NAME).key(ALLOW).item(index),
        code: ProblemCode::Enum,
        message: sentence!("expected one of {}", Rule::ALL.map(Rule::as_str).join(", ")),
    };
    unknown.map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::allowed_secrets;
    use crate::error::{Error, ErrorKind};
    use crate::integrations::default_document;
    use crate::integrations::tests::parse_text;

    #[test]
    fn rules_that_a_project_allows_are_known_and_others_are_refused() {
        let settings = parse_text(r#"{"redaction": {"allow": ["named_secret", "token"]}}"#);
        assert_eq!(
            allowed_secrets(&settings.unwrap()),
            ["named_secret", "token"]
        );
        assert_eq!(allowed_secrets(&default_document()), [""; 0]);
        for (member, at) in [
            (r#""allow": ["nothing"]"#, "/redaction/allow/0"),
            (r#""allow": ["token", "AKIA"]"#, "/redaction/allow/1"),
            (r#""allow": "token""#, "/redaction/allow"),
            (r#""allow": [1]"#, "/redaction/allow/0"),
        ] {
            let text = format!(r#"{{"redaction": {{{member}}}}}"#);
            let Err(ErrorKind::InvalidDocument(problems)) =
                parse_text(&text).map_err(Error::into_kind)
            else {
                panic!("{member} is refused");
            };
            assert_eq!(problems[0].at.as_str(), at, "{member}");
        }
    }
}
