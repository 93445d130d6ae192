//! The changes of a file, as a unified diff.

use std::fmt::Write;

use crate::diff::hunks;

/// Lines around a change that stay.
const CONTEXT: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SettingsDiffLine<'a> {
    Same(&'a str),
    Old(&'a str),
    New(&'a str),
}

/// The change from one text to another of the file at a path; `None` is a file that is not there. Empty
/// where both are the same.
pub fn diff(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    if before == after {
        return String::new();
    }
    let name = |side: char, text: Option<&str>| match text {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let mut shown = format!("--- {}\n+++ {}\n", name('a', before), name('b', after));
    let lines = compared(before.unwrap_or_default(), after.unwrap_or_default());
    let (mut old, mut new, mut at) = (0, 0, 0);
    while let Some(first) = lines[at..].iter().position(|line| !is_same(line)) {
        let start = (at + first).saturating_sub(CONTEXT).max(at);
        let end = end_of_hunk(&lines, at + first);
        let passed = start - at;
        (old, new) = (old + passed, new + passed);
        let hunk = &lines[start..end];
        let count = |is_in: fn(&SettingsDiffLine<'_>) -> bool| {
            hunk.iter().filter(|line| is_in(line)).count()
        };
        let had = count(|line| !matches!(line, SettingsDiffLine::New(_)));
        let has = count(|line| !matches!(line, SettingsDiffLine::Old(_)));
        let _ = writeln!(shown, "@@ -{} +{} @@", range(old, had), range(new, has));
        for line in hunk {
            show(line, &mut shown);
        }
        (old, new, at) = (old + had, new + has, end);
    }
    shown
}

fn is_same(line: &SettingsDiffLine<'_>) -> bool {
    matches!(line, SettingsDiffLine::Same(_))
}

/// The end of the hunk whose first change stands at `at`.
fn end_of_hunk(lines: &[SettingsDiffLine<'_>], at: usize) -> usize {
    let mut last = at;
    for (index, line) in lines.iter().enumerate().skip(at) {
        if !is_same(line) {
            last = index;
        } else if index - last > 2 * CONTEXT {
            break;
        }
    }
    (last + 1 + CONTEXT).min(lines.len())
}

/// Lines as a hunk names them: the first one from 1, and how many.
fn range(passed: usize, count: usize) -> String {
    match count {
        0 => format!("{passed},0"),
        _ => format!("{},{count}", passed + 1),
    }
}

fn show(line: &SettingsDiffLine<'_>, out: &mut String) {
    let (sign, text) = match line {
        SettingsDiffLine::Same(text) => (' ', text),
        SettingsDiffLine::Old(text) => ('-', text),
        SettingsDiffLine::New(text) => ('+', text),
    };
    out.push(sign);
    out.push_str(text);
    if !text.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

/// The lines of both, those that are the same once.
fn compared<'a>(before: &'a str, after: &'a str) -> Vec<SettingsDiffLine<'a>> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let mut lines = Vec::with_capacity(old.len().max(new.len()));
    let mut at = 0;
    for hunk in hunks(&old, &new) {
        lines.extend(
            old[at..hunk.before.start]
                .iter()
                .map(|it| SettingsDiffLine::Same(it)),
        );
        at = hunk.before.end;
        lines.extend(old[hunk.before].iter().map(|it| SettingsDiffLine::Old(it)));
        lines.extend(new[hunk.after].iter().map(|it| SettingsDiffLine::New(it)));
    }
    lines.extend(old[at..].iter().map(|it| SettingsDiffLine::Same(it)));
    lines
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn a_change_is_shown_with_three_lines_around_it() {
        let before: String = (1..=20).map(|it| format!("{it}\n")).collect();
        let after = before
            .replace("\n5\n", "\nfive\n")
            .replace("18\n", "18\nmore\n");
        let expected = "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -16,5 +16,6 @@\n 16\n 17\n 18\n+more\n 19\n 20\n";
        assert_eq!(diff("f", Some(&before), Some(&after)), expected);
    }

    #[test]
    fn a_file_that_comes_or_goes_is_shown_as_one_that_changes() {
        assert_eq!(
            diff("f", None, Some("a\nb")),
            "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
        );
        assert_eq!(
            diff("f", Some("a\n"), None),
            "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"
        );
        assert_eq!(diff("f", Some("a"), Some("a")), "");
    }
}
