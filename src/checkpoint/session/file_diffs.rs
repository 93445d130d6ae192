//! The text of `git_diff`, taken apart: the difference of each file from the commit.

use crate::git::quoted::unquoted;
use crate::text::visible;

/// The beginning of the header of each file.
const HEADER: &str = "diff --git ";

/// The beginning of a line that says what was left out of the text.
const LEFT_OUT: &str = "[... ";

/// The difference of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff<'a> {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Its lines, in the order of the text.
    pub lines: Vec<DiffLine<'a>>,
}

/// A line of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffLine<'a> {
    /// The head of a hunk, which says where its lines stand.
    Hunk {
        /// As git prints it.
        text: &'a str,
        /// The number of lines of both that were passed over.
        passed: usize,
    },
    /// A line of both: its number in each, from 1.
    Same(usize, usize, &'a str),
    /// Only in the commit: its number there.
    Old(usize, &'a str),
    /// Only in the snapshot: its number there.
    New(usize, &'a str),
    /// A line of git about a mode, a file that is no text, or a last line without an end.
    Note(&'a str),
}

/// The differences in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDiffs<'a> {
    /// The diffs of each file.
    pub files: Vec<FileDiff<'a>>,
    /// The lines that say what was left out of the text.
    pub left_out: Vec<&'a str>,
}

impl<'a> FileDiffs<'a> {
    /// Takes a text apart. Text in another form than git's is a note.
    pub fn of(text: &'a str) -> Self {
        let mut all = FileDiffs::default();
        let mut numbers = None;
        for line in text.split_terminator('\n') {
            if let Some(header) = line.strip_prefix(HEADER) {
                numbers = None;
                all.files.push(FileDiff {
                    path: path_of(header),
                    lines: Vec::new(),
                });
            } else if line.starts_with(LEFT_OUT) {
                all.left_out.push(line);
            } else if let Some(file) = all.files.last_mut() {
                file.lines.extend(line_of(line, &mut numbers));
            }
        }
        all
    }

    /// Returns the difference of the file at a path; `None` where the text does not say.
    pub fn at(&self, path: &str) -> Option<&FileDiff<'a>> {
        // Of a new file nothing is hidden in the header.
        let shown = visible(path);
        let mut files = self.files.iter();
        files.find(|it| it.path == path || it.path == shown)
    }
}

/// The numbers of the next line, in the commit and in the snapshot.
type Numbers = Option<(usize, usize)>;

/// The path behind the header, where both names of it are the same.
fn path_of(header: &str) -> String {
    let quoted = unquoted(header.as_bytes());
    let name = match &quoted {
        Some((name, _)) => String::from_utf8_lossy(name),
        // `a/PATH b/PATH`
        None => header.get(..header.len() / 2).unwrap_or(header).into(),
    };
    name.strip_prefix("a/").unwrap_or(&name).to_owned()
}

/// A line of a file; `None` for what the list of files says as well.
fn line_of<'a>(line: &'a str, numbers: &mut Numbers) -> Option<DiffLine<'a>> {
    if let Some((old, new)) = hunk(line) {
        let (next, _) = numbers.unwrap_or((1, 1));
        *numbers = Some((old.max(1), new.max(1)));
        return Some(DiffLine::Hunk {
            text: line,
            passed: old.saturating_sub(next),
        });
    }
    let Some((old, new)) = numbers else {
        let is_said = ["Binary ", "old mode ", "new mode "];
        let is_said = is_said.iter().any(|it| line.starts_with(it));
        return is_said.then_some(DiffLine::Note(line));
    };
    let (mark, text) = match line.chars().next() {
        Some(mark @ (' ' | '+' | '-')) => (mark, &line[1..]),
        // Some programs take the blank of an empty line away.
        None => (' ', line),
        Some(_) => return Some(DiffLine::Note(line)),
    };
    let (at_old, at_new) = (*old, *new);
    if mark != '+' {
        *old += 1;
    }
    if mark != '-' {
        *new += 1;
    }
    Some(match mark {
        '-' => DiffLine::Old(at_old, text),
        '+' => DiffLine::New(at_new, text),
        _ => DiffLine::Same(at_old, at_new, text),
    })
}

/// Returns where the lines behind the head of a hunk begin.
fn hunk(line: &str) -> Option<(usize, usize)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let first = |range: &str| range.split(',').next()?.parse().ok();
    Some((first(old)?, first(new)?))
}

#[cfg(test)]
mod tests {
    use super::{DiffLine, FileDiffs};

    #[test]
    fn each_file_has_its_lines_with_their_numbers_in_both() {
        let text = "diff --git a/src/a b.ts b/src/a b.ts\nindex 1..2 100644\n--- a/src/a b.ts\n\
                    +++ b/src/a b.ts\n@@ -9,3 +9,3 @@ fn x()\n one\n-two\n+2\n\n@@ -40 +40 @@\n-x\n+y\n\
                    \\ No newline at end of file\n\
                    diff --git \"a/\\303\\274.txt\" \"b/\\303\\274.txt\"\nold mode 100644\nnew mode 100755\n\
                    diff --git a/p.png b/p.png\nnew file mode 100644\nBinary files /dev/null and b/p.png differ\n\
                    [... 12 bytes and more were left out]\n";
        let all = FileDiffs::of(text);
        let paths: Vec<&str> = all.files.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["src/a b.ts", "\u{fc}.txt", "p.png"]);
        assert_eq!(
            all.at("src/a b.ts").unwrap().lines,
            [
                DiffLine::Hunk {
                    text: "@@ -9,3 +9,3 @@ fn x()",
                    passed: 8
                },
                DiffLine::Same(9, 9, "one"),
                DiffLine::Old(10, "two"),
                DiffLine::New(10, "2"),
                DiffLine::Same(11, 11, ""),
                DiffLine::Hunk {
                    text: "@@ -40 +40 @@",
                    passed: 28
                },
                DiffLine::Old(40, "x"),
                DiffLine::New(40, "y"),
                DiffLine::Note("\\ No newline at end of file"),
            ]
        );
        assert_eq!(
            all.files[1].lines,
            [
                DiffLine::Note("old mode 100644"),
                DiffLine::Note("new mode 100755")
            ]
        );
        let binary = DiffLine::Note("Binary files /dev/null and b/p.png differ");
        assert_eq!(all.files[2].lines, [binary]);
        assert_eq!(all.left_out, ["[... 12 bytes and more were left out]"]);
        assert_eq!(all.at("b.ts"), None);
    }

    #[test]
    fn a_new_file_begins_at_its_first_line_and_a_deleted_one_ends_with_its_last() {
        let text = "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+++ b\n\
                    diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n--- a\n";
        let all = FileDiffs::of(text);
        assert_eq!(
            all.files[0].lines[1..],
            [DiffLine::New(1, "a"), DiffLine::New(2, "++ b")]
        );
        assert_eq!(all.files[1].lines[1..], [DiffLine::Old(1, "-- a")]);
    }

    #[test]
    fn a_text_that_is_not_of_git_has_no_files() {
        for text in ["", "\n", "+a\n", "what I changed\n@@ -1 +1 @@\n"] {
            assert_eq!(FileDiffs::of(text), FileDiffs::default(), "{text}");
        }
        let odd = FileDiffs::of("diff --git \n@@ -x +1 @@\n\u{fc}");
        assert_eq!(odd.files.len(), 1);
        assert!(odd.files[0].lines.is_empty(), "{odd:?}");
    }
}
