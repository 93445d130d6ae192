//! Texts that some part of the world acts on.

use super::{Result, Unstructured, several};

/// Characters that a terminal acts on, or that change how the rest is read.
const HOSTILE: [&str; 20] = [
    "\u{1b}[31m",
    "\u{1b}[0m",
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "\u{1b}]8;;http://x\u{1b}\\",
    "\u{9b}2J",
    "\u{85}",
    "\u{202e}",
    "\u{2066}x\u{2069}",
    "\u{200e}",
    "\u{61c}",
    "\u{2028}",
    "\u{2029}",
    "\0",
    "\u{8}\u{8}",
    "\u{7f}",
    "\r",
    "\n",
    "\t",
    "\u{feff}",
    "\nmilepost: forged",
];

const PLAIN: [&str; 20] = [
    "word ", "a", "é", "漢", "🏁", "e\u{301}", "\"", "'", "\\", "/", "..", ".", "-", "--json",
    "~1", "{}", "%s", "$(x)", ":", "\\u{1b}",
];

/// A short text, hostile or not; now and then one that is longer than any summary may be.
pub(crate) fn any(u: &mut Unstructured<'_>) -> Result<String> {
    let parts = several(u, 5, |u| {
        Ok(match u.int_in_range(0..=8_u8)? {
            0..=2 => (*u.choose(&PLAIN)?).to_owned(),
            3..=5 => (*u.choose(&HOSTILE)?).to_owned(),
            6 => u.arbitrary::<char>()?.to_string(),
            7 => char::from(u.arbitrary::<u8>()?).to_string(),
            _ => "word ".repeat(usize::from(u.arbitrary::<u8>()?) * 4),
        })
    })?;
    Ok(parts.concat())
}

/// A name that a feature may have, or nearly.
pub(crate) fn feature(u: &mut Unstructured<'_>) -> Result<String> {
    const KNOWN: [&str; 24] = [
        "dark-mode",
        "Dark-Mode",
        "a.b",
        "a",
        "A",
        "0",
        "v1.2_x",
        "checkpoint",
        "Checkpoint",
        "con",
        "CON.txt",
        "nul",
        "Com1",
        "lpt9.a",
        "com10",
        "..",
        "a.",
        ".a",
        "-a",
        "_a",
        "a/b",
        "a\\b",
        "c:x",
        "a b",
    ];
    Ok(match u.int_in_range(0..=7_u8)? {
        0..=3 => (*u.choose(&KNOWN)?).to_owned(),
        4 | 5 => several(u, 110, |u| Ok(char::from(*u.choose(b"aZ09._-")?)))?
            .into_iter()
            .collect(),
        6 => format!("{}{}", u.choose(&KNOWN)?, any(u)?),
        _ => any(u)?,
    })
}
