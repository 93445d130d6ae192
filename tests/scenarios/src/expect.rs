//! The expected answer of a step, and its comparison with the real one.

use anyhow::{Context, Result, anyhow, bail, ensure};
use milepost::json::{self, Json, Object};

use crate::text;

/// The words of a step that say what is expected of it; the others are members of its request.
pub const WORDS: [&str; 14] = [
    "error",
    "warnings",
    "says",
    "value",
    "text_has",
    "text_lacks",
    "kept",
    "may_fail",
    "seconds",
    "while_waiting",
    "with_faults",
    "exit",
    "shows",
    "input",
];

/// The longest part of a reply that is shown, in characters.
const SHOWN: usize = 600;

/// Compares the reply of an operation with what its step says.
///
/// # Errors
///
/// Says what is otherwise, and shows the reply.
pub fn reply(reply: &str, step: &Object) -> Result<()> {
    let shown = || reply.chars().take(SHOWN).collect::<String>();
    compare(reply, step).with_context(shown)
}

fn compare(reply: &str, step: &Object) -> Result<()> {
    let reading = json::read(reply.as_bytes()).map_err(|error| anyhow!("{error}"))?;
    let reply = reading.value;
    let reply = reply.as_object().context("a reply is an object")?;
    let error = reply.get("error");
    let warnings = reply.get("warnings").and_then(Json::as_array);
    let warnings = warnings.context("a reply has warnings")?;
    if step.get("may_fail").is_none() {
        coded(error, step.get("error"))?;
        let expected = step.get("warnings").and_then(Json::as_array);
        let expected = expected.unwrap_or_default();
        ensure!(
            warnings.len() == expected.len(),
            "{} warnings instead of {}",
            warnings.len(),
            expected.len()
        );
        for (warning, expected) in warnings.iter().zip(expected) {
            coded(Some(warning), Some(expected))?;
        }
    }
    let said: Vec<&str> = warnings
        .iter()
        .chain(error)
        .filter_map(|it| member(it, "message"))
        .collect();
    let said = said.join("\n");
    for part in parts(step, "says")? {
        ensure!(said.contains(&part), "does not say {part}");
    }
    let value = reply.get("value");
    if let Some(expected) = step.get("value") {
        covers_all(value, expected)?;
    }
    let text = value.and_then(|value| member(value, "text"));
    let text = text.unwrap_or_default();
    for part in parts(step, "text_has")? {
        ensure!(text.contains(&part), "no {part} in the text");
    }
    for part in parts(step, "text_lacks")? {
        ensure!(!text.contains(&part), "{part} is in the text");
    }
    Ok(())
}

/// Compares a value that is no reply, such as a number of tokens, with the `value` of its step.
///
/// # Errors
///
/// Shows both.
pub fn value(found: &Json, step: &Object) -> Result<()> {
    match step.get("value") {
        Some(expected) => covers_all(Some(found), expected),
        None => Ok(()),
    }
}

/// Compares a file in the end with what a scenario says: a text, the members that matter, or null
/// where no value exists.
///
/// # Errors
///
/// Shows both.
pub fn file(path: &str, found: Option<&[u8]>, expected: &Json) -> Result<()> {
    let text = found.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let holds = match (&text, expected) {
        (None, Json::Null) => true,
        (Some(_), Json::String(_)) => found == Some(&text::bytes(expected)?),
        (Some(text), Json::Object(_)) => {
            json::read(text.as_bytes()).is_ok_and(|it| covers(&it.value, expected))
        }
        _ => false,
    };
    ensure!(holds, "{path} is {text:?}, expected {}", expected.to_line());
    Ok(())
}

/// The texts of a list of a step.
///
/// # Errors
///
/// One of them is no text.
pub fn parts(step: &Object, word: &str) -> Result<Vec<String>> {
    let items = step.get(word).and_then(Json::as_array);
    items.unwrap_or_default().iter().map(text::string).collect()
}

/// An error or a warning: a code alone, or the members that matter.
fn coded(found: Option<&Json>, expected: Option<&Json>) -> Result<()> {
    let code = found.and_then(|it| member(it, "code"));
    match (expected, found) {
        (None, None) => Ok(()),
        (Some(Json::String(expected)), _) if code == Some(expected.as_str()) => Ok(()),
        (Some(Json::Object(_)), Some(found)) => covers_all(Some(found), expected.unwrap_or(found)),
        _ => bail!(
            "ended with {code:?} instead of {}",
            expected.map_or("no failure".to_owned(), Json::to_line)
        ),
    }
}

fn covers_all(found: Option<&Json>, expected: &Json) -> Result<()> {
    ensure!(
        found.is_some_and(|found| covers(found, expected)),
        "expected {}",
        expected.to_line()
    );
    Ok(())
}

/// Returns whether a value has at least the members that are expected, at every level.
fn covers(value: &Json, expected: &Json) -> bool {
    match (value, expected) {
        (Json::Object(value), Json::Object(expected)) => expected
            .iter()
            .all(|(key, expected)| value.get(key).is_some_and(|it| covers(it, expected))),
        (Json::Array(value), Json::Array(expected)) => {
            value.len() == expected.len()
                && value.iter().zip(expected).all(|(it, of)| covers(it, of))
        }
        _ => value == expected,
    }
}

fn member<'a>(value: &'a Json, key: &str) -> Option<&'a str> {
    value.as_object()?.get(key)?.as_str()
}
