//! Private keys of several lines, behind what other programs put before each line.

use fastrand::Rng;

use super::super::suspect::suspect;
use super::redact;
use super::tests::{BASE62, random};

#[test]
fn a_key_is_hidden_behind_quotations_numbers_and_comments() {
    let dashes = "-".repeat(5);
    let mut chance = Rng::with_seed(9);
    let mut lines: Vec<String> = (0..4).map(|_| random(&mut chance, 64, BASE62)).collect();
    lines.push(format!("{}+/==", random(&mut chance, 22, BASE62)));
    let body = [
        vec![format!("{dashes}BEGIN RSA PRIVATE KEY{dashes}")],
        lines.clone(),
        vec![format!("{dashes}END RSA PRIVATE KEY{dashes}")],
    ]
    .concat();
    let numbered = |separator: &str| {
        let lines = body.iter().zip(41..);
        let lines = lines.map(|(line, number)| format!("{number}{separator}{line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    // No line begins as another.
    let timed = |time: &str| {
        let lines = body.iter().zip(41..);
        let lines = lines.map(|(line, second)| format!("{time}{second}Z INFO {line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let marked = |mark: &str| {
        let lines = body.iter().map(|line| format!("{mark}{line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    for text in [
        marked("> "),
        marked(">> "),
        marked("> > "),
        marked("+ "),
        marked("    "),
        marked("# "),
        marked("// "),
        marked(" * "),
        marked("| "),
        numbered(": "),
        numbered(":"),
        numbered("\t"),
        numbered(" | "),
        numbered(") "),
        numbered("\u{2192}"),
        numbered("-"),
        numbered(" \u{2502} "),
        numbered("\u{2502}"),
        marked("    41\\u2192"),
        marked("\u{2502} "),
        marked("-- "),
        marked("  -- "),
        marked("% "),
        marked("- "),
        marked("web-1  | "),
        marked("2026-01-29T10:30:00.123Z "),
        marked("[10:30:00] app: "),
        timed("2026-01-29T10:30:"),
        timed("app[7]: 10:30:"),
        body[..5].join("\n"),
        timed("10:30:").replace(&body[5], "done"),
        marked("\u{1b}[31m"),
        body.join("\\n"),
        body.join("\\\\n"),
        body.join("\\u000a"),
        body.join("\u{200b}\n"),
        marked("") + "\r",
    ] {
        let redacted = redact(&text);
        let is_hidden = |line: &&String| !redacted.text.contains(&line[..20]);
        assert!(
            lines.iter().all(|it| is_hidden(&it)),
            "{text:?} gave {:?}",
            redacted.text
        );
        assert_eq!(
            text.matches('\n').count(),
            redacted.text.matches('\n').count()
        );
        assert!(suspect(&text), "{text:?}");
    }
}

#[test]
fn a_short_last_line_of_a_key_is_hidden_where_its_end_follows() {
    let dashes = "-".repeat(5);
    let mut chance = Rng::with_seed(10);
    let line = format!("aB1{}", random(&mut chance, 61, BASE62));
    let text = |last: &str, behind: &str| {
        format!(
            "web 1 {dashes}BEGIN PRIVATE KEY{dashes}\nweb 2 {line}\nweb 3 {last}\nweb 4 {behind}\nweb 5 listens"
        )
    };
    assert_eq!(
        redact(&text(
            "a9+/bw==",
            &format!("{dashes}END PRIVATE KEY{dashes}")
        ))
        .text,
        "web 1 [REDACTED:private_key]\nweb 2 [REDACTED:private_key]\nweb 3 [REDACTED:private_key]\n\
         web 4 [REDACTED:private_key]\nweb 5 listens"
    );
    assert_eq!(
        redact(&text("starts", "it listens")).text,
        "web 1 [REDACTED:private_key]\nweb 2 [REDACTED:private_key]\nweb 3 starts\nweb 4 it listens\n\
         web 5 listens"
    );
}

#[test]
fn prose_behind_the_first_line_of_a_key_stays() {
    let dashes = "-".repeat(5);
    let hash = "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f".repeat(2);
    for behind in [
        format!("see sha256:{hash}"),
        format!("see: {}", "=".repeat(60)),
        "see https://example.org/docs/reference/secrets/which/of/them/are/found/and/why".to_owned(),
        "- a list\n- of words".to_owned(),
        "web-1  | listens".to_owned(),
    ] {
        let text = format!("It begins with {dashes}BEGIN PRIVATE KEY{dashes}\n{behind}\n");
        let expected = format!("It begins with [REDACTED:private_key]\n{behind}\n");
        assert_eq!(redact(&text).text, expected);
    }
}
