//! The context summaries of a document: that of the run, and those of its phases.

use crate::json::{Json, Object, Pointer};

const KEY: &str = "context_summary";

/// A summary, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextSummary<'a> {
    /// The phase; `None` for the run.
    pub phase: Option<&'a str>,
    /// Its text.
    pub text: &'a str,
}

/// Every summary that is a text.
pub fn all(document: &Object) -> Vec<ContextSummary<'_>> {
    let of_run = state(document).map(|text| ContextSummary { phase: None, text });
    let phases = document.get("phases").and_then(Json::as_object);
    let phases = phases.into_iter().flat_map(Object::iter);
    let of_phases = phases.filter_map(|(name, phase)| {
        let (phase, text) = (Some(name), text(phase)?);
        Some(ContextSummary { phase, text })
    });
    of_run.into_iter().chain(of_phases).collect()
}

/// Returns whether there is any summary.
pub fn has_any(document: &Object) -> bool {
    let phases = document.get("phases").and_then(Json::as_object);
    let mut phases = phases.into_iter().flat_map(Object::iter);
    state(document).is_some() || phases.any(|(_, phase)| text(phase).is_some())
}

/// Returns whether the document has a summary here that none of those before has.
pub fn is_new(document: &Object, phase: Option<&str>, before: &[&Object]) -> bool {
    let summary = at(document, phase);
    summary.is_some() && before.iter().all(|it| at(it, phase) != summary)
}

/// Returns whether the document has any summary that none of those before has.
pub fn are_new(document: &Object, before: &[&Object]) -> bool {
    let phases = before.iter().filter_map(|it| it.get("phases")?.as_object());
    let known: Vec<_> = phases.map(Object::index).collect();
    let is_known = |summary: &ContextSummary<'_>| match summary.phase {
        None => before.iter().any(|it| state(it) == Some(summary.text)),
        Some(name) => known
            .iter()
            .any(|phases| phases.get(name).and_then(|it| text(it)) == Some(summary.text)),
    };
    all(document).iter().any(|summary| !is_known(summary))
}

/// Returns the place of a summary.
pub fn pointer(phase: Option<&str>) -> Pointer {
    let holder = match phase {
        None => Pointer::root().key("state"),
        Some(phase) => Pointer::root().key("phases").key(phase),
    };
    holder.key(KEY)
}

fn at<'a>(document: &'a Object, phase: Option<&str>) -> Option<&'a str> {
    match phase {
        None => state(document),
        Some(phase) => text(document.get("phases")?.as_object()?.get(phase)?),
    }
}

fn state(document: &Object) -> Option<&str> {
    text(document.get("state")?)
}

fn text(holder: &Json) -> Option<&str> {
    holder.as_object()?.get(KEY)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn object(text: &str) -> Object {
        match json::read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_summary_of_the_run_and_of_a_phase_is_found() {
        let document = object(
            r#"{"state": {"context_summary": "run"}, "phases": {"a": {"context_summary": "A"},
                "b": {}, "c": {"context_summary": 5}, "d": 1, "e/f": {"context_summary": ""}}}"#,
        );
        let found: Vec<String> = all(&document)
            .iter()
            .map(|it| format!("{} {}", pointer(it.phase).as_str(), it.text))
            .collect();
        assert_eq!(
            found,
            [
                "/state/context_summary run",
                "/phases/a/context_summary A",
                "/phases/e~1f/context_summary "
            ]
        );
        assert!(has_any(&document));
        assert_eq!(all(&object("{}")), []);
        assert!(!has_any(&object(
            r#"{"state": {}, "phases": {"b": {}, "c": 5}}"#
        )));
    }

    #[test]
    fn a_summary_that_was_there_before_is_not_new() {
        let before = object(r#"{"phases": {"a": {"context_summary": "A"}}}"#);
        let other = object(r#"{"phases": {"b": {"context_summary": "B"}}}"#);
        let next =
            object(r#"{"phases": {"a": {"context_summary": "A"}, "b": {"context_summary": "B"}}}"#);
        assert!(!are_new(&next, &[&before, &other]));
        assert!(are_new(&next, &[&before]));
        assert!(is_new(&next, Some("b"), &[&before]));
        assert!(!is_new(&next, Some("a"), &[&before]));
        assert!(!is_new(&next, Some("c"), &[]));
        assert!(!is_new(&next, None, &[]));
    }
}
