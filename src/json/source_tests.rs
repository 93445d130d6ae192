use fastrand::Rng;

use super::{JsonSource, JsonStep};
use crate::json::{Json, JsonNode, NodeValue, Object, outline, read};

fn value() -> Json {
    let inner = Object::new()
        .with("matcher", "Write|Edit")
        .with("list", vec![1_u64, 2]);
    Object::new()
        .with("inner", inner)
        .with("empty", Object::new())
        .into()
}

#[test]
fn a_member_is_laid_out_like_its_surroundings() {
    for (before, expected) in [
        ("{}", "{\n  \"k\": true\n}"),
        ("{ }\n", "{\n  \"k\": true\n}\n"),
        ("{\"a\":1}", "{\"a\":1,\"k\":true}"),
        ("{ \"a\": 1 }", "{ \"a\": 1, \"k\": true }"),
        ("{\"a\": 1,}", "{\"a\": 1, \"k\": true,}"),
        ("{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"k\": true\n}\n"),
        (
            "{\r\n    \"a\": 1\r\n}",
            "{\r\n    \"a\": 1,\r\n    \"k\": true\r\n}",
        ),
        ("{\n  \"a\": 1,\n}", "{\n  \"a\": 1,\n  \"k\": true,\n}"),
        (
            "{\n  \"a\": 1 // one\n  // \"b\": 2\n}",
            "{\n  \"a\": 1, // one\n  \"k\": true\n  // \"b\": 2\n}",
        ),
        (
            "{\n  \"a\": 1, // one\n}",
            "{\n  \"a\": 1, // one\n  \"k\": true,\n}",
        ),
        ("{ // none\n}", "{ // none\n  \"k\": true\n}"),
        (
            "\u{FEFF}{\"a\": [\n]}",
            "\u{FEFF}{\"a\": [\n],\n  \"k\": true}",
        ),
    ] {
        let mut source = JsonSource::read(before).unwrap();
        source.add_member(&[], "k", &true.into());
        assert_eq!(source.text(), expected, "{before:?}");
    }
}

#[test]
fn a_removal_takes_only_the_part_and_its_comma() {
    for (before, index, expected) in [
        ("[1]", 0, "[]"),
        ("[ 1, ]", 0, "[]"),
        ("[1, 2]", 0, "[2]"),
        ("[1, 2]", 1, "[1]"),
        ("[1,2,]", 1, "[1,]"),
        ("[\n  1,\n  2,\n  3\n]", 1, "[\n  1,\n  3\n]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
        (
            "[\n  1, // one\n  2 // two\n]",
            1,
            "[\n  1 // one\n // two\n]",
        ),
        ("[ // none\n 1\n]", 0, "[ // none\n]"),
        ("[1 /* , */ , /* two */ 2]", 1, "[1 /* , */  /* two */]"),
    ] {
        let mut source = JsonSource::read(before).unwrap();
        source.remove(&[JsonStep::Item(index)]);
        assert_eq!(source.text(), expected, "{before:?}");
    }
}

#[test]
fn a_value_in_the_place_of_another_leaves_its_neighbours() {
    let before =
        "{\r\n\t\"a\": [ 1, {\"b\": 2} ], // kept\r\n\t\"c\": {\r\n\t\t\"d\": 1\r\n\t}\r\n}";
    let mut source = JsonSource::read(before).unwrap();
    source.replace(
        &[JsonStep::Key("a"), JsonStep::Item(1)],
        &vec![3_u64].into(),
    );
    source.replace(
        &[JsonStep::Key("c")],
        &Object::new().with("e", vec!["f"]).into(),
    );
    let expected = "{\r\n\t\"a\": [ 1, [3] ], // kept\r\n\t\"c\": {\r\n\t\t\"e\": [\r\n\t\t\t\"f\"\r\n\t\t]\r\n\t}\r\n}";
    assert_eq!(source.text(), expected);
}

#[test]
fn text_that_is_not_json_with_comments_is_refused() {
    for (text, reason) in [
        ("", "expected a value"),
        ("{\"a\": 1 /* }", "expected the end of a comment"),
        ("{\"a\" 1}", "expected a colon"),
        ("{a: 1}", "expected a key in double quotes"),
        ("{\"a\": 1} 2", "expected the end of the document"),
        ("[1 2]", "expected a comma or a closing bracket"),
        ("[,]", "expected a value"),
        ("// nothing", "expected a value"),
        ("{'a': 1}", "expected a key in double quotes"),
    ] {
        assert_eq!(outline(text).unwrap_err().reason, reason, "{text:?}");
    }
    let deep = "[".repeat(65) + &"]".repeat(65);
    assert_eq!(
        outline(&deep).unwrap_err().reason,
        "nested deeper than 64 levels"
    );
}

/// A value as people lay it out, with comments where `comments`.
fn written(rng: &mut Rng, depth: usize, comments: bool, newline: &str, out: &mut String) {
    let gap = |rng: &mut Rng, out: &mut String| {
        for _ in 0..rng.usize(..3) {
            match rng.usize(..if comments { 6 } else { 4 }) {
                0 => out.push(' '),
                1 => out.push('\t'),
                2 | 3 => out.push_str(newline),
                4 => out.push_str("/* a, \"b\": { */"),
                _ => {
                    out.push_str("// ], ");
                    out.push_str(newline);
                }
            }
        }
    };
    gap(rng, out);
    match rng.usize(..if depth == 0 { 4 } else { 8 }) {
        0 => out.push_str("1e400"),
        1 => out.push_str("\"x // \\\" \\u0027 é\""),
        2 => out.push_str("null"),
        3 => out.push_str("true"),
        kind => {
            let is_object = kind % 2 == 0;
            out.push(if is_object { '{' } else { '[' });
            let count = rng.usize(..4);
            for index in 0..count {
                gap(rng, out);
                if is_object {
                    out.push_str(&format!("\"k{index}\""));
                    gap(rng, out);
                    out.push(':');
                }
                written(rng, depth - 1, comments, newline, out);
                if index + 1 < count || comments && rng.bool() {
                    out.push(',');
                }
            }
            gap(rng, out);
            out.push(if is_object { '}' } else { ']' });
        }
    }
    gap(rng, out);
}

fn any_text(rng: &mut Rng, comments: bool) -> String {
    let newline = if rng.bool() { "\n" } else { "\r\n" };
    let mut text = if rng.u8(..8) == 0 { "\u{FEFF}" } else { "" }.to_owned();
    written(rng, 4, comments, newline, &mut text);
    text
}

/// Every container, by the way to it.
fn containers(node: &JsonNode) -> Vec<Vec<JsonStep<'_>>> {
    let mut found = Vec::new();
    let mut inner: Vec<(JsonStep<'_>, &JsonNode)> = Vec::new();
    match &node.value {
        NodeValue::Scalar(_) => return found,
        NodeValue::Array(items) => {
            inner.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| (JsonStep::Item(at), item)),
            );
        }
        NodeValue::Object(members) => {
            inner.extend(
                members
                    .iter()
                    .map(|it| (JsonStep::Key(it.key.as_str()), &it.value)),
            );
        }
    }
    found.push(Vec::new());
    for (step, node) in inner {
        found.extend(containers(node).into_iter().map(|mut path| {
            path.insert(0, step);
            path
        }));
    }
    found
}

#[test]
fn text_without_comments_is_read_as_json_is() {
    let _run = milepost_property::seed("text without comments is read as json is", 1);
    let mut rng = Rng::with_seed(1);
    for _ in 0..1_000 {
        let text = any_text(&mut rng, false);
        let expected = read(text.as_bytes()).unwrap().value;
        assert_eq!(outline(&text).unwrap().json(), expected, "{text}");
    }
}

#[test]
fn an_insertion_that_is_taken_out_again_leaves_no_byte() {
    let _run = milepost_property::seed("an insertion that is taken out again leaves no byte", 2);
    let mut rng = Rng::with_seed(2);
    let mut tried = 0;
    for _ in 0..2_000 {
        let text = any_text(&mut rng, true);
        let read = JsonSource::read(&text).unwrap();
        for path in containers(read.root()) {
            let before = read.at(&path).unwrap();
            let mut source = read.clone();
            let mut inner = path.clone();
            match &before.value {
                NodeValue::Array(items) => {
                    source.add_item(&path, &value());
                    inner.push(JsonStep::Item(items.len()));
                }
                _ => {
                    source.add_member(&path, "new", &value());
                    inner.push(JsonStep::Key("new"));
                }
            }
            assert_eq!(source.at(&inner).unwrap().json(), value(), "{text}");
            source.remove(&inner);
            // Of one that was empty, the white space in it is not known any more.
            match before.parts().is_empty() {
                true => assert_eq!(source.root().json(), read.root().json(), "{text}"),
                false => assert_eq!(source.text(), text, "at {path:?}"),
            }
            tried += 1;
        }
    }
    assert!(tried > 2_000, "{tried}");
}

#[test]
fn a_removal_leaves_all_other_values() {
    let _run = milepost_property::seed("a removal leaves all other values", 3);
    let mut rng = Rng::with_seed(3);
    for _ in 0..1_000 {
        let text = any_text(&mut rng, true);
        let read = JsonSource::read(&text).unwrap();
        for path in containers(read.root()) {
            let parts = read.at(&path).unwrap().parts().len();
            for index in 0..parts {
                let mut source = read.clone();
                let mut expected = read.at(&path).unwrap().json();
                let mut inner = path.clone();
                match &mut expected {
                    Json::Array(items) => {
                        items.remove(index);
                        inner.push(JsonStep::Item(index));
                        source.remove(&inner);
                    }
                    Json::Object(object) => {
                        let key = format!("k{index}");
                        object.remove(&key);
                        inner.push(JsonStep::Key(&key));
                        source.remove(&inner);
                    }
                    _ => unreachable!("a container is a list or an object"),
                }
                assert_eq!(source.at(&path).unwrap().json(), expected, "{text}");
            }
        }
    }
}
