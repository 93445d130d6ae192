//! The items of a whole list, compared with those of the list before it.

use std::collections::BTreeSet;

use super::super::phases::Status;
use super::item::{Planned, is_listed_in, task_of, text_in};
use super::parts::{UNNAMED, phases, status_of};
use crate::json::Object;

/// Lists that differ in more than this many pairs are compared by their texts alone.
const MAX_PAIRS: usize = 1 << 20;

/// The phase of each item, and those of the list before that are in the new one no more.
#[derive(Debug, PartialEq)]
pub(super) struct Matched {
    pub(super) phases: Vec<Option<String>>,
    pub(super) dropped: Vec<String>,
}

pub(super) fn matched(run: &Object, session: &str, items: &[&Planned]) -> Matched {
    let before: Vec<(&str, &Object)> = phases(run)
        .filter(|(name, phase)| *name != UNNAMED && is_listed_in(phase, session))
        .collect();
    let old: Vec<String> = before
        .iter()
        .map(|(name, phase)| text_in(name, phase))
        .collect();
    let new: Vec<&str> = items
        .iter()
        .map(|it| it.text.as_deref().unwrap_or_default())
        .collect();
    let mut to: Vec<Option<usize>> = vec![None; new.len()];
    let mut is_used = vec![false; old.len()];
    for (at, place) in common(&old, &new) {
        to[place] = Some(at);
        is_used[at] = true;
    }
    let anchors = to.clone();
    // Items that moved.
    for (place, text) in new
        .iter()
        .enumerate()
        .filter(|(place, _)| anchors[*place].is_none())
    {
        let at = (0..old.len()).find(|at| !is_used[*at] && old[*at] == *text);
        if let Some(at) = at {
            to[place] = Some(at);
            is_used[at] = true;
        }
    }
    let mut names: Vec<Option<String>> = to
        .iter()
        .map(|at| at.map(|at| before[at].0.to_owned()))
        .collect();
    adopt(run, session, items, &mut names);
    // Items whose text was changed where they stand.
    let is_bounded = old.len().saturating_mul(new.len()) <= MAX_PAIRS;
    let mut from = 0;
    for place in (0..new.len()).filter(|_| is_bounded) {
        if let Some(at) = anchors[place] {
            from = at + 1;
            continue;
        }
        if names[place].is_some() {
            continue;
        }
        let end = anchors[place..]
            .iter()
            .find_map(|at| *at)
            .unwrap_or(old.len());
        let is_alike = |at: &usize| {
            let status = status_of(before[*at].1);
            !is_used[*at] && status.is_some_and(Status::is_open) && are_alike(&old[*at], new[place])
        };
        if let Some(at) = (from..end).find(is_alike) {
            names[place] = Some(before[at].0.to_owned());
            is_used[at] = true;
        }
    }
    let dropped = before
        .iter()
        .zip(&is_used)
        .filter(|(_, is_used)| !**is_used);
    let named: BTreeSet<&str> = names.iter().flatten().map(String::as_str).collect();
    let dropped = dropped.map(|((name, _), _)| (*name).to_owned());
    Matched {
        dropped: dropped
            .filter(|name| !named.contains(name.as_str()))
            .collect(),
        phases: names,
    }
}

/// Gives items without a phase the phases of the run that no list of this session has: an unfinished one of that
/// text, or, for an item that is complete, a complete one. Each phase once, in order.
fn adopt(run: &Object, session: &str, items: &[&Planned], names: &mut [Option<String>]) {
    let is_other = |(name, phase): &(&str, &Object)| {
        *name != UNNAMED && task_of(phase).is_none_or(|task| task.session != session)
    };
    let mut others: Vec<(&str, &Object)> = phases(run).filter(is_other).collect();
    for (item, name) in items.iter().zip(names).filter(|(_, name)| name.is_none()) {
        let is_done = item.status == Some(Status::Complete);
        let at = others.iter().position(|(name, phase)| {
            let status = status_of(phase);
            let fits =
                status.is_some_and(Status::is_open) || is_done && status == Some(Status::Complete);
            fits && item.text.as_deref() == Some(text_in(name, phase).as_str())
        });
        *name = at.map(|at| others.remove(at).0.to_owned());
    }
}

/// The pairs of a longest common subsequence, in order.
fn common(old: &[String], new: &[&str]) -> Vec<(usize, usize)> {
    let start = old
        .iter()
        .zip(new)
        .take_while(|(old, new)| old == *new)
        .count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = ends.take_while(|(old, new)| old == *new).count();
    let (rows, columns) = (old_rest.len() - end, new_rest.len() - end);
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    if rows > 0 && columns > 0 && rows * columns <= MAX_PAIRS {
        // The lengths of the longest common subsequences of what follows each pair of places.
        let mut lengths = vec![0_u32; (rows + 1) * (columns + 1)];
        let place = |row: usize, column: usize| row * (columns + 1) + column;
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                lengths[place(row, column)] = match old_rest[row] == new_rest[column] {
                    true => lengths[place(row + 1, column + 1)] + 1,
                    false => lengths[place(row + 1, column)].max(lengths[place(row, column + 1)]),
                };
            }
        }
        let (mut row, mut column) = (0, 0);
        while row < rows && column < columns {
            if old_rest[row] == new_rest[column] {
                pairs.push((start + row, start + column));
                (row, column) = (row + 1, column + 1);
            } else if lengths[place(row + 1, column)] >= lengths[place(row, column + 1)] {
                row += 1;
            } else {
                column += 1;
            }
        }
    }
    let ends = (0..end).map(|at| (start + rows + at, start + columns + at));
    pairs.extend(ends);
    pairs
}

/// Returns whether two texts share at least half of their words, so that one is the other in new
/// words.
fn are_alike(old: &str, new: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|it: char| !it.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (old, mut rest) = (words(old), words(new));
    let total = old.len() + rest.len();
    let mut shared = 0;
    for word in old {
        if let Some(at) = rest.iter().position(|it| *it == word) {
            rest.swap_remove(at);
            shared += 2;
        }
    }
    total > 0 && 2 * shared >= total
}
