//! The difference of a file, as a page shows it: both sides beside each other where there is room, else one below the other.

use crate::checkpoint::session::file_diffs::DiffLine;

use super::page::Paint;
use super::screen::Screen;

/// On a terminal with so many columns both sides have room beside each other.
const LEAST_COLUMNS: usize = 100;

/// Between the sides.
const BETWEEN: &str = " │ ";

/// A number of up to five digits, a blank, the mark, and a blank.
const MARGIN: usize = 8;

/// One row.
enum DiffRow<'a> {
    /// A line over the whole width.
    Whole(&'a str),
    /// Lines that stand beside each other, of which one may be missing.
    Sides(Option<Cell<'a>>, Option<Cell<'a>>),
}

/// A line of one side.
#[derive(Clone, Copy)]
struct Cell<'a> {
    number: usize,
    mark: char,
    text: &'a str,
}

/// The lines of a file's difference.
pub(super) fn page(lines: &[DiffLine<'_>], screen: Screen, paint: Paint) -> String {
    match screen.width().filter(|width| *width >= LEAST_COLUMNS) {
        Some(width) => side_by_side(&rows(lines), width, screen, paint),
        None => below(lines, screen, paint),
    }
}

/// One side below the other, as git prints it.
fn below(lines: &[DiffLine<'_>], screen: Screen, paint: Paint) -> String {
    let mut page = String::new();
    for line in lines {
        let line = match line {
            DiffLine::Hunk { text, .. } | DiffLine::Note(text) => screen.shown(text),
            DiffLine::Same(_, _, text) => format!(" {}", screen.shown(text)),
            DiffLine::Old(_, text) => paint.bad(&format!("-{}", screen.shown(text))),
            DiffLine::New(_, text) => paint.good(&format!("+{}", screen.shown(text))),
        };
        page.push_str(&line);
        page.push('\n');
    }
    page
}

/// The rows of both sides: what came stands beside what went.
fn rows<'a>(lines: &[DiffLine<'a>]) -> Vec<DiffRow<'a>> {
    let mut rows = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let old = rest.iter().take_while(|it| matches!(it, DiffLine::Old(..)));
        let old = old.count();
        let new = rest[old..].iter();
        let new = new.take_while(|it| matches!(it, DiffLine::New(..))).count();
        if old + new > 0 {
            let (gone, come) = (&rest[..old], &rest[old..old + new]);
            rows.extend((0..old.max(new)).map(|at| {
                let cell = |line: Option<&DiffLine<'a>>| line.and_then(cell_of);
                DiffRow::Sides(cell(gone.get(at)), cell(come.get(at)))
            }));
            rest = &rest[old + new..];
            continue;
        }
        rows.push(match *first {
            DiffLine::Same(a, b, text) => {
                let cell = |number| Cell {
                    number,
                    mark: ' ',
                    text,
                };
                DiffRow::Sides(Some(cell(a)), Some(cell(b)))
            }
            DiffLine::Hunk { text, .. }
            | DiffLine::Note(text)
            | DiffLine::Old(_, text)
            | DiffLine::New(_, text) => DiffRow::Whole(text),
        });
        rest = &rest[1..];
    }
    rows
}

fn cell_of<'a>(line: &DiffLine<'a>) -> Option<Cell<'a>> {
    let (number, mark, text) = match *line {
        DiffLine::Old(number, text) => (number, '-', text),
        DiffLine::New(number, text) => (number, '+', text),
        DiffLine::Same(..) | DiffLine::Hunk { .. } | DiffLine::Note(_) => return None,
    };
    Some(Cell { number, mark, text })
}

/// The two sides in columns of one width. A line that is longer goes on below itself, so that nothing is cut.
fn side_by_side(rows: &[DiffRow<'_>], width: usize, screen: Screen, paint: Paint) -> String {
    let room = (width - BETWEEN.chars().count()) / 2;
    let mut page = String::new();
    for row in rows {
        let (left, right) = match row {
            DiffRow::Whole(text) => {
                page.push_str(&screen.shown(text));
                page.push('\n');
                continue;
            }
            DiffRow::Sides(left, right) => (side(*left, room, screen), side(*right, room, screen)),
        };
        for at in 0..left.len().max(right.len()) {
            let part = |side: &[String]| side.get(at).cloned().unwrap_or_default();
            let (left, right) = (part(&left), part(&right));
            let left = Screen::padded(&left, room);
            let line = [
                painted(&left, paint),
                BETWEEN.to_owned(),
                painted(&right, paint),
            ];
            page.push_str(line.concat().trim_end());
            page.push('\n');
        }
    }
    page
}

/// The lines of one side; none where nothing stands there.
fn side(cell: Option<Cell<'_>>, room: usize, screen: Screen) -> Vec<String> {
    let Some(Cell { number, mark, text }) = cell else {
        return Vec::new();
    };
    let text = screen.shown(text);
    let parts = Screen::parts(&text, room - MARGIN).into_iter();
    let line = |(at, part): (usize, &str)| match at {
        0 => format!("{number:>5} {mark} {part}"),
        _ => format!("{:>5} {mark} {part}", ""),
    };
    parts.enumerate().map(line).collect()
}

/// A side with the colour of its mark.
fn painted(side: &str, paint: Paint) -> String {
    match side.as_bytes().get(MARGIN - 2) {
        Some(b'-') => paint.bad(side),
        Some(b'+') => paint.good(side),
        _ => side.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::checkpoint::session::file_diffs::FileDiffs;
    use crate::cli::page::Paint;
    use crate::cli::screen::Screen;

    const TEXT: &str =
        "diff --git a/f b/f\n@@ -1,3 +1,4 @@\n one\n-two\n-three\n+2\n+\t3\u{1b}[2J\n+4\n";

    fn shown(text: &str, width: Option<u64>, is_painted: bool) -> String {
        let all = FileDiffs::of(text);
        page(&all.files[0].lines, Screen::new(width), Paint(is_painted))
    }

    #[test]
    fn both_sides_stand_beside_each_other_from_100_columns_on() {
        let side = |text: &str| format!("{text:48}");
        let expected = [
            "@@ -1,3 +1,4 @@".to_owned(),
            format!("{} │     1   one", side("    1   one")),
            format!("{} │     2 + 2", side("    2 - two")),
            format!("{} │     3 +     3\\u{{1b}}[2J", side("    3 - three")),
            format!("{} │     4 + 4", side("")),
            String::new(),
        ];
        assert_eq!(shown(TEXT, Some(100), false), expected.join("\n"));
        let below = "@@ -1,3 +1,4 @@\n one\n-two\n-three\n+2\n+    3\\u{1b}[2J\n+4\n";
        assert_eq!(shown(TEXT, Some(99), false), below);
        assert_eq!(shown(TEXT, None, false), below.replace("    3", "\t3"));
    }

    #[test]
    fn a_long_line_goes_on_below_itself() {
        let long = "x".repeat(60);
        let text = format!("diff --git a/f b/f\n@@ -1 +1 @@\n-{long}\n+\u{4e16}{long}\n");
        let page = shown(&text, Some(100), false);
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines.len(), 3, "{page}");
        assert_eq!(page.matches('x').count(), 120);
        for line in &lines[1..] {
            let sides: Vec<&str> = line.split(" \u{2502} ").collect();
            assert!(sides.iter().all(|it| it.contains(['-', '+'])), "{page}");
        }
    }

    #[test]
    fn removed_and_added_lines_have_a_colour_and_a_mark_each() {
        for width in [Some(120), None] {
            let page = shown(TEXT, width, true);
            assert!(
                page.contains("\u{1b}[31m") && page.contains("\u{1b}[32m"),
                "{page:?}"
            );
            assert!(page.contains("- two") || page.contains("-two"), "{page}");
        }
    }
}
