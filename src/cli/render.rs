//! Answers, for people and for programs. Pure: from values to text.

use std::fmt::Write;

use crate::checkpoint::command::gate;
use crate::json::Object;
use crate::operation::Target;
use crate::operation::command::Saved;
use crate::operation::command::overview::{Latest, Listed};
use crate::operation::command::repair::{Recovered, Restored};
use crate::operation::command::revisions::{Diff, LogEntry};
use crate::operation::project::{Made, MadeOutcome};
use crate::operation::request::problems_json;
use crate::schema::Problem;
use crate::store::Trimmed;
use crate::text::visible;

use super::answer::{Answer, Exit};

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

pub(super) fn init(made: &[Made]) -> Answer {
    let mut text = String::new();
    let mut lacking = String::new();
    let mut items = Vec::new();
    for Made { path, outcome } in made {
        let mut item = Object::from_iter([("path", path.as_str())]);
        // The folder of documents has the name that the caller gave it.
        let path = visible(path);
        let word = match outcome {
            MadeOutcome::Created => "created",
            MadeOutcome::Kept => "kept",
            MadeOutcome::MissingSection(_) => "missing_section",
        };
        item.set("outcome", word);
        if let MadeOutcome::MissingSection(section) = outcome {
            item.set("section", section.as_str());
            let section = section.trim();
            let _ = write!(
                lacking,
                "\n{path} is yours and stays as it is. Please add:\n\n{section}\n"
            );
        }
        items.push(item);
        let word = if word == "created" { word } else { "kept" };
        let _ = writeln!(text, "{word:7}  {path}");
    }
    if lacking.is_empty() {
        Answer::confirmation(text, items)
    } else {
        Answer::data(text + &lacking, items)
    }
}

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

pub(super) fn undone(target: &Target, restored: Restored) -> Answer {
    let title = title(target);
    let Restored {
        revision,
        restored: from,
        ..
    } = restored;
    let text = match restored.changed {
        true => {
            format!("{title}: saved revision {revision}, with the content of revision {from}\n")
        }
        false => format!("{title}: nothing to change, still at revision {revision}\n"),
    };
    Answer::confirmation(text, restored)
}

pub(super) fn recovered(target: &Target, recovered: Recovered) -> Answer {
    let Restored {
        revision,
        restored: from,
        ..
    } = recovered.restored;
    let mut text = format!(
        "{}: saved revision {revision}, with the content of revision {from}\n",
        title(target)
    );
    if let Some(copy) = &recovered.quarantined {
        let _ = writeln!(text, "The corrupt file is kept as {}", visible(copy));
    }
    Answer::confirmation(text, recovered)
}

pub(super) fn trimmed(target: &Target, trimmed: Trimmed) -> Answer {
    let title = title(target);
    let kept = trimmed.kept;
    let text = match trimmed.removed.as_slice() {
        [] => format!("{title}: nothing to remove, {kept} revisions are kept\n"),
        [only] => format!("{title}: removed revision {only}, {kept} are kept\n"),
        [first, .., last] => format!(
            "{title}: removed {} revisions, {first} to {last}; {kept} are kept\n",
            trimmed.removed.len()
        ),
    };
    Answer::confirmation(text, trimmed)
}

/// A resume point that holds something.
pub(super) fn resume(latest: Latest, paint: Paint) -> Answer {
    let Latest { target, point } = &latest;
    let mut text = format!("command  {}\n", visible(&target.command));
    if let Some(feature) = &target.feature {
        let _ = writeln!(text, "feature  {}", visible(feature));
    }
    let phase = point.phase.as_deref().unwrap_or(NOTHING);
    let _ = writeln!(text, "phase    {}", paint.heading(&visible(phase)));
    if let Some(summary) = &point.summary {
        let _ = write!(text, "\n{}", lines(summary, ""));
    }
    Answer::data(text, latest)
}

pub(super) fn status(listed: Vec<Listed>, paint: Paint) -> Answer {
    if listed.is_empty() {
        return Answer::data("No checkpoints\n".to_owned(), listed);
    }
    let heading = ["COMMAND", "FEATURE", "REVISION", "DONE", "UPDATED", "PHASE"];
    let mut rows = vec![heading.map(str::to_owned)];
    rows.extend(listed.iter().map(|one| status_row(one, paint)));
    Answer::data(columns(&rows), listed)
}

fn status_row(one: &Listed, paint: Paint) -> [String; 6] {
    let command = visible(&one.target.command).into_owned();
    let feature = one.target.feature.as_deref().unwrap_or(NOTHING);
    let feature = visible(feature).into_owned();
    let nothing = || NOTHING.to_owned();
    if let Some(problem) = &one.problem {
        let problem = paint.bad(&visible(problem));
        return [command, feature, nothing(), nothing(), nothing(), problem];
    }
    let under_way = usize::from(one.current_phase.is_some());
    let phase = match (&one.completed_at, &one.current_phase) {
        (Some(_), _) => paint.good("complete"),
        (None, Some(phase)) => visible(phase).into_owned(),
        (None, None) => nothing(),
    };
    let updated = one.updated_at.as_deref().unwrap_or(NOTHING);
    [
        command,
        feature,
        one.revision.to_string(),
        format!(
            "{}/{}",
            one.completed,
            one.completed + one.pending + under_way
        ),
        visible(updated).into_owned(),
        phase,
    ]
}

pub(super) fn gate(verdict: gate::Verdict, paint: Paint) -> Answer {
    let (word, exit) = match verdict.open {
        true => (paint.good("open"), Exit::Done),
        false => (paint.bad("closed"), Exit::No),
    };
    let mut text = format!("{word}\n");
    for blocker in &verdict.blockers {
        text.push_str(&lines(blocker, "  "));
    }
    Answer::data(text, verdict).with_exit(exit)
}

/// One line for each revision.
pub(super) fn log(entries: Vec<LogEntry>, paint: Paint) -> Answer {
    let oldest = entries.len().saturating_sub(1);
    let rows: Vec<[String; 3]> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| {
            let updated = entry.updated_at.as_deref().unwrap_or(NOTHING);
            [
                entry.revision.to_string(),
                visible(updated).into_owned(),
                match entry.altered {
                    true => paint.bad("altered: its digest does not hold"),
                    false => what_changed(entry, at == oldest),
                },
            ]
        })
        .collect();
    Answer::data(columns(&rows), entries)
}

/// What says most of what changed, which is one harmless line, and how many changes more there are.
fn what_changed(entry: &LogEntry, is_oldest: bool) -> String {
    if let Some(same) = entry.same_as {
        return format!("as revision {same} again");
    }
    let Some(first) = entry.changes.first() else {
        return match entry.revision {
            1 => "created".to_owned(),
            _ if is_oldest => "the oldest that is kept".to_owned(),
            _ => "no change".to_owned(),
        };
    };
    // The lists of the state follow from what becomes of a phase.
    let of_a_phase = entry.changes.iter().find(|it| it.starts_with("phase "));
    let change = of_a_phase.unwrap_or(first);
    match entry.changes.len() - 1 {
        0 => change.clone(),
        more => format!("{change} (+{more} more)"),
    }
}

pub(super) fn diff(diff: Diff) -> Answer {
    let mut text = String::new();
    for change in &diff.changes {
        text.push_str(&lines(&change.to_string(), ""));
    }
    if diff.changes.is_empty() {
        let _ = writeln!(text, "Revisions {} and {} are the same", diff.from, diff.to);
    }
    Answer::data(text, diff.patch)
}

pub(super) fn tokens(count: u64, limit: Option<u64>) -> Answer {
    let valid = limit.is_none_or(|limit| count <= limit);
    let mut json = Object::new();
    json.set("valid", valid);
    json.set("tokenCount", count);
    json.set("limit", limit);
    Answer::data(format!("{count}\n"), json).with_exit(if valid { Exit::Done } else { Exit::No })
}

/// The problems of one validated file.
#[derive(Debug)]
pub(super) struct Validated {
    pub(super) file: String,
    pub(super) problems: Vec<Problem>,
}

pub(super) fn validated(files: &[Validated], paint: Paint) -> Answer {
    let mut text = String::new();
    let mut items = Vec::new();
    for Validated { file, problems } in files {
        let verdict = match problems.len() {
            0 => paint.good("valid"),
            1 => paint.bad("1 problem"),
            more => paint.bad(&format!("{more} problems")),
        };
        let _ = writeln!(text, "{}: {verdict}", visible(file));
        for problem in problems {
            text.push_str(&lines(&problem.to_string(), "  "));
        }
        let mut item = Object::new();
        item.set("file", file.as_str());
        item.set("valid", problems.is_empty());
        item.set("problems", problems_json(problems));
        items.push(item);
    }
    let valid = files.iter().all(|file| file.problems.is_empty());
    Answer::data(text, items).with_exit(if valid { Exit::Done } else { Exit::No })
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
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
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

#[cfg(test)]
mod tests {
    use super::init;
    use crate::operation::project::{Made, MadeOutcome};

    #[test]
    fn a_folder_whose_name_holds_an_escape_is_named_without_acting_on_it() {
        let made = Made {
            path: "a\u{1b}[31m".to_owned(),
            outcome: MadeOutcome::Created,
        };
        assert_eq!(init(&[made]).text, "created  a\\u{1b}[31m\n");
    }
}
