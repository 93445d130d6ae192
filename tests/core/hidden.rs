//! Hidden text at every output: each character that acts, hides or turns the order of a text, through each field that an
//! output shows, and none of them comes out as it is. `docs/reference/hidden-text.md` has the same table in words;
//! `tests/hosts/node/hidden.test.mjs` has the outputs that are made in JavaScript.

use std::ops::RangeInclusive;

use milepost::checkpoint::session::yaml;
use milepost::error::Target;
use milepost::json::{self, Json, Object};
use milepost::notification::notice::{NoticeOccasion, notice};
use milepost::text::escaped_json;

#[cfg(feature = "cli")]
use crate::cli;
use crate::operations;
use crate::view;

/// Hidden characters by what they do, independent of the list that the program has.
const KINDS: [(&str, &[RangeInclusive<u32>]); 9] = [
    ("control characters (C0)", &[0x00..=0x1F, 0x7F..=0x7F]),
    ("control characters (C1)", &[0x80..=0x9F]),
    (
        "directions",
        &[
            0x061C..=0x061C,
            0x200E..=0x200F,
            0x202A..=0x202E,
            0x2066..=0x2069,
        ],
    ),
    (
        "characters of no width",
        &[
            0xAD..=0xAD,
            0x034F..=0x034F,
            0x180B..=0x180F,
            0x200B..=0x200D,
            0x2060..=0x2065,
            0x206A..=0x206F,
            0xFEFF..=0xFEFF,
        ],
    ),
    (
        "fillers",
        &[
            0x115F..=0x1160,
            0x17B4..=0x17B5,
            0x3164..=0x3164,
            0xFFA0..=0xFFA0,
        ],
    ),
    ("separators of lines and paragraphs", &[0x2028..=0x2029]),
    (
        "annotations and format controls",
        &[0xFFF0..=0xFFFB, 0x1BCA0..=0x1BCA3, 0x1D173..=0x1D17A],
    ),
    ("tags", &[0xE0000..=0xE007F, 0xE0FFF..=0xE0FFF]),
    (
        "variation selectors without a character",
        &[0xFE00..=0xFE0F, 0xE0100..=0xE01EF],
    ),
];

/// Hidden characters, to be put into fields.
pub(crate) struct Text(String);

impl Text {
    /// A value for a field, which begins with its name: an output that shows the name shows the field. No selector has a
    /// character to select a form of.
    pub(crate) fn of(&self, field: &str) -> String {
        format!("[{field}] {}", self.0)
    }

    /// A value of hidden characters alone.
    pub(crate) fn bare(&self) -> &str {
        &self.0
    }
}

/// A place where people or models read what is stored.
struct Output {
    name: &'static str,
    /// The fields that it shows.
    fields: &'static [&'static str],
    /// So many characters are put into a field together: where a text is cut, no more than are shown.
    most: usize,
    /// Everything that it says of a project with these texts.
    said: fn(&Text) -> Vec<String>,
}

/// Every output that the core makes.
fn outputs() -> Vec<Output> {
    let outputs = vec![
        Output {
            name: "hook",
            fields: &[
                "phase", "summary", "error", "task", "state", "plan", "pending", "created",
                "modified",
            ],
            most: 16,
            said: operations::agents::hidden::contexts,
        },
        Output {
            name: "page",
            fields: &[
                "phase", "summary", "error", "created", "modified", "blocker", "key", "value",
                "task", "message", "reason", "gotcha", "id", "member", "inner", "agent", "step",
                "ns", "source", "channel", "writer", "written",
            ],
            most: 32,
            said: view::versions::hidden::answers,
        },
        Output {
            name: "sentences of replies",
            fields: &[],
            most: 32,
            said: operations::hidden::sentences,
        },
        Output {
            name: "notification",
            fields: &[
                "project", "command", "feature", "phase", "summary", "error", "blocker", "commit",
            ],
            most: 16,
            said: notified,
        },
        Output {
            name: "YAML",
            fields: &["message", "reason", "gotcha", "member", "inner", "context"],
            most: 64,
            said: stored,
        },
        Output {
            name: "JSON",
            fields: &["phase", "summary", "error", "key", "value"],
            most: 64,
            said: printed,
        },
    ];
    #[cfg(feature = "cli")]
    let outputs: Vec<Output> = outputs.into_iter().chain(terminal()).collect();
    outputs
}

/// The command line.
#[cfg(feature = "cli")]
fn terminal() -> [Output; 2] {
    [
        Output {
            name: "terminal",
            fields: &[
                "branch", "task", "state", "phase", "summary", "error", "created", "modified",
                "blocker", "reason", "message", "input", "question", "decision", "why", "gotcha",
                "listed", "next", "context", "member", "inner", "argument", "id", "ns", "source",
                "channel", "writer", "written",
            ],
            most: 48,
            said: cli::hidden::terminal,
        },
        Output {
            name: "commits on a terminal",
            fields: &[],
            most: 7,
            said: cli::hidden::commits,
        },
    ]
}

/// Returns whether a character is hidden. Line feeds and tabs are the layout of what is printed.
fn is_hidden(character: char) -> bool {
    let code = u32::from(character);
    let mut ranges = KINDS.iter().flat_map(|(_, ranges)| ranges.iter());
    !matches!(character, '\n' | '\t') && ranges.any(|range| range.contains(&code))
}

/// A run with a text in each of its fields.
pub(crate) fn run(text: &Text) -> Object {
    let list = |field: &str| vec![text.of(field)];
    let phase = |status: &str| {
        Object::new()
            .with("status", status)
            .with("started_at", text.of("started"))
            .with("updated_at", "2026-01-29T10:30:00.000Z")
            .with("context_summary", text.of("summary"))
            .with("error", text.of("error"))
            .with("files_created", list("created"))
            .with("files_modified", list("modified"))
            .with(&text.of("key"), text.of("value"))
    };
    let phases = Object::new()
        .with("done", phase("complete"))
        .with(&text.of("phase"), phase("in_progress"))
        .with("odd", phase(&text.of("status")));
    let state = Object::new()
        .with("current_phase", text.of("phase"))
        .with("current_task", text.of("task"))
        .with("completed_phases", list("completed"))
        .with("pending_phases", list("pending"))
        .with("context_summary", text.of("state"));
    let gate = Object::new()
        .with("ship_allowed", false)
        .with("blockers", list("blocker"));
    Object::new()
        .with("command", "implement")
        .with("version", 1)
        .with("head_commit", text.bare())
        .with("started_at", text.of("started"))
        .with("updated_at", "2026-01-29T10:30:00.000Z")
        .with("branch", text.of("branch"))
        .with("plan", text.of("plan"))
        .with("decisions", list("decided"))
        .with("files_outside", list("outside"))
        .with("state", state)
        .with("phases", phases)
        .with("gate", gate)
        .with(&text.of("member"), list("inner"))
}

/// A snapshot with a text in each of its fields.
pub(crate) fn session(text: &Text, id: &str) -> Object {
    let list = |field: &str| vec![text.of(field)];
    let decision = Object::new()
        .with("question", text.of("question"))
        .with("decision", text.of("decision"))
        .with("reason", text.of("why"));
    let left_out = Object::new()
        .with("path", text.of("left"))
        .with("reason", text.of("cause"));
    let nothing: Vec<String> = Vec::new();
    let snapshot = Object::new()
        .with("partial", true)
        .with("files", nothing)
        .with("left_out", vec![left_out]);
    let task = Object::new()
        .with("id", text.of("work"))
        .with("input", text.of("input"));
    let resume = Object::new()
        .with("can_resume", true)
        .with("instructions", text.of("next"));
    Object::new()
        .with("id", id)
        .with("version", 1)
        .with("created_at", "2025-01-26T10:30:00Z")
        .with("reason", text.of("reason"))
        .with("message", text.of("message"))
        .with("task", task)
        .with("head_commit", text.bare())
        .with("decisions", vec![decision])
        .with("files", Object::new().with("created", list("listed")))
        .with("gotchas", list("gotcha"))
        .with("context_summary", text.of("context"))
        .with("resume", resume)
        .with("snapshot", snapshot)
        .with(
            &text.of("member"),
            Object::new().with(&text.of("inner"), list("item")),
        )
}

/// The request that puts a thread with a text in each of its fields.
pub(crate) fn thread(text: &Text) -> Object {
    // Ids have no NUL.
    let name = |field: &str| text.of(field).replace('\0', "");
    let typed = |value: Json| vec![Json::from("json"), Json::from(value.to_line())];
    let channel = text.of("channel");
    let value = |channel: &str| {
        let members = Object::new().with(&text.of("part"), text.bare());
        let pair = vec![Json::from(channel), Json::from(typed(members.into()))];
        vec![Json::from(pair)]
    };
    let metadata = Object::new().with("source", text.of("source"));
    let checkpoint = Object::new()
        .with("namespace", name("ns"))
        .with("id", name("id"))
        .with("checkpoint", typed(Object::new().into()))
        .with("metadata", typed(metadata.into()))
        .with("channels", vec![channel.as_str()])
        .with("changed", vec![channel.as_str()])
        .with("values", value(&channel));
    let writes = Object::new()
        .with("namespace", name("ns"))
        .with("id", name("id"))
        .with("task", name("writer"))
        .with("values", value(&text.of("written")));
    Object::new()
        .with("operation", "put_thread")
        .with("thread_id", name("id"))
        .with("changes", vec![checkpoint, writes])
}

/// Every text in a value, and the name of every member.
pub(crate) fn texts(value: &Json) -> Vec<String> {
    match value {
        Json::String(text) => vec![text.clone()],
        Json::Array(items) => items.iter().flat_map(texts).collect(),
        Json::Object(object) => {
            let member = |(key, value): (&str, &Json)| {
                let mut found = texts(value);
                found.push(key.to_owned());
                found
            };
            object.iter().flat_map(member).collect()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => Vec::new(),
    }
}

fn notified(text: &Text) -> Vec<String> {
    let target = Target {
        command: text.of("command"),
        feature: Some(text.of("feature")),
    };
    let blockers = [text.of("blocker")];
    let phases = [text.of("phase")];
    let value = |field: &str| text.of(field);
    let (project, phase, commit) = (value("project"), value("phase"), value("commit"));
    let (summary, error, at) = (value("summary"), value("error"), value("at"));
    let occasion = NoticeOccasion {
        event: "checkpoint.phase_failed",
        at: Some(&at),
        project: &project,
        target: &target,
        phase: Some(&phase),
        summary: Some(&summary),
        error: Some(&error),
        blockers: &blockers,
        revision: 1,
        head_commit: Some(&commit),
        done: 1,
        total: 2,
        skipped: &phases,
        failed: &phases,
        unfinished: &phases,
    };
    texts(&notice(&occasion, "2026-02-01T00:00:00.000Z").into())
}

/// The file of a snapshot.
fn stored(text: &Text) -> Vec<String> {
    let snapshot = session(text, "chk-20250126-103000");
    let written = yaml::write(&snapshot);
    assert_eq!(yaml::read(written.as_bytes()), Ok(snapshot));
    vec![written]
}

/// The output of `--json`: the same values.
fn printed(text: &Text) -> Vec<String> {
    let document = run(text);
    let shown = escaped_json(&document.to_document());
    let read = json::read(shown.as_bytes()).unwrap().value;
    assert_eq!(read, Json::Object(document));
    vec![shown]
}

#[test]
fn no_output_lets_a_hidden_character_through() {
    for output in outputs() {
        for (kind, ranges) in KINDS {
            let codes = ranges.iter().cloned().flatten();
            let characters: Vec<char> = codes.map(|code| char::from_u32(code).unwrap()).collect();
            for part in characters.chunks(output.most) {
                let text = Text(part.iter().collect());
                let said = (output.said)(&text);
                assert!(!said.is_empty(), "{} says nothing", output.name);
                for one in &said {
                    let found = one.chars().find(|it| is_hidden(*it));
                    let code = found.map(|it| format!("U+{:04X}", u32::from(it)));
                    assert_eq!(code, None, "{}, {kind}: {one:?}", output.name);
                }
                for field in output.fields {
                    let name = format!("[{field}]");
                    let is_shown = said.iter().any(|it| it.contains(&name));
                    assert!(is_shown, "{} does not show {field}: {kind}", output.name);
                }
            }
        }
    }
}
