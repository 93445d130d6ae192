//! The effects of a tool call that matter: files that it wrote, and the plan that it changed.

use std::borrow::Cow;

use super::fields::{object_of, text_of};
use super::patch::{self, WrittenFile};
use super::plan::{Item, PlanItemProgress, PlanUpdate};
use super::table::{Agent, Tool};
use crate::json::{self, Json, Object};

/// The effect of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// It wrote these files, at least one.
    Wrote(Vec<WrittenFile>),
    /// It changed the plan.
    Planned(PlanUpdate),
    /// It presented a plan of this text, which the user approved.
    Presented(String),
    /// Nothing that matters.
    Nothing,
}

const NAME: [&str; 3] = ["tool_name", "toolName", "tool"];
const INPUT: [&str; 3] = ["tool_input", "toolArgs", "args"];
const RESPONSE: [&str; 4] = ["tool_response", "toolResult", "tool_output", "result"];

const CALL: [&str; 3] = ["tool_use_id", "toolCallId", "callID"];

/// Returns the effect of a tool call that has ended.
pub(super) fn did(agent: Agent, event: &str, payload: &Object) -> Did {
    // An event that is itself a tool's has the tool's input beside it.
    let name = text_of(payload, &NAME).unwrap_or(event);
    let Some((_, tool)) = agent.row().tools.iter().find(|(it, _)| *it == name) else {
        return Did::Nothing;
    };
    let input = input(payload);
    let response = object_of(payload, &RESPONSE);
    if response.is_some_and(has_failed) {
        return Did::Nothing;
    }
    match tool {
        Tool::Writes(member) => match text_of(&input, &[member, "path", "file_path"]) {
            Some(path) if !path.is_empty() => Did::Wrote(vec![WrittenFile {
                path: path.to_owned(),
                is_new: response.and_then(is_new),
            }]),
            _ => Did::Nothing,
        },
        Tool::Patches => patched(payload, &input),
        Tool::MakesTask => {
            let call = text_of(payload, &CALL);
            planned(response.and_then(|response| created(response, call)), false)
        }
        Tool::ChangesTask => planned(changed(&input, response), false),
        Tool::Plans { list, text } => {
            let items = input.get(list).and_then(Json::as_array);
            let items = items.unwrap_or_default();
            planned(items.iter().filter_map(|item| listed(item, text)), true)
        }
        // A plan that was kept in a file is in the answer alone.
        Tool::Presents(member) => {
            let text = text_of(&input, &[member]);
            let text = text.or(response.and_then(|response| text_of(response, &[member])));
            match text.map(str::trim).filter(|text| !text.is_empty()) {
                Some(text) => Did::Presented(text.to_owned()),
                None => Did::Nothing,
            }
        }
    }
}

/// The input of the tool; some agents send it as text.
fn input(payload: &Object) -> Cow<'_, Object> {
    if let Some(input) = object_of(payload, &INPUT) {
        return Cow::Borrowed(input);
    }
    let Some(text) = text_of(payload, &INPUT) else {
        return Cow::Borrowed(payload);
    };
    match json::read(text.as_bytes()).map(|reading| reading.value) {
        Ok(Json::Object(input)) => Cow::Owned(input),
        _ => Cow::Owned(Object::new().with("command", text)),
    }
}

fn has_failed(response: &Object) -> bool {
    let is_said = |key| response.get(key).is_some_and(|value| *value != Json::Null);
    let error = response.get("error").and_then(Json::as_str);
    let kind = text_of(response, &["resultType"]);
    (is_said("error") && error != Some(""))
        || response.get("success").and_then(Json::as_bool) == Some(false)
        || kind.is_some_and(|kind| kind != "success")
}

/// Returns whether the answer of a tool that wrote a file says that the file is new.
fn is_new(response: &Object) -> Option<bool> {
    match text_of(response, &["type"]) {
        Some("create") => return Some(true),
        Some("update") => return Some(false),
        _ => {}
    }
    let shown = object_of(response, &["returnDisplay"])?;
    shown.get("isNewFile")?.as_bool()
}

fn patched(payload: &Object, input: &Object) -> Did {
    let response = text_of(payload, &RESPONSE).unwrap_or_default();
    let failed = response
        .strip_prefix("Exit code: ")
        .is_some_and(|rest| !rest.starts_with("0\n"));
    let text = text_of(input, &["command", "patch", "input", "patchText"]);
    let written = match text {
        Some(text) if !failed => patch::written(text),
        _ => Vec::new(),
    };
    match written.is_empty() {
        true => Did::Nothing,
        false => Did::Wrote(written),
    }
}

fn planned(items: impl IntoIterator<Item = Item>, is_whole: bool) -> Did {
    let items: Vec<Item> = items.into_iter().collect();
    match items.is_empty() && !is_whole {
        true => Did::Nothing,
        false => Did::Planned(PlanUpdate { items, is_whole }),
    }
}

/// A task that was created.
fn created(response: &Object, call: Option<&str>) -> Option<Item> {
    let task = object_of(response, &["task"])?;
    Some(Item {
        id: Some(text_of(task, &["id"])?.to_owned()),
        name: text_of(task, &["subject"]).map(str::to_owned),
        progress: Some(PlanItemProgress::Pending),
        is_new: true,
        call: call.map(str::to_owned),
    })
}

/// A task that was changed. What became of it stands in the answer, its subject only where it is new.
fn changed(input: &Object, response: Option<&Object>) -> Option<Item> {
    let id = response.and_then(|it| text_of(it, &["taskId"]));
    let became = response
        .and_then(|it| object_of(it, &["statusChange"]))
        .and_then(|it| text_of(it, &["to"]));
    let status = became.or(text_of(input, &["status"]));
    Some(Item {
        id: Some(id.or(text_of(input, &["taskId"]))?.to_owned()),
        name: text_of(input, &["subject"]).map(str::to_owned),
        progress: match status {
            Some(status) => Some(PlanItemProgress::parse(status)?),
            None => None,
        },
        ..Item::default()
    })
}

/// An item of a whole plan.
fn listed(item: &Json, text: &str) -> Option<Item> {
    let item = item.as_object()?;
    Some(Item {
        id: None,
        name: Some(text_of(item, &[text])?.to_owned()),
        progress: text_of(item, &["status"]).and_then(PlanItemProgress::parse),
        ..Item::default()
    })
}
