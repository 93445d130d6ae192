//! Reading and writing JSON, against serde_json.

mod skimming;

use std::collections::BTreeMap;
use std::fmt::Write;

use milepost::json::{self, Json, MAX_DEPTH, ParsedJson};
use serde::de::IgnoredAny;
use serde_json::Value;

/// A random document: as it might come, and as it is written on one line.
struct Sample {
    noisy: String,
    line: String,
}

impl Sample {
    fn new(random: &mut fastrand::Rng) -> Self {
        let mut sample = Sample {
            noisy: String::new(),
            line: String::new(),
        };
        sample.space(random);
        sample.value(random, 0);
        sample.space(random);
        sample
    }

    fn both(&mut self, text: &str) {
        self.noisy.push_str(text);
        self.line.push_str(text);
    }

    fn space(&mut self, random: &mut fastrand::Rng) {
        for _ in 0..random.usize(0..3) {
            self.noisy.push(choose(random, &[' ', '\n', '\r', '\t']));
        }
    }

    fn value(&mut self, random: &mut fastrand::Rng, depth: usize) {
        match random.usize(0..if depth < 5 { 8 } else { 6 }) {
            0 => self.both("null"),
            1 => self.both(choose(random, &["true", "false"])),
            2 | 3 => self.number(random),
            4 | 5 => self.string(random, ""),
            6 => self.list(random, depth),
            _ => self.object(random, depth),
        }
    }

    fn number(&mut self, random: &mut fastrand::Rng) {
        const INTEGERS: [&str; 6] = ["0", "7", "10", "-0", "-3", "12345678901234567890123"];
        const FRACTIONS: [&str; 4] = ["", ".0", ".50", ".0000000000000000000001"];
        const EXPONENTS: [&str; 6] = ["", "e0", "E1", "e+08", "E-2", "e400"];
        self.both(choose(random, &INTEGERS));
        self.both(choose(random, &FRACTIONS));
        self.both(choose(random, &EXPONENTS));
    }

    /// A string that begins with `prefix`, its characters escaped or not.
    fn string(&mut self, random: &mut fastrand::Rng, prefix: &str) {
        const CHARACTERS: [char; 16] = [
            'a', 'Z', ' ', '"', '\\', '/', '\n', '\t', '\u{8}', '\0', '\u{1F}', '\u{7F}', 'é',
            '\u{2028}', '漢', '😀',
        ];
        let mut text = prefix.to_owned();
        for _ in 0..random.usize(0..8) {
            text.push(choose(random, &CHARACTERS));
        }
        self.noisy.push('"');
        for character in text.chars() {
            let must = matches!(character, '"' | '\\' | '\0'..='\u{1F}');
            if must || random.usize(0..4) == 0 {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(self.noisy, "\\u{unit:04x}").unwrap();
                }
            } else {
                self.noisy.push(character);
            }
        }
        self.noisy.push('"');
        self.line.push_str(&serde_json::to_string(&text).unwrap());
    }

    fn list(&mut self, random: &mut fastrand::Rng, depth: usize) {
        self.both("[");
        self.space(random);
        for at in 0..random.usize(0..5) {
            if at > 0 {
                self.both(",");
            }
            self.space(random);
            self.value(random, depth + 1);
            self.space(random);
        }
        self.both("]");
    }

    fn object(&mut self, random: &mut fastrand::Rng, depth: usize) {
        self.both("{");
        self.space(random);
        // Sometimes beyond the number up to which all pairs of keys are compared.
        let most = choose(random, &[5, 5, 5, 5, 5, 40]);
        for at in 0..random.usize(0..most) {
            if at > 0 {
                self.both(",");
            }
            self.space(random);
            // The number in front makes every key differ, and their order is not that of text.
            self.string(random, &format!("{}_", 97 * at % 41));
            self.space(random);
            self.both(":");
            self.space(random);
            self.value(random, depth + 1);
            self.space(random);
        }
        self.both("}");
    }
}

fn choose<T: Copy>(random: &mut fastrand::Rng, of: &[T]) -> T {
    of[random.usize(0..of.len())]
}

/// A few bytes changed, dropped, inserted, repeated or cut off.
fn mutate(random: &mut fastrand::Rng, text: &str) -> Vec<u8> {
    const PIECES: [&[u8]; 24] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\"",
        b"\\",
        b"\\u",
        b"\\ud800",
        b"\\udc00",
        b"\\uD83D\\uDE00",
        b"0",
        b"-",
        b".",
        b"e",
        b"+",
        b"null",
        b" ",
        b"\n",
        b"\0",
        b"\xFF",
        b"\xED\xA0\x80",
        b"\xEF\xBB\xBF",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.usize(1..4) {
        let at = random.usize(0..=bytes.len());
        let end = (at + random.usize(0..3)).min(bytes.len());
        match random.usize(0..4) {
            0 => bytes.truncate(at),
            1 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                bytes.splice(at..end, choose(random, &PIECES).iter().copied());
            }
        }
    }
    bytes
}

/// Returns whether serde_json takes the bytes for JSON. Skipping values, it asks neither whether a number
/// fits nor whether a surrogate has its other half.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

fn same(ours: &Json, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(ours), Value::Bool(theirs)) => ours == theirs,
        (Json::Number(ours), Value::Number(_)) => {
            serde_json::from_str::<Value>(ours).is_ok_and(|ours| ours == *theirs)
        }
        (Json::String(ours), Value::String(theirs)) => ours == theirs,
        (Json::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
        }
        (Json::Object(ours), Value::Object(theirs)) => {
            let ours: BTreeMap<_, _> = ours.iter().collect();
            ours.len() == theirs.len()
                && ours
                    .iter()
                    .all(|(key, ours)| theirs.get(*key).is_some_and(|theirs| same(ours, theirs)))
        }
        _ => false,
    }
}

fn writing_and_reading_gives_it_back(reading: &ParsedJson) {
    for text in [reading.value.to_line(), reading.value.to_document()] {
        let again = json::read(text.as_bytes()).unwrap();
        assert_eq!(again.value, reading.value, "{text}");
        assert!(again.duplicate_key.is_none() && !again.text_replaced);
    }
}

#[test]
fn a_document_is_written_unchanged_but_for_white_space_and_escapes() {
    let _run = milepost_property::seed(
        "a document is written unchanged but for white space and escapes",
        11,
    );
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..4000 {
        let sample = Sample::new(&mut random);
        let reading = json::read(sample.noisy.as_bytes()).unwrap();
        assert_eq!(reading.value.to_line(), sample.line);
        assert!(reading.duplicate_key.is_none() && !reading.text_replaced);
        writing_and_reading_gives_it_back(&reading);
    }
}

#[test]
fn broken_documents_are_refused_where_serde_json_refuses_them() {
    let _run = milepost_property::seed(
        "broken documents are refused where serde json refuses them",
        12,
    );
    let mut random = fastrand::Rng::with_seed(12);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let sample = Sample::new(&mut random);
        let bytes = mutate(&mut random, &sample.noisy);
        let shown = String::from_utf8_lossy(&bytes);
        let Ok(reading) = json::read(&bytes) else {
            assert!(!is_json(&bytes), "refused: {shown}");
            continue;
        };
        accepted += 1;
        assert!(is_json(&bytes), "accepted: {shown}");
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        match serde_json::from_slice::<Value>(bytes) {
            Ok(value) => assert!(same(&reading.value, &value), "{shown}"),
            // It refuses numbers that no float holds, and lone surrogates.
            Err(error) => assert!(
                reading.text_replaced || error.to_string().contains("number out of range"),
                "{error}: {shown}"
            ),
        }
        writing_and_reading_gives_it_back(&reading);
    }
    assert!((2000..18_000).contains(&accepted), "{accepted} accepted");
}

#[test]
fn the_last_value_of_a_repeated_key_stands_at_the_place_of_the_first() {
    let many: String = (0..40).map(|at| format!(r#""k{at}":0,"#)).collect();
    for (text, line, first_found) in [
        (
            r#"{"a":1,"b":2,"a":3}"#.to_owned(),
            r#"{"a":3,"b":2}"#.to_owned(),
            "a",
        ),
        (
            r#"{"a":{"x":1,"x":2},"\u0061":{"y":1,"y":1,"y":2}}"#.to_owned(),
            r#"{"a":{"y":2}}"#.to_owned(),
            "x",
        ),
        (
            format!(r#"{{{many}"k7":1}}"#),
            {
                let kept = many.replace(r#""k7":0"#, r#""k7":1"#);
                format!("{{{}}}", kept.trim_end_matches(','))
            },
            "k7",
        ),
    ] {
        let reading = json::read(text.as_bytes()).unwrap();
        assert_eq!(reading.value.to_line(), line);
        assert_eq!(
            reading.duplicate_key.as_deref(),
            Some(first_found),
            "{text}"
        );
    }
}

#[test]
fn a_lone_surrogate_is_replaced_and_a_pair_is_not() {
    for (text, value, replaced) in [
        (r#""\ud83d\ude00""#, "😀", false),
        (r#""\ud800""#, "\u{FFFD}", true),
        (r#""a\udc00b""#, "a\u{FFFD}b", true),
        (r#""\ud800\ud83d\ude00""#, "\u{FFFD}😀", true),
        (r#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}", true),
        (
            r#""\ud800\u0041\ud7ff\ue000""#,
            "\u{FFFD}A\u{D7FF}\u{E000}",
            true,
        ),
    ] {
        let reading = json::read(text.as_bytes()).unwrap();
        assert_eq!(reading.value, Json::from(value), "{text}");
        assert_eq!(reading.text_replaced, replaced, "{text}");
    }
    let key = json::read(br#"{"\ud800": 1}"#).unwrap();
    assert!(key.text_replaced);
}

#[test]
fn one_byte_order_mark_is_dropped() {
    let reading = json::read(b"\xEF\xBB\xBF {}").unwrap();
    assert_eq!(reading.value.to_line(), "{}");
    for bytes in [
        &b"\xEF\xBB\xBF"[..],
        b"\xEF\xBB\xBF\xEF\xBB\xBF{}",
        b" \xEF\xBB\xBF{}",
    ] {
        assert!(json::read(bytes).is_err());
    }
}

#[test]
fn nesting_ends_at_its_limit_however_deep_the_input_is() {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"[{"a":"#, "}]")] {
        let levels = open.matches(['[', '{']).count();
        let deepest = nested(open, close, MAX_DEPTH / levels);
        assert_eq!(
            json::read(deepest.as_bytes()).unwrap().value.to_line(),
            deepest
        );

        let column = MAX_DEPTH / levels * open.len() + 1;
        for depth in [MAX_DEPTH / levels + 1, 1_000_000] {
            let malformed = json::read(nested(open, close, depth).as_bytes()).unwrap_err();
            assert_eq!(
                malformed.to_string(),
                format!("nested deeper than 64 levels at line 1 column {column}")
            );
        }
    }
}

#[test]
fn errors_name_line_and_column() {
    for (bytes, expected) in [
        (&b""[..], "expected a value at line 1 column 1"),
        (b" \n ", "expected a value at line 2 column 2"),
        (b"\xFF", "not UTF-8 at line 1 column 1"),
        (b"{\n \"a\xC3\"}", "not UTF-8 at line 2 column 4"),
        (b"\"\xED\xA0\x80\"", "not UTF-8 at line 1 column 2"),
        (
            b"{a: 1}",
            "expected a key in double quotes at line 1 column 2",
        ),
        (b"{\"a\" 1}", "expected a colon at line 1 column 6"),
        (
            b"{\"a\": 1,}",
            "expected a key in double quotes at line 1 column 9",
        ),
        (
            b"{\"a\": 1\n\"b\"",
            "expected a comma or a closing brace at line 2 column 1",
        ),
        (b"[1,]", "expected a value at line 1 column 4"),
        (
            b"[1 2]",
            "expected a comma or a closing bracket at line 1 column 4",
        ),
        (
            b"{} {}",
            "expected the end of the document at line 1 column 4",
        ),
        (b"01", "expected the end of the document at line 1 column 2"),
        (b"-", "expected a digit at line 1 column 2"),
        (b"1.e5", "expected a digit at line 1 column 3"),
        (b"+1", "expected a value at line 1 column 1"),
        (b"NaN", "expected a value at line 1 column 1"),
        (b"nul", "expected a value at line 1 column 1"),
        (b"'a'", "expected a value at line 1 column 1"),
        (b"// x\n1", "expected a value at line 1 column 1"),
        (b"\"a", "expected the end of a string at line 1 column 3"),
        (b"\"a\\", "expected the end of a string at line 1 column 4"),
        (
            b"\"a\\\"",
            "expected the end of a string at line 1 column 5",
        ),
        (
            b"[\n\"a\tb\"]",
            "control character in a string at line 2 column 3",
        ),
        (
            b"\"ab\\x\"",
            "invalid escape in a string at line 1 column 4",
        ),
        (
            b"\"\\u12G4\"",
            "invalid escape in a string at line 1 column 2",
        ),
        (
            b"\"\\u12\"",
            "invalid escape in a string at line 1 column 2",
        ),
    ] {
        let malformed = json::read(bytes).unwrap_err();
        assert_eq!(
            malformed.to_string(),
            expected,
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn a_document_has_two_spaces_a_level_and_one_final_newline() {
    let reading = json::read(br#"{"a":[],"b":{},"c":[1.0,{"d":"\u00e9\u0001/"}]}"#).unwrap();
    assert_eq!(
        reading.value.to_document(),
        "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1.0,\n    {\n      \"d\": \"é\\u0001/\"\n    }\n  ]\n}\n"
    );
}
