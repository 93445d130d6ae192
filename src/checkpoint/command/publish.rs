//! The published forms of the checkpoint schema: JSON Schema, TypeScript, and a page for people.
//!
//! The page is built from the definition and from the tables below, so that no list of fields,
//! commands or states stands twice.

use super::definition::{CHECKPOINT, COMMANDS, STATUSES, VERSION};
use crate::schema::{self, Kind, Shape};
use crate::tokens::{MAX_SUMMARY_BYTES, MAX_SUMMARY_TOKENS};

/// Names the schema, and is the address of nothing.
const ID: &str = "urn:milepost:checkpoint:1";

/// The JSON Schema, draft 2020-12, as a document, for a project that has `added` commands.
pub fn json_schema(added: &[String]) -> String {
    schema::json_schema(definition(added), ID).to_document()
}

/// Returns it as TypeScript declarations.
pub fn typescript(added: &[String]) -> String {
    schema::typescript(definition(added))
}

/// The definition with the commands that a project adds. It stays for as long as the program runs,
/// which publishes it once.
fn definition(added: &[String]) -> &'static Shape {
    if added.is_empty() {
        return &CHECKPOINT;
    }
    let leak = |command: &String| -> &'static str { Box::leak(command.clone().into()) };
    let commands: Vec<&'static str> = COMMANDS.into_iter().chain(added.iter().map(leak)).collect();
    let mut fields = CHECKPOINT.fields.to_vec();
    for field in fields.iter_mut().filter(|field| field.name == "command") {
        field.kind = Kind::Enum(Box::leak(commands.clone().into()));
    }
    Box::leak(Box::new(Shape {
        fields: Box::leak(fields.into()),
        ..CHECKPOINT
    }))
}

/// The page `checkpoint-schema.md`.
pub fn markdown(added: &[String]) -> String {
    let mut commands = table(&COMMAND_HEADER, &COMMAND_ROWS);
    for command in added {
        commands.push_str(&format!("| `{command}` | | | Added by this project |\n"));
    }
    let statuses = table(&STATUS_HEADER, &STATUS_ROWS);
    let kibibytes = MAX_SUMMARY_BYTES / 1024;
    format!(
        "# Checkpoint Schema

## Overview

Unified checkpoint schema (v{VERSION}) for all {count} commands. Milepost keeps the execution state of each
command in `.claude/state/`, in one file for each command and feature: `COMMAND-checkpoint.json`
or `COMMAND-FEATURE.json`.

`milepost schema --json` prints this schema as JSON Schema, `milepost schema --ts` as TypeScript,
and `milepost validate FILE` checks a file against it.

## TypeScript Interface

```typescript
{typescript}```

Other fields are allowed. Milepost keeps them as they are, in their own order, behind the known
ones; only `revision` and `seal` come after them.

## Command-Specific Variations

{commands}
## Phase Status Values

{statuses}
## Enforcement Rules

- Every `context_summary` is validated before anything is written: at most {MAX_SUMMARY_TOKENS} words, and at
  most {kibibytes} KiB. A word is a run of characters without white space.
- Timestamps are RFC 3339 (ISO 8601). Milepost writes them in UTC with milliseconds.
- Schema version must be `{VERSION}`. A document of a later version is readable and never written.
- `head_commit` is captured from the repository's HEAD on every save.
- Stale checkpoints are detected on load: stored `head_commit` against the current HEAD.
- `revision` and `seal` belong to Milepost. Leave them as they are when you edit a file.

## Example

```json
{EXAMPLE}```
",
        count = COMMANDS.len() + added.len(),
        typescript = typescript(added),
    )
}

const COMMAND_HEADER: [&str; 4] = ["Command", "Typical Phases", "Uses gate?", "Notes"];

const COMMAND_ROWS: [[&str; 4]; COMMANDS.len()] = [
    [
        COMMANDS[0],
        "branch, issue-creation",
        "No",
        "Simple 2-phase workflow",
    ],
    [
        COMMANDS[1],
        "research, planning, specs",
        "No",
        "3-phase: research→plan→write",
    ],
    [
        COMMANDS[2],
        "analysis, reconciliation",
        "No",
        "Compare plan vs implementation",
    ],
    [
        COMMANDS[3],
        "discovery, synthesis",
        "No",
        "2-phase research workflow",
    ],
    [
        COMMANDS[4],
        "implementation, validation",
        "No",
        "Code generation + tests",
    ],
    [
        COMMANDS[5],
        "pre-flight, commit, push",
        "Yes",
        "Uses gate to block if errors",
    ],
    [
        COMMANDS[6],
        "analysis, feedback",
        "No",
        "Review existing code",
    ],
];

const STATUS_HEADER: [&str; 2] = ["Status", "Description"];

const STATUS_ROWS: [[&str; 2]; STATUSES.len()] = [
    [STATUSES[0], "Phase not yet started"],
    [STATUSES[1], "Phase currently executing"],
    [STATUSES[2], "Phase finished successfully"],
    [STATUSES[3], "Phase encountered an error"],
    [STATUSES[4], "Phase intentionally skipped"],
];

const EXAMPLE: &str = r#"{
  "command": "implement",
  "feature": "checkpoint-infrastructure",
  "version": 1,
  "head_commit": "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
  "started_at": "2026-01-29T10:30:00.000Z",
  "updated_at": "2026-01-29T11:45:00.000Z",
  "state": {
    "current_phase": "implementation",
    "completed_phases": [
      "research",
      "design"
    ],
    "pending_phases": [
      "validation"
    ],
    "current_task": "T002"
  },
  "phases": {
    "research": {
      "status": "complete",
      "started_at": "2026-01-29T10:30:00.000Z",
      "updated_at": "2026-01-29T10:45:00.000Z",
      "context_summary": "Analyzed existing codebase patterns..."
    },
    "implementation": {
      "status": "in_progress",
      "started_at": "2026-01-29T11:00:00.000Z",
      "updated_at": "2026-01-29T11:45:00.000Z",
      "context_summary": "Implementing the checkpoint hook...",
      "files_created": [
        ".claude/hooks/checkpoint.cjs"
      ]
    }
  }
}
"#;

/// A Markdown table whose first column is code.
fn table<const N: usize>(header: &[&str; N], rows: &[[&str; N]]) -> String {
    let mut lines = vec![header.join(" | "), ["---"; N].join(" | ")];
    for row in rows {
        lines.push(format!("`{}` | {}", row[0], row[1..].join(" | ")));
    }
    lines.iter().map(|line| format!("| {line} |\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn the_example_is_valid_and_stands_as_it_would_be_written() {
        let example = json::read(EXAMPLE.as_bytes()).unwrap().value;
        assert_eq!(CHECKPOINT.problems(&example), []);
        assert_eq!(example.to_document(), EXAMPLE);
        let json::Json::Object(mut arranged) = example else {
            panic!("the example is an object");
        };
        CHECKPOINT.arrange(&mut arranged);
        assert_eq!(json::Json::from(arranged).to_document(), EXAMPLE);
    }

    #[test]
    fn the_page_names_every_field() {
        let page = markdown(&["build".to_owned()]);
        assert!(page.contains("all 8 commands") && page.contains("\n| `build` |"));
        assert!(page.contains("| \"build\";"), "{page}");
        for field in CHECKPOINT.fields {
            assert!(
                page.contains(&format!("\n  {}", field.name)),
                "{}",
                field.name
            );
        }
    }
}
