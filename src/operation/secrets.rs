//! The gate before anything is stored or sent: texts lose their secrets, and names and paths that hold one are refused
//! or left out.
//!
//! Every operation on runs and snapshots, and every event of a hook, comes by here. The wasm of hooks only asks
//! whether there may be a secret, and leaves what may have one to the library. Values of threads and payloads of
//! task checkpoints are their makers', and pass.

use std::cell::{Cell, RefCell};

use crate::checkpoint::command::texts::{RunText, TextKind, TextScan, TextVerdict, scan_texts};
use crate::effect::Io;
use crate::error::whole;
use crate::error::{Error, WarningCode};
use crate::extent::HIDES_SECRETS;
use crate::json::{Object, Pointer};
use crate::root::Root;
use crate::schema::{Problem, ProblemCode};
use crate::secret::{
    self, Allowed, Rule, SecretFinding, redact_field_except, suspect, suspect_field,
};

use super::Warnings;
use super::project::load_integrations::allowed_secrets;

/// The treatment of names that hold a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::operation) enum SecretNames {
    /// A new one is refused.
    Refused,
    /// They were stored before, and come back.
    Allowed,
}

/// The gate that the changes of one run come by.
#[derive(Debug, Default)]
pub(in crate::operation) struct Gate {
    /// The rules that the project allows; `None` until a check needs them.
    allowed: RefCell<Option<Allowed>>,
    /// Set where the latest try needs them.
    needs_allowed: Cell<bool>,
    /// The rules that the latest try found in texts and paths.
    rules: RefCell<Vec<Rule>>,
    /// The number of paths that the latest try left out.
    left_out: Cell<u64>,
}

impl Gate {
    /// Takes the secrets out of what is new in a run since these documents.
    ///
    /// The first secret of all ends the try: the committing operation then calls [`Gate::ask`], and tries again.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_document`] for a new name that holds a secret, whose problems have the code `secret`.
    pub(in crate::operation) fn pass(
        &self,
        run: &mut Object,
        before: &[&Object],
        names: SecretNames,
    ) -> Result<(), Error> {
        if !HIDES_SECRETS {
            let mut is_suspected = false;
            scan_texts(run, before, &mut |shown: RunText<'_>| {
                is_suspected |= suspect_field(shown.names, shown.text);
                TextVerdict::Fine
            });
            return match is_suspected {
                true => whole::needed(),
                false => Ok(()),
            };
        }
        let none = Allowed::default();
        let known = self.allowed.borrow();
        let allowed = known.as_ref().unwrap_or(&none);
        let mut rules = Vec::new();
        let TextScan { refused, left_out } = scan_texts(run, before, &mut |shown: RunText<'_>| {
            let redacted = redact_field_except(shown.names, shown.text, allowed);
            if redacted.findings.is_empty() {
                return TextVerdict::Fine;
            }
            if shown.kind != TextKind::Name {
                add_rules(&mut rules, &redacted.findings);
            }
            TextVerdict::Secret(redacted.text.into_owned())
        });
        let is_refused = names == SecretNames::Refused && !refused.is_empty();
        if known.is_none() && (is_refused || !rules.is_empty()) {
            self.needs_allowed.set(true);
            return Err(Error::busy(String::new()));
        }
        if is_refused {
            return Err(refusal(refused));
        }
        self.rules.replace(rules);
        self.left_out.set(left_out);
        Ok(())
    }

    /// Returns whether the latest try ended because it needs the rules that the project allows.
    pub(in crate::operation) fn needs_allowed(&self) -> bool {
        HIDES_SECRETS && self.needs_allowed.get()
    }

    /// Determines what the project allows, once.
    pub(in crate::operation) async fn load_allowed(&self, io: &Io, root: &Root) {
        self.needs_allowed.set(false);
        if HIDES_SECRETS && self.allowed.borrow().is_none() {
            let allowed = allowed(io, root).await;
            self.allowed.replace(Some(allowed));
        }
    }

    /// Warns of what was taken out of a document, or left out of it.
    pub(in crate::operation) fn notice(&self, what: &str, warnings: &mut Warnings) {
        if HIDES_SECRETS {
            warn(warnings, what, &self.rules.borrow(), self.left_out.get());
        }
    }
}

/// Adds the rules of these findings that are not there yet.
fn add_rules(rules: &mut Vec<Rule>, findings: &[SecretFinding]) {
    for finding in findings {
        if !rules.contains(&finding.rule) {
            rules.push(finding.rule);
        }
    }
}

/// Warns of what was taken out, by the rules alone.
pub(in crate::operation) fn warn(
    warnings: &mut Warnings,
    what: &str,
    rules: &[Rule],
    left_out: u64,
) {
    if rules.is_empty() {
        return;
    }
    let names: Vec<&str> = rules.iter().map(|rule| rule.as_str()).collect();
    let names = names.join(", ");
    let paths = match left_out {
        0 => String::new(),
        1 => "; a path that holds one was left out".to_owned(),
        count => format!("; {count} paths that hold one were left out"),
    };
    let message = format!("Text that looks like a secret ({names}) was taken out of {what}{paths}");
    warnings.warn(WarningCode::Redacted, message);
}

/// The refusal of a document with names that hold a secret, at these places.
#[cold]
pub(in crate::operation) fn refusal(places: Vec<Pointer>) -> Error {
    let problem = |at: Pointer| {
        Problem {
        at,
        code: ProblemCode::Secret,
        message: "a name here holds what looks like a secret, and names are stored as they are; choose another one"
            .to_owned(),
    }
    };
    Error::invalid_document(places.into_iter().map(problem).collect())
}

/// Refuses a feature whose name holds a secret, before a file is named after it.
///
/// # Errors
///
/// [`Error::invalid_name`].
pub(in crate::operation) fn expect_feature(feature: Option<&str>) -> Result<(), Error> {
    match feature {
        Some(feature) if holds(feature)? => Err(Error::invalid_name(
            "The feature's name holds what looks like a secret, and names are stored as they are; choose another one"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

/// Returns whether a name or a path holds a secret.
///
/// # Errors
///
/// Fails with `usage` if only the `library` build can do it.
pub(in crate::operation) fn holds(name: &str) -> Result<bool, Error> {
    if HIDES_SECRETS {
        return Ok(secret::secret_in(name).is_some());
    }
    match suspect(name) {
        true => whole::needed().map(|()| false),
        false => Ok(false),
    }
}

/// The rules that the project allows; nothing where it does not say, or cannot be asked.
pub(in crate::operation) async fn allowed(io: &Io, root: &Root) -> Allowed {
    let names = allowed_secrets(io, root).await.unwrap_or_default();
    Allowed::of(names.iter().map(String::as_str))
}

/// A text that is to be stored or sent, without its secrets.
///
/// # Errors
///
/// Fails with `usage` if only the `library` build can do it.
pub(in crate::operation) async fn hidden(
    io: &Io,
    root: &Root,
    (what, text): (&str, &str),
    warnings: &mut Warnings,
) -> Result<String, Error> {
    if !HIDES_SECRETS {
        if suspect(text) {
            whole::needed()?;
        }
        return Ok(text.to_owned());
    }
    if secret::secret_in(text).is_none() {
        return Ok(text.to_owned());
    }
    let allowed = allowed(io, root).await;
    let redacted = secret::redact_except(text, &allowed);
    let mut rules = Vec::new();
    add_rules(&mut rules, &redacted.findings);
    warn(warnings, what, &rules, 0);
    Ok(redacted.text.into_owned())
}

/// The first secret in a whole run that the project does not allow, by its rule.
pub(in crate::operation) async fn in_run(io: &Io, root: &Root, run: &Object) -> Option<Rule> {
    first_in(run, &Allowed::default())?;
    first_in(run, &allowed(io, root).await)
}

fn first_in(run: &Object, allowed: &Allowed) -> Option<Rule> {
    let mut first = None;
    scan_texts(&mut run.clone(), &[], &mut |shown: RunText<'_>| {
        let redacted = redact_field_except(shown.names, shown.text, allowed);
        if let Some(finding) = redacted.findings.first() {
            first.get_or_insert(finding.rule);
        }
        TextVerdict::Fine
    });
    first
}

/// The text for an agent, without the secrets that older versions and manual edits have stored.
pub(in crate::operation) fn sent(facts: Object) -> Object {
    use crate::json::Json;

    fn without(value: Json) -> Json {
        match value {
            Json::String(text) => {
                let hidden = secret::redact(&text);
                match hidden.findings.is_empty() {
                    true => Json::String(text),
                    false => Json::String(hidden.text.into_owned()),
                }
            }
            Json::Array(items) => Json::Array(items.into_iter().map(without).collect()),
            Json::Object(object) => Json::Object(sent(object)),
            other => other,
        }
    }

    if !HIDES_SECRETS {
        return facts;
    }
    let members = facts.into_iter();
    members.map(|(key, value)| (key, without(value))).collect()
}
