//! Random text and documents for property tests; the same seed gives the same document.

use fastrand::Rng;

use crate::json::{Json, Object};

/// The texts that some reader of YAML takes for something else than text, or reads differently than
/// they were written.
pub(super) const AWKWARD: [&str; 76] = [
    "",
    " ",
    "   ",
    "\n",
    "\n\n",
    "\t",
    "yes",
    "Yes",
    "no",
    "on",
    "OFF",
    "y",
    "n",
    "true",
    "False",
    "null",
    "Null",
    "~",
    "1e3",
    "1.5e3",
    "0x10",
    "0o17",
    "012",
    "1_000",
    "12:30",
    "1:2:3",
    "2025-01-26",
    "2025-01-26T10:30:00Z",
    ".inf",
    "-.INF",
    ".nan",
    "=",
    "<<",
    "e3",
    "-",
    "- a",
    "?",
    "? a",
    ":",
    ": a",
    "a: b",
    "a:",
    "#",
    "# a",
    "a #b",
    "a# b",
    "&a",
    "*a",
    "!a",
    "!!str a",
    "%YAML 1.2",
    "---",
    "...",
    "--- a\n... b",
    "@a",
    "`a",
    "\"",
    "'",
    "\\",
    "a\\nb",
    "|",
    ">",
    "[a]",
    "{a: b}",
    " a",
    "a ",
    "a\n",
    "a\nb",
    "a\nb\n\n",
    " a\nb",
    "a \nb",
    "a\n b\n \nc\n",
    "a\r\nb",
    "a\n\tb",
    "a\nb ",
    "\u{feff}a",
];

const PIECES: [&str; 42] = [
    "a",
    "b",
    "yes",
    "12",
    "e",
    " ",
    "  ",
    "\n",
    "\n",
    "\n\n",
    "\t",
    "\r",
    "\r\n",
    ": ",
    ":",
    " #",
    "#",
    "- ",
    "-",
    "\"",
    "'",
    "\\",
    "\\n",
    "é",
    "→",
    "🏁",
    "👩\u{200d}💻",
    "⚠\u{fe0f}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\0",
    "\u{1b}",
    "\u{7f}",
    "\u{9f}",
    "\u{a0}",
    "\u{ad}",
    "\u{202e}",
    "\u{fffe}",
    "\u{1fffe}",
    "\u{10ffff}",
];

/// A text, often one of several lines.
pub(super) fn text(random: &mut Rng) -> String {
    match random.u8(..10) {
        0..4 => AWKWARD[random.usize(..AWKWARD.len())].to_owned(),
        4 => "word ".repeat(random.usize(..400)),
        5 => random.char('\0'..).to_string().repeat(random.usize(..4)),
        6 => {
            let lines = [
                "+ added",
                " kept",
                "",
                " ",
                "-removed ",
                "\tx",
                "@@ -1 +1 @@",
                "a: b",
                "---",
            ];
            let count = random.usize(1..8);
            let lines: Vec<_> = (0..count)
                .map(|_| lines[random.usize(..lines.len())])
                .collect();
            lines.join("\n") + ["", "\n", "\n\n"][random.usize(..3)]
        }
        _ => {
            let count = random.usize(..12);
            (0..count)
                .map(|_| PIECES[random.usize(..PIECES.len())])
                .collect()
        }
    }
}

/// An object of anything that a document can hold.
pub(super) fn object(random: &mut Rng, depth: usize) -> Object {
    let count = random.usize(..5);
    let members = (0..count).map(|_| {
        let key = match random.u8(..40) {
            0 => "k".repeat(random.usize(900..3000)),
            1..20 => [
                "id",
                "created_at",
                "e3",
                "y",
                "null",
                "a-b",
                "1",
                "<<",
                "A_b2",
            ][random.usize(..9)]
            .to_owned(),
            _ => text(random),
        };
        (key, value(random, depth))
    });
    members.collect()
}

fn value(random: &mut Rng, depth: usize) -> Json {
    let numbers = [
        "0",
        "-1",
        "1.5",
        "12345678901234567890",
        "1e3",
        "1E-3",
        "-0.25e2",
    ];
    match random.u8(..12) {
        0 => Json::Null,
        1 => Json::Bool(random.bool()),
        2 => Json::Number(numbers[random.usize(..numbers.len())].into()),
        3 | 4 if depth > 0 => object(random, depth - 1).into(),
        5 | 6 if depth > 0 => {
            let count = random.usize(..4);
            Json::Array((0..count).map(|_| value(random, depth - 1)).collect())
        }
        _ => text(random).into(),
    }
}
