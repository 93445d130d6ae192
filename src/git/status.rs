//! The output of `git status --porcelain=v2 -z --no-renames`.

use super::id::Id;
use super::unreadable::Unreadable;

/// One path that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// From the top of the worktree; an untracked folder that is not entered ends in `/`.
    pub path: &'a [u8],
    /// The entry of HEAD there: mode and id.
    pub head: Option<(u32, Id)>,
    /// The staged entry there: mode and id.
    pub index: Option<(u32, Id)>,
    /// The state of the two.
    pub state: PathStatus,
}

/// The state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// The difference of HEAD and the index, and that of the index and the worktree: `.`, `A`, `M`, `D`, `T`.
    Changed(u8, u8),
    /// There is a conflict.
    Conflict,
    /// It is not tracked.
    Untracked,
}

/// The records in their order.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when it is something else.
pub fn records(printed: &[u8]) -> Result<Vec<Record<'_>>, Unreadable> {
    let records = printed.split(|&byte| byte == 0);
    let records = records.filter(|it| !it.is_empty() && it[0] != b'#');
    records
        .map(|it| record(it).ok_or(Unreadable::Malformed))
        .collect()
}

fn record(line: &[u8]) -> Option<Record<'_>> {
    let mut parts = line.splitn(2, |&byte| byte == b' ');
    match (parts.next()?, parts.next()?) {
        (b"?", path) => Some(Record {
            path,
            head: None,
            index: None,
            state: PathStatus::Untracked,
        }),
        (b"1", rest) => {
            let parts: Vec<&[u8]> = rest.splitn(8, |&byte| byte == b' ').collect();
            let [[staged, unstaged], _, m1, m2, _, h1, h2, path] = parts[..] else {
                return None;
            };
            Some(Record {
                path,
                head: stored(m1, h1)?,
                index: stored(m2, h2)?,
                state: PathStatus::Changed(*staged, *unstaged),
            })
        }
        (b"u", rest) => {
            let parts: Vec<&[u8]> = rest.splitn(10, |&byte| byte == b' ').collect();
            let [_, _, _, ours, _, _, _, id, _, path] = parts[..] else {
                return None;
            };
            Some(Record {
                path,
                head: stored(ours, id)?,
                index: None,
                state: PathStatus::Conflict,
            })
        }
        _ => None,
    }
}

fn stored(mode: &[u8], id: &[u8]) -> Option<Option<(u32, Id)>> {
    let mode = u32::from_str_radix(std::str::from_utf8(mode).ok()?, 8).ok()?;
    let id = Id::from_digits(id).ok()?;
    Some((mode != 0).then_some((mode, id)))
}

#[cfg(test)]
mod tests {
    use super::{PathStatus, records};

    #[test]
    fn printed_records_are_read_with_blanks_in_names() {
        let (a, b, none) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let printed = format!(
            "1 AM N... 000000 100644 100644 {none} {a} new file\0\
             1 .D N... 100644 100644 000000 {b} {b} gone\0\
             u UU N... 100644 100644 100644 100644 {a} {b} {a} both ways\0? x y\0? nested/\0"
        );
        let read = records(printed.as_bytes()).unwrap();
        let paths: Vec<_> = read.iter().map(|it| it.path).collect();
        let expected = [&b"new file"[..], b"gone", b"both ways", b"x y", b"nested/"];
        assert_eq!(paths, expected);
        assert_eq!(read[0].head, None);
        assert_eq!(read[0].state, PathStatus::Changed(b'A', b'M'));
        assert_eq!(read[2].head.unwrap().1.digits(), b);
        assert_eq!(read[2].state, PathStatus::Conflict);
        assert_eq!(read[3].state, PathStatus::Untracked);
        for text in ["1 AM", "x", "? ", "1 AM N... 1 2 3 4 5 6"] {
            assert!(records(text.as_bytes()).is_err() || text == "? ", "{text}");
        }
    }
}
