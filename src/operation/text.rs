//! The rules on documents that a caller holds as text: nothing is read or stored.

use crate::checkpoint::command::completion::{self, OpenPhases};
use crate::checkpoint::command::document::{self, Draft, RunDocument, is_completed};
use crate::checkpoint::command::{gate, name, phases, resume};
use crate::error::whole;
use crate::error::{Error, ErrorKind, WarningCode};
use crate::handoff::{self, Checked, SummaryPolicy};
use crate::json::{self, Json, Object, Pointer};
use crate::schema::{Problem, ProblemCode};
use crate::store::{MAX_DOCUMENT_BYTES, MAX_DOCUMENT_MIB};
use crate::time;

use super::{Reply, Target, Warnings};

/// Everything that is wrong with a document; text that is not JSON is a problem too. A command is one
/// of the seven, or of those that were `added`.
///
/// Fails with `too_large`.
pub fn validate(text: &str, added: &[&str]) -> Reply<Vec<Problem>> {
    let mut warnings = Warnings::default();
    let result = match parse_document(text, &mut warnings) {
        Ok(object) => Ok(document::problems(&Json::Object(object), added)),
        Err(error) => match error.into_kind() {
            ErrorKind::InvalidDocument(problems) => Ok(problems),
            other => Err(other.into()),
        },
    };
    warnings.reply(result)
}

/// A document without phases. `now_ms` is the host's clock.
///
/// # Errors
///
/// [`Error::invalid_name`] for a command that there is not, or a feature that is no name.
pub fn create(target: &Target, now_ms: f64) -> Result<String, Error> {
    let Target { command, feature } = target;
    name::check_command(command, &[])?;
    name::stem(command, feature.as_deref())?;
    let now = time::format(now_ms);
    let checkpoint = RunDocument::new(command, feature.as_deref(), &now);
    Ok(checkpoint.into_object().to_document())
}

/// The document with one phase changed, as [`phases::Update`] does; `patch` is a JSON object.
///
/// Fails with `invalid_name`, `invalid_document`, `summary_too_long`, `too_large`,
/// `unsupported_version`, `usage`.
pub fn update_phase(text: &str, phase: &str, patch: &str, now_ms: f64) -> Reply<String> {
    rewrite(text, |draft, warnings| {
        let patch = warnings.object("patch", patch)?;
        phases::Update::new(phase, &patch, None)?.apply(draft, &time::format(now_ms))
    })
}

/// The document marked as complete, as [`completion::complete`] does; phases that are still to be done stay as they
/// are.
///
/// Warns `open_phases` of those. Fails with `invalid_document`, `summary_too_long`, `too_large`, `unsupported_version`.
pub fn complete(text: &str, now_ms: f64) -> Reply<String> {
    rewrite(text, |draft, warnings| {
        let phases = completion::open_phases(draft.as_object());
        if !phases.is_empty() && !is_completed(draft.as_object()) {
            let names = completion::named(&phases);
            let what = format!("The run is complete with unfinished phases: {names}");
            warnings.warn(WarningCode::OpenPhases, what);
        }
        completion::complete(draft, &time::format(now_ms), OpenPhases::Keep).map(drop)
    })
}

fn rewrite(
    text: &str,
    change: impl FnOnce(&mut Draft, &mut Warnings) -> Result<(), Error>,
) -> Reply<String> {
    let mut warnings = Warnings::default();
    let result = parse_document(text, &mut warnings).and_then(|object| {
        let mut draft = Draft::from(object.clone());
        change(&mut draft, &mut warnings)?;
        let (checkpoint, left) = draft.check_since(&[], &[&object])?;
        warnings.left("The document", &left);
        Ok(checkpoint.into_object().to_document())
    });
    warnings.reply(result)
}

/// The resume point, as [`resume::point`] says.
///
/// # Errors
///
/// [`Error::invalid_document`] for what is no JSON object, and [`Error::too_large`].
pub fn resume_point(text: &str) -> Result<resume::ResumePoint, Error> {
    let object = parse_document(text, &mut Warnings::default())?;
    Ok(resume::point(&object))
}

/// Returns whether the work may be shipped, as [`gate::check`] says.
///
/// # Errors
///
/// [`Error::invalid_document`] for what is no JSON object, and [`Error::too_large`].
pub fn gate(text: &str, head: Option<&str>) -> Result<gate::GateVerdict, Error> {
    let object = parse_document(text, &mut Warnings::default())?;
    Ok(gate::check(&object, head))
}

/// Checks what a sub-agent is asked, as [`handoff::check_request`] does; its warnings are the
/// reply's.
///
/// Fails with `usage` for text that is not JSON.
pub fn check_handoff_request(text: &str) -> Reply<Checked> {
    check_handoff(text, handoff::check_request)
}

/// Checks what a sub-agent answers, as [`handoff::check_response`] does; its warnings are the
/// reply's.
///
/// Fails with `usage` for text that is not JSON.
pub fn check_handoff_response(text: &str, policy: SummaryPolicy) -> Reply<Checked> {
    check_handoff(text, |response| handoff::check_response(response, policy))
}

fn check_handoff(text: &str, check: impl FnOnce(Json) -> Checked) -> Reply<Checked> {
    let reading = match json::read(text.as_bytes()) {
        Ok(reading) => reading,
        Err(error) => {
            let error = Error::usage(sentence!("Expected `text` to hold JSON: {error}"));
            return Warnings::default().reply(Err(error));
        }
    };
    let mut warnings = Warnings::default();
    warnings.reading(
        "The text",
        reading.duplicate_key.as_deref(),
        reading.text_replaced,
    );
    let checked = checked(check(reading.value));
    Reply {
        warnings: [warnings.reply(Ok(())).warnings, checked.warnings].concat(),
        result: checked.result,
    }
}

/// The reply for a checked handoff, whose warnings become its own.
pub(super) fn checked(mut checked: Checked) -> Reply<Checked> {
    Reply {
        warnings: std::mem::take(&mut checked.warnings),
        result: Ok(checked),
    }
}

/// Reads a document, within the size that the store accepts.
pub(super) fn parse_document(text: &str, warnings: &mut Warnings) -> Result<Object, Error> {
    if text.len() > MAX_DOCUMENT_BYTES as usize {
        return Err(Error::too_large(
            "document".to_owned(),
            format!(
                "The document has {} bytes; expected at most {MAX_DOCUMENT_MIB} MiB",
                text.len()
            ),
        ));
    }
    let invalid = |message: String| {
        Error::invalid_document(vec![Problem {
            at: Pointer::root(),
            code: ProblemCode::Type,
            message,
        }])
    };
    let reading = json::read(text.as_bytes())
        .map_err(|malformed| invalid(sentence!("expected JSON: {malformed}")))?;
    if reading.duplicate_key.is_some() || reading.text_replaced {
        whole::needed()?;
    }
    let kind = reading.value.kind();
    warnings.reading(
        "The document",
        reading.duplicate_key.as_deref(),
        reading.text_replaced,
    );
    match reading.value {
        Json::Object(object) => Ok(object),
        _ => Err(invalid(sentence!("expected an object, found {kind}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{complete, create, gate, resume_point, update_phase, validate};
    use crate::error::{Code, WarningCode};
    use crate::operation::Target;

    const NOON: f64 = 1_769_688_000_000.0;

    fn created() -> String {
        let target = Target {
            command: "design".to_owned(),
            feature: Some("login".to_owned()),
        };
        create(&target, NOON).unwrap()
    }

    fn updated(document: &str, phase: &str, patch: &str) -> String {
        update_phase(document, phase, patch, NOON).result.unwrap()
    }

    #[test]
    fn a_run_is_followed_from_its_first_phase_to_its_end() {
        let document = updated(
            &created(),
            "plan",
            r#"{"status":"complete","context_summary":"P"}"#,
        );
        let document = updated(&document, "build", r#"{"status":"in_progress"}"#);
        assert_eq!(validate(&document, &[]).result.unwrap(), []);
        let point = resume_point(&document).unwrap();
        assert_eq!(point.phase.as_deref(), Some("build"));
        assert_eq!(point.summary.as_deref(), Some("P"));
        assert_eq!(
            gate(&document, None).unwrap().blockers,
            ["No gate is recorded"]
        );

        let document = complete(&document, NOON).result.unwrap();
        assert_eq!(resume_point(&document).unwrap().phase, None);
        assert_eq!(complete(&document, NOON + 1.0).result.unwrap(), document);
    }

    #[test]
    fn an_update_keeps_the_revision_the_seal_and_unknown_members() {
        let stamped = created().replacen('{', r#"{"revision": 7, "seal": "abc", "own": 1e400,"#, 1);
        let document = updated(&stamped, "plan", "{}");
        for kept in [r#""revision": 7"#, r#""seal": "abc""#, r#""own": 1e400"#] {
            assert!(document.contains(kept), "{kept} in {document}");
        }
    }

    #[test]
    fn an_invalid_document_is_refused_by_every_rule() {
        for document in ["", "[]", "null", "{", r#"{"a":"#, "\u{0}"] {
            let results = [
                update_phase(document, "plan", "{}", NOON).result.map(drop),
                complete(document, NOON).result.map(drop),
                resume_point(document).map(drop),
                gate(document, None).map(drop),
            ];
            for result in results {
                assert_eq!(result.unwrap_err().code(), Code::InvalidDocument);
            }
            assert_eq!(validate(document, &[]).result.unwrap().len(), 1);
        }
    }

    #[test]
    fn a_patch_that_is_no_object_is_refused() {
        for patch in ["", "[]", "5", "{"] {
            let error = update_phase(&created(), "plan", patch, NOON).result;
            assert_eq!(error.unwrap_err().code(), Code::Usage);
        }
    }

    #[test]
    fn an_invalid_name_makes_no_document() {
        for (command, feature) in [("fly", None), ("design", Some("../x")), ("", Some(""))] {
            let target = Target {
                command: command.to_owned(),
                feature: feature.map(str::to_owned),
            };
            let error = create(&target, NOON).unwrap_err();
            assert_eq!(error.code(), Code::InvalidName);
        }
    }

    #[test]
    fn every_value_of_the_clock_makes_a_valid_document() {
        for now_ms in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, f64::MAX] {
            let document = updated_at(now_ms);
            assert_eq!(validate(&document, &[]).result.unwrap(), [], "{now_ms}");
        }
    }

    fn updated_at(now_ms: f64) -> String {
        let updated = update_phase(&created(), "plan", "{}", now_ms);
        updated.result.unwrap()
    }

    #[test]
    fn both_texts_of_an_update_are_read_with_warnings() {
        let document = created().replacen('{', r#"{"own": 1, "own": 2,"#, 1);
        let reply = update_phase(&document, "plan", r#"{"a": 1, "a": 2}"#, NOON);
        let codes: Vec<_> = reply.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, [WarningCode::DuplicateKey; 2]);
    }
}
