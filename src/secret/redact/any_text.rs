//! Random texts, for properties that hold for every text.

use fastrand::Rng;

use super::Rule;
use super::tests::{BASE62, positives, random};

/// Text made of parts that rules look for, in any order, so that they meet and overlap.
pub(super) fn any_text(chance: &mut Rng) -> String {
    const PARTS: [&str; 70] = [
        "-----BEGIN ",
        "PRIVATE KEY",
        "-----",
        "-----END ",
        "RSA ",
        "PuTTY-User-Key-File-",
        "3: ",
        "Private-MAC: ",
        "\n",
        "\n",
        "\r\n",
        "\\n",
        " ",
        " ",
        "\t",
        "=",
        "=",
        ":",
        ": ",
        " = ",
        "=>",
        "://",
        "https://",
        "@",
        "/",
        "?",
        "&",
        ";",
        ",",
        "\"",
        "'",
        "\\\"",
        "`",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "$",
        "token",
        "password",
        "api_key",
        "secret",
        "key",
        "Password",
        "--",
        "Bearer ",
        "basic ",
        "Server=db;",
        "host=db ",
        "hooks.slack.com/services/",
        "AKIA",
        "eyJ",
        "sk-",
        "xoxb-",
        "hf_",
        ".",
        "-",
        "+",
        "_",
        "[REDACTED:",
        "[REDACTED:token]",
        "ü",
        "世",
        "\u{301}",
        "env:",
        "string",
    ];
    let mut text = String::new();
    for _ in 0..chance.usize(1..24) {
        match chance.usize(..8) {
            0 => {
                let length = chance.usize(1..48);
                text.push_str(&random(chance, length, BASE62));
            }
            1 => {
                let rule = Rule::ALL[chance.usize(..Rule::ALL.len())];
                let cases = positives(rule, chance.u64(..));
                text.push_str(&cases[chance.usize(..cases.len())].1);
            }
            _ => text.push_str(PARTS[chance.usize(..PARTS.len())]),
        }
    }
    text
}
