//! Passing over a text: only compact JSON, as it is written, and what reading makes the same of.

use milepost::json::{self, MAX_DEPTH, Skim};

use super::{Sample, mutate};

/// Passes over a text to its end.
fn passed(text: &str) -> bool {
    let mut skim = Skim::new(text);
    skim.pass().and_then(|()| skim.end()).is_some()
}

#[test]
fn passing_over_a_text_accepts_compact_json_only() {
    let _run = milepost_property::seed("passing over a text accepts compact json only", 13);
    let mut random = fastrand::Rng::with_seed(13);
    let (mut over, mut refused) = (0, 0);
    for round in 0..30_000 {
        let sample = Sample::new(&mut random);
        let text = match round % 2 {
            0 => &sample.line,
            _ => &sample.noisy,
        };
        let bytes = match round % 3 {
            0 => text.clone().into_bytes(),
            _ => mutate(&mut random, text),
        };
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        if !passed(&text) {
            refused += 1;
            continue;
        }
        over += 1;
        let reading = json::read(text.as_bytes()).unwrap();
        assert!(!reading.text_replaced, "{text}");
        // Escapes and repeated keys are all that it may differ in.
        let is_shorter = text.len() >= reading.value.to_line().len();
        assert!(is_shorter, "{text}");
    }
    assert!(over > 5_000 && refused > 10_000, "{over} {refused}");
}

#[test]
fn a_text_as_it_is_written_is_passed_over() {
    let _run = milepost_property::seed("a text as it is written is passed over", 14);
    let mut random = fastrand::Rng::with_seed(14);
    for _ in 0..3_000 {
        let sample = Sample::new(&mut random);
        let reading = json::read(sample.line.as_bytes()).unwrap();
        let line = reading.value.to_line();
        assert!(passed(&line), "{line}");
    }
}

#[test]
fn passing_over_a_text_goes_as_deep_as_reading() {
    for (depth, is_read) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
        let lists = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        for text in [lists, objects] {
            assert_eq!(passed(&text), is_read, "{depth}");
        }
        let siblings = format!("[{}[]]", "[],".repeat(2 * depth));
        assert!(passed(&siblings));
    }
}

#[test]
fn a_text_that_would_be_written_differently_is_not_compact() {
    assert!(passed(
        r#"{"a":[1,"\u0007\n"],"b":{},"\"":[true,false,null,-1.5e+3]}"#
    ));
    for text in [
        "",
        " {}",
        "{} ",
        "{ }",
        "[1, 2]",
        "[1,]",
        "[,1]",
        "{}{}",
        "truth",
        "-",
        r#"{"a" :1}"#,
        r#"{"a":1,}"#,
        r#"{"a"}"#,
        r#"["\ud83d\ude00"]"#,
        r#"{"\ud800":1}"#,
    ] {
        assert!(!passed(text), "{text}");
    }
    let mut leaf = Skim::new(r#""\ud800""#);
    assert!(leaf.leaf().is_some() && leaf.end().is_none());
}
