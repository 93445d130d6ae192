use std::fmt::Write as _;

use regex::Regex;

use super::{Classes, END};

/// One for each bit, in their order.
const PATTERNS: [&str; 8] = [
    r"^[\p{Lu}\p{Lt}]$",
    r"^\p{Ll}$",
    r"^[\p{Lm}\p{Lo}]$",
    r"^\p{M}$",
    r"^\p{N}$",
    r"^[\s--[\r\n]]$",
    r"^[\r\n]$",
    r"^[^\s\p{L}\p{M}\p{N}]$",
];

/// Each character, and which of the patterns it fits.
fn by_the_patterns() -> Vec<(char, u32)> {
    let patterns = PATTERNS.map(|pattern| Regex::new(pattern).unwrap());
    let mut text = String::new();
    ('\0'..=char::MAX)
        .map(|character| {
            text.clear();
            text.push(character);
            let fits = |at: &u32| patterns[*at as usize].is_match(&text);
            let fitting: Vec<u32> = (0..8).filter(fits).collect();
            assert_eq!(fitting.len(), 1, "{character:?} is of {fitting:?}");
            (character, fitting[0])
        })
        .collect()
}

/// The source of the table: where the class changes.
fn source(all: &[(char, u32)]) -> String {
    let mut changes = Vec::new();
    let mut former = None;
    for (character, class) in all {
        if (*character as usize) < END && former != Some(*class) {
            changes.push((*character as u32) << 3 | class);
            former = Some(*class);
        }
    }
    let mut source = format!(
        "//! The changes of the class of characters: the character, shifted by three bits, and the number of the\n\
         //! class that begins there. Of Unicode 16, printed by the test `class::tests`.\n\n\
         #[rustfmt::skip]\npub(super) const CHANGES: [u32; {}] = [\n",
        changes.len()
    );
    for line in changes.chunks(12) {
        let line: Vec<String> = line.iter().map(|change| format!("{change:#x}")).collect();
        writeln!(source, "    {},", line.join(", ")).unwrap();
    }
    source + "];\n"
}

#[test]
fn every_character_is_of_the_class_that_the_regular_expressions_say() {
    let all = by_the_patterns();
    let classes = Classes::new();
    let mut bytes = [0; 4];
    for (character, class) in &all {
        assert_eq!(classes.of(*character as u32), 1 << class, "{character:?}");
        let text = character.encode_utf8(&mut bytes);
        let found = classes.at(text.as_bytes(), 0);
        assert_eq!(
            found,
            Some((1 << class, character.len_utf8())),
            "{character:?}"
        );
    }
    let source = source(&all);
    assert!(
        include_str!("table.rs") == source,
        "table.rs is to be:\n{source}"
    );
}
