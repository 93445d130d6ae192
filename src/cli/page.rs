//! The common parts of pages: colours, names, and the progress of a run. Pure: from values to text.

use crate::checkpoint::command::gate::GateVerdict;
use crate::checkpoint::command::progress::Progress;
use crate::error::Target;
use crate::git::head::short;
use crate::operation::command::save::Saved;
use crate::text::{visible, visible_lines};

use super::answer::CliAnswer;

/// Stands where there is nothing to show.
pub(super) const NOTHING: &str = "-";

/// Stands for the name of a phase: a shell refuses it where it is copied with its command.
pub(super) const ANY_NAME: &str = "<NAME>";
/// Stands for a summary, in the same way.
pub(super) const ANY_TEXT: &str = "<TEXT>";

const GOOD: &str = "\u{1b}[32m";
const BAD: &str = "\u{1b}[31m";
const HEADING: &str = "\u{1b}[1m";
/// The end of each of them.
const END: &str = "\u{1b}[0m";

/// The beginning of every sequence of a terminal.
const ESCAPE: char = '\u{1b}';

/// Colours for a terminal, or nothing at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint(pub(super) bool);

impl Paint {
    pub(super) fn good(self, text: &str) -> String {
        self.wrap(GOOD, text)
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.wrap(BAD, text)
    }

    pub(super) fn heading(self, text: &str) -> String {
        self.wrap(HEADING, text)
    }

    /// A page as it may be printed: of all that a terminal acts on it keeps lines, tabs and the styles above, and
    /// what is hidden is visible.
    pub(super) fn harmless(self, page: &str) -> String {
        let mut printed = String::with_capacity(page.len());
        let mut rest = page;
        while let Some(at) = rest.find(ESCAPE).filter(|_| self.0) {
            let (before, style) = rest.split_at(at);
            printed.push_str(&visible_lines(before));
            let styles = [GOOD, BAD, HEADING, END];
            let known = styles.into_iter().find(|known| style.starts_with(*known));
            match known {
                Some(known) => printed.push_str(known),
                None => printed.push_str(&visible(&style[..ESCAPE.len_utf8()])),
            }
            rest = &style[known.map_or(ESCAPE.len_utf8(), str::len)..];
        }
        printed.push_str(&visible_lines(rest));
        printed
    }

    /// Spaces at the end stay without a style, so that a line which ends with them loses them.
    fn wrap(self, style: &str, text: &str) -> String {
        let shown = text.trim_end();
        if !self.0 || shown.is_empty() {
            return text.to_owned();
        }
        format!("{style}{shown}{END}{}", &text[shown.len()..])
    }
}

/// The sentence that a run was saved, and as which revision.
pub(super) fn saved(target: &Target, saved: Saved) -> CliAnswer {
    let text = format!("{}\n", saved_line(target, &saved));
    CliAnswer::confirmation(text, saved)
}

/// The line of [`saved`] without its end, for more words behind it.
pub(super) fn saved_line(target: &Target, saved: &Saved) -> String {
    let title = target.title();
    let revision = saved.revision;
    match (saved.changed, saved.merged) {
        (false, _) => format!("{title}: nothing to change, still at revision {revision}"),
        (true, false) => format!("{title}: saved revision {revision}"),
        (true, true) => {
            format!("{title}: saved revision {revision}, merged with what others changed")
        }
    }
}

/// The phase in progress, or the number of those.
pub(super) fn in_progress(progress: &Progress) -> Option<String> {
    let count = |count: u64, status: &str| (count > 0).then(|| format!("{count} {status}"));
    let current = progress.current_phase.as_deref().map(visible);
    let (in_progress, failed) = match (progress.in_progress, progress.failed, current) {
        (1, failed, Some(current)) => (Some(current.into_owned()), count(failed, "failed")),
        (0, 1, Some(current)) => (None, Some(format!("{current} failed"))),
        (in_progress, failed, _) => (count(in_progress, "in progress"), count(failed, "failed")),
    };
    let both: Vec<String> = in_progress.into_iter().chain(failed).collect();
    (!both.is_empty()).then(|| both.join(", "))
}

/// A number with what it counts: `1 task`, `2 tasks`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// Returns the word for a gate, with the commit that an open one holds for.
pub(super) fn gate_in_words(verdict: &GateVerdict) -> String {
    match (verdict.open, &verdict.head_commit) {
        (true, Some(commit)) => format!("open for {}", short(commit)),
        (true, None) => "open".to_owned(),
        (false, _) => "closed".to_owned(),
    }
}

/// Returns the number of phases that are done, of all.
pub(super) fn done(progress: &Progress) -> String {
    format!("{}/{}", progress.done(), progress.total())
}

#[cfg(test)]
mod tests {
    use super::{Paint, gate_in_words};
    use crate::checkpoint::command::gate::GateVerdict;

    #[test]
    fn an_open_gate_names_the_commit_that_it_holds_for() {
        let verdict = |open, head_commit: Option<&str>| GateVerdict {
            open,
            blockers: Vec::new(),
            head_commit: head_commit.map(str::to_owned),
        };
        for (verdict, words) in [
            (verdict(true, Some("d36b6b4a1e2f")), "open for d36b6b4"),
            (verdict(true, None), "open"),
            (verdict(false, Some("d36b6b4a1e2f")), "closed"),
        ] {
            assert_eq!(gate_in_words(&verdict), words);
        }
    }

    #[test]
    fn a_printed_page_has_its_own_styles_and_no_other_sequence() {
        let painted = Paint(true);
        let page = [
            painted.heading("design"),
            painted.good("a"),
            painted.bad("b"),
        ]
        .join("\n\t");
        assert_eq!(painted.harmless(&page), page);
        for (text, shown) in [
            ("\u{1b}[2Jx", "\\u{1b}[2Jx"),
            ("\u{1b}\u{1b}[31mx", "\\u{1b}\u{1b}[31mx"),
            ("a\u{202e}b\u{1b}", "a\\u{202e}b\\u{1b}"),
            ("\u{1b}[0m\u{fe0f}", "\u{1b}[0m\\u{fe0f}"),
        ] {
            assert_eq!(painted.harmless(text), shown);
        }
        let plain = Paint(false);
        assert_eq!(plain.harmless("a\u{1b}[31m\r\n"), "a\\u{1b}[31m\\u{d}\n");
    }
}
