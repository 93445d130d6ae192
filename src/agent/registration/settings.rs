//! The text of a file of settings with our entries in it, and without them.

use crate::agent::Agent;
use crate::json::{Json, JsonNode, JsonSource, JsonStep, Malformed, NodeValue, Object};

use super::command::{Launch, Program, is_own, program};
use super::database::DatabaseRef;
use super::entry::{HookEntry, HookEntryForm, entries, events, form, hooks, version};
use super::{plugin, status_line};

const HOOKS: &str = "hooks";

/// The reason that a file stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsRefusal {
    /// It is no JSON, nor JSON with comments.
    Malformed(Malformed),
    /// Something in it is of a kind that the agent does not take.
    Kind {
        /// The position, as keys with `.` between; empty for all of it.
        at: String,
        /// The expected kind: `object` or `array`.
        expected: &'static str,
        /// The kind that stands there.
        found: &'static str,
    },
    /// Another program has written a file of this name.
    Foreign,
}

/// The outcome for the status line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusLine {
    /// It is registered, and one that is there is kept and run as well.
    Register,
    /// It stays as it is: another file has one, which would not be seen any more.
    Leave,
}

/// The rest of a file after removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemainingSettings {
    /// This text.
    Text(String),
    /// Nothing: all of it was ours.
    Nothing,
}

/// The part of a file that is ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredHooks {
    /// The number of events that have an entry.
    pub events: usize,
    /// The events that have none.
    pub missing: Vec<&'static str>,
    /// The commands, each once, as an agent runs them.
    pub commands: Vec<String>,
    /// The program that the first of these runs, where its command shows it.
    pub program: Option<Program>,
    /// The database that the first one of these keeps runs in; `None` for files.
    pub database: Option<DatabaseRef>,
    /// Set where the status line is registered.
    pub status_line: bool,
    /// The command of the status line that ours runs as well.
    pub wrapped: Option<String>,
}

/// The text with the entries of an agent in it, as this release has them; `None` is a file that is not
/// there. Doing it again changes nothing.
///
/// # Errors
///
/// [`SettingsRefusal`].
pub fn install(
    agent: Agent,
    text: Option<&str>,
    launch: &Launch,
    line: StatusLine,
) -> Result<String, SettingsRefusal> {
    let Some(form) = form(agent) else {
        return match text {
            Some(text) if !plugin::is_own(text) => Err(SettingsRefusal::Foreign),
            _ => Ok(plugin::text(launch)),
        };
    };
    let mut source = open(text.unwrap_or("{}\n"))?;
    if let Some(version) = version(agent)
        && source.root().member("version").is_none()
    {
        source.add_member(&[], "version", &version.into());
    }
    let entries = entries(agent, |event| launch.hook(agent, event));
    take_out(&mut source, form, |event, index| {
        index > 0 || entries.iter().all(|entry| entry.event != event)
    });
    if source.root().member(HOOKS).is_some() {
        for entry in &entries {
            put_in(&mut source, form, entry);
        }
    } else {
        source.add_member(&[], HOOKS, &hooks(&entries).into());
    }
    if agent == Agent::ClaudeCode && line == StatusLine::Register {
        status_line::install(&mut source, launch);
    }
    Ok(source.text().to_owned())
}

/// The text without the entries of an agent. `before` is the text before they came, if it is known: it comes back byte
/// for byte where nothing else has changed since.
///
/// # Errors
///
/// [`SettingsRefusal`].
pub fn remove(
    agent: Agent,
    text: &str,
    before: Option<&str>,
) -> Result<RemainingSettings, SettingsRefusal> {
    if form(agent).is_none() {
        return match plugin::is_own(text) {
            true => Ok(RemainingSettings::Nothing),
            false => Ok(RemainingSettings::Text(text.to_owned())),
        };
    }
    let left = without(agent, text)?;
    if left == text {
        return Ok(RemainingSettings::Text(left));
    }
    if let Some(before) = before
        && would_be_left(agent, before).is_ok_and(|it| it == left)
    {
        return Ok(RemainingSettings::Text(before.to_owned()));
    }
    let made = match version(agent) {
        Some(version) => Object::new().with("version", version),
        None => Object::new(),
    };
    let blank = |text: &str| text.replace([' ', '\t', '\r', '\n'], "");
    match before.is_none() && blank(&left) == made.to_line() {
        true => Ok(RemainingSettings::Nothing),
        false => Ok(RemainingSettings::Text(left)),
    }
}

/// Returns the part of a file that is ours.
///
/// # Errors
///
/// [`SettingsRefusal`].
pub fn find(agent: Agent, text: &str) -> Result<RegisteredHooks, SettingsRefusal> {
    let mut found = RegisteredHooks::default();
    let Some(form) = form(agent) else {
        match plugin::is_own(text) {
            true => {
                found.events = events(agent).count();
                let words = text
                    .lines()
                    .find_map(|line| line.strip_prefix(plugin::PLUGIN_WORDS));
                found
                    .commands
                    .extend(words.map(|it| it.trim_end_matches(';').to_owned()));
            }
            false => found.missing = events(agent).collect(),
        }
        found.read_first();
        return Ok(found);
    };
    let source = open(text)?;
    for event in events(agent) {
        let own = own_positions(&source, form, event);
        match own.is_empty() {
            true => found.missing.push(event),
            false => found.events += 1,
        }
        for position in own {
            let handler = source.at(&position.path(event)).map(JsonNode::json);
            let words = handler.as_ref().and_then(Json::as_object).map(words);
            found
                .commands
                .extend(words.filter(|it| !found.commands.contains(it)));
        }
    }
    found.read_first();
    if agent == Agent::ClaudeCode {
        found.status_line = status_line::is_registered(&source);
        found.wrapped = status_line::wrapped(&source);
    }
    Ok(found)
}

impl RegisteredHooks {
    /// Fills in what the first command says.
    fn read_first(&mut self) {
        let first = self.commands.first();
        self.program = first.and_then(|it| program(it));
        self.database = first.and_then(|it| DatabaseRef::of_command(it));
    }
}

/// Returns whether a file of Claude Code's has a status line that is not ours.
pub fn has_status_line(text: &str) -> bool {
    let source = JsonSource::read(text).ok();
    source.is_some_and(|it| {
        it.at(&[JsonStep::Key("statusLine")]).is_some() && !status_line::is_registered(&it)
    })
}

/// Reads a text in which entries can stand.
fn open(text: &str) -> Result<JsonSource, SettingsRefusal> {
    let source = JsonSource::read(text).map_err(SettingsRefusal::Malformed)?;
    let expect = |node: &JsonNode, at: &str, expected: &'static str| match node.kind() == expected {
        true => Ok(()),
        false => Err(SettingsRefusal::Kind {
            at: at.to_owned(),
            expected,
            found: node.kind(),
        }),
    };
    expect(source.root(), "", "object")?;
    if let Some(hooks) = source.root().member(HOOKS) {
        expect(&hooks.value, HOOKS, "object")?;
        if let NodeValue::Object(events) = &hooks.value.value {
            for event in events {
                expect(&event.value, &format!("{HOOKS}.{}", event.key), "array")?;
            }
        }
    }
    Ok(source)
}

/// The position of a handler of ours in the list of an event.
#[derive(Clone, Copy, Debug)]
struct HandlerPosition {
    item: usize,
    /// The position of the handler in its group.
    handler: Option<usize>,
    /// Set where nothing else stands in its group.
    is_alone: bool,
}

impl HandlerPosition {
    fn path<'a>(&self, event: &'a str) -> Vec<JsonStep<'a>> {
        let mut path = self.item_path(event);
        if let Some(handler) = self.handler {
            path.extend([JsonStep::Key(HOOKS), JsonStep::Item(handler)]);
        }
        path
    }

    fn item_path<'a>(&self, event: &'a str) -> Vec<JsonStep<'a>> {
        vec![
            JsonStep::Key(HOOKS),
            JsonStep::Key(event),
            JsonStep::Item(self.item),
        ]
    }
}

/// The handlers of ours in the list of an event.
fn own_positions(source: &JsonSource, form: HookEntryForm, event: &str) -> Vec<HandlerPosition> {
    let list = source.at(&[JsonStep::Key(HOOKS), JsonStep::Key(event)]);
    let items = list.and_then(JsonNode::items).unwrap_or_default();
    let mut positions = Vec::new();
    for (item, node) in items.iter().enumerate() {
        if form == HookEntryForm::Handlers {
            positions.extend(is_own_handler(node).then_some(HandlerPosition {
                item,
                handler: None,
                is_alone: true,
            }));
            continue;
        }
        let handlers = node
            .member(HOOKS)
            .and_then(|it| it.value.items())
            .unwrap_or_default();
        let own = handlers
            .iter()
            .enumerate()
            .filter(|(_, node)| is_own_handler(node));
        positions.extend(own.map(|(handler, _)| HandlerPosition {
            item,
            handler: Some(handler),
            is_alone: handlers.len() == 1,
        }));
    }
    positions
}

fn is_own_handler(node: &JsonNode) -> bool {
    node.json()
        .as_object()
        .is_some_and(|handler| is_own(&words(handler)))
}

/// The command of a handler with its arguments.
fn words(handler: &Object) -> String {
    let text = |key: &str| handler.get(key).and_then(Json::as_str);
    let mut words = text("command")
        .or(text("bash"))
        .unwrap_or_default()
        .to_owned();
    let arguments = handler
        .get("args")
        .and_then(Json::as_array)
        .unwrap_or_default();
    for argument in arguments.iter().filter_map(Json::as_str) {
        words.push(' ');
        words.push_str(argument);
    }
    words
}

/// Puts an entry into the list of its event, or in the place of the one that is there.
fn put_in(source: &mut JsonSource, form: HookEntryForm, entry: &HookEntry) {
    let list = [JsonStep::Key(HOOKS), JsonStep::Key(entry.event)];
    if source.at(&list).is_none() {
        let item = Json::from(vec![entry.item.clone()]);
        return source.add_member(&list[..1], entry.event, &item);
    }
    let positions = own_positions(source, form, entry.event);
    let Some(position) = positions.first() else {
        return source.add_item(&list, &entry.item);
    };
    // An entry that shares a group has the matcher of the group.
    let (path, expected) = match position.is_alone {
        true => (position.item_path(entry.event), entry.item.clone()),
        false => (position.path(entry.event), entry.handler.clone().into()),
    };
    if source
        .at(&path)
        .is_none_or(|there| there.json() != expected)
    {
        source.replace(&path, &expected);
    }
}

/// Takes entries of ours out: those that are chosen by their event, and by which of that event's they are. Containers
/// that are empty afterwards go too.
fn take_out(source: &mut JsonSource, form: HookEntryForm, is_chosen: impl Fn(&str, usize) -> bool) {
    let Some(hooks) = source.root().member(HOOKS) else {
        return;
    };
    let NodeValue::Object(members) = &hooks.value.value else {
        return;
    };
    let events: Vec<String> = members.iter().map(|member| member.key.clone()).collect();
    let mut has_changed = false;
    for event in &events {
        let positions = own_positions(source, form, event);
        let chosen = positions
            .iter()
            .enumerate()
            .filter(|(index, _)| is_chosen(event, *index));
        let chosen: Vec<HandlerPosition> = chosen.map(|(_, position)| *position).collect();
        for position in chosen.iter().rev() {
            // Others of ours in its group may be gone by now.
            let group = own_positions(source, form, event);
            let is_alone = group
                .iter()
                .any(|it| it.item == position.item && it.is_alone);
            match is_alone {
                true => source.remove(&position.item_path(event)),
                false => source.remove(&position.path(event)),
            }
            has_changed = true;
        }
        let list = [JsonStep::Key(HOOKS), JsonStep::Key(event)];
        let is_empty = source
            .at(&list)
            .and_then(JsonNode::items)
            .is_some_and(<[JsonNode]>::is_empty);
        if !chosen.is_empty() && is_empty {
            source.remove(&list);
        }
    }
    let hooks = source.root().member(HOOKS).map(|it| &it.value.value);
    if has_changed && matches!(hooks, Some(NodeValue::Object(members)) if members.is_empty()) {
        source.remove(&[JsonStep::Key(HOOKS)]);
    }
}

fn without(agent: Agent, text: &str) -> Result<String, SettingsRefusal> {
    let mut source = open(text)?;
    if let Some(form) = form(agent) {
        take_out(&mut source, form, |_, _| true);
    }
    if agent == Agent::ClaudeCode {
        status_line::remove(&mut source);
    }
    Ok(source.text().to_owned())
}

/// Returns the text that would be left after our entries came and went, whichever program they ran.
fn would_be_left(agent: Agent, text: &str) -> Result<String, SettingsRefusal> {
    let installed = install(
        agent,
        Some(text),
        &Launch::of_dependency(),
        StatusLine::Register,
    )?;
    without(agent, &installed)
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
