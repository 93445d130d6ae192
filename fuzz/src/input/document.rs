//! Documents, and changes of them.

use milepost::checkpoint::command::definition::COMMANDS;
use milepost::checkpoint::command::phases::Status;
use milepost::json::{Json, Object};

use super::{Result, Unstructured, one_in, several, text};

/// Few, so that two documents have some in common, and none of them ordinary to every language.
const KEYS: [&str; 14] = [
    "a",
    "b",
    "c",
    "",
    "a/b",
    "m~n",
    "~1",
    "0",
    "10",
    "-",
    "__proto__",
    "constructor",
    "status",
    "updated_at",
];

const PHASES: [&str; 8] = [
    "research",
    "plan",
    "a/b",
    "m~n",
    "10",
    "9",
    "__proto__",
    "\u{202e}evil",
];

const TIMES: [&str; 7] = [
    "2026-01-29T10:30:00.000Z",
    "2026-01-29T10:30:00.001Z",
    "2026-01-29T11:30:00+01:00",
    "2026-06-30T23:59:60Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999-23:59",
    "not a time",
];

const NUMBERS: [&str; 9] = [
    "0",
    "1",
    "2",
    "-0",
    "1.0",
    "1e400",
    "0.1e1",
    "9007199254740991",
    "12345678901234567890",
];

/// The name of a phase; every one of them is allowed.
pub(crate) fn phase_name(u: &mut Unstructured<'_>) -> Result<&'static str> {
    u.choose(&PHASES).copied()
}

/// A value that is nested at most `depth` levels.
pub(crate) fn value(u: &mut Unstructured<'_>, depth: u8) -> Result<Json> {
    let kinds = if depth > 0 { 8 } else { 5 };
    Ok(match u.int_in_range(0..=kinds)? {
        0 => Json::Null,
        1 => Json::Bool(u.arbitrary()?),
        2 => Json::Number((*u.choose(&NUMBERS)?).into()),
        3 | 4 => string(u)?,
        5 => text::any(u)?.into(),
        6 => Json::Array(several(u, 4, string)?),
        7 => Json::Array(several(u, 4, |u| value(u, depth - 1))?),
        _ => object(u, depth - 1)?.into(),
    })
}

/// An object whose values are nested at most `depth` levels.
pub(crate) fn object(u: &mut Unstructured<'_>, depth: u8) -> Result<Object> {
    let members = several(u, 4, |u| Ok((key(u)?, value(u, depth)?)))?;
    Ok(members.into_iter().collect())
}

fn key(u: &mut Unstructured<'_>) -> Result<String> {
    if one_in(u, 8)? {
        return text::any(u);
    }
    Ok((*u.choose(&KEYS)?).to_owned())
}

/// A string that others are likely to be equal to.
fn string(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok((*u.choose(&KEYS)?).into())
}

/// A document with the outline of a checkpoint. It mostly keeps to the schema.
pub(crate) fn checkpoint(u: &mut Unstructured<'_>) -> Result<Object> {
    let mut document = Object::new();
    document.set("command", *u.choose(&COMMANDS)?);
    if u.arbitrary()? {
        document.set("feature", text::feature(u)?);
    }
    document.set("version", if one_in(u, 30)? { 2 } else { 1 });
    if u.arbitrary()? {
        let commit = ["d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d", "1111111"];
        document.set("head_commit", *u.choose(&commit)?);
    }
    document.set("started_at", time(u)?);
    document.set("updated_at", time(u)?);
    if one_in(u, 3)? {
        document.set("completed_at", time(u)?);
    }
    document.set("state", state(u)?);
    let phases = several(u, 4, |u| Ok((phase_name(u)?, phase(u)?)))?;
    document.set("phases", phases.into_iter().collect::<Object>());
    if one_in(u, 3)? {
        document.set("gate", gate(u)?);
    }
    for (key, value) in object(u, 2)? {
        document.set(&key, value);
    }
    Ok(document)
}

fn time(u: &mut Unstructured<'_>) -> Result<&'static str> {
    // The last value is not a time.
    let known = if one_in(u, 20)? {
        TIMES.len()
    } else {
        TIMES.len() - 1
    };
    Ok(TIMES[u.int_in_range(0..=known - 1)?])
}

fn state(u: &mut Unstructured<'_>) -> Result<Object> {
    let current = u.arbitrary::<bool>()?.then(|| phase_name(u)).transpose()?;
    let mut state = Object::new()
        .with("current_phase", current)
        .with("completed_phases", several(u, 4, phase_name)?)
        .with("pending_phases", several(u, 4, phase_name)?);
    if one_in(u, 4)? {
        state.set("current_task", text::any(u)?);
    }
    if one_in(u, 3)? {
        state.set("context_summary", text::any(u)?);
    }
    Ok(state)
}

/// The fields of a phase.
pub(crate) fn phase(u: &mut Unstructured<'_>) -> Result<Object> {
    let mut phase = Object::new().with("status", u.choose(&Status::ALL)?.as_str());
    for key in ["started_at", "updated_at"] {
        if u.arbitrary()? {
            phase.set(key, time(u)?);
        }
    }
    for key in ["context_summary", "error"] {
        if one_in(u, 3)? {
            phase.set(key, text::any(u)?);
        }
    }
    for key in ["files_created", "files_modified"] {
        if one_in(u, 3)? {
            phase.set(key, several(u, 3, text::any)?);
        }
    }
    if one_in(u, 3)? {
        phase.set(&key(u)?, value(u, 2)?);
    }
    Ok(phase)
}

fn gate(u: &mut Unstructured<'_>) -> Result<Object> {
    let gate = Object::new()
        .with("ship_allowed", u.arbitrary::<bool>()?)
        .with("blockers", several(u, 3, text::any)?);
    Ok(gate)
}

/// The document after up to six changes: a change is anywhere in it.
pub(crate) fn edited(u: &mut Unstructured<'_>, document: &Object) -> Result<Object> {
    let mut edited = document.clone();
    for _ in 0..u.int_in_range(0..=6_u8)? {
        edit_object(u, &mut edited)?;
    }
    Ok(edited)
}

fn edit_object(u: &mut Unstructured<'_>, object: &mut Object) -> Result<()> {
    let keys: Vec<String> = object.iter().map(|(key, _)| key.to_owned()).collect();
    if keys.is_empty() || one_in(u, 5)? {
        object.set(&key(u)?, value(u, 2)?);
        return Ok(());
    }
    let key = u.choose(&keys)?;
    let removed = match object.get_mut(key) {
        Some(value) => edit(u, value)?,
        None => false,
    };
    if removed {
        object.remove(key);
    }
    Ok(())
}

fn edit_list(u: &mut Unstructured<'_>, items: &mut Vec<Json>) -> Result<()> {
    let at = u.int_in_range(0..=items.len())?;
    match items.get_mut(at) {
        Some(item) if u.arbitrary()? => {
            if edit(u, item)? {
                items.remove(at);
            }
        }
        _ => items.insert(at, string(u)?),
    }
    Ok(())
}

/// Changes a value in itself or as a whole; `true` when it is to go instead.
fn edit(u: &mut Unstructured<'_>, present: &mut Json) -> Result<bool> {
    match present {
        Json::Object(object) if !one_in(u, 6)? => edit_object(u, object)?,
        Json::Array(items) if !one_in(u, 6)? => edit_list(u, items)?,
        _ if one_in(u, 3)? => return Ok(true),
        _ => *present = value(u, 1)?,
    }
    Ok(false)
}
