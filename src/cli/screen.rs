//! The screen of a terminal: the width of text on it, and text that is fitted to it.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use crate::text::visible;
use crate::time;

use super::page::NOTHING;

/// The width of a terminal that does not know its own.
const USUAL_WIDTH: usize = 80;
/// On a terminal that is narrower, lines are this wide all the same: less is no table any more.
const LEAST_WIDTH: usize = 20;
/// Between two columns of a table.
const GAP: usize = 2;
/// A column with nothing wider than `13 days ago` holds numbers, times or short names.
const WIDEST_TIME: usize = "13 days ago".len();
/// A column of text is cut to this before others are.
const LEAST_TEXT: usize = 6;
/// A tab, where lines are fitted to a width.
const TAB: &str = "    ";

const MINUTE_MS: f64 = 60_000.0;
const HOUR_MS: f64 = 60.0 * MINUTE_MS;
pub(super) const DAY_MS: f64 = 24.0 * HOUR_MS;
/// Times are shown as days that have gone by up to here, and as dates beyond.
const MOST_DAYS: f64 = 14.0;

/// The destination of an answer for people: a terminal so many columns wide, or anywhere else, where
/// nothing is cut or wrapped and times are shown in full.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen(Option<usize>);

impl Screen {
    /// The width of a terminal, 0 where it is not known; `None` for anything else.
    pub(super) fn new(width: Option<u64>) -> Self {
        Screen(width.map(|width| match usize::try_from(width) {
            Ok(0) | Err(_) => USUAL_WIDTH,
            Ok(width) => width.max(LEAST_WIDTH),
        }))
    }

    /// Returns true for a terminal.
    pub(super) fn is_terminal(self) -> bool {
        self.0.is_some()
    }

    /// A stored time, on a terminal as what has gone by since. `now` is the host's clock, in
    /// milliseconds since 1970.
    pub(super) fn time(self, stored: Option<&str>, now: f64) -> String {
        let Some(stored) = stored else {
            return NOTHING.to_owned();
        };
        let parsed = self.0.and_then(|_| time::parse(stored));
        match parsed.and_then(|then| ago(now - then.wall_ms())) {
            Some(ago) => ago,
            None if self.0.is_some() && parsed.is_some() => stored[.."2026-01-01".len()].to_owned(),
            None => visible(stored).into_owned(),
        }
    }

    /// The number of columns of a terminal.
    pub(super) fn width(self) -> Option<usize> {
        self.0
    }

    /// Stored text with its own line breaks, each line after `indent`.
    pub(super) fn lines(self, text: &str, indent: &str) -> String {
        let mut out = String::new();
        for line in text.lines() {
            let line = self.shown(line);
            out.push_str(&self.fold(&format!("{indent}{line}")));
        }
        out
    }

    /// A stored line, in which nothing acts on a terminal. A tab is a control character, and harmless.
    pub(super) fn shown(self, line: &str) -> String {
        let parts: Vec<_> = line.split('\t').map(visible).collect();
        parts.join(if self.0.is_some() { TAB } else { "\t" })
    }

    /// A line with blanks behind it up to so many columns.
    pub(super) fn padded(line: &str, columns: usize) -> String {
        let missing = columns.saturating_sub(width_of(line));
        [line, &" ".repeat(missing)].concat()
    }

    /// A line in parts of so many columns; one part where it is empty.
    pub(super) fn parts(line: &str, columns: usize) -> Vec<&str> {
        let mut parts = Vec::new();
        let mut rest = line;
        while let Some(end) = overflow(rest, columns) {
            parts.push(&rest[..end]);
            rest = &rest[end..];
        }
        parts.push(rest);
        parts
    }

    /// A line, or as many as the width needs: broken at spaces, and continued where it begins.
    pub(super) fn fold(self, line: &str) -> String {
        let line = line.trim_end();
        let text = line.trim_start_matches(' ');
        // A continued line of a list stands below the text beside the dash.
        let dash = if text.starts_with("- ") { 2 } else { 0 };
        self.fold_after(line, line.len() - text.len() + dash)
    }

    /// A line that is folded as by [`Screen::fold`], continued after so many spaces.
    pub(super) fn fold_after(self, line: &str, spaces: usize) -> String {
        let mut out = String::new();
        let mut rest = line.trim_end();
        let mut indent = 0;
        if let Some(width) = self.0 {
            let spaces = spaces.min(width / 2);
            while let Some(end) = overflow(rest, width - indent) {
                let at = break_before(rest, end);
                push_line(&mut out, indent, rest[..at].trim_end());
                rest = rest[at..].trim_start_matches(' ');
                indent = spaces;
            }
        }
        if !rest.is_empty() || out.is_empty() {
            push_line(&mut out, indent, rest);
        }
        out
    }

    /// Aligned columns; on a terminal the widest ones are cut until a row fits its line.
    pub(super) fn columns(self, rows: &[Vec<String>]) -> String {
        let count = rows.iter().map(Vec::len).max().unwrap_or_default();
        let mut widths = vec![0; count];
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(width_of(cell));
            }
        }
        if let Some(width) = self.0 {
            let room = width.saturating_sub(GAP * count.saturating_sub(1));
            fit(&mut widths, room.max(count));
        }
        let mut text = String::new();
        for row in rows {
            let mut line = String::new();
            let mut missing = 0;
            for (cell, &width) in row.iter().zip(&widths) {
                line.push_str(&" ".repeat(missing));
                let cell = cut(cell, width);
                missing = width.saturating_sub(width_of(&cell)) + GAP;
                line.push_str(&cell);
            }
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

/// Takes from columns until all have room: from those of text, as long as they can be read, before
/// those of numbers and times; from the widest first, and of those from the last.
fn fit(widths: &mut [usize], room: usize) {
    let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
    let is_text: Vec<bool> = widths.iter().map(|&width| width > WIDEST_TIME).collect();
    while excess > 0 {
        let mut widest: Option<(bool, usize, usize)> = None;
        for (at, &width) in widths.iter().enumerate() {
            let is_first = is_text[at] && width > LEAST_TEXT;
            widest = widest.max(Some((is_first, width, at)));
        }
        let Some((_, 1.., at)) = widest else { return };
        widths[at] -= 1;
        excess -= 1;
    }
}

fn push_line(out: &mut String, indent: usize, line: &str) {
    out.push_str(&" ".repeat(indent));
    out.push_str(line);
    out.push('\n');
}

/// The time that has gone by, in words; `None` where that is too long ago for words, or yet to come.
fn ago(ms: f64) -> Option<String> {
    // A number with a fraction is printed by 7 KB of code that nothing else needs.
    let whole = |unit: f64| (ms / unit) as u64;
    match ms {
        // Clocks of two machines differ a little.
        _ if ms < -MINUTE_MS => None,
        _ if ms < MINUTE_MS => Some("just now".to_owned()),
        _ if ms < HOUR_MS => Some(format!("{} min ago", whole(MINUTE_MS))),
        _ if ms < DAY_MS => Some(format!("{} h ago", whole(HOUR_MS))),
        _ if ms < 2.0 * DAY_MS => Some("1 day ago".to_owned()),
        _ if ms < MOST_DAYS * DAY_MS => Some(format!("{} days ago", whole(DAY_MS))),
        _ => None,
    }
}

/// A text in so many columns, with `…` where it was longer.
fn cut(text: &str, room: usize) -> Cow<'_, str> {
    if width_of(text) <= room {
        return Cow::Borrowed(text);
    }
    let end = overflow(text, room.saturating_sub(1)).unwrap_or_default();
    // Stored escapes have been made visible: these are colours of ours.
    let end_of_colour = if text.contains('\u{1b}') {
        "\u{1b}[0m"
    } else {
        ""
    };
    Cow::Owned(format!("{}…{end_of_colour}", &text[..end]))
}

/// Returns the byte at which to break a line that overflows at `end`: at the last space, or
/// within a word that is longer than a line.
fn break_before(line: &str, end: usize) -> usize {
    if line[end..].starts_with(' ') {
        return end;
    }
    let text = line.len() - line.trim_start_matches(' ').len();
    match line[..end].rfind(' ') {
        Some(space) if space > text => space,
        _ => end,
    }
}

/// The number of columns that a terminal needs for a text.
fn width_of(text: &str) -> usize {
    measured(text).map(|(_, width)| width).sum()
}

/// Returns the offset of the first character that does not fit the columns, not before the second
/// one.
fn overflow(text: &str, room: usize) -> Option<usize> {
    let mut used = 0;
    for (at, width) in measured(text) {
        used += width;
        if used > room && at > 0 {
            return Some(at);
        }
    }
    None
}

/// Each character's place and its columns. Sequences that set a colour have none.
fn measured(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut is_colour = false;
    let mut before = 0;
    text.char_indices().map(move |(at, character)| {
        if character == '\u{1b}' {
            is_colour = true;
        }
        if is_colour {
            is_colour = character != 'm';
            return (at, 0);
        }
        let width = match character {
            // It chooses the emoji's form of the character before it, which is wide.
            '\u{FE0F}' if before == 1 => 1,
            character => character.width().unwrap_or_default(),
        };
        before = width;
        (at, width)
    })
}

#[cfg(test)]
mod tests {
    use super::{DAY_MS, HOUR_MS, MINUTE_MS, Screen, width_of};

    const NOW: f64 = 1_767_225_600_000.0; // 2026-01-01T00:00:00Z

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        let row = |row: &&[&str]| row.iter().map(|&cell| cell.to_owned()).collect();
        rows.iter().map(row).collect()
    }

    #[test]
    fn width_counts_a_wide_character_as_two_columns() {
        for (text, width) in [
            ("plan", 4),
            ("世界", 4),
            ("🏁", 2),
            ("❤\u{FE0F}", 2),
            ("e\u{301}", 1),
            ("\u{1b}[31mred\u{1b}[0m", 3),
        ] {
            assert_eq!(width_of(text), width, "{text}");
        }
        let table = Screen::new(None).columns(&rows(&[&["世界", "a"], &["abc", "b"]]));
        assert_eq!(table, "世界  a\nabc   b\n");
    }

    #[test]
    fn a_table_fits_the_terminal() {
        let long = "a".repeat(60);
        let table = rows(&[
            &["NAME", "PHASE"],
            &[&long, &"b".repeat(30)],
            &["c", "世界世界"],
        ]);
        for width in [0, 1, 20, 33, 40, 80, 200] {
            let screen = Screen::new(Some(width));
            let most = usize::try_from(width).unwrap().max(20);
            let most = if width == 0 { 80 } else { most };
            let text = screen.columns(&table);
            assert!(
                text.lines().all(|line| width_of(line) <= most),
                "{width}: {text}"
            );
            assert_eq!(text.contains('…'), most < 92, "{width}: {text}");
        }
        assert!(Screen::new(None).columns(&table).contains(&long));
    }

    #[test]
    fn a_long_name_is_cut_before_a_time() {
        let long = "a".repeat(60);
        let table = rows(&[&["plan", "3 h ago", &long], &[&long, "just now", "b"]]);
        let text = Screen::new(Some(30)).columns(&table);
        assert!(
            text.contains("  3 h ago   ") && text.contains("  just now  "),
            "{text}"
        );
        assert!(text.lines().all(|line| width_of(line) <= 30), "{text}");
    }

    #[test]
    fn a_colour_ends_where_its_line_is_cut() {
        let red = format!("\u{1b}[31m{}\u{1b}[0m", "x".repeat(90));
        let text = Screen::new(Some(30)).columns(&rows(&[&["a", &red]]));
        assert!(text.ends_with("x…\u{1b}[0m\n"), "{text:?}");
        assert_eq!(width_of(text.trim_end()), 30);
    }

    #[test]
    fn a_wrapped_summary_fits_the_width() {
        let screen = Screen::new(Some(20));
        assert_eq!(
            screen.lines("- one two three four five\n\nsix", "  "),
            "  - one two three\n    four five\n\n  six\n"
        );
        assert_eq!(
            screen.lines(&"x".repeat(40), "  "),
            format!(
                "  {}\n  {}\n  {}\n",
                "x".repeat(18),
                "x".repeat(18),
                "x".repeat(4)
            )
        );
        assert_eq!(
            screen.lines("世界世界世界世界世界世界", ""),
            "世界世界世界世界世界\n世界\n"
        );
        assert_eq!(screen.lines("a\tb", ""), "a    b\n");
        let long = "word ".repeat(40);
        let plain = Screen::new(None).lines(&format!("{long}\n\tb"), "  ");
        assert_eq!(plain, format!("  {}\n  \tb\n", long.trim_end()));
    }

    #[test]
    fn a_terminal_showed_times_in_full_and_a_pipe_may_not_shorten_them() {
        let (terminal, pipe) = (Screen::new(Some(80)), Screen::new(None));
        let at = |ms: f64| crate::time::format(NOW - ms);
        for (before, expected) in [
            (0.0, "just now"),
            (-30_000.0, "just now"),
            (5.0 * MINUTE_MS, "5 min ago"),
            (3.5 * HOUR_MS, "3 h ago"),
            (DAY_MS, "1 day ago"),
            (13.9 * DAY_MS, "13 days ago"),
            (14.0 * DAY_MS, "2025-12-18"),
            (-HOUR_MS, "2026-01-01"),
        ] {
            assert_eq!(terminal.time(Some(&at(before)), NOW), expected);
            assert_eq!(pipe.time(Some(&at(before)), NOW), at(before));
        }
        assert_eq!(terminal.time(Some("late\u{1b}"), NOW), "late\\u{1b}");
        assert_eq!(terminal.time(None, NOW), "-");
    }
}
