//! The published forms of the snapshot's schema: JSON Schema, TypeScript, and a page for people.

use super::definition::{REASONS, SESSION};
use super::yaml::{MAX_BYTES, MAX_VALUES};
use crate::json::Json;
use crate::schema;
use crate::tokens::{MAX_SUMMARY_BYTES, MAX_SUMMARY_TOKENS};

/// Names the schema, and is the address of nothing.
const ID: &str = "urn:milepost:session-checkpoint:1";

/// The form of an id; that its digits are a date and a time has no word in JSON Schema.
const ID_PATTERN: &str = "^chk-[0-9]{8}-[0-9]{6}(-([2-9]|[1-9][0-9]{1,8}))?$";

/// The JSON Schema, draft 2020-12, as a document.
pub fn json_schema() -> String {
    let mut schema = schema::json_schema(&SESSION, ID);
    let properties = schema
        .as_object_mut()
        .and_then(|it| it.get_mut("properties"));
    let id = properties
        .and_then(Json::as_object_mut)
        .and_then(|it| it.get_mut("id"));
    if let Some(id) = id.and_then(Json::as_object_mut) {
        let description = id.remove("description");
        id.set("pattern", ID_PATTERN);
        id.set("description", description);
    }
    schema.to_document()
}

/// Returns it as TypeScript declarations.
pub fn typescript() -> String {
    schema::typescript(&SESSION)
}

/// The page about snapshots.
pub fn markdown() -> String {
    let reasons: String = REASONS
        .iter()
        .zip(OCCASIONS)
        .map(|(reason, [when, purpose])| format!("| `{reason}` | {when} | {purpose} |\n"))
        .collect();
    format!(
        "# Snapshots

A snapshot is one moment of the work, in one YAML file that never changes:
`.claude/checkpoints/ID.yaml`.

## Reasons

| Reason | When | Purpose |
| --- | --- | --- |
{reasons}
## Structure

```typescript
{typescript}```

Other fields are allowed, and kept as they are, in their own order, behind the known ones.

## Rules

- An id is `chk-YYYYMMDD-HHMMSS`, the second of its making in UTC. A further one of the same second has
  `-2`, `-3` and so on behind it. An id is never used again, and a new one is greater than all before.
- Times are RFC 3339; they are written in UTC, in seconds.
- `context_summary` has at most {MAX_SUMMARY_TOKENS} words and {summary} KiB. A word is a run of characters without
  white space.
- Text is written in quotes or as a literal block, so that YAML 1.1 and 1.2 read the same. On reading,
  what they read differently is text: `no`, `012`, `1e3`, `0x10`, `12:30`, dates.
- Anchors, aliases, merge keys, tags, directives, further documents and keys that stand twice are
  refused. A file has at most {size} MiB and {MAX_VALUES} values and keys, nested at most 64 deep.

## Example

```yaml
{EXAMPLE}```
",
        typescript = typescript(),
        summary = MAX_SUMMARY_BYTES / 1024,
        size = MAX_BYTES / 1024 / 1024,
    )
}

/// The occasions for a checkpoint of each reason, and its purpose.
const OCCASIONS: [[&str; 2]; REASONS.len()] = [
    ["After a phase succeeded", "Mark progress"],
    ["The token limit comes near", "Another session carries on"],
    ["On an error that can be recovered from", "Keep the work"],
    ["The way of working changes", "Keep the state"],
    ["A user asks for it", "Be safe"],
];

/// As it would be written.
const EXAMPLE: &str = include_str!("publish/example.yaml");

#[cfg(test)]
mod tests {
    use super::super::document::read;
    use super::super::yaml;
    use super::*;

    #[test]
    fn the_example_is_valid_and_stands_as_it_would_be_written() {
        let mut example = read(EXAMPLE.as_bytes(), None).unwrap();
        assert_eq!(example.problems, []);
        SESSION.arrange(&mut example.document);
        assert_eq!(yaml::write(&example.document), EXAMPLE);
    }

    #[test]
    fn every_field_is_on_the_page() {
        let page = markdown();
        for field in SESSION.fields {
            assert!(
                page.contains(&format!("\n  {}", field.name)),
                "{}",
                field.name
            );
        }
    }

    #[test]
    fn the_schema_names_the_form_of_an_id() {
        let schema = json_schema();
        assert!(schema.contains(r#""pattern": "^chk-"#), "{schema}");
    }
}
