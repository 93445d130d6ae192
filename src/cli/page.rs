//! What pages have in common: colours, names, lines and columns. Pure: from values to text.

use crate::error::Target;
use crate::operation::command::save::Saved;
use crate::text::visible;

use super::answer::Answer;

/// Stands where there is nothing to show.
pub(super) const NOTHING: &str = "-";

/// Colours for a terminal, or nothing at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint(pub(super) bool);

impl Paint {
    pub(super) fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.wrap("31", text)
    }

    pub(super) fn heading(self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn wrap(self, style: &str, text: &str) -> String {
        match self.0 {
            true => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }
}

/// How sentences name a checkpoint.
pub(super) fn title(target: &Target) -> String {
    match &target.feature {
        Some(feature) => visible(&format!("{} (feature {feature})", target.command)).into_owned(),
        None => visible(&target.command).into_owned(),
    }
}

/// That a checkpoint was saved, and as which revision.
pub(super) fn saved(target: &Target, saved: Saved) -> Answer {
    let title = title(target);
    let revision = saved.revision;
    let text = match (saved.changed, saved.merged) {
        (false, _) => format!("{title}: nothing to change, still at revision {revision}\n"),
        (true, false) => format!("{title}: saved revision {revision}\n"),
        (true, true) => {
            format!("{title}: saved revision {revision}, merged with what others changed\n")
        }
    };
    Answer::confirmation(text, saved)
}

/// Stored text with its own line breaks, each line after `indent`.
pub(super) fn lines(text: &str, indent: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // A tab is a control character, and harmless.
        let parts: Vec<_> = line.split('\t').map(visible).collect();
        let line = format!("{indent}{}", parts.join("\t"));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Aligned columns. Only the last one may hold colours or characters of unknown width.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    widths[N - 1] = 0;
    let mut text = String::new();
    for row in rows {
        let cells: Vec<_> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        text.push_str(&cells.join("  "));
        text.push('\n');
    }
    text
}
