//! The difference of two texts by lines, with marks at the words that differ within a line.

use crate::diff::{Hunk, hunks};
use crate::text::visible_lines;
use crate::view::shown_line::{LinePiece, LineSign, ShownLine, TextLine};

/// Lines around a change that are shown.
const CONTEXT: usize = 3;
/// A shorter stretch is shown: where it is folded a line stands as well.
const MIN_FOLDED: usize = 2;
/// Where more lines than these were replaced by others, it is a new text, in which single words say nothing.
const MAX_MARKED: usize = 200;
/// Two lines that have less than this share of their bytes in common are two lines, not a changed one.
const MIN_COMMON: usize = 3;

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view) enum ComparisonLine {
    /// A line that both have: its number in each, from 1.
    Same {
        /// In the first.
        a: usize,
        /// In the second.
        b: usize,
        /// The text.
        text: String,
    },
    /// Only in the first: its number there.
    Old(usize, Vec<LinePiece>),
    /// Only in the second: its number there.
    New(usize, Vec<LinePiece>),
    /// So many lines that are the same are not shown.
    Folded(usize),
}

/// The difference of two texts; what is the same and far from any change is folded.
pub(in crate::view) fn lines(before: &str, after: &str) -> Vec<ComparisonLine> {
    let old: Vec<&str> = before.split('\n').collect();
    let new: Vec<&str> = after.split('\n').collect();
    let mut shown = Vec::new();
    let (mut a, mut b) = (0, 0);
    let hunks = hunks(&old, &new);
    for hunk in &hunks {
        let ends = (a > 0 || b > 0, true);
        same(&old[a..hunk.before.start], (a, b), ends, &mut shown);
        changed(&old, &new, hunk, &mut shown);
        (a, b) = (hunk.before.end, hunk.after.end);
    }
    same(&old[a..], (a, b), (!hunks.is_empty(), false), &mut shown);
    shown
}

/// A text as lines that are the same in both.
pub(in crate::view) fn whole(text: &str) -> Vec<ComparisonLine> {
    let lines = text.split('\n').zip(1..);
    let line = |(text, number): (&str, usize)| ComparisonLine::Same {
        a: number,
        b: number,
        text: visible_lines(text).into_owned(),
    };
    lines.map(line).collect()
}

/// A stretch that is the same in both, folded but for the lines next to a change before it and after it.
fn same(
    stretch: &[&str],
    (a, b): (usize, usize),
    (is_after, is_before): (bool, bool),
    shown: &mut Vec<ComparisonLine>,
) {
    let context = |is_next: bool| if is_next { CONTEXT } else { 0 };
    let (head, tail) = (context(is_after), context(is_before));
    let folded = stretch.len().saturating_sub(head + tail);
    let folded = if folded < MIN_FOLDED { 0 } else { folded };
    let end_of_head = if folded == 0 { 0 } else { head };
    let line = |at: usize| ComparisonLine::Same {
        a: a + at + 1,
        b: b + at + 1,
        text: visible_lines(stretch[at]).into_owned(),
    };
    shown.extend((0..end_of_head).map(line));
    if folded > 0 {
        shown.push(ComparisonLine::Folded(folded));
    }
    shown.extend((end_of_head + folded..stretch.len()).map(line));
}

fn changed(old: &[&str], new: &[&str], hunk: &Hunk, shown: &mut Vec<ComparisonLine>) {
    let (gone, come) = (&old[hunk.before.clone()], &new[hunk.after.clone()]);
    let is_marked = gone.len().max(come.len()) <= MAX_MARKED;
    let mut added = Vec::with_capacity(come.len());
    for at in 0..gone.len().max(come.len()) {
        let pair = match (gone.get(at), come.get(at)) {
            (Some(old), Some(new)) if is_marked => words(old, new),
            (old, new) => (old.map(|it| plain(it)), new.map(|it| plain(it))),
        };
        let (removed, added_here) = pair;
        shown.extend(removed.map(|pieces| ComparisonLine::Old(hunk.before.start + at + 1, pieces)));
        added.extend(
            added_here.map(|pieces| ComparisonLine::New(hunk.after.start + at + 1, pieces)),
        );
    }
    shown.append(&mut added);
}

fn plain(text: &str) -> Vec<LinePiece> {
    vec![LinePiece {
        text: visible_lines(text).into_owned(),
        is_marked: false,
    }]
}

type Pieces = Option<Vec<LinePiece>>;

/// Two lines, with marks at the words that only one of them has.
fn words(old: &str, new: &str) -> (Pieces, Pieces) {
    let (gone, come) = (divided(old), divided(new));
    let hunks = hunks(&gone, &come);
    let length = |words: &[&str]| -> usize { words.iter().map(|it| it.len()).sum() };
    let changed = |of: &[&str], range: fn(&Hunk) -> std::ops::Range<usize>| -> usize {
        hunks.iter().map(|hunk| length(&of[range(hunk)])).sum()
    };
    let common = old.len() - changed(&gone, |hunk| hunk.before.clone());
    if common * MIN_COMMON < old.len().max(new.len()) {
        return (Some(plain(old)), Some(plain(new)));
    }
    let marks = |words: &[&str], range: fn(&Hunk) -> std::ops::Range<usize>| {
        let mut pieces = Vec::new();
        let mut at = 0;
        for hunk in &hunks {
            let range = range(hunk);
            piece(&words[at..range.start], false, &mut pieces);
            at = range.end;
            piece(&words[range], true, &mut pieces);
        }
        piece(&words[at..], false, &mut pieces);
        Some(pieces)
    };
    (
        marks(&gone, |hunk| hunk.before.clone()),
        marks(&come, |hunk| hunk.after.clone()),
    )
}

fn piece(words: &[&str], is_marked: bool, pieces: &mut Vec<LinePiece>) {
    if !words.is_empty() {
        pieces.push(LinePiece {
            text: visible_lines(&words.concat()).into_owned(),
            is_marked,
        });
    }
}

/// A line as words, stretches of blanks, and other characters one by one.
fn divided(line: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Class {
        Word,
        Blank,
        Other,
    }
    let class = |character: char| match character {
        _ if character.is_alphanumeric() || character == '_' => Class::Word,
        _ if character.is_whitespace() => Class::Blank,
        _ => Class::Other,
    };
    let mut parts = Vec::new();
    let (mut start, mut last) = (0, Class::Other);
    for (at, character) in line.char_indices() {
        let this = class(character);
        if at > start && (this != last || this == Class::Other) {
            parts.push(&line[start..at]);
            start = at;
        }
        last = this;
    }
    if start < line.len() {
        parts.push(&line[start..]);
    }
    parts
}

fn shown_line(line: ComparisonLine) -> ShownLine {
    let (op, a, b, parts) = match line {
        ComparisonLine::Same { a, b, text } => {
            let is_marked = false;
            let parts = vec![LinePiece { text, is_marked }];
            (LineSign::Same, Some(a), Some(b), parts)
        }
        ComparisonLine::Old(a, parts) => (LineSign::Old, Some(a), None, parts),
        ComparisonLine::New(b, parts) => (LineSign::New, None, Some(b), parts),
        ComparisonLine::Folded(count) => return ShownLine::folded(count),
    };
    ShownLine::Text(TextLine { op, a, b, parts })
}

/// Lines as an answer has them.
pub(in crate::view) fn shown_lines(lines: Vec<ComparisonLine>) -> Vec<ShownLine> {
    lines.into_iter().map(shown_line).collect()
}

#[cfg(test)]
mod tests {
    use super::{ComparisonLine, LinePiece, lines};

    /// The difference as text: marks in brackets.
    fn shown(before: &str, after: &str) -> Vec<String> {
        let pieces = |pieces: Vec<LinePiece>| -> String {
            let shown = pieces.into_iter().map(|it| match it.is_marked {
                true => format!("[{}]", it.text),
                false => it.text,
            });
            shown.collect()
        };
        let line = |line: ComparisonLine| match line {
            ComparisonLine::Same { a, b, text } => format!("{a} {b}  {text}"),
            ComparisonLine::Old(a, it) => format!("{a} - {}", pieces(it)),
            ComparisonLine::New(b, it) => format!("{b} + {}", pieces(it)),
            ComparisonLine::Folded(count) => format!("… {count}"),
        };
        lines(before, after).into_iter().map(line).collect()
    }

    fn counted(from: usize, to: usize) -> String {
        let lines: Vec<String> = (from..=to).map(|it| it.to_string()).collect();
        lines.join("\n")
    }

    #[test]
    fn lines_far_from_a_change_are_folded() {
        let before = counted(1, 20);
        let after = before.replace("\n10\n", "\nten\n");
        assert_eq!(
            shown(&before, &after),
            [
                "… 6",
                "7 7  7",
                "8 8  8",
                "9 9  9",
                "10 - 10",
                "10 + ten",
                "11 11  11",
                "12 12  12",
                "13 13  13",
                "… 7"
            ]
        );
    }

    #[test]
    fn one_line_is_not_folded_because_the_fold_is_a_line_too() {
        let before = counted(1, 9);
        let after = before.replace('1', "one").replace('9', "nine");
        let lines = shown(&before, &after);
        assert!(!lines.iter().any(|it| it.starts_with('…')), "{lines:?}");
        let before = counted(0, 9);
        let after = before.replace('0', "zero").replace('9', "nine");
        assert!(shown(&before, &after).contains(&"… 2".to_owned()));
    }

    #[test]
    fn the_words_that_changed_in_a_line_are_marked() {
        assert_eq!(
            shown(
                "the token is refreshed twice, ok",
                "the token is renewed twice, fine"
            ),
            [
                "1 - the token is [refreshed] twice, [ok]",
                "1 + the token is [renewed] twice, [fine]"
            ]
        );
    }

    #[test]
    fn lines_that_have_little_in_common_are_not_marked() {
        assert_eq!(
            shown("alpha beta", "gamma delta"),
            ["1 - alpha beta", "1 + gamma delta"]
        );
    }

    #[test]
    fn texts_that_are_the_same_are_folded_whole() {
        assert_eq!(shown("a\nb\nc", "a\nb\nc"), ["… 3"]);
    }

    #[test]
    fn a_final_line_feed_that_came_is_a_line() {
        assert_eq!(shown("a", "a\n"), ["1 1  a", "2 + "]);
    }

    #[test]
    fn hostile_characters_are_visible_in_every_piece() {
        assert_eq!(
            shown("a\tb\u{1b}[2J one", "a\tb\u{1b}[2J \u{202e}two"),
            [
                "1 - a\tb\\u{1b}[2J [one]",
                "1 + a\tb\\u{1b}[2J [\\u{202e}two]"
            ]
        );
    }

    /// The two texts, rebuilt from what is shown where nothing is folded.
    #[test]
    fn the_lines_of_both_texts_stand_in_the_difference_in_their_order() {
        const WORDS: [&str; 6] = ["a", "b b", "c\tc", "", "é", "{"];
        for seed in 0..2_000 {
            let _run = milepost_property::seed(
                "the lines of both texts stand in the difference in their order",
                seed,
            );
            let mut random = fastrand::Rng::with_seed(seed);
            let mut text = || -> String {
                let lines = (0..random.usize(1..12)).map(|_| WORDS[random.usize(..6)]);
                lines.collect::<Vec<_>>().join("\n")
            };
            let (before, after) = (text(), text());
            let (mut old, mut new) = (Vec::new(), Vec::new());
            let joined =
                |it: &[LinePiece]| -> String { it.iter().map(|it| it.text.as_str()).collect() };
            for line in lines(&before, &after) {
                match line {
                    ComparisonLine::Same { a, b, text } => {
                        old.push((a, text.clone()));
                        new.push((b, text));
                    }
                    ComparisonLine::Old(a, it) => old.push((a, joined(&it))),
                    ComparisonLine::New(b, it) => new.push((b, joined(&it))),
                    ComparisonLine::Folded(count) => {
                        let from = old.last().map_or(0, |(a, _)| *a);
                        let lines = before.split('\n').skip(from).take(count);
                        for (at, text) in lines.enumerate() {
                            old.push((from + at + 1, text.to_owned()));
                            new.push((new.len() + 1, text.to_owned()));
                        }
                    }
                }
            }
            let numbered = |text: &str| -> Vec<(usize, String)> {
                let lines = text.split('\n').map(str::to_owned);
                lines.enumerate().map(|(at, it)| (at + 1, it)).collect()
            };
            assert_eq!(old, numbered(&before), "seed {seed}");
            assert_eq!(new, numbered(&after), "seed {seed}");
        }
    }
}
