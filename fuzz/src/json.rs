//! Reading JSON: it never panics, agrees with serde_json on what is JSON and what it holds, and
//! what is read and written again is equal, numbers by their text.

use std::collections::BTreeMap;

use milepost::json::{self, Json, MAX_DEPTH, ParsedJson};
use serde::de::IgnoredAny;
use serde_json::Value;

/// Every kind of token, and what is hard about it.
pub const SEEDS: &[&[u8]] = &[
    b"null",
    b"[true, false, null]",
    b"[0, -0, 1.0, 1e400, 1E-2, 12345678901234567890123, 18446744073709551615, 1200e-2]",
    br#""\u00e9\ud83d\ude00\ud800 \"\\\/\b\f\n\r\t""#,
    "\"é漢🏁\u{2028}\u{7f}\"".as_bytes(),
    br#"{"a": {"b": [1, {"c": ""}]}, "": [], "__proto__": {}, "10": 1, "9": 2}"#,
    br#"{"a": 1, "b": 2, "a": 3, "\u0061": 4}"#,
    br#"{"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"ka":10,"kb":11,"kc":12,"kd":13,"ke":14,"kf":15,"kg":16,"k3":17}"#,
    b"\xEF\xBB\xBF {\"version\":1,\r\n\t\"state\":{}} ",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    br#"{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":[]}}}}}}}}}}}}}}}}"#,
];

/// The bytes are the text.
pub fn run(data: &[u8]) {
    let text = std::str::from_utf8(data.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(data)).ok();
    let is_json = text.is_some_and(is_json);
    match json::read(data) {
        Err(malformed) => {
            let too_deep = || text.is_some_and(|text| depth(text) > MAX_DEPTH);
            assert!(!is_json || too_deep(), "refused: {malformed}");
            let lines = data.split(|&byte| byte == b'\n').count();
            assert!((1..=lines).contains(&malformed.line), "{malformed}");
            assert!(
                (1..=data.len() + 1).contains(&malformed.column),
                "{malformed}"
            );
        }
        Ok(reading) => {
            let text = text.filter(|_| is_json).expect("accepted what is no JSON");
            assert!(depth(text) <= MAX_DEPTH, "accepted too deep a document");
            assert!(reading.value.is_within(MAX_DEPTH));
            agrees(&reading, text);
            comes_back(&reading);
        }
    }
}

/// Skipping values, serde_json asks neither whether a number fits, nor whether a surrogate has its
/// other half, nor how deep they are nested.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The depth to which a valid JSON text is nested.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for part in parts(text) {
        match part {
            Part::Byte(b'[' | b'{') => depth += 1,
            Part::Byte(b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// A part of a valid JSON text: a whole string, or one byte outside of strings that is no
/// white space.
enum Part<'a> {
    Text(&'a str),
    Byte(u8),
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\n', '\r', '\t']);
        let first = *rest.as_bytes().first()?;
        if first == b'"' {
            let (string, after) = rest.split_at(string_length(rest));
            rest = after;
            return Some(Part::Text(string));
        }
        // Outside of strings JSON is ASCII.
        rest = &rest[1..];
        Some(Part::Byte(first))
    })
}

/// Bytes of the string that a text begins with, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn agrees(reading: &ParsedJson, text: &str) {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => assert!(same(&reading.value, &value), "{:?}", reading.value),
        // It refuses numbers that no float holds, and lone surrogates.
        Err(error) => assert!(
            reading.text_replaced || error.to_string().contains("number out of range"),
            "{error}"
        ),
    }
    // Where nothing had to be settled, only white space and escapes differ.
    if reading.duplicate_key.is_none() && !reading.text_replaced {
        let mut line = Vec::new();
        for part in parts(text) {
            match part {
                Part::Byte(byte) => line.push(byte),
                Part::Text(string) => {
                    let decoded: String = serde_json::from_str(string).unwrap();
                    line.extend(serde_json::to_vec(&decoded).unwrap());
                }
            }
        }
        assert_eq!(reading.value.to_line(), String::from_utf8(line).unwrap());
    }
}

fn same(ours: &Json, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(ours), Value::Bool(theirs)) => ours == theirs,
        (Json::Number(text), Value::Number(theirs)) => {
            // A number that serde_json takes for a float may be whole all the same, as 1.0 is.
            let whole = theirs.as_u64();
            (whole.is_none() || ours.as_u64() == whole)
                && serde_json::from_str::<Value>(text)
                    .is_ok_and(|ours| ours == Value::Number(theirs.clone()))
        }
        (Json::String(ours), Value::String(theirs)) => ours == theirs,
        (Json::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
        }
        (Json::Object(ours), Value::Object(theirs)) => {
            let members: BTreeMap<_, _> = ours.iter().collect();
            members.len() == ours.len()
                && members.len() == theirs.len()
                && members
                    .iter()
                    .all(|(key, ours)| theirs.get(*key).is_some_and(|theirs| same(ours, theirs)))
        }
        _ => false,
    }
}

fn comes_back(reading: &ParsedJson) {
    for text in [reading.value.to_line(), reading.value.to_document()] {
        let again = json::read(text.as_bytes()).unwrap();
        assert_eq!(again.value, reading.value, "{text}");
        assert!(again.duplicate_key.is_none() && !again.text_replaced);
    }
}
