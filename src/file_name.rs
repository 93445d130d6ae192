//! Names that are one part of a path on every file system.

/// Names that Windows keeps for devices, with any extension.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

const LONGEST_DEVICE: usize = 4;

/// Checks a name against `^[A-Za-z0-9][A-Za-z0-9._-]*$`, at most `longest` bytes, no final dot, no
/// device name.
///
/// # Errors
///
/// A sentence about what was expected of it.
pub fn check(name: &str, longest: usize) -> Result<(), String> {
    let invalid = |why: &str| Err(why.to_owned());
    if name.is_empty() {
        return invalid("expected at least one character");
    }
    if name.len() > longest {
        return Err(sentence!("expected at most {longest} characters"));
    }
    if !name.as_bytes()[0].is_ascii_alphanumeric() {
        return invalid("expected a letter or digit first");
    }
    if !name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    {
        return invalid("expected only letters, digits, '.', '_' and '-'");
    }
    if name.ends_with('.') {
        return invalid("expected no '.' at the end");
    }
    let stem = name.split('.').next().unwrap_or_default();
    let mut devices = DEVICES.iter();
    // Thousands of names are checked in a row, and few are so short.
    if stem.len() <= LONGEST_DEVICE && devices.any(|device| device.eq_ignore_ascii_case(stem)) {
        return invalid("Windows keeps this name for a device");
    }
    Ok(())
}

/// Checks a word of small letters, digits and `_`, at most `longest` bytes: a file's name that begins
/// with it and goes on with `-` says where it ends.
///
/// # Errors
///
/// A sentence about what was expected of it.
pub fn check_word(word: &str, longest: usize) -> Result<(), String> {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    match (1..=longest).contains(&word.len()) && word.bytes().all(is_plain) {
        true => Ok(()),
        false => Err(sentence!(
            "expected 1 to {longest} small letters, digits or `_`, and no `-`"
        )),
    }
}

/// The rule of [`check`] as a regular expression of ECMAScript, for names that are not `except` either,
/// however that is written.
pub fn pattern(longest: usize, except: &str) -> String {
    let devices: Vec<String> = DEVICES.iter().map(|it| any_case(it)).collect();
    sentence!(
        r"^(?!(?:{})(?:\.|$))(?!{}$)[A-Za-z0-9](?:[A-Za-z0-9._-]{{0,{}}}[A-Za-z0-9_-])?$",
        devices.join("|"),
        any_case(except),
        longest - 2
    )
}

fn any_case(text: &str) -> String {
    let class = |letter: char| match letter.is_ascii_alphabetic() {
        true => sentence!("[{}{letter}]", letter.to_ascii_uppercase()),
        false => letter.to_string(),
    };
    text.chars().map(class).collect()
}
