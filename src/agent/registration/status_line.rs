//! The status line of Claude Code, which is one command: ours, with the one that was there behind it.

use crate::json::{Json, JsonNode, JsonSource, JsonStep, Object, decoded};

use super::command::{Launch, is_own};

const WAY: [JsonStep<'static>; 1] = [JsonStep::Key("statusLine")];
const COMMAND: [JsonStep<'static>; 2] = [JsonStep::Key("statusLine"), JsonStep::Key("command")];

/// The marks before and behind the command of another status line.
const BEFORE: &str = " --then '";
const AFTER: char = '\'';

/// A quote within a text between single quotes.
const QUOTE: &str = r"'\''";

/// Registers the status line; an existing one is kept and run as well. `false`: the existing one cannot be run so.
pub(super) fn install(source: &mut JsonSource, launch: &Launch) -> bool {
    let Some(there) = source.at(&WAY) else {
        let line = Object::new()
            .with("type", "command")
            .with("command", launch.status_line());
        source.add_member(&[], "statusLine", &line.into());
        return true;
    };
    let is_command = there.member("type").and_then(|it| it.value.as_str()) == Some("command");
    let command = source.at(&COMMAND).filter(|_| is_command);
    let Some((raw, command)) = command.and_then(|it| Some((raw(source, it), it.as_str()?))) else {
        return false;
    };
    let own = is_own(command);
    let kept = match own {
        true => wrapped_command(raw),
        false => Some(quoted(raw)),
    };
    let expected = match &kept {
        None => launch.status_line(),
        Some(_) if !launch.can_wrap() => return own,
        Some(_) => launch.wrapping_status_line(),
    };
    let mut expected = Json::from(expected).to_line();
    if let Some(kept) = &kept {
        expected.truncate(expected.len() - 1);
        expected = format!("{expected}{BEFORE}{kept}{AFTER}\"");
    }
    if source
        .at(&COMMAND)
        .is_some_and(|it| source.text()[it.at.clone()] != expected)
    {
        source.replace_text(&COMMAND, &expected);
    }
    true
}

/// Takes the status line out, and puts back the one that was there.
pub(super) fn remove(source: &mut JsonSource) {
    let Some(command) = own(source) else { return };
    match wrapped_command(raw(source, command)) {
        Some(kept) => {
            let before = format!("\"{}\"", unquoted(kept.as_str()));
            source.replace_text(&COMMAND, &before);
        }
        None => source.remove(&WAY),
    }
}

/// Returns whether the status line is registered.
pub(super) fn is_registered(source: &JsonSource) -> bool {
    own(source).is_some()
}

/// The command of the status line that ours runs as well.
pub(super) fn wrapped(source: &JsonSource) -> Option<String> {
    let kept = wrapped_command(raw(source, own(source)?))?;
    Some(decoded(&unquoted(&kept)))
}

fn own(source: &JsonSource) -> Option<&JsonNode> {
    source
        .at(&COMMAND)
        .filter(|it| it.as_str().is_some_and(is_own))
}

/// The raw text between the quotes of a string.
fn raw<'a>(source: &'a JsonSource, string: &JsonNode) -> &'a str {
    &source.text()[string.at.start + 1..string.at.end - 1]
}

/// The command of another one in ours, as it stands in the file. What people wrote is never decoded, so
/// that the same bytes come back.
fn wrapped_command(raw: &str) -> Option<String> {
    let raw = raw.replace("\\u0027", "'");
    let (_, rest) = raw.split_once(BEFORE)?;
    rest.strip_suffix(AFTER).map(str::to_owned)
}

/// A command as it stands in a file, between single quotes of a shell.
fn quoted(raw: &str) -> String {
    let quote = QUOTE.replace('\\', r"\\");
    raw.replace("\\u0027", "'").replace('\'', &quote)
}

fn unquoted(raw: &str) -> String {
    raw.replace(&QUOTE.replace('\\', r"\\"), "'")
}
