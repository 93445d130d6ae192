use fastrand::Rng;

use super::super::sample::{self, AWKWARD};
use super::{MAX_BYTES, MAX_VALUES, number, read, read_until, write};
use crate::json::{self, Json, Object};

fn refused(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

fn line(text: &str) -> String {
    let object = read(text.as_bytes()).unwrap_or_else(|why| panic!("{why}:\n{text}"));
    Json::from(object).to_line()
}

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

/// Returns the expected value: numbers in the form that all readers take alike.
fn in_common_form(value: &Json) -> Json {
    match value {
        Json::Number(text) => Json::Number(number::common(text).into()),
        Json::Array(items) => Json::Array(items.iter().map(in_common_form).collect()),
        Json::Object(object) => Json::Object(
            object
                .iter()
                .map(|(key, value)| (key, in_common_form(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Reads a text with libyaml, and serde on top of it.
fn by_libyaml(text: &str) -> serde_json::Value {
    yaml_serde::from_str(text).unwrap_or_else(|why| panic!("{why}:\n{text}"))
}

#[test]
fn a_text_is_read_back_unchanged() {
    let _run = milepost_property::seed("a text is read back unchanged", 1);
    let mut random = Rng::with_seed(1);
    let generated = (0..6_000).map(|_| sample::text(&mut random));
    for text in AWKWARD.map(str::to_owned).into_iter().chain(generated) {
        let mut nested = Object::new().with(&text, text.as_str());
        nested.set("list", vec![text.as_str(), "x"]);
        let document = Object::new()
            .with("first", text.as_str())
            .with("nested", nested)
            .with("last", text.as_str());
        let yaml = write(&document);
        assert_eq!(read(yaml.as_bytes()).as_ref(), Ok(&document), "{yaml}");
        let expected: serde_json::Value =
            serde_json::from_str(&Json::from(document).to_line()).unwrap();
        assert_eq!(by_libyaml(&yaml), expected, "{yaml}");
    }
}

#[test]
fn a_document_comes_through_yaml_unchanged() {
    for seed in 0..5_000 {
        let _run = milepost_property::seed("a document comes through yaml unchanged", seed);
        let document = sample::object(&mut Rng::with_seed(seed), 5);
        let yaml = write(&document);
        let again = read(yaml.as_bytes()).map(Json::from);
        let document = Json::from(document);
        assert_eq!(again.as_ref(), Ok(&in_common_form(&document)), "{yaml}");
        let expected: serde_json::Value = serde_json::from_str(&document.to_line()).unwrap();
        assert_eq!(by_libyaml(&yaml), expected, "{yaml}");
    }
}

#[test]
fn a_diff_is_a_block_of_lines() {
    let diff = "diff --git a/x b/x\n@@ -1,3 +1,3 @@\n a \n \n-\tb\n+\tc\n";
    let yaml = write(&Object::new().with("git_diff", diff));
    assert_eq!(
        yaml,
        "git_diff: |\n  diff --git a/x b/x\n  @@ -1,3 +1,3 @@\n   a \n   \n  -\tb\n  +\tc\n"
    );
}

#[test]
fn a_character_that_is_hidden_or_acts_on_a_terminal_is_escaped_in_the_file() {
    for text in [
        "\u{1b}]52;c;x\u{7}",
        "a\u{202e}b",
        "a\nb\u{200b}c\n",
        "a\u{2028}b\nc",
        "\u{85}",
    ] {
        let yaml = write(&Object::new().with("a", text));
        assert!(
            yaml.trim_end()
                .chars()
                .all(|it| it.is_ascii_graphic() || it == ' '),
            "{yaml}"
        );
    }
    assert_eq!(
        write(&Object::new().with("a", "⚠\u{fe0f} 🏁")),
        "a: \"⚠\u{fe0f} 🏁\"\n"
    );
}

#[test]
fn an_ambiguous_scalar_is_read_as_text() {
    assert_eq!(
        line(
            "a: no\nb: 012\nc: 1e3\nd: 2025-01-26\ne: 12:30\nf: 0x10\ng: yes\nh: 1_000\ni: .inf\n"
        ),
        r#"{"a":"no","b":"012","c":"1e3","d":"2025-01-26","e":"12:30","f":"0x10","g":"yes","h":"1_000","i":".inf"}"#
    );
    assert_eq!(
        line("{a: true, b: False, c: null, d: ~, e: , f: -1.50, g: 1.0e+3, h: \"true\", i: '~'}"),
        r#"{"a":true,"b":false,"c":null,"d":null,"e":null,"f":-1.50,"g":1.0e+3,"h":"true","i":"~"}"#
    );
    assert_eq!(
        line("no: 1\n1: 2\n\"~\": 3\n\"<<\": 4\n"),
        r#"{"no":1,"1":2,"~":3,"<<":4}"#
    );
}

#[test]
fn a_file_of_another_author_is_read() {
    for (text, expected) in [
        ("\u{feff}a: b", r#"{"a":"b"}"#),
        ("# comment\n---\na: b # comment\n...\n", r#"{"a":"b"}"#),
        (
            "a: |\r\n  x\r\n  y\r\nb: c\r\n",
            r#"{"a":"x\ny\n","b":"c"}"#,
        ),
        ("a: >-\n  x\n  y\n", r#"{"a":"x y"}"#),
        ("a:\n- b\n-\n  - c\n", r#"{"a":["b",["c"]]}"#),
        ("? a\n: b\n", r#"{"a":"b"}"#),
        (
            r#"{"a": "\ud83c\udfc1\u0000\/", "b": [1, {}]}"#,
            "{\"a\":\"🏁\\u0000/\",\"b\":[1,{}]}",
        ),
        (
            "__proto__: 1\nconstructor: 2\n10: 3\n9: 4\n",
            r#"{"__proto__":1,"constructor":2,"10":3,"9":4}"#,
        ),
    ] {
        assert_eq!(line(text), expected, "{text}");
    }
}

#[test]
fn yaml_that_stands_for_something_else_is_refused() {
    for (text, message) in [
        (
            "a: &x 1\nb: *x\n",
            "an anchor (&name) is not read: leave it out at line 1 column 7 (/a)",
        ),
        (
            "a: *x\n",
            "an alias (*name) is not read: write out the value that it stands for at line 1 column 4 (/a)",
        ),
        (
            "a: {<<: {b: 1}}\n",
            "a merge key (<<) is not read: write out the members that it stands for at line 1 column 5 (/a)",
        ),
        (
            "a:\n  - !!int \"1\"\n",
            "a tag (!name) is not read: leave it out, and put text in quotes at line 2 column 11 (/a/0)",
        ),
        (
            "a: !<x> b\n",
            "a tag (!name) is not read: leave it out, and put text in quotes at line 1 column 9 (/a)",
        ),
        (
            "a: 1\n---\nb: 2\n",
            "a second document begins: only one is read at line 2 column 1",
        ),
        (
            "%YAML 1.1\n---\na: 1\n",
            "not YAML: YAML directives are disallowed at line 1 column 1",
        ),
        (
            "[a]: 1\n",
            "a list or an object stands as a key: write a text in quotes at line 1 column 1",
        ),
        (
            "a: {: 1}\n",
            "a key is missing, or is ~: write a text in quotes at line 1 column 5 (/a)",
        ),
        (
            "b: {a: 1, \"a\": 2}\n",
            "the key \"a\" stands twice in one object, and readers differ in which one they take: \
             leave one of them out at line 1 column 11 (/b)",
        ),
    ] {
        assert_eq!(refused(text), message, "{text}");
    }
}

#[test]
fn a_value_that_is_no_object_is_refused() {
    for (text, message) in [
        ("", "expected an object, found an empty text"),
        ("# nothing\n", "expected an object, found an empty text"),
        ("---\n", "expected an object, found null at line 1 column 4"),
        ("a", "expected an object, found string at line 1 column 1"),
        (
            "- a\n",
            "expected an object, found array at line 1 column 1",
        ),
        ("12", "expected an object, found number at line 1 column 1"),
    ] {
        assert_eq!(refused(text), message, "{text:?}");
    }
}

#[test]
fn a_text_that_is_not_yaml_is_refused() {
    for (text, message) in [
        (
            "a: b: c\n",
            "mapping values are not allowed in this context at line 1 column 5",
        ),
        ("a: [1\n", "unclosed bracket '[' at line 1 column 4"),
        (
            "a: \"b\n",
            "invalid indentation in multiline quoted scalar at line 2 column 1",
        ),
        (
            "a: \"\\ud800\"\n",
            "while parsing a quoted scalar, found high surrogate without following low surrogate at \
             line 1 column 4",
        ),
        (
            "a:\n\tb: c\n",
            "tabs disallowed within this context (block indentation) at line 2 column 2",
        ),
        (
            "a: b\0c\n",
            "unexpected character: `\\u{0}' at line 1 column 5",
        ),
        (
            "a: \"\u{1b}\"\n",
            "unexpected character: `\\u{1b}' at line 1 column 5",
        ),
        ("a: @b\n", "unexpected character: `@' at line 1 column 4"),
    ] {
        assert_eq!(refused(text), format!("not YAML: {message}"), "{text:?}");
    }
    assert_eq!(
        read(b"a: b\n\xc3\xa9: \xff").unwrap_err().to_string(),
        "not UTF-8: save the file in that encoding at line 2 column 4"
    );
    assert_eq!(
        read(b"\xff\xfea\0").unwrap_err().to_string(),
        "not UTF-8: save the file in that encoding at line 1 column 1"
    );
}

#[test]
fn a_text_without_end_is_refused_within_its_limits() {
    let deep = |open: &str, close: &str, levels: usize| {
        format!("a: {}1{}", open.repeat(levels), close.repeat(levels))
    };
    for text in [
        deep("[", "]", 64),
        deep("{b: ", "}", 64),
        deep("[", "", 1_000_000),
        format!("a:\n {}", "- ".repeat(100_000)),
    ] {
        let message = refused(&text);
        assert!(
            message.starts_with("nested deeper than 64 levels at line "),
            "{message}"
        );
    }
    assert!(read(deep("[", "]", 63).as_bytes()).is_ok());
    assert!(read(deep("{b: ", "}", 63).as_bytes()).is_ok());

    let many = format!("a: [{}]", "1,".repeat(MAX_VALUES));
    assert!(refused(&many).starts_with("more than 250000 values and keys at line 1 column "));
    let long = format!("a: \"{}\"", "x".repeat(MAX_BYTES));
    assert_eq!(
        refused(&long),
        "4194309 bytes, which is more than the limit of 4 MiB"
    );
    let laughs = "a: &a [x, x]\nb: &b [*a, *a]\n".to_owned();
    assert_eq!(
        refused(&laughs),
        "an anchor (&name) is not read: leave it out at line 1 column 7 (/a)"
    );
}

#[test]
fn an_empty_object_or_list_is_read_back() {
    let document = object(r#"{"a": {}, "b": [], "c": [[], {}, [[1], {"d": [2]}]]}"#);
    assert_eq!(
        write(&document),
        "a: {}\nb: []\nc:\n  - []\n  - {}\n  -\n    -\n      - 1\n    - d:\n        - 2\n"
    );
    assert_eq!(write(&Object::new()), "{}\n");
    assert_eq!(read(b"{}\n"), Ok(Object::new()));
}

#[test]
fn a_cut_text_does_not_pass_for_its_whole_beginning() {
    let text = "a: \"é\"\nb:\n  c:\n    - 1\n    - 2\nd: |\n  x\ne: [\n";
    let whole = object(r#"{"a": "é", "b": {"c": [1, 2]}}"#);
    assert_eq!(read_until(text.as_bytes(), "b"), Some(whole.clone()));
    let known = text.find("d:").unwrap() + 2;
    for end in 0..text.len() {
        let expected = (end >= known).then(|| whole.clone());
        assert_eq!(read_until(&text.as_bytes()[..end], "b"), expected, "{end}");
    }
    for text in [
        "a: 1\nb: 2\n",
        "a: &x 1\nb: 2\nc: 3\n",
        "a: 1\na: 1\nb: 2\nc: 3\n",
        "- b\n",
        "",
    ] {
        assert_eq!(read_until(text.as_bytes(), "b"), None, "{text}");
    }
}
