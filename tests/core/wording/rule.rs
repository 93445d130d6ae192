//! The two rules over one text, from the project's glossary.

use std::fmt;

use super::line::{Kind, Line, lines};
use super::word::{Word, words};

/// Words that no paragraph of a comment begins with: it begins with a noun or a third-person verb.
pub(super) const OPENERS: [&str; 8] = [
    "What", "Whether", "How", "Which", "Who", "Whose", "The same", "Both",
];

/// Words that begin a condition, which a comma ends. Without a comma they begin a clause in the place of a noun.
pub(super) const CONDITIONS: [&str; 2] = ["Where", "When"];

/// Words and phrases that have a plainer one. `learned` and `informed` are those that would stand for the first.
pub(super) const BANNED: [&str; 31] = [
    "told",
    "learned",
    "informed",
    "whoever",
    "whatever",
    "nobody",
    "somebody",
    "anew",
    "meanwhile",
    "lies",
    "mend",
    "mends",
    "mended",
    "wing",
    "wings",
    "at once",
    "in hand",
    "is none",
    "as it was",
    "one's own",
    "comes about",
    "came about",
    "other reading",
    "both readings",
    "two readings",
    "reading of the source",
    "readings of the source",
    "session checkpoint",
    "session checkpoints",
    "command checkpoint",
    "command checkpoints",
];

/// A use that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) word: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.word)
    }
}

/// Everything in a text that breaks a rule, in the order of its lines.
pub(super) fn findings(path: &str, text: &str) -> Vec<Finding> {
    let lines = lines(path, text);
    let openers = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((line.number, opener(&lines[at..])?)));
    let words = words(&lines);
    let mut found: Vec<(usize, &str)> = openers.chain(banned(&words)).collect();
    found.sort_by_key(|(line, _)| *line);
    let finding = |(line, word): (usize, &str)| Finding {
        path: path.to_owned(),
        line,
        word: word.to_owned(),
    };
    found.into_iter().map(finding).collect()
}

/// The question word that the first of some lines begins with, if a paragraph of a comment begins there.
fn opener(lines: &[Line<'_>]) -> Option<&'static str> {
    let line = lines.first()?;
    if line.kind != Kind::Comment || !line.begins {
        return None;
    }
    let begins_with = |opener: &&str| {
        let rest = line.text.strip_prefix(*opener);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let opener = OPENERS.into_iter().find(begins_with);
    opener.or_else(|| {
        let condition = CONDITIONS.into_iter().find(begins_with);
        condition.filter(|_| !has_comma(lines))
    })
}

/// Returns whether the sentence that the first of some lines begins has a comma.
fn has_comma(lines: &[Line<'_>]) -> bool {
    for (at, line) in lines.iter().enumerate() {
        if at > 0 && (line.begins || line.kind != Kind::Comment) {
            return false;
        }
        let (sentence, is_end) = match line.text.split_once(". ") {
            Some((sentence, _)) => (sentence, true),
            None => (line.text, line.text.ends_with('.')),
        };
        if sentence.contains(',') || is_end {
            return sentence.contains(',');
        }
    }
    false
}

/// The banned words and phrases among some words, each with the line that it begins in.
fn banned(words: &[Word]) -> impl Iterator<Item = (usize, &'static str)> {
    words.iter().enumerate().flat_map(move |(at, word)| {
        let here = BANNED
            .into_iter()
            .filter(move |it| begins(&words[at..], it));
        here.map(move |phrase| (word.line, phrase))
    })
}

/// Returns whether some words begin with those of a phrase.
fn begins(words: &[Word], phrase: &str) -> bool {
    let mut parts = phrase.split([' ', '\'']).enumerate();
    parts.all(|(at, part)| {
        let word = words.get(at);
        word.is_some_and(|word| word.text == part && (at == 0 || word.follows))
    })
}
