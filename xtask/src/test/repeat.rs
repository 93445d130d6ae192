//! `--repeat N`: whole runs one after the other, and a table of how steady each step is.
//!
//! A journal has a line of JSON for each execution that ended: a repeat that was stopped goes on where it was.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::attempt::{Attempt, End, Verdict};
use super::report::Ran;

/// The executions of some whole runs so far.
pub(super) struct Journal {
    path: PathBuf,
    runs: Vec<Entry>,
}

/// One run as far as the journal has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) ran: Vec<Ran>,
    /// Once it has ended, how long it took; none where it was stopped in between.
    pub(super) end: Option<Option<Duration>>,
}

impl Journal {
    /// Opens the journal at `path` where it is of the same `key` and not complete, else begins a new one.
    pub(super) fn open(path: &Path, key: &str, runs: usize) -> Result<Self> {
        let text = fs::read_to_string(path).unwrap_or_default();
        // A death may have cut off the last line, and the next one must not continue it.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines();
        let is_same = lines.next() == Some(header(key).as_str());
        let mut journal = Self {
            path: path.to_path_buf(),
            runs: Vec::new(),
        };
        if is_same {
            for line in lines {
                journal.read(line);
            }
            let opened = OpenOptions::new().write(true).open(path);
            opened
                .and_then(|file| file.set_len(whole.len() as u64))
                .with_context(|| format!("cannot shorten {}", path.display()))?;
        }
        if !is_same || journal.complete() >= runs {
            journal.runs.clear();
            let folder = path.parent().context("the journal has a folder")?;
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            fs::write(path, header(key) + "\n")
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(journal)
    }

    /// The number of runs that have ended.
    pub(super) fn complete(&self) -> usize {
        self.runs.iter().filter(|run| run.end.is_some()).count()
    }

    /// The steps that the stopped run has already.
    pub(super) fn begun(&self) -> Vec<Ran> {
        let last = self.runs.last().filter(|run| run.end.is_none());
        last.map(|run| run.ran.clone()).unwrap_or_default()
    }

    /// Adds an execution of the present run.
    pub(super) fn add(&mut self, attempt: &Attempt) -> Result<()> {
        let (end, text) = match &attempt.end {
            End::Passed(text) => ("passed", text),
            End::Skipped(text) => ("skipped", text),
            End::Failed(text) => ("failed", text),
        };
        self.write(&json!({
            "step": attempt.step,
            "end": end,
            "text": text,
            "seconds": attempt.took.as_secs_f64(),
        }))
    }

    /// Ends the present run.
    pub(super) fn end(&mut self, took: Option<Duration>) -> Result<()> {
        self.write(&json!({ "run": took.map(|took| took.as_secs_f64()) }))
    }

    fn write(&mut self, line: &Value) -> Result<()> {
        let line = line.to_string();
        let opened = OpenOptions::new().append(true).open(&self.path);
        let mut file = opened.with_context(|| format!("cannot open {}", self.path.display()))?;
        file.write_all(format!("{line}\n").as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.read(&line);
        Ok(())
    }

    /// Takes in a line.
    fn read(&mut self, line: &str) {
        let Ok(line) = serde_json::from_str::<Value>(line) else {
            return;
        };
        if self.runs.last().is_none_or(|run| run.end.is_some()) {
            self.runs.push(Entry::default());
        }
        let Some(run) = self.runs.last_mut() else {
            return;
        };
        let seconds = |value: &Value| {
            let seconds = value.as_f64()?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        if let Some(took) = line.get("run") {
            run.end = Some(seconds(took));
            return;
        }
        let text = line["text"].as_str().unwrap_or_default().to_owned();
        let attempt = Attempt {
            step: line["step"].as_str().unwrap_or_default().to_owned(),
            end: match line["end"].as_str() {
                Some("passed") => End::Passed(text),
                Some("skipped") => End::Skipped(text),
                _ => End::Failed(text),
            },
            took: seconds(&line["seconds"]).unwrap_or_default(),
        };
        match run.ran.iter_mut().find(|ran| ran.step() == attempt.step) {
            Some(ran) => ran.second = Some(attempt),
            None => run.ran.push(Ran {
                first: attempt,
                second: None,
            }),
        }
    }

    /// Each step with the number of runs in which it passed, was unstable and failed, and its median.
    pub(super) fn table(&self) -> String {
        let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
        let mut whole = Row::default();
        for run in &self.runs {
            let mut worst = Verdict::Passed;
            for ran in &run.ran {
                let verdict = ran.verdict();
                rows.entry(ran.step())
                    .or_default()
                    .add(verdict, Some(ran.first.took));
                worst = worse(worst, verdict);
            }
            if let Some(took) = run.end {
                whole.add(worst, took);
            }
        }
        let width = rows.keys().map(|step| step.chars().count()).max();
        let width = width.unwrap_or(0).max("whole run".len());
        let mut table = format!(
            "{:<width$}  passed  unstable  failed  skipped  median\n",
            "step"
        );
        for (step, row) in rows.iter().chain([(&"whole run", &whole)]) {
            table.push_str(&format!("{step:<width$}  {}\n", row.cells()));
        }
        table
    }

    /// The number of ended runs without a failure, and with one.
    pub(super) fn totals(&self) -> (usize, usize) {
        let ended = || self.runs.iter().filter(|run| run.end.is_some());
        let is_well = |run: &&Entry| {
            let bad = [Verdict::Failed, Verdict::Violated];
            !run.ran.iter().any(|ran| bad.contains(&ran.verdict()))
        };
        let well = ended().filter(is_well).count();
        (well, ended().count() - well)
    }
}

fn header(key: &str) -> String {
    json!({ "repeat": key }).to_string()
}

fn worse(one: Verdict, other: Verdict) -> Verdict {
    let rank = |verdict| match verdict {
        Verdict::Skipped | Verdict::Passed => 0,
        Verdict::Unstable => 1,
        Verdict::Failed => 2,
        Verdict::Violated => 3,
    };
    match rank(other) > rank(one) {
        true => other,
        false => one,
    }
}

/// One row of the table.
#[derive(Default)]
struct Row {
    passed: usize,
    unstable: usize,
    failed: usize,
    skipped: usize,
    took: Vec<Duration>,
}

impl Row {
    fn add(&mut self, verdict: Verdict, took: Option<Duration>) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Unstable => self.unstable += 1,
            Verdict::Failed | Verdict::Violated => self.failed += 1,
            Verdict::Skipped => self.skipped += 1,
        }
        self.took.extend(took);
    }

    fn cells(&self) -> String {
        let mut took = self.took.clone();
        took.sort_unstable();
        let median = match took.get(took.len() / 2) {
            Some(median) => format!("{:.1} s", median.as_secs_f64()),
            None => "-".to_owned(),
        };
        format!(
            "{:>6}  {:>8}  {:>6}  {:>7}  {median:>8}",
            self.passed, self.unstable, self.failed, self.skipped
        )
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::attempt::{Attempt, End};
    use super::Journal;
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::time::Duration;

    fn attempt(step: &str, end: End, seconds: u64) -> Attempt {
        Attempt {
            step: step.to_owned(),
            end,
            took: Duration::from_secs(seconds),
        }
    }

    fn passed() -> End {
        End::Passed("3 tests".to_owned())
    }

    fn failed() -> End {
        End::Failed("not ok".to_owned())
    }

    #[test]
    fn a_stopped_repeat_goes_on_with_what_has_not_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test/repeat.jsonl");
        let mut journal = Journal::open(&path, "key", 2).unwrap();
        journal.add(&attempt("a", passed(), 1)).unwrap();
        journal.end(Some(Duration::from_secs(9))).unwrap();
        journal.add(&attempt("a", failed(), 2)).unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"step\": \"b\", \"en").unwrap();

        let mut again = Journal::open(&path, "key", 2).unwrap();
        assert_eq!(again.complete(), 1);
        let begun = again.begun();
        assert_eq!(begun.len(), 1, "the line that was cut off is left out");
        assert_eq!(begun[0].first, attempt("a", failed(), 2));
        assert_eq!(begun[0].second, None, "its second execution is to come");

        again.add(&attempt("b", passed(), 3)).unwrap();
        let last = Journal::open(&path, "key", 2).unwrap().begun();
        assert_eq!(
            last.len(),
            2,
            "what follows a cut line is a line of its own"
        );
    }

    #[test]
    fn another_key_or_a_complete_repeat_begins_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("repeat.jsonl");
        let mut journal = Journal::open(&path, "key", 1).unwrap();
        journal.add(&attempt("a", passed(), 1)).unwrap();
        assert_eq!(Journal::open(&path, "key", 1).unwrap().begun().len(), 1);
        journal.end(None).unwrap();
        assert_eq!(Journal::open(&path, "key", 1).unwrap().complete(), 0);

        let mut journal = Journal::open(&path, "key", 2).unwrap();
        journal.add(&attempt("a", passed(), 1)).unwrap();
        assert!(Journal::open(&path, "other", 2).unwrap().begun().is_empty());
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "{\"repeat\":\"other\"}\n"
        );
    }

    #[test]
    fn the_table_counts_each_step_and_the_whole_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(&folder.path().join("r.jsonl"), "key", 3).unwrap();
        journal.add(&attempt("a", passed(), 1)).unwrap();
        journal.add(&attempt("long name", passed(), 10)).unwrap();
        journal.end(Some(Duration::from_secs(11))).unwrap();
        journal.add(&attempt("a", failed(), 3)).unwrap();
        journal.add(&attempt("long name", passed(), 30)).unwrap();
        journal.add(&attempt("a", passed(), 1)).unwrap();
        journal.end(None).unwrap();
        journal.add(&attempt("a", failed(), 2)).unwrap();
        journal.add(&attempt("a", failed(), 2)).unwrap();
        journal.add(&attempt("long name", passed(), 20)).unwrap();
        journal.end(Some(Duration::from_secs(22))).unwrap();
        let expected = "\
step       passed  unstable  failed  skipped  median
a               1         1       1        0     2.0 s
long name       3         0       0        0    20.0 s
whole run       1         1       1        0    22.0 s
";
        assert_eq!(journal.table(), expected);
        assert_eq!(journal.totals(), (2, 1));
    }
}
