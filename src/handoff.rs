//! The messages that an orchestrator and its sub-agents hand to each other.
//!
//! Only a few fields of a handoff are settled: the request's `mode`, its
//! `context.previous_summary`, and the response's `context_summary`. Everything else is passed on
//! as it is.

use crate::error::{Warning, WarningCode};
use crate::json::{Json, Pointer};
use crate::schema::{Field, Kind, Presence, Problem, ProblemCode, Shape, Shaped, published};
use crate::tokens::{self, MAX_SUMMARY_TOKENS};

/// The specializations that a sub-agent can be asked for.
pub const MODES: [&str; 7] = [
    "plan",
    "code",
    "ui",
    "docs",
    "eval",
    "reconcile",
    "research",
];

const SUMMARY: &str = "previous_summary";
const FORMER_SUMMARY: &str = "previous_findings";
const RESPONSE_SUMMARY: &str = "context_summary";

static REQUEST: Shape = Shape {
    name: "HandoffRequest",
    doc: published("The request to a sub-agent."),
    fields: &[
        Field {
            name: "mode",
            kind: Kind::Enum(&MODES),
            presence: Presence::Required,
            doc: published("The sub-agent's specialization."),
        },
        Field {
            name: "context",
            kind: Kind::Nullable(&Kind::Object(&CONTEXT)),
            presence: Presence::Optional,
            doc: published("The context that the sub-agent needs."),
        },
    ],
};

static CONTEXT: Shape = Shape {
    name: "HandoffContext",
    doc: published("The context that the sub-agent needs."),
    fields: &[
        summary(
            SUMMARY,
            "Summary from the previous phase, at most 500 words.",
        ),
        summary(FORMER_SUMMARY, "The former name of `previous_summary`."),
    ],
};

static RESPONSE: Shape = Shape {
    name: "HandoffResponse",
    doc: published("The response of a sub-agent."),
    fields: &[summary(
        RESPONSE_SUMMARY,
        "The summary that the next phase needs, at most 500 words.",
    )],
};

const fn summary(name: &'static str, doc: &'static str) -> Field {
    Field {
        name,
        kind: Kind::Nullable(&Kind::String),
        presence: Presence::Optional,
        doc: published(doc),
    }
}

/// The policy for a response whose `context_summary` is too long: the caller's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
pub enum SummaryPolicy {
    /// It is a problem.
    Reject,
    /// It is cut at its last token within the limit, with a warning.
    Truncate,
    /// It is passed on as it is, with a warning.
    Warn,
}

impl SummaryPolicy {
    /// Every policy, in the order of the documentation.
    pub const ALL: [SummaryPolicy; 3] = [
        SummaryPolicy::Reject,
        SummaryPolicy::Truncate,
        SummaryPolicy::Warn,
    ];

    /// The policy with this name.
    pub fn parse(name: &str) -> Option<SummaryPolicy> {
        SummaryPolicy::ALL
            .into_iter()
            .find(|policy| policy.as_str() == name)
    }
}

/// A handoff that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Everything that is wrong with it; it may be passed on only when there is nothing.
    pub problems: Vec<Problem>,
    /// The problems that were settled, or let through.
    pub warnings: Vec<Warning>,
    /// The handoff to pass on.
    pub document: Json,
}

/// Checks a request to a sub-agent: its `mode` is one of [`MODES`], and `context.previous_summary` has at most
/// [`MAX_SUMMARY_TOKENS`] words. Other members are passed on unchanged.
///
/// A summary under its former name `previous_findings` moves to its present one, where it stands, with a warning.
/// Anything that is wrong is in [`Checked::problems`], with its place and a stable code; such a request is not
/// passed on.
///
/// ```
/// use milepost::handoff::check_request;
/// use milepost::json::{Json, Object};
/// use milepost::schema::ProblemCode;
///
/// let context = Object::new().with("previous_findings", "Colours are CSS variables.");
/// let request = Object::new().with("mode", "code").with("context", context);
/// let checked = check_request(request.into());
/// assert_eq!(checked.problems, []);
/// assert_eq!(checked.warnings.len(), 1);
/// let summary = checked.document.at("/context/previous_summary");
/// assert_eq!(summary.and_then(Json::as_str), Some("Colours are CSS variables."));
///
/// let checked = check_request(Object::new().into());
/// assert_eq!(checked.problems[0].at.as_str(), "/mode");
/// assert_eq!(checked.problems[0].code, ProblemCode::Required);
/// ```
pub fn check_request(request: Json) -> Checked {
    let mut checked = Checked {
        problems: REQUEST.problems(&request),
        warnings: Vec::new(),
        document: request,
    };
    let request = checked.document.as_object_mut();
    let context = request.and_then(|request| request.get_mut("context"));
    let Some(context) = context.and_then(Json::as_object_mut) else {
        return checked;
    };
    let pointer = Pointer::root().key("context");
    for name in [SUMMARY, FORMER_SUMMARY] {
        if let Some(message) = excess(context.get(name)) {
            checked.problems.push(Problem {
                at: pointer.key(name),
                code: ProblemCode::SummaryTooLong,
                message,
            });
        }
    }
    if context.rename(FORMER_SUMMARY, SUMMARY) {
        checked.warnings.push(Warning::new(
            WarningCode::LegacyName,
            format!("{pointer}/{FORMER_SUMMARY} is now called {SUMMARY}, and was renamed"),
        ));
    } else if context.get(FORMER_SUMMARY).is_some() {
        checked.problems.push(Problem {
            at: pointer.key(FORMER_SUMMARY),
            code: ProblemCode::Contradiction,
            message: format!("this is the former name of {SUMMARY}, which is there as well"),
        });
    }
    checked
}

/// Checks the response of a sub-agent: `context_summary` has at most [`MAX_SUMMARY_TOKENS`] words. Other members are
/// passed on unchanged.
///
/// The policy decides on a longer summary: it is a problem, or it is cut or passed on with a warning. A response that
/// has problems is not passed on.
///
/// ```
/// use milepost::handoff::{SummaryPolicy, check_response};
/// use milepost::json::{Json, Object};
/// use milepost::schema::ProblemCode;
/// use milepost::tokens;
///
/// let response = Json::from(Object::new().with("context_summary", "word ".repeat(501)));
/// let checked = check_response(response.clone(), SummaryPolicy::Reject);
/// assert_eq!(checked.problems[0].code, ProblemCode::SummaryTooLong);
///
/// let checked = check_response(response, SummaryPolicy::Truncate);
/// assert_eq!((checked.problems.len(), checked.warnings.len()), (0, 1));
/// let summary = checked.document.at("/context_summary").and_then(Json::as_str);
/// assert_eq!(summary.map(tokens::count), Some(500));
/// ```
pub fn check_response(response: Json, policy: SummaryPolicy) -> Checked {
    let mut checked = Checked {
        problems: RESPONSE.problems(&response),
        warnings: Vec::new(),
        document: response,
    };
    let response = checked.document.as_object_mut();
    let Some(summary) = response.and_then(|response| response.get_mut(RESPONSE_SUMMARY)) else {
        return checked;
    };
    let Some(message) = excess(Some(summary)) else {
        return checked;
    };
    match policy {
        SummaryPolicy::Reject => checked.problems.push(Problem {
            at: Pointer::root().key(RESPONSE_SUMMARY),
            code: ProblemCode::SummaryTooLong,
            message,
        }),
        SummaryPolicy::Truncate => {
            if let Json::String(text) = summary {
                let kept = tokens::truncate(text, MAX_SUMMARY_TOKENS).len();
                text.truncate(kept);
            }
            checked.warnings.push(Warning::new(
                WarningCode::SummaryTooLong,
                format!("{message}; it was cut to {MAX_SUMMARY_TOKENS} words"),
            ));
        }
        SummaryPolicy::Warn => {
            let warning = Warning::new(WarningCode::SummaryTooLong, message);
            checked.warnings.push(warning);
        }
    }
    checked
}

/// The summaries of a request that was checked, each with its place.
pub fn request_summaries(request: &Json) -> Vec<(Pointer, &str)> {
    let context = request.as_object().and_then(|it| it.get("context"));
    let context = context.and_then(Json::as_object);
    let pointer = Pointer::root().key("context");
    let summary = |name| Some((pointer.key(name), context?.get(name)?.as_str()?));
    let summaries = [SUMMARY, FORMER_SUMMARY].into_iter().filter_map(summary);
    summaries.collect()
}

/// The summary of a response, with its place.
pub fn response_summary(response: &mut Json) -> Option<(Pointer, &mut String)> {
    match response.as_object_mut()?.get_mut(RESPONSE_SUMMARY)? {
        Json::String(text) => Some((Pointer::root().key(RESPONSE_SUMMARY), text)),
        _ => None,
    }
}

/// The page that describes the protocol to the authors of agents.
pub fn page() -> &'static str {
    include_str!("handoff/protocol.md")
}

/// One thing that the caller's page does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// `mode`, `previous_summary` or `enforcement`.
    pub name: &'static str,
    /// The text to add, and where, in Markdown.
    pub text: String,
}

/// The parts that a page lacks of the three that the protocol adds to a page about handoffs: the field `mode`, the name
/// `previous_summary`, and the section on what is enforced.
pub fn missing(theirs: &str) -> Vec<Missing> {
    let ours = page();
    let mut missing = Vec::new();
    if !theirs.contains("\"mode\"") && !theirs.contains("`mode`") {
        let values = ours.find("Mode values:").map_or("", |at| &ours[at..]);
        let end = values.find("\n\nThe earlier name").unwrap_or(0);
        let text = format!("{}\n\n{}", field("mode"), &values[..end]);
        missing.push(Missing { name: "mode", text });
    }
    if !theirs.contains(SUMMARY) {
        let mut text = field(SUMMARY);
        if theirs.contains(FORMER_SUMMARY) {
            text.push_str("\n\nThey replace what the page says of `previous_findings`.");
        }
        missing.push(Missing {
            name: SUMMARY,
            text,
        });
    }
    let is_heading = |line: &str| {
        line.starts_with('#')
            && line
                .trim_matches(['#', ' ', '\t', '\r'])
                .eq_ignore_ascii_case("enforcement")
    };
    if !theirs.lines().any(is_heading) {
        let section = ours.find("## Enforcement").map_or(ours, |at| &ours[at..]);
        missing.push(Missing {
            name: "enforcement",
            text: section.trim_end().to_owned(),
        });
    }
    missing
}

/// The two lines of [`page`] that describe a field, and where they belong.
fn field(name: &str) -> String {
    let line = |start: &str| {
        let mut lines = page().lines().map(str::trim);
        let named = lines.find(|line| line.starts_with(start) && line.contains(name));
        named.unwrap_or_default()
    };
    format!(
        "In the JSON of the request schema:\n\n```json\n{}\n```\n\nIn the table of request fields:\n\n{}",
        line("\""),
        line("| `"),
    )
}

/// The sentence, if this is a summary above the token limit.
fn excess(summary: Option<&Json>) -> Option<String> {
    let text = summary?.as_str()?;
    tokens::validate(text, MAX_SUMMARY_TOKENS).error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    const TOO_LONG: &str = "Context summary exceeds 500 token limit (actual: 501 tokens)";

    fn read(text: &str) -> Json {
        json::read(text.as_bytes()).unwrap().value
    }

    fn words(count: usize) -> String {
        vec!["word"; count].join(" ")
    }

    fn problems(checked: &Checked) -> Vec<(&str, &str)> {
        let problems = checked.problems.iter();
        problems
            .map(|problem| (problem.at.as_str(), problem.code.as_str()))
            .collect()
    }

    #[test]
    fn a_page_with_the_heading_alone_is_incomplete() {
        let names = |page: &str| -> Vec<&str> { missing(page).iter().map(|it| it.name).collect() };
        assert_eq!(names(page()), [""; 0]);
        for (text, expected) in [
            ("# Handoff\n", &["mode", SUMMARY, "enforcement"][..]),
            ("## Enforcement\n", &["mode", SUMMARY]),
            ("### ENFORCEMENT ##\r\n`mode`\n", &[SUMMARY]),
            ("\"mode\": 1, \"previous_summary\": 2", &["enforcement"]),
            ("the model of previous_summary\n## Enforcement", &["mode"]),
            (
                "## Enforcement Rules\n`mode` previous_summary",
                &["enforcement"],
            ),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
        // The texts to add are all that was missing.
        let all = missing("previous_findings");
        let texts: Vec<&str> = all.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(names(&texts.join("\n")), [""; 0]);
        assert!(texts[0].contains("\"mode\": \"plan | code"), "{}", texts[0]);
        assert!(texts[0].contains("| `mode`  "), "{}", texts[0]);
        assert!(
            texts[0].ends_with("investigation and discovery"),
            "{}",
            texts[0]
        );
        assert!(texts[1].contains("\"previous_summary\": \"string | null"));
        assert!(texts[1].contains("| `context.previous_summary` |"));
        assert!(texts[1].ends_with("of `previous_findings`."));
        assert!(texts[2].starts_with("## Enforcement\n"));
    }

    #[test]
    fn the_page_names_the_default_policy() {
        assert!(page().contains("`reject` is the\n  default"));
    }

    #[test]
    fn a_request_is_passed_on_unchanged() {
        for mode in MODES {
            let text = format!(
                r#"{{"task":1e400,"mode":"{mode}","context":{{"a":[],"previous_summary":"short"}},"z":0}}"#
            );
            let checked = check_request(read(&text));
            assert_eq!(problems(&checked), []);
            assert_eq!(checked.warnings, []);
            assert_eq!(checked.document.to_line(), text);
        }
    }

    #[test]
    fn a_request_may_have_no_context_and_no_summary() {
        for text in [
            r#"{"mode":"plan"}"#,
            r#"{"mode":"plan","context":null}"#,
            r#"{"mode":"plan","context":{}}"#,
            r#"{"mode":"plan","context":{"previous_summary":null}}"#,
        ] {
            assert_eq!(problems(&check_request(read(text))), [], "{text}");
        }
    }

    #[test]
    fn the_problem_of_a_request_is_named() {
        for (text, expected) in [
            ("[]", ("", "type")),
            ("{}", ("/mode", "required")),
            (r#"{"mode":"ship"}"#, ("/mode", "enum")),
            (r#"{"mode":null}"#, ("/mode", "type")),
            (r#"{"mode":"ui","context":"x"}"#, ("/context", "type")),
            (
                r#"{"mode":"ui","context":{"previous_summary":1}}"#,
                ("/context/previous_summary", "type"),
            ),
            (
                r#"{"mode":"ui","context":{"previous_findings":1}}"#,
                ("/context/previous_findings", "type"),
            ),
            (
                r#"{"mode":"ui","context":{"previous_findings":"a","previous_summary":"a"}}"#,
                ("/context/previous_findings", "contradiction"),
            ),
        ] {
            assert_eq!(problems(&check_request(read(text))), [expected], "{text}");
        }
    }

    #[test]
    fn a_summary_of_501_tokens_is_a_problem_under_both_of_its_names() {
        for name in [SUMMARY, FORMER_SUMMARY] {
            for (count, expected) in [(500, None), (501, Some(TOO_LONG))] {
                let text = format!(
                    r#"{{"mode":"ui","context":{{"{name}":"{}"}}}}"#,
                    words(count)
                );
                let checked = check_request(read(&text));
                let message = checked.problems.first().map(|problem| &*problem.message);
                assert_eq!(message, expected);
            }
        }
    }

    #[test]
    fn the_former_name_of_the_summary_is_replaced_where_it_stands() {
        let text = r#"{"mode":"ui","context":{"a":1,"previous_findings":"x","b":2}}"#;
        let checked = check_request(read(text));
        assert_eq!(problems(&checked), []);
        assert_eq!(
            checked.document.to_line(),
            r#"{"mode":"ui","context":{"a":1,"previous_summary":"x","b":2}}"#
        );
        assert_eq!(checked.warnings[0].code, WarningCode::LegacyName);
    }

    #[test]
    fn a_response_within_the_limit_is_passed_on_under_every_policy() {
        for policy in SummaryPolicy::ALL {
            for text in [
                r#"{"status":"done"}"#.to_owned(),
                r#"{"context_summary":null}"#.to_owned(),
                format!(r#"{{"context_summary":"{} ","x":1.0}}"#, words(500)),
            ] {
                let checked = check_response(read(&text), policy);
                assert_eq!(problems(&checked), []);
                assert_eq!(checked.warnings, []);
                assert_eq!(checked.document.to_line(), text);
            }
        }
    }

    #[test]
    fn a_response_that_is_too_long_meets_the_callers_policy() {
        let long = read(&format!(r#"{{"context_summary":"{}","x":1}}"#, words(501)));
        for policy in SummaryPolicy::ALL {
            let checked = check_response(long.clone(), policy);
            let warnings: Vec<_> = checked.warnings.iter().map(|it| &*it.message).collect();
            match policy {
                SummaryPolicy::Reject => {
                    assert_eq!(
                        problems(&checked),
                        [("/context_summary", "summary_too_long")]
                    );
                    assert_eq!(checked.problems[0].message, TOO_LONG);
                    assert!(warnings.is_empty());
                }
                SummaryPolicy::Truncate => {
                    assert_eq!(problems(&checked), []);
                    assert_eq!(warnings, [format!("{TOO_LONG}; it was cut to 500 words")]);
                    let cut = format!(r#"{{"context_summary":"{}","x":1}}"#, words(500));
                    assert_eq!(checked.document.to_line(), cut);
                }
                SummaryPolicy::Warn => {
                    assert_eq!(problems(&checked), []);
                    assert_eq!(warnings, [TOO_LONG]);
                    assert_eq!(checked.document, long);
                }
            }
        }
    }

    #[test]
    fn a_response_of_another_kind_is_a_problem_under_every_policy() {
        for policy in SummaryPolicy::ALL {
            for (text, at) in [
                ("null", ""),
                (r#"{"context_summary":5}"#, "/context_summary"),
            ] {
                assert_eq!(
                    problems(&check_response(read(text), policy)),
                    [(at, "type")]
                );
            }
        }
    }

    #[test]
    fn every_policy_is_known_by_its_name() {
        for policy in SummaryPolicy::ALL {
            assert_eq!(SummaryPolicy::parse(policy.as_str()), Some(policy));
        }
        assert_eq!(SummaryPolicy::parse("Reject"), None);
    }
}
