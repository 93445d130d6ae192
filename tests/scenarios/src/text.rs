//! Texts of scenarios: written out, or made of a few words.

use anyhow::{Context, Result, bail};
use milepost::json::{Json, Object};

/// The member that makes a text, as the only one of an object.
const MAKERS: [&str; 5] = ["join", "repeat", "count", "nest", "bytes"];

/// Returns whether a value is a text that is made.
pub fn is_made(value: &Json) -> bool {
    maker(value).is_some()
}

/// A text that is UTF-8.
///
/// # Errors
///
/// As [`bytes`], and bytes that are no text.
pub fn string(value: &Json) -> Result<String> {
    Ok(String::from_utf8(bytes(value)?)?)
}

/// The bytes that a value stands for.
///
/// # Errors
///
/// It is no text and no maker has its name, or the maker takes something else.
pub fn bytes(value: &Json) -> Result<Vec<u8>> {
    if let Some(text) = value.as_str() {
        return Ok(text.as_bytes().to_owned());
    }
    let (name, argument) = maker(value).with_context(|| format!("no text: {}", value.to_line()))?;
    let pair = || match argument.as_array() {
        Some([text, count]) => Ok((text, number(count)?)),
        _ => bail!("`{name}` takes a text and a number"),
    };
    let items = || {
        argument
            .as_array()
            .with_context(|| format!("`{name}` takes a list"))
    };
    Ok(match name {
        "join" => {
            let parts = items()?.iter().map(bytes);
            parts.collect::<Result<Vec<_>>>()?.concat()
        }
        "repeat" => {
            let (text, count) = pair()?;
            bytes(text)?.repeat(count)
        }
        "count" => {
            let (text, count) = pair()?;
            let text = string(text)?;
            let texts = (0..count).map(|at| text.replace('#', &at.to_string()));
            texts.collect::<String>().into_bytes()
        }
        "nest" => {
            let depth = number(argument)?;
            [b"[".repeat(depth), b"]".repeat(depth)].concat()
        }
        _ => {
            let bytes = items()?.iter().map(|byte| {
                let byte = byte.as_u64().and_then(|byte| u8::try_from(byte).ok());
                byte.context("`bytes` takes numbers up to 255")
            });
            bytes.collect::<Result<_>>()?
        }
    })
}

/// Bytes as a scenario has them: a text, or `{"bytes": […]}` where they are not UTF-8.
pub fn content(bytes: &[u8]) -> Json {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            let numbers = bytes.iter().map(|&byte| u64::from(byte));
            Object::new()
                .with("bytes", numbers.collect::<Vec<_>>())
                .into()
        }
    }
}

fn maker(value: &Json) -> Option<(&str, &Json)> {
    let members = value.as_object()?;
    let (name, argument) = members.iter().next()?;
    (members.len() == 1 && MAKERS.contains(&name)).then_some((name, argument))
}

/// The number of repetitions, or the depth.
pub(crate) fn number(value: &Json) -> Result<usize> {
    let number = value.as_u64().and_then(|it| usize::try_from(it).ok());
    number.with_context(|| format!("no number: {}", value.to_line()))
}
