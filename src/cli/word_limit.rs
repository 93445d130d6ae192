//! The sentence about too long a summary, in the word that people read for what it counts. Answers for programs keep the
//! sentence of the scripts, which calls it a token.

use std::borrow::Cow;

const BEGINNING: &str = "Context summary exceeds ";
const MIDDLE: &str = " token limit (actual: ";
const END: &str = " tokens)";

/// The text with that sentence in words, as often as it has it; where exact tokens are counted, it stays.
pub(super) fn in_words(text: &str) -> Cow<'_, str> {
    if !text.contains(MIDDLE) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split(BEGINNING);
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        words.push_str(BEGINNING);
        match counts(part) {
            Some((limit, actual, rest)) => {
                words.push_str(&format!(
                    "{limit} word limit (actual: {actual} words){rest}"
                ));
            }
            None => words.push_str(part),
        }
    }
    Cow::Owned(words)
}

/// The limit, the count, and the text behind the sentence, by what follows its beginning.
fn counts(part: &str) -> Option<(&str, &str, &str)> {
    let (limit, rest) = part.split_once(MIDDLE)?;
    let (actual, rest) = rest.split_once(END)?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    (is_number(limit) && is_number(actual)).then_some((limit, actual, rest))
}

#[cfg(test)]
mod tests {
    use super::in_words;
    use crate::tokens::validate;

    #[test]
    fn a_limit_of_words_is_named_in_words_and_one_of_exact_tokens_in_tokens() {
        let sentence = validate("a b c", 2).error.unwrap();
        assert_eq!(
            in_words(&sentence),
            "Context summary exceeds 2 word limit (actual: 3 words)"
        );
        let two = format!("{sentence} at /a\n{sentence}; it was cut to 2 words");
        assert_eq!(
            in_words(&two),
            "Context summary exceeds 2 word limit (actual: 3 words) at /a\n\
             Context summary exceeds 2 word limit (actual: 3 words); it was cut to 2 words"
        );
        for other in [
            "Context summary exceeds 500 token limit (actual: 612 tokens in o200k)",
            "Context summary exceeds 4 token limit of this project (actual: 10 tokens in cl100k)",
            "Context summary exceeds x token limit (actual: 1 tokens)",
            "a token limit (actual: none)",
            "",
        ] {
            assert_eq!(in_words(other), other);
        }
    }
}
