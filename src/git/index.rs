//! The git index, versions 2 to 4 (gitformat-index): which paths are tracked.
//!
//! An index does not say how long its object ids are. Both lengths are tried: with the wrong one, the
//! entries and extensions do not end where the next begins and the last one at the checksum. So the
//! repository's configuration need not be read. The checksum itself is not verified, because git
//! replaces an index by a rename and may leave the checksum out (`index.skipHash`).

use super::bytes::ByteCursor;
use super::head::MalformedHead;

/// The answers of the index about the paths that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// For each path, in the order asked, whether it is tracked.
    pub paths: Vec<bool>,
    /// The name of the shared index that holds more entries, in the same folder, when this one is
    /// split. An entry of the shared index that was removed since still counts as tracked.
    pub shared: Option<String>,
}

/// The answer of the index about a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// The tracked files below it, relative to the top of the worktree.
    pub paths: Vec<String>,
    /// As for [`Tracked`].
    pub shared: Option<String>,
}

/// Looks paths up, relative to the top of the worktree and with `/`. A path below a folder that a
/// sparse index holds in one entry is tracked. Letter case is ignored, as it is by the file systems
/// on which a tracked `.Claude` would answer to `.claude`.
///
/// # Errors
///
/// [`MalformedHead`] when the bytes are no whole index, or need an extension that is not known.
pub fn look_up(bytes: &[u8], paths: &[&str]) -> Result<Tracked, MalformedHead> {
    either(|id_bytes| {
        let mut tracked = vec![false; paths.len()];
        let shared = walk(bytes, id_bytes, &mut |path, mode| {
            for (requested, tracked) in paths.iter().zip(&mut tracked) {
                *tracked |= covers(path, mode, requested.as_bytes());
            }
        })?;
        let paths = tracked;
        Some(Tracked { paths, shared })
    })
}

/// The tracked files below a folder. In a sparse index, a folder can stand for all below it.
///
/// # Errors
///
/// As [`look_up`].
pub fn list_below(bytes: &[u8], folder: &str) -> Result<Below, MalformedHead> {
    let start = format!("{folder}/").into_bytes();
    either(|id_bytes| {
        let mut paths = Vec::new();
        let shared = walk(bytes, id_bytes, &mut |path, _| {
            let common = path.len().min(start.len());
            let covers = path.len() > start.len() || path.ends_with(b"/");
            if covers && path[..common].eq_ignore_ascii_case(&start[..common]) {
                paths.push(String::from_utf8_lossy(path).into_owned());
            }
        })?;
        Some(Below { paths, shared })
    })
}

/// The answer of the first bytes of an index about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexStart {
    /// It is tracked.
    Tracked,
    /// None of these entries is it, and they go on beyond where it would stand. Where the index is
    /// split, the shared one may still hold it.
    Passed,
    /// They end before where it would stand, or are ambiguous.
    Unknown,
}

/// Looks a path up in the first bytes of an index: entries are sorted by the bytes of their paths, so
/// that those of `.claude` come early. Letter case is ignored as in [`look_up`].
pub fn look_up_start(bytes: &[u8], path: &str) -> IndexStart {
    // Of either kind of ids, one length makes entries, and the other nothing: else nothing is concluded,
    // for the author of a commit can choose the id of a file.
    match [SHA1_BYTES, SHA256_BYTES].map(|id_bytes| start(bytes, id_bytes, path)) {
        [Some(IndexStart::Tracked), _] | [_, Some(IndexStart::Tracked)] => IndexStart::Tracked,
        [Some(IndexStart::Passed), None | Some(IndexStart::Passed)]
        | [None, Some(IndexStart::Passed)] => IndexStart::Passed,
        _ => IndexStart::Unknown,
    }
}

/// The answer for ids of this length; `None` where these are no entries with such ids.
fn start(bytes: &[u8], id_bytes: usize, path: &str) -> Option<IndexStart> {
    // Of all the ways to write its letters, these sort last.
    let last = path.to_ascii_lowercase();
    let mut rest = ByteCursor(bytes);
    let (version, count) = header(&mut rest)?;
    let mut found = Vec::new();
    for _ in 0..count {
        let is_cut = rest.0.len() < LONGEST_ENTRY;
        match entry(&mut rest, version, id_bytes, &mut found) {
            Some(mode) if covers(&found, mode, path.as_bytes()) => {
                return Some(IndexStart::Tracked);
            }
            // It stands for one of the shared index, out of the order.
            Some(_) if found.is_empty() => return Some(IndexStart::Unknown),
            Some(_) if found.as_slice() > last.as_bytes() => return Some(IndexStart::Passed),
            Some(_) => {}
            None if is_cut => return Some(IndexStart::Unknown),
            None => return None,
        }
    }
    Some(IndexStart::Unknown)
}

fn either<T>(walk: impl Fn(usize) -> Option<T>) -> Result<T, MalformedHead> {
    let mut lengths = [SHA1_BYTES, SHA256_BYTES].into_iter();
    lengths.find_map(walk).ok_or(MalformedHead)
}

const SHA1_BYTES: usize = 20;
const SHA256_BYTES: usize = 32;

/// Times, device, inode, mode, owner and size, in front of the id: ten numbers of four bytes.
pub(super) const STAT_BYTES: usize = 40;
/// The offset of the mode among them.
const MODE_AT: usize = 24;
/// The mode of a folder, which stands for all below it.
pub(super) const FOLDER_MODE: u32 = 0o040_000;
/// More than an entry takes whose path a system can open.
const LONGEST_ENTRY: usize = 8 << 10;
/// In the flags: two more bytes of flags follow, since version 3.
pub(super) const EXTENDED: u16 = 0x4000;
/// In the flags: the length of the path, or this when it is as long or longer.
const LENGTH_MASK: u16 = 0x0fff;

/// Shows each path with its mode, and returns the name of the shared index, if there is one; `None`
/// when the bytes are no whole index with ids of this size.
fn walk(bytes: &[u8], id_bytes: usize, show: &mut dyn FnMut(&[u8], u32)) -> Option<Option<String>> {
    let mut rest = ByteCursor(bytes.get(..bytes.len().checked_sub(id_bytes)?)?);
    let (version, entries) = header(&mut rest)?;
    let mut link = None;
    // Version 4 gives each path as a change to the one before.
    let mut path = Vec::new();
    for _ in 0..entries {
        let mode = entry(&mut rest, version, id_bytes, &mut path)?;
        show(&path, mode);
    }
    while !rest.0.is_empty() {
        let name = rest.take(4)?;
        let length = usize::try_from(rest.number()?).ok()?;
        let data = rest.take(length)?;
        match name {
            b"link" => link = shared(data.get(..id_bytes)?),
            // Says that entries can be folders, which is seen from the entries themselves.
            b"sdir" => {}
            // Git's rule: a capital letter marks what a reader may skip.
            _ if name[0].is_ascii_uppercase() => {}
            _ => return None,
        }
    }
    Some(link)
}

/// The version, and how many entries follow.
pub(super) fn header(rest: &mut ByteCursor<'_>) -> Option<(u32, u32)> {
    let is_index = rest.take(4)? == b"DIRC";
    let version = rest.number()?;
    let is_known = is_index && (2..=4).contains(&version);
    is_known.then_some((version, rest.number()?))
}

/// Reads one entry: its path into `path`, which holds that of the entry before; returns its mode.
pub(super) fn entry(
    rest: &mut ByteCursor<'_>,
    version: u32,
    id_bytes: usize,
    path: &mut Vec<u8>,
) -> Option<u32> {
    let before = rest.0.len();
    let mode = ByteCursor(rest.take(STAT_BYTES)?.get(MODE_AT..)?).number()?;
    rest.take(id_bytes)?;
    let flags = rest.short()?;
    if flags & EXTENDED != 0 {
        if version < 3 {
            return None;
        }
        rest.short()?;
    }
    if version == 4 {
        let dropped = rest.offset()?;
        path.truncate(path.len().checked_sub(dropped)?);
    } else {
        path.clear();
    }
    path.extend_from_slice(rest.until_nul()?);
    if path.len().min(usize::from(LENGTH_MASK)) != usize::from(flags & LENGTH_MASK) {
        return None;
    }
    if version < 4 {
        // One to eight NULs end an entry, so that the next begins at a multiple of eight bytes.
        let read = before - rest.0.len();
        let padding = rest.take(read.next_multiple_of(8) - read)?;
        if padding.iter().any(|&byte| byte != 0) {
            return None;
        }
    }
    Some(mode)
}

fn covers(entry: &[u8], mode: u32, requested: &[u8]) -> bool {
    if mode == FOLDER_MODE {
        // The path of a folder ends in `/`.
        let above = requested.get(..entry.len());
        return entry.ends_with(b"/")
            && above.is_some_and(|above| above.eq_ignore_ascii_case(entry));
    }
    // In a split index, an entry that replaces a shared one has no path.
    !entry.is_empty() && entry.eq_ignore_ascii_case(requested)
}

/// The prefix of the name of a shared index.
pub const SHARED: &str = "sharedindex.";

/// The name of the shared index with this id; an id of zeros stands for none.
pub(super) fn shared(id: &[u8]) -> Option<String> {
    if id.iter().all(|&byte| byte == 0) {
        return None;
    }
    let digits: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{SHARED}{digits}"))
}

#[cfg(test)]
mod tests {
    use super::{
        EXTENDED, FOLDER_MODE, LENGTH_MASK, MODE_AT, MalformedHead, SHA1_BYTES, SHA256_BYTES,
        STAT_BYTES, list_below, look_up,
    };

    const FILE_MODE: u32 = 0o100_644;

    struct SampleEntry {
        path: &'static str,
        mode: u32,
        extended: bool,
    }

    fn file(path: &'static str) -> SampleEntry {
        SampleEntry {
            path,
            mode: FILE_MODE,
            extended: false,
        }
    }

    fn index(version: u32, id_bytes: usize, entries: &[SampleEntry], extensions: &[u8]) -> Vec<u8> {
        let count = u32::try_from(entries.len()).unwrap();
        let mut bytes = [&b"DIRC"[..], &version.to_be_bytes(), &count.to_be_bytes()].concat();
        let mut last = "";
        for entry in entries {
            let start = bytes.len();
            bytes.resize(start + STAT_BYTES + id_bytes, 7);
            bytes[start + MODE_AT..][..4].copy_from_slice(&entry.mode.to_be_bytes());
            let length = u16::try_from(entry.path.len()).unwrap().min(LENGTH_MASK);
            let flags = length | if entry.extended { EXTENDED } else { 0 };
            bytes.extend(flags.to_be_bytes());
            if entry.extended {
                bytes.extend([0x40, 0]);
            }
            if version == 4 {
                let shared = last
                    .bytes()
                    .zip(entry.path.bytes())
                    .take_while(|(a, b)| a == b)
                    .count();
                bytes.push(u8::try_from(last.len() - shared).unwrap());
                bytes.extend(entry.path[shared..].bytes().chain([0]));
                last = entry.path;
            } else {
                bytes.extend(entry.path.bytes());
                let length = (bytes.len() - start + 1).next_multiple_of(8);
                bytes.resize(start + length, 0);
            }
        }
        bytes.extend_from_slice(extensions);
        bytes.resize(bytes.len() + id_bytes, 9);
        bytes
    }

    fn extension(name: &[u8], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [name, &length, data].concat()
    }

    fn shapes() -> impl Iterator<Item = (u32, usize)> {
        [2, 3, 4]
            .into_iter()
            .flat_map(|version| [(version, SHA1_BYTES), (version, SHA256_BYTES)])
    }

    #[test]
    fn a_path_is_found_in_every_version_and_id_size() {
        for (version, id_bytes) in shapes() {
            let mut entries = [
                ".claude/state/design-checkpoint.json",
                ".claude/x",
                "README.md",
                "src/lib.rs",
            ]
            .map(file);
            entries[1].extended = version > 2;
            let bytes = index(version, id_bytes, &entries, &extension(b"TREE", b"any"));
            let requested = [
                "README.md",
                "README",
                "src",
                "src/lib.rs",
                ".Claude/X",
                "src/lib.rs/a",
            ];
            let tracked = look_up(&bytes, &requested).unwrap();
            let expected = [true, false, false, true, true, false];
            assert_eq!(
                tracked.paths, expected,
                "version {version}, ids of {id_bytes}"
            );
            assert_eq!(tracked.shared, None);
        }
    }

    #[test]
    fn a_folder_of_a_sparse_index_covers_what_is_below_it() {
        for (version, id_bytes) in shapes() {
            let folder = SampleEntry {
                path: ".claude/state/",
                mode: FOLDER_MODE,
                extended: false,
            };
            let bytes = index(version, id_bytes, &[folder], &extension(b"sdir", b""));
            let requested = [
                ".claude/state/a.json",
                ".claude/state",
                ".claude/states/a",
                ".claude",
            ];
            assert_eq!(
                look_up(&bytes, &requested).unwrap().paths,
                [true, false, false, false]
            );
        }
    }

    #[test]
    fn the_files_below_a_folder_are_listed_and_no_others() {
        for (version, id_bytes) in shapes() {
            let paths = [".claude/a", ".Claude/state/x", ".claude/states", "b"];
            let bytes = index(version, id_bytes, &paths.map(file), b"");
            let below = |folder| list_below(&bytes, folder).unwrap().paths;
            assert_eq!(below(".claude/state"), [".Claude/state/x"]);
            assert_eq!(below(".claude"), paths[..3]);
            assert!(below("b").is_empty());
        }
    }

    #[test]
    fn a_folder_of_a_sparse_index_that_holds_the_requested_one_is_listed() {
        let folder = SampleEntry {
            path: ".claude/",
            mode: FOLDER_MODE,
            extended: false,
        };
        let bytes = index(3, SHA1_BYTES, &[folder], &extension(b"sdir", b""));
        let below = list_below(&bytes, ".claude/state").unwrap();
        assert_eq!(below.paths, [".claude/"]);
        assert!(list_below(&bytes, ".claud").unwrap().paths.is_empty());
    }

    #[test]
    fn a_split_index_names_the_shared_one() {
        for (version, id_bytes) in shapes() {
            let link = extension(b"link", &[vec![0xab; id_bytes], vec![0; 24]].concat());
            // Entries that replace shared ones have no path of their own.
            let bytes = index(version, id_bytes, &[file(""), file("new")], &link);
            let tracked = look_up(&bytes, &["new"]).unwrap();
            assert_eq!(tracked.paths, [true]);
            assert_eq!(
                tracked.shared,
                Some(format!("sharedindex.{}", "ab".repeat(id_bytes)))
            );

            let none = extension(b"link", &vec![0; id_bytes]);
            let bytes = index(version, id_bytes, &[], &none);
            assert_eq!(look_up(&bytes, &[]).unwrap().shared, None);
        }
    }

    #[test]
    fn an_extension_that_must_be_understood_and_is_not_makes_the_index_unreadable() {
        let bytes = index(2, SHA1_BYTES, &[], &extension(b"huge", b""));
        assert_eq!(look_up(&bytes, &["a"]), Err(MalformedHead));
    }

    #[test]
    fn a_version_that_does_not_exist_is_unreadable() {
        for version in [0, 1, 5, u32::MAX] {
            assert_eq!(
                look_up(&index(version, SHA1_BYTES, &[], b""), &[]),
                Err(MalformedHead)
            );
        }
    }

    #[test]
    fn a_path_longer_than_its_length_field_is_found() {
        let long: &'static str = "d/".repeat(4000).leak();
        for version in [2, 3] {
            let bytes = index(version, SHA1_BYTES, &[file(long), file("z")], b"");
            assert_eq!(look_up(&bytes, &[long, "z"]).unwrap().paths, [true, true]);
        }
    }

    #[test]
    fn a_cut_or_flipped_index_never_panics() {
        for (version, id_bytes) in shapes() {
            let entries = ["a", "a/b/c", "a/b/d", "b"].map(file);
            let link = extension(b"link", &vec![0xab; id_bytes + 24]);
            let whole = index(version, id_bytes, &entries, &link);
            for length in 0..whole.len() {
                // Cut between extensions it can look whole, but no entry is lost.
                if let Ok(tracked) = look_up(&whole[..length], &["b"]) {
                    assert_eq!(tracked.paths, [true], "cut at {length}");
                }
            }
            for bit in 0..whole.len() * 8 {
                let mut flipped = whole.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                // Either answer will do: what matters is that there is one.
                let _ = look_up(&flipped, &["b"]);
            }
        }
    }
}
