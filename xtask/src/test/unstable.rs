//! Steps that failed once and passed when nothing else ran: their output in the clone, and a list of them for this
//! machine.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use indicatif::HumanDuration;
use serde_json::{Value, json};

use super::attempt::End;
use super::report::Ran;
use crate::workspace::{self, Workspace};

/// Longer reasons are cut in the list, which has a line for each.
const LONGEST_REASON: usize = 160;

/// The list, which outlives a clone.
fn list_file() -> Result<PathBuf> {
    Ok(workspace::cache()?.join("unstable.jsonl"))
}

/// Keeps the output of the first execution, and adds the step to the list. Returns the file of the output.
pub(super) fn keep(workspace: &Workspace, revision: &str, ran: &Ran) -> Result<PathBuf> {
    let End::Failed(output) = &ran.first.end else {
        anyhow::bail!("{} has not failed", ran.step());
    };
    let seconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let folder = workspace.join("target/test/unstable");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(format!("{}-{seconds}.txt", file_name(ran.step())));
    fs::write(&path, output).with_context(|| format!("cannot write {}", path.display()))?;
    append(
        &list_file()?,
        &entry(seconds, revision, ran.step(), output, &path),
    )?;
    Ok(path)
}

fn entry(seconds: u64, revision: &str, step: &str, output: &str, path: &Path) -> Value {
    json!({
        "seconds": seconds,
        "revision": revision,
        "step": step,
        "reason": reason(output),
        "output": path.to_string_lossy(),
    })
}

/// One line of the output: the first that says that something is not as expected, else the first.
fn reason(output: &str) -> String {
    let lines = || {
        output
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
    };
    let is_telling = |line: &&str| {
        ["not ok ", "error: ", "panicked at ", "assertion "]
            .iter()
            .any(|mark| line.contains(mark))
    };
    let line = lines().find(is_telling).or_else(|| lines().next());
    line.unwrap_or_default()
        .chars()
        .take(LONGEST_REASON)
        .collect()
}

/// One line, written in one call: two runs may append beside each other.
fn append(list: &Path, entry: &Value) -> Result<()> {
    let folder = list.parent().context("the list has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let opened = OpenOptions::new().create(true).append(true).open(list);
    let mut file = opened.with_context(|| format!("cannot open {}", list.display()))?;
    file.write_all(format!("{entry}\n").as_bytes())
        .with_context(|| format!("cannot write {}", list.display()))
}

/// The list for `--unstable`, newest first.
pub(super) fn list() -> Result<String> {
    let path = list_file()?;
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", path.display()));
        }
    };
    Ok(shown(&text, SystemTime::now()))
}

fn shown(text: &str, now: SystemTime) -> String {
    let mut shown = String::new();
    for line in text.lines().rev() {
        // A line that was cut off by a death is left out.
        let Ok(entry) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        let at = SystemTime::UNIX_EPOCH
            + Duration::from_secs(entry["seconds"].as_u64().unwrap_or_default());
        let age = HumanDuration(now.duration_since(at).unwrap_or_default());
        shown.push_str(&format!(
            "{} ({age} ago, at {})\n  {}\n",
            text("step"),
            text("revision"),
            text("reason")
        ));
        let output = text("output");
        if Path::new(&output).exists() {
            shown.push_str(&format!("  {output}\n"));
        }
    }
    match shown.is_empty() {
        true => "no step has been unstable on this machine\n".to_owned(),
        false => shown,
    }
}

/// The name of a step as the name of a file.
fn file_name(step: &str) -> String {
    let words = step.split(|it: char| !it.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{append, entry, file_name, reason, shown};
    use std::fs;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_list_has_the_newest_first_and_skips_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("cache/unstable.jsonl");
        let output = "ok 1\nnot ok 2 - is live\n";
        for (seconds, step) in [(1_000, "viewer"), (4_600, "corpus")] {
            let gone = Path::new("no-such-file");
            append(&list, &entry(seconds, "abc1234", step, output, gone)).unwrap();
        }
        let text = fs::read_to_string(&list).unwrap() + "{\"seconds\": 9";
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(4_600 + 7_200);
        assert_eq!(
            shown(&text, now),
            "corpus (2 hours ago, at abc1234)\n  not ok 2 - is live\n\
             viewer (3 hours ago, at abc1234)\n  not ok 2 - is live\n"
        );
    }

    #[test]
    fn an_empty_list_says_so() {
        let shown = shown("", SystemTime::UNIX_EPOCH);
        assert_eq!(shown, "no step has been unstable on this machine\n");
    }

    #[test]
    fn the_reason_is_a_line_that_says_what_went_wrong() {
        assert_eq!(reason("TAP version 13\n  not ok 3 - b\n"), "not ok 3 - b");
        assert_eq!(reason("\n  no line like that\n"), "no line like that");
        assert_eq!(reason(""), "");
    }

    #[test]
    fn a_step_s_name_is_a_file_s_name() {
        assert_eq!(
            file_name("package on Deno and Bun"),
            "package-on-deno-and-bun"
        );
        assert_eq!(file_name("LangGraph.js"), "langgraph-js");
    }
}
