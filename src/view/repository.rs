//! The repository as far as a source describes it: where HEAD is, and which files git tracks. The core reads
//! both from the files of a repository, so that is what they are made into.

/// HEAD's file: at a commit, or at a branch that has none.
pub(super) fn head(commit: Option<&str>) -> Vec<u8> {
    match commit {
        Some(commit) => format!("{commit}\n"),
        None => "ref: refs/heads/main\n".to_owned(),
    }
    .into_bytes()
}

const VERSION: u32 = 2;
const FILE_MODE: u32 = 0o100_644;
/// Times, device and inode stand before the mode, owner and size behind it.
const BEFORE_MODE: [u8; 24] = [0; 24];
const AFTER_MODE: [u8; 12] = [0; 12];
const ID: [u8; 20] = [0; 20];
/// The flags hold the length of a path up to this.
const MAX_LENGTH: usize = 0xFFF;

/// An index of these paths, which are sorted, without times, ids and checksum: no question needs them.
pub(super) fn index(paths: &[String]) -> Vec<u8> {
    let count = u32::try_from(paths.len()).unwrap_or(u32::MAX);
    let mut bytes = [&b"DIRC"[..], &VERSION.to_be_bytes(), &count.to_be_bytes()].concat();
    for path in paths {
        let start = bytes.len();
        let length = path.len().min(MAX_LENGTH) as u16;
        let mode = FILE_MODE.to_be_bytes();
        let flags = length.to_be_bytes();
        for part in [
            &BEFORE_MODE[..],
            &mode,
            &AFTER_MODE,
            &ID,
            &flags,
            path.as_bytes(),
        ] {
            bytes.extend_from_slice(part);
        }
        // One to eight NULs.
        let padded = (bytes.len() - start + 1).next_multiple_of(8);
        bytes.resize(start + padded, 0);
    }
    bytes.extend_from_slice(&ID);
    bytes
}

#[cfg(test)]
mod tests {
    use super::index;
    use crate::git::index::{list_below, look_up};

    #[test]
    fn an_index_of_made_up_entries_is_read_as_one_of_git_is() {
        for paths in [
            vec![],
            vec![".claude/state/a.json".to_owned()],
            (0..9).map(|at| format!("a{}", "b".repeat(at))).collect(),
            vec!["ä/ö".to_owned(), "é".repeat(3_000)],
        ] {
            let bytes = index(&paths);
            let mut requested: Vec<&str> = paths.iter().map(String::as_str).collect();
            requested.push("other");
            let tracked = look_up(&bytes, &requested).unwrap().paths;
            assert_eq!(tracked.iter().filter(|it| **it).count(), paths.len());
            assert_eq!(tracked.last(), Some(&false));
        }
        let paths = [".claude/x".to_owned(), "b".to_owned()];
        let below = list_below(&index(&paths), ".claude").unwrap().paths;
        assert_eq!(below, [".claude/x"]);
    }
}
