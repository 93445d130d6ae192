use super::*;

/// Every white space of ECMAScript's `\s`.
const SPACES: [char; 25] = [
    '\t', '\n', '\u{B}', '\u{C}', '\r', ' ', '\u{A0}', '\u{1680}', '\u{2000}', '\u{2001}',
    '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}', '\u{2008}', '\u{2009}',
    '\u{200A}', '\u{2028}', '\u{2029}', '\u{202F}', '\u{205F}', '\u{3000}', '\u{FEFF}',
];

/// Characters that are no white space, though they look like it, or share bytes with some.
const OTHERS: [char; 22] = [
    '\0', '\u{8}', '\u{E}', '\u{1F}', '!', 'a', '\u{7F}', '\u{85}', '\u{9F}', '\u{A1}', 'é',
    '\u{1681}', '\u{180E}', '\u{200B}', '\u{2027}', '\u{202A}', '\u{2060}', '\u{3001}', '漢',
    '\u{FEFE}', '\u{FFFD}', '😀',
];

fn naive_count(text: &str) -> u64 {
    let tokens = text.split(|character| SPACES.contains(&character));
    tokens.filter(|token| !token.is_empty()).count() as u64
}

fn random_text(random: &mut fastrand::Rng) -> String {
    // The share of white space differs from text to text, so that long runs of both kinds come up.
    let spaces_of_ten = random.usize(0..=10);
    let only_ascii = random.bool();
    let mut text = String::new();
    for _ in 0..random.usize(0..80) {
        let characters: &[char] = if random.usize(0..10) < spaces_of_ten {
            &SPACES
        } else {
            &OTHERS
        };
        let character = characters[random.usize(0..characters.len())];
        if character.is_ascii() || !only_ascii {
            text.push(character);
        }
    }
    text
}

#[test]
fn white_space_is_that_of_ecmascript() {
    for character in '\0'..=char::MAX {
        assert_eq!(
            is_space(character),
            SPACES.contains(&character),
            "{character:?}"
        );
    }
}

#[test]
fn every_character_splits_or_joins_at_every_place_of_a_chunk() {
    for character in SPACES.into_iter().chain(OTHERS) {
        for before in 0..2 * CHUNK + 2 {
            for after in 0..CHUNK + 2 {
                let text = format!("{}{character}{}", "x".repeat(before), "x".repeat(after));
                assert_eq!(count(&text), naive_count(&text), "{text:?}");
                let text = format!("{}{character}{}", " ".repeat(before), " ".repeat(after));
                assert_eq!(count(&text), naive_count(&text), "{text:?}");
            }
        }
    }
}

#[test]
fn random_texts_count_as_characters_do() {
    let _run = milepost_property::seed("random texts count as characters do", 1);
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let text = random_text(&mut random);
        assert_eq!(count(&text), naive_count(&text), "{text:?}");
    }
}

#[test]
fn truncated_text_ends_with_the_last_token_within_the_limit() {
    let _run = milepost_property::seed(
        "truncated text ends with the last token within the limit",
        2,
    );
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..20_000 {
        let text = random_text(&mut random);
        let limit = random.u64(0..12);
        let kept = truncate(&text, limit);
        assert!(text.starts_with(kept));
        if naive_count(&text) <= limit {
            assert_eq!(kept, text, "within the limit nothing is cut");
        } else {
            assert_eq!(naive_count(kept), limit, "{text:?}");
            assert!(!kept.ends_with(SPACES), "{text:?}");
            let rest = &text[kept.len()..];
            assert!(limit == 0 || rest.starts_with(SPACES), "{text:?}");
        }
    }
}

#[test]
fn the_seed_examples_count_as_they_say() {
    assert_eq!(count(""), 0);
    assert_eq!(count("hello world"), 2);
    assert_eq!(count("  multiple   spaces  "), 2);
}

#[test]
fn the_message_names_the_limit_in_force() {
    let text = "word ".repeat(501);
    let verdict = validate(&text, MAX_SUMMARY_TOKENS);
    assert!(!verdict.valid);
    assert_eq!((verdict.token_count, verdict.limit), (501, 500));
    assert_eq!(
        verdict.error.unwrap(),
        "Context summary exceeds 500 token limit (actual: 501 tokens)"
    );
    assert_eq!(
        validate("a b", 1).error.unwrap(),
        "Context summary exceeds 1 token limit (actual: 2 tokens)"
    );
    let verdict = validate(&"word ".repeat(500), MAX_SUMMARY_TOKENS);
    assert!(verdict.valid);
    assert_eq!(verdict.error, None);
}

#[test]
fn a_stored_summary_is_limited_in_bytes_as_well() {
    assert_eq!(check_stored(&"x".repeat(65_536)), Ok(()));
    assert_eq!(
        check_stored(&"x".repeat(65_537)).unwrap_err(),
        "Context summary exceeds 64 KiB limit (actual: 65537 bytes)"
    );
    assert_eq!(
        check_stored(&"x ".repeat(501)).unwrap_err(),
        "Context summary exceeds 500 token limit (actual: 501 tokens)"
    );
}
