//! The mapping of one sequence of texts to another: lines of a text, words of a line, items of a
//! list.
//!
//! The one place that compares two texts; callers render the difference.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk as RawHunk, NoSliderHeuristic, Token};

use crate::str_map::StrMap;

/// Parts that stand in the place of others; of one that only came or only went the other range is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The part that went.
    pub before: Range<usize>,
    /// The part that came.
    pub after: Range<usize>,
}

/// Returns the changes that make one sequence of the other, in order; the parts between two hunks
/// are the same in both.
///
/// Time is about linear in the length of both, for any content: where the shortest script would
/// take long, a longer one is found.
pub fn hunks(before: &[&str], after: &[&str]) -> Vec<Hunk> {
    // Most of what is compared differs in a few places: the rest need not be hashed.
    let same = before.iter().zip(after).take_while(|(old, new)| old == new);
    let start = same.count();
    let (before, after) = (&before[start..], &after[start..]);
    let same = before.iter().rev().zip(after.iter().rev());
    let end = same.take_while(|(old, new)| old == new).count();
    let (before, after) = (&before[..before.len() - end], &after[..after.len() - end]);
    if before.is_empty() && after.is_empty() {
        return Vec::new();
    }
    if before.is_empty() || after.is_empty() {
        return vec![Hunk {
            before: start..start + before.len(),
            after: start..start + after.len(),
        }];
    }
    let (before, after) = numbered(before, after);
    let mut diff = Diff::default();
    // Only the histogram, which takes other texts and more code, wants to know how many there are.
    diff.compute_with(Algorithm::Myers, &before, &after, 0);
    diff.postprocess_with(&before, &after, NoSliderHeuristic);
    let range = |of: Range<u32>| start + of.start as usize..start + of.end as usize;
    let hunk = |RawHunk { before, after }| Hunk {
        before: range(before),
        after: range(after),
    };
    diff.hunks().map(hunk).collect()
}

/// Each part as a number: equal parts have the same one.
fn numbered(before: &[&str], after: &[&str]) -> (Vec<Token>, Vec<Token>) {
    let mut parts = before.to_vec();
    parts.extend_from_slice(after);
    let mut places = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        places.push((*part, at as u32));
    }
    let first: StrMap<'_, u32> = places.into_iter().collect();
    let mut tokens = Vec::with_capacity(parts.len());
    for part in &parts {
        tokens.push(Token(first.get(part).copied().unwrap_or_default()));
    }
    let of_after = tokens.split_off(before.len());
    (tokens, of_after)
}

#[cfg(test)]
mod tests {
    use super::{Hunk, hunks};

    /// Returns the length of the longest common subsequence, from a table of all pairs.
    fn longest_common(before: &[&str], after: &[&str]) -> usize {
        let mut row = vec![0; after.len() + 1];
        for old in before {
            let mut diagonal = 0;
            for (at, new) in after.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = match old == new {
                    true => diagonal + 1,
                    false => above.max(row[at]),
                };
                diagonal = above;
            }
        }
        row[after.len()]
    }

    /// The second sequence, made of the first one and the hunks; how many parts stayed.
    fn applied<'a>(before: &[&'a str], after: &[&'a str], hunks: &[Hunk]) -> (Vec<&'a str>, usize) {
        let (mut made, mut at, mut kept) = (Vec::new(), 0, 0);
        for hunk in hunks {
            assert!(!hunk.before.is_empty() || !hunk.after.is_empty());
            made.extend(&before[at..hunk.before.start]);
            kept += hunk.before.start - at;
            made.extend(&after[hunk.after.clone()]);
            at = hunk.before.end;
        }
        made.extend(&before[at..]);
        (made, kept + before.len() - at)
    }

    #[test]
    fn the_hunks_make_one_text_of_the_other_and_keep_as_much_as_can_be_kept() {
        const WORDS: [&str; 12] = ["", "a", "b", "c", "d", "e", "f", "g", "h", "{", "}", "é"];
        let (mut kept_at_all, mut most_at_all) = (0, 0);
        for seed in 0..3_000 {
            let _run = milepost_property::seed(
                "the hunks make one text of the other and keep as much as can be kept",
                seed,
            );
            let mut random = fastrand::Rng::with_seed(seed);
            let words = random.usize(1..WORDS.len());
            let mut some = |most: usize| -> Vec<&str> {
                let length = random.usize(0..=most);
                (0..length).map(|_| WORDS[random.usize(..=words)]).collect()
            };
            let (before, after) = (some(40), some(40));
            let hunks = hunks(&before, &after);
            let (made, kept) = applied(&before, &after, &hunks);
            assert_eq!(made, after, "seed {seed}");
            let most = longest_common(&before, &after);
            assert!(kept <= most, "seed {seed}");
            kept_at_all += kept;
            most_at_all += most;
        }
        // Parts that stand in nearly every place are set aside while the others are compared.
        assert!(
            kept_at_all * 100 > most_at_all * 97,
            "{kept_at_all} of {most_at_all}"
        );
    }

    #[test]
    fn equal_items_have_no_hunk() {
        for same in [&[][..], &["a"], &["a", "a", ""]] {
            assert_eq!(hunks(same, same), []);
        }
    }

    #[test]
    fn an_item_that_is_put_in_between_is_one_hunk() {
        let (before, after) = (["{", "a", "}"], ["{", "a", "}", "{", "b", "}"]);
        let expected = Hunk {
            before: 3..3,
            after: 3..6,
        };
        assert_eq!(hunks(&before, &after), [expected]);
    }

    /// Texts that take other ways of comparing hours.
    #[test]
    fn tens_of_thousands_of_lines_with_little_in_common_are_compared() {
        let own = |prefix: &str| -> Vec<String> {
            (0..20_000).map(|at| format!("{prefix}{at}")).collect()
        };
        let shuffled = |seed: u64| {
            let mut lines = own("");
            fastrand::Rng::with_seed(seed).shuffle(&mut lines);
            lines
        };
        for (before, after) in [(own("a"), own("b")), (shuffled(1), shuffled(2))] {
            let before: Vec<&str> = before.iter().map(String::as_str).collect();
            let after: Vec<&str> = after.iter().map(String::as_str).collect();
            let (made, _) = applied(&before, &after, &hunks(&before, &after));
            assert_eq!(made, after);
        }
    }
}
