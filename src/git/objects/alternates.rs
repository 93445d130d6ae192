//! Folders of objects that a repository borrows from (`objects/info/alternates`).

use crate::git::quoted::unquoted;

/// The folders that it names, each absolute or relative to the folder `objects`; these can name more
/// in turn, which git follows five times. `None` for one whose path is not UTF-8.
pub fn folders(bytes: &[u8]) -> Vec<Option<String>> {
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| line.first().is_some_and(|&first| first != b'#'));
    lines
        .map(|line| {
            let folder = unquoted(line).map_or_else(|| line.to_vec(), |(folder, _)| folder);
            String::from_utf8(folder).ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::folders;

    #[test]
    fn alternates_are_lines_without_comments() {
        for (text, expected) in [
            (&b""[..], &[][..]),
            (b"/a/objects\n", &[Some("/a/objects")]),
            (b"# no\n\n../b c\n/d", &[Some("../b c"), Some("/d")]),
            (b"\"/a\\tb\"\n/c\n", &[Some("/a\tb"), Some("/c")]),
            (b"\xff\n/c\n", &[None, Some("/c")]),
        ] {
            let expected: Vec<_> = expected.iter().map(|it| it.map(str::to_owned)).collect();
            assert_eq!(folders(text), expected, "{}", text.escape_ascii());
        }
    }
}
