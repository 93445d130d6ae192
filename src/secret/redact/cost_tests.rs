//! The cost of a look for secrets, in bytes that rules look at, without a clock.

use super::ordinary_sample::ordinary;
use super::token_sample::{Sample, tokens};
use super::{find_secrets, redact};
use crate::step_count::steps_of;

/// Texts that would take a rule long that looked at a byte again and again.
fn attacks() -> Vec<String> {
    let parts = [
        "a",
        "-",
        "--",
        "-----",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nx aB1c2D34aB1c2D34aB1c2D34aB1c2D34aB1c2D34aB1c2D34\n",
        "a -----BEGIN PRIVATE KEY-----\nb \u{2192}x\n",
        "eyJ",
        "eyJ.",
        "sk-",
        "sk-sk_",
        "ghp_",
        "xoxb-",
        "LS0tLS1CRUdJTiB",
        "token=",
        "token: ",
        "password ",
        "password \"",
        "://",
        "a://b:",
        "postgres://u:p",
        "https://",
        "@",
        "=",
        ":",
        "key=\"",
        "Bearer ",
        "basic ",
        "curl -u ",
        "curl -su ",
        "htpasswd -b ",
        "htpasswd -b \"",
        " -p ",
        " -p\"",
        "mysql ",
        "mysql \"",
        "docker login ",
        "curl \\\\\\\"",
        "Cookie: ",
        "Cookie: a=b;",
        "login password ",
        "%41",
        "\\n",
        "\\\\",
        "\\u200b",
        "\\u{200b}",
        "\\udb40\\udc41",
        "%E2%80%8B",
        "&#8203;",
        "a\u{8}",
        "\u{200b}",
        "\u{1b}[",
        "\u{1b}[3",
        "\0",
        "a\0",
        "1:",
        "1 ",
        "a:b:c:d:e:",
        "hooks.slack.com/services/",
        "?token=",
        "a?b=c&",
        ";password=",
        "server=a;",
        ".com/",
        "AKIA",
        "Q~",
        "-us1",
        ":AA",
        "M.abcdef.",
        "machine ",
        "(",
        "[REDACTED:",
        "PuTTY-User-Key-File-3: ",
        "> ",
        "12 | ",
        "\u{1f3c1}",
        "\n",
        " \n",
        "x=1\n",
    ];
    parts.map(str::to_owned).to_vec()
}

#[test]
fn time_grows_with_the_length_of_any_text() {
    /// So many bytes are looked at for each byte at most.
    const MOST: u64 = 64;
    let cost = |part: &str, length: usize| {
        let text = part.repeat(length / part.len() + 1);
        steps_of(|| find_secrets(text.as_bytes()))
    };
    for part in attacks() {
        let (short, long) = (cost(&part, 2_000), cost(&part, 8_000));
        assert!(
            long <= 5 * short + 10_000,
            "{part:?}: {short} for 2,000 bytes and {long} for 8,000"
        );
        assert!(long <= MOST * 8_000, "{part:?}: {long}");
    }
}

#[test]
fn an_ordinary_text_costs_a_few_looks_at_each_byte() {
    let texts = ordinary();
    let bytes: usize = texts.iter().map(String::len).sum();
    let taken = steps_of(|| texts.iter().for_each(|text| drop(redact(text))));
    assert!(taken <= 16 * bytes as u64, "{taken} for {bytes} bytes");
    for Sample { name, text, .. } in tokens(5) {
        let taken = steps_of(|| find_secrets(text.as_bytes()));
        assert!(taken <= 60 * text.len() as u64 + 200, "{name}: {taken}");
    }
}
