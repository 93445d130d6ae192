//! Cargo, whose words are shown only where something is wrong.

use std::ffi::OsStr;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use launch::Board;

/// The result of a build, and what cargo and the compiler said that a reader has to see.
pub(crate) enum Built {
    UpToDate(String),
    Failed(ExitCode, String),
}

/// The words by which cargo reports its own work.
const STATUS: [&str; 10] = [
    "Adding",
    "Blocking",
    "Building",
    "Compiling",
    "Downloaded",
    "Downloading",
    "Finished",
    "Fresh",
    "Locking",
    "Updating",
];

/// Cargo's own, for a compilation that failed.
const FAILED: u8 = 101;

/// Brings the program of a package up to date.
pub(crate) fn tool(
    cargo: &OsStr,
    root: &Path,
    package: &str,
    board: &Board,
) -> Result<Built, String> {
    let mut child = Command::new(cargo)
        .current_dir(root)
        .args(["build", "--package", package])
        // Into a pipe as to a terminal, because its bar has the number of crates.
        .env("CARGO_TERM_PROGRESS_WHEN", "always")
        .env("CARGO_TERM_PROGRESS_WIDTH", "80")
        .env("CARGO_TERM_QUIET", "false")
        .env("CARGO_TERM_COLOR", "never")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let mut said = Said::default();
    if let Some(stream) = child.stderr.take() {
        pieces(stream, |piece| {
            if let Some(progress) = progress(piece) {
                board.detail(&progress);
            } else {
                if piece.trim_start().starts_with("Blocking") {
                    board.detail("waits for another cargo in this clone");
                }
                said.hear(piece);
            }
        });
    }
    let status = child
        .wait()
        .map_err(|error| format!("lost cargo: {error}"))?;
    if status.success() {
        return Ok(Built::UpToDate(said.remarks));
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(Built::Failed(
        ExitCode::from(code.unwrap_or(FAILED)),
        said.all,
    ))
}

#[derive(Default)]
struct Said {
    all: String,
    remarks: String,
}

impl Said {
    fn hear(&mut self, line: &str) {
        self.all.push_str(line);
        self.all.push('\n');
        let first = line.split_whitespace().next().unwrap_or_default();
        if !STATUS.contains(&first) {
            self.remarks.push_str(line);
            self.remarks.push('\n');
        }
    }
}

/// Each line of a stream, and each state of a line that is drawn over.
fn pieces(stream: impl Read, mut take: impl FnMut(&str)) {
    let mut piece = Vec::new();
    for byte in BufReader::new(stream).bytes().map_while(Result::ok) {
        if byte != b'\n' && byte != b'\r' {
            piece.push(byte);
            continue;
        }
        let text = String::from_utf8_lossy(&piece);
        // Cargo wipes its bar with an escape or blanks before it prints a line.
        let text = text.trim_start_matches("\u{1b}[K");
        if byte == b'\n' || !text.trim().is_empty() {
            take(text);
        }
        piece.clear();
    }
}

/// `27 of 164 crates`, where a piece is cargo's bar.
fn progress(piece: &str) -> Option<String> {
    let (bar, rest) = piece
        .trim_start()
        .strip_prefix("Building [")?
        .split_once("] ")?;
    let is_bar = bar.chars().all(|it| matches!(it, '=' | '>' | ' ' | '-'));
    let (done, all) = rest.split(':').next()?.trim().split_once('/')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    (is_bar && is_number(done) && is_number(all)).then(|| format!("{done} of {all} crates"))
}

#[cfg(test)]
mod tests {
    use super::{Said, pieces, progress};

    #[test]
    fn bar_of_cargo_is_read_as_a_count() {
        let bar = "    Building [=====>                   ] 27/164: syn, serde_core";
        assert_eq!(progress(bar).as_deref(), Some("27 of 164 crates"));
        assert_eq!(progress("    Building [====> ] x/164: syn"), None);
        assert_eq!(progress("error: Building [==] 1/2"), None);
    }

    #[test]
    fn line_that_is_drawn_over_is_a_piece_for_each_state() {
        let mut heard = Vec::new();
        pieces(&b"a\n\n    \rb\r\x1b[Kc\n"[..], |piece| {
            heard.push(piece.to_owned());
        });
        assert_eq!(heard, ["a", "", "b", "c"]);
    }

    #[test]
    fn success_shows_warnings_and_no_status() {
        let mut said = Said::default();
        for line in [
            "   Compiling a v1.0.0",
            "warning: unused",
            "  --> a.rs",
            "    Finished `dev`",
        ] {
            said.hear(line);
        }
        assert_eq!(said.remarks, "warning: unused\n  --> a.rs\n");
        assert_eq!(said.all.lines().count(), 4);
    }
}
