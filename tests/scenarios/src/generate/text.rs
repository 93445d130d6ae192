//! Texts that hosts might treat differently.

use fastrand::Rng;

/// White space, in ECMAScript's view or only in others'.
const BETWEEN: [&str; 16] = [
    " ", " ", " ", "\n", "\t", "  ", "\r\n", "\u{b}", "\u{c}", "\u{a0}", "\u{feff}", "\u{85}",
    "\u{2028}", "\u{3000}", "\u{180e}", "\u{200b}",
];

const WORDS: [&str; 18] = [
    "parser",
    "done",
    "a",
    "ä",
    "naïve",
    "日本語",
    "🙂",
    "👩‍👩‍👧",
    "e\u{301}",
    "“quoted”",
    "\\",
    "\"",
    "/",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{202e}evil",
    "\u{fffd}",
    "0",
];

/// One word.
pub(super) fn word(random: &mut Rng) -> &'static str {
    WORDS[random.usize(..WORDS.len())]
}

/// Words with something between them.
pub(super) fn words(random: &mut Rng, count: usize) -> String {
    let mut text = String::new();
    for _ in 0..count {
        text.push_str(word(random));
        if random.u8(..6) > 0 {
            text.push_str(BETWEEN[random.usize(..BETWEEN.len())]);
        }
    }
    text
}

/// A short text, now and then an empty, a control character's, or a long one.
pub(super) fn any(random: &mut Rng) -> String {
    match random.u8(..40) {
        0 => String::new(),
        1 => "\u{0}\u{1}\u{8}\u{1f}".to_owned(),
        2 => "word ".repeat(random.usize(490..510)),
        3 => words(random, 3_000),
        _ => {
            let count = random.usize(..30);
            words(random, count)
        }
    }
}

/// A summary: mostly one that a save accepts.
pub(super) fn summary(random: &mut Rng) -> String {
    match random.u16(..600) {
        0..=8 => "word ".repeat(random.usize(495..506)),
        9 => "ä".repeat(random.usize(32_760..32_776)),
        _ => {
            let count = random.usize(..12);
            words(random, count)
        }
    }
}
