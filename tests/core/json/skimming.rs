//! Skimming a text: of each value no more than is asked for, and the same problems as when it is read.

use milepost::json::{self, Json, Look, MAX_DEPTH, Object};

use super::{Sample, mutate};

/// What is left of a value where only this much is looked at.
fn seen(value: &Json, look: Look) -> Json {
    let looked = |key: &str| match look {
        Look::Members(members) => members.iter().find(|(name, _)| *name == key),
        _ => None,
    };
    match (look, value) {
        (Look::Whole, value) => value.clone(),
        (Look::Members(_), Json::Object(object)) => {
            let members = object.iter().map(|(key, value)| {
                let look = looked(key).map_or(Look::Kind, |(_, look)| *look);
                (key.to_owned(), seen(value, look))
            });
            let mut object = Object::new();
            members.for_each(|(key, value)| object.set(&key, value));
            object.into()
        }
        (Look::Items(item), Json::Array(items)) => {
            Json::Array(items.iter().map(|it| seen(it, *item)).collect())
        }
        (Look::Kind, Json::Object(_)) => Object::new().into(),
        (Look::Kind, Json::Array(_)) => Json::Array(Vec::new()),
        (Look::Kind, Json::String(_)) => "".into(),
        (Look::Kind, Json::Number(_)) => Json::Number("0".into()),
        (_, value) => value.clone(),
    }
}

#[test]
fn skimming_a_text_sees_or_refuses_something_else_than_reading_it() {
    const MEMBERS: Look = Look::Members(&[
        ("0_", Look::Whole),
        ("15_", Look::Items(&Look::Members(&[("0_", Look::Whole)]))),
        ("30_", Look::Items(&Look::Whole)),
        ("0_a", Look::Members(&[])),
    ]);
    let mut random = fastrand::Rng::with_seed(13);
    let (mut compact, mut refused) = (0, 0);
    for round in 0..30_000 {
        let sample = Sample::new(&mut random);
        let line = round % 2 == 0;
        let text = match line {
            true => &sample.line,
            false => &sample.noisy,
        };
        let bytes = match round % 3 {
            0 => text.clone().into_bytes(),
            _ => mutate(&mut random, text),
        };
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        // Whoever skims reads the whole where that is refused.
        if text.starts_with('\u{FEFF}') {
            continue;
        }
        for look in [Look::Whole, Look::Kind, MEMBERS, Look::Items(&MEMBERS)] {
            let (skimmed, reading) = (json::skim(&text, look), json::read(text.as_bytes()));
            let (skimmed, reading) = match (skimmed, reading) {
                (Ok(skimmed), Ok(reading)) => (skimmed, reading),
                (skimmed, reading) => {
                    assert_eq!(skimmed.err(), reading.err(), "{look:?} {text}");
                    refused += 1;
                    continue;
                }
            };
            let expected = seen(&reading.value, look);
            assert_eq!(skimmed.value, expected, "{look:?} {text}");
            if skimmed.is_compact {
                compact += 1;
                assert!(!reading.text_replaced, "{text}");
                // Escapes and repeated keys are all that it may differ in.
                let is_shorter = text.len() >= reading.value.to_line().len();
                assert!(is_shorter, "{text}");
            }
        }
    }
    assert!(compact > 20_000 && refused > 20_000, "{compact} {refused}");
}

#[test]
fn skimming_descends_deeper_or_less_deep_than_reading() {
    for (depth, is_read) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        for look in [Look::Kind, Look::Whole, Look::Items(&Look::Kind)] {
            assert_eq!(json::skim(&text, look).is_ok(), is_read, "{look:?} {depth}");
        }
    }
}

#[test]
fn a_text_that_is_to_be_written_in_another_way_counts_as_compact() {
    let is_compact = |text| json::skim(text, Look::Kind).unwrap().is_compact;
    assert!(is_compact(r#"{"a":[1,"\u0007\n"],"b":{}}"#));
    for text in [
        " {}",
        "{} ",
        "{ }",
        "[1, 2]",
        r#"{"a" :1}"#,
        r#"["\ud83d\ude00"]"#,
        r#"{"\ud800":1}"#,
    ] {
        assert!(!is_compact(text), "{text}");
    }
    let repeated = json::skim(r#"{"a":1,"a":2}"#, Look::Whole).unwrap();
    assert!(!repeated.is_compact);
}
