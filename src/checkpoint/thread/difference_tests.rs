use super::{ChannelChange, MAX_PARTS, MAX_SHOWN_BYTES, ShownValue};
use crate::checkpoint::thread::value::Typed;

fn typed(text: &str) -> Typed {
    Typed {
        kind: "json".to_owned(),
        encoding: None,
        text: text.into(),
    }
}

/// Hides a word, and a value that stands under the name of another one.
fn redact(names: &[&str], text: &str) -> String {
    match names.contains(&"password") {
        true => format!("under {}", names.join("/")),
        false => text.replace("hidden", "***"),
    }
}

/// The change of a channel as lines: its kind and size, then each part with its values.
fn lines(channel: &str, before: Option<&str>, after: Option<&str>) -> Vec<String> {
    let (before, after) = (before.map(typed), after.map(typed));
    let Some(change) = ChannelChange::between(channel, before.as_ref(), after.as_ref(), redact)
    else {
        return Vec::new();
    };
    let text = |value: &Option<ShownValue>| match value {
        Some(ShownValue {
            text: Some(text), ..
        }) => text.clone(),
        Some(value) => format!("{} bytes", value.bytes),
        None => "-".to_owned(),
    };
    let line = |at: &str, kind: &str, before: String, after: String| {
        format!("{at} {kind} {before} {after}")
    };
    let whole = (text(&change.before), text(&change.after));
    let mut lines = vec![line("", change.kind.as_str(), whole.0, whole.1)];
    for part in &change.parts {
        let (before, after) = (text(&part.before), text(&part.after));
        lines.push(line(&part.at, part.kind.as_str(), before, after));
    }
    lines
}

#[test]
fn equal_values_are_no_change() {
    assert!(lines("a", Some("[1]"), Some("[1]")).is_empty());
    assert!(lines("a", None, None).is_empty());
}

#[test]
fn an_object_changes_by_its_members() {
    let changed = lines(
        "a",
        Some(r#"{"same":1,"gone":2,"old":3}"#),
        Some(r#"{"same":1,"old":4,"a/b":[]}"#),
    );
    assert_eq!(
        changed[1..],
        ["/gone removed 2 -", "/old changed 3 4", "/a~1b added - []"]
    );
}

#[test]
fn a_list_changes_by_the_items_between_equal_ends() {
    for (before, after, expected) in [
        ("[1,2]", "[1,2,3,4]", &["/2 added - 3", "/3 added - 4"][..]),
        ("[1,2,3]", "[1,3]", &["/1 removed 2 -"]),
        ("[1,2,3]", "[1,9,3]", &["/1 changed 2 9"]),
        ("[1,1]", "[1]", &["/1 removed 1 -"]),
        ("[]", "[0]", &["/0 added - 0"]),
    ] {
        assert_eq!(
            lines("a", Some(before), Some(after))[1..],
            *expected,
            "{before} {after}"
        );
    }
}

#[test]
fn a_value_of_another_kind_or_not_json_changes_as_a_whole() {
    for (before, after, expected) in [
        (Some("[1]"), Some("{}"), " changed [1] {}"),
        (Some("no JSON"), Some("[1]"), " changed no JSON [1]"),
        (None, Some("[1]"), " added - [1]"),
        (Some("[1]"), None, " removed [1] -"),
    ] {
        assert_eq!(lines("a", before, after), [expected]);
    }
}

#[test]
fn a_large_value_is_shown_by_its_size() {
    let large = format!("\"{}\"", "x".repeat(MAX_SHOWN_BYTES - 1));
    let changed = lines("a", Some("[]"), Some(&format!("[{large}]")));
    assert_eq!(changed, [" changed [] 83 bytes", "/0 added - 81 bytes"]);
    let fitting = format!("\"{}\"", "x".repeat(MAX_SHOWN_BYTES - 2));
    assert_eq!(
        lines("a", None, Some(&fitting)),
        [format!(" added - {fitting}")]
    );
}

#[test]
fn bytes_in_base64_are_shown_by_how_many_they_are() {
    let value = Typed {
        encoding: Some("base64".to_owned()),
        ..typed("AAECAw==")
    };
    let change = ChannelChange::between("a", None, Some(&value), redact).unwrap();
    let after = change.after.unwrap();
    assert_eq!((after.bytes, after.text), (4, None));
}

#[test]
fn of_many_parts_the_first_are_listed_and_the_others_counted() {
    let items = vec!["1"; MAX_PARTS + 3].join(",");
    let after = typed(&format!("[{items}]"));
    let change = ChannelChange::between("a", Some(&typed("[]")), Some(&after), redact).unwrap();
    assert_eq!((change.parts.len(), change.more), (MAX_PARTS, 3));
}

#[test]
fn every_text_is_shown_as_the_redaction_of_the_names_above_it_returns_it() {
    for changed in [
        lines("a", None, Some("\"hidden\"")),
        lines("a", Some("[]"), Some("[\"hidden\"]")),
        lines("a", Some("{}"), Some("{\"hidden\":1}")),
        lines("a", Some("{}"), Some("{\"b\":\"hidden\"}")),
    ] {
        let all = changed.join("\n");
        assert!(!all.contains("hidden") && all.contains("***"), "{all}");
    }
    let named = lines("a", Some("{}"), Some("{\"password\":1}"));
    assert_eq!(named[1], "/password added - under a/password");
}
