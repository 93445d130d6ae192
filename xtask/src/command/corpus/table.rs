//! Host × scenarios × SHA-256, and where two hosts differ.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::stamp;

/// The length of the part of a line that is shown around the first difference, in characters.
const AROUND: usize = 100;

/// The answers of the hosts.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
    /// The first difference of the first host that differs.
    difference: Option<String>,
    /// The outcomes of the first host.
    expected: String,
}

#[derive(Debug)]
struct Row {
    host: &'static str,
    scenarios: usize,
    sha256: String,
}

impl Table {
    /// Adds a host's outcomes; the first host's are what the others are compared with.
    pub(super) fn add(&mut self, host: &'static str, outcomes: &Path) -> Result<()> {
        let outcomes =
            fs::read_to_string(outcomes).with_context(|| format!("{host} left no outcomes"))?;
        self.add_text(host, outcomes);
        Ok(())
    }

    fn add_text(&mut self, host: &'static str, outcomes: String) {
        self.rows.push(Row {
            host,
            scenarios: outcomes.lines().count(),
            sha256: stamp::sha256(outcomes.as_bytes()),
        });
        if self.rows.len() == 1 {
            self.expected = outcomes;
        } else if self.difference.is_none() && self.expected != outcomes {
            self.difference = Some(difference(
                self.rows[0].host,
                &self.expected,
                host,
                &outcomes,
            ));
        }
    }

    /// One line that says what was equal.
    pub(crate) fn summary(&self) -> String {
        let first = &self.rows[0];
        format!(
            "{} hosts × {} scenarios, SHA-256 {}",
            self.rows.len(),
            first.scenarios,
            &first.sha256[..16]
        )
    }

    /// Fails unless all hosts gave the same bytes.
    pub(crate) fn verdict(&self) -> Result<()> {
        match &self.difference {
            None => Ok(()),
            Some(difference) => bail!("the hosts do not agree\n{difference}"),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| host | scenarios | SHA-256 over all outcomes |")?;
        write!(f, "|---|---|---|")?;
        for row in &self.rows {
            write!(f, "\n| {} | {} | {} |", row.host, row.scenarios, row.sha256)?;
        }
        Ok(())
    }
}

/// The first line in which two hosts differ, around the place.
fn difference(first: &str, expected: &str, second: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    let Some((number, (expected, found))) = lines.find(|(_, (one, other))| one != other) else {
        return format!("{first} and {second} have outcomes of different length");
    };
    let equal = expected
        .chars()
        .zip(found.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let shown = |line: &str| -> String {
        let start = equal.saturating_sub(AROUND);
        line.chars().skip(start).take(2 * AROUND).collect()
    };
    format!(
        "scenario {} differs after {equal} characters\n{first}: …{}…\n{second}: …{}…",
        number + 1,
        shown(expected),
        shown(found)
    )
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn table(texts: [&str; 3]) -> Table {
        let mut table = Table::default();
        for (host, text) in ["a", "b", "c"].into_iter().zip(texts) {
            table.add_text(host, text.to_owned());
        }
        table
    }

    #[test]
    fn one_byte_of_one_host_that_differs_fails() {
        assert!(table(["x\ny\n", "x\ny\n", "x\ny\n"]).verdict().is_ok());
        let verdict = table(["x\ny\n", "x\ny\n", "x\nz\n"]).verdict();
        let text = verdict.expect_err("they differ").to_string();
        assert!(
            text.contains("scenario 2") && text.contains("c: …z…"),
            "{text}"
        );
    }

    #[test]
    fn a_host_that_stops_halfway_fails() {
        assert!(table(["x\ny\n", "x\n", "x\ny\n"]).verdict().is_err());
    }
}
