//! Folders of objects that a repository borrows from (`objects/info/alternates`).

/// The folders that it names, each absolute or relative to the folder `objects`; these can name more
/// in turn, which git follows five times. What is not UTF-8, or in quotes as git writes names with
/// odd characters, is left out, and `false` says so.
pub fn folders(bytes: &[u8]) -> (Vec<&str>, bool) {
    let mut folders = Vec::new();
    let mut is_all = true;
    for line in bytes.split(|&byte| byte == b'\n') {
        if line.is_empty() || line[0] == b'#' {
            continue;
        }
        match std::str::from_utf8(line) {
            Ok(folder) if line[0] != b'"' && !line.contains(&0) => folders.push(folder),
            _ => is_all = false,
        }
    }
    (folders, is_all)
}

#[cfg(test)]
mod tests {
    use super::folders;

    #[test]
    fn alternates_are_lines_without_comments() {
        for (text, expected) in [
            (&b""[..], (vec![], true)),
            (b"/a/objects\n", (vec!["/a/objects"], true)),
            (b"# no\n\n../b c\n/d", (vec!["../b c", "/d"], true)),
            (b"\"/a\\tb\"\n/c\n", (vec!["/c"], false)),
            (b"\xff\n/c\n", (vec!["/c"], false)),
        ] {
            assert_eq!(folders(text), expected, "{}", text.escape_ascii());
        }
    }
}
