//! Running other programs: quiet while all is well, with their whole output when it is not.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// A process that takes longer than this is announced where no spinner can be shown.
pub(crate) const WORTH_A_LINE: Duration = Duration::from_secs(2);

/// The certificates of a proxy, which Node reads at each start, for as long as all the rest of its start takes.
/// Of what [`run`] runs npm alone asks other hosts: its caller hands them on.
pub(crate) const CERTIFICATES: &str = "NODE_EXTRA_CA_CERTS";

/// In characters, where a failed program's output is shown.
const LONGEST_LINE: usize = 1000;

/// Runs a program to its end, under a spinner that shows its latest line, and returns what it
/// printed on standard output. Nothing reaches this process's standard output.
///
/// # Errors
///
/// The program could not be started, or did not exit with 0: then its whole output is the error.
pub(crate) fn run(label: &str, command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    if command.get_envs().all(|(name, _)| name != CERTIFICATES) {
        command.env_remove(CERTIFICATES);
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{label}: cannot start `{program}`"))?;

    let (lines, received) = mpsc::channel();
    forward(child.stdout.take(), Source::Output, lines.clone());
    forward(child.stderr.take(), Source::Errors, lines);

    let progress = Progress::start(label);
    let (mut output, mut all) = (String::new(), String::new());
    loop {
        match received.recv_timeout(Duration::from_millis(100)) {
            Ok((source, line)) => {
                progress.show(&line);
                if source == Source::Output {
                    output.push_str(&line);
                }
                push_shortened(&mut all, &line);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        progress.announce_when_slow();
    }
    let status = child
        .wait()
        .with_context(|| format!("{label}: lost `{program}`"))?;
    drop(progress);

    if !status.success() {
        bail!("{label}: `{program}` failed ({status})\n{}", all.trim_end());
    }
    Ok(output)
}

/// The stack trace of a bundle quotes its line of wasm in base64.
fn push_shortened(text: &mut String, line: &str) {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => {
            text.push_str(&line[..end]);
            text.push_str(" …\n");
        }
        None => text.push_str(line),
    }
}

/// Runs a short program and returns its trimmed standard output; `None` where it is not there or
/// fails.
pub(crate) fn stdout_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    if !output.status.success() {
        return None;
    }
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

thread_local! {
    /// The notes of this thread, while it is one of several that work in parallel.
    static NOTES: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Says on standard error what happens, where the reader would otherwise wonder.
pub(crate) fn note(text: &str) {
    NOTES.with_borrow_mut(|notes| match notes {
        Some(notes) => {
            notes.push_str(text);
            notes.push('\n');
        }
        None => undisturbed(|| eprintln!("{text}")),
    });
}

/// Runs one of several jobs: nothing of it is shown while it runs, and its notes are returned.
pub(crate) fn collecting_notes<T>(run: impl FnOnce() -> T) -> (String, T) {
    NOTES.set(Some(String::new()));
    let result = run();
    (NOTES.take().unwrap_or_default(), result)
}

/// The stream that a line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Output,
    Errors,
}

/// Sends each line of a stream, until its end.
fn forward<R>(stream: Option<R>, source: Source, lines: Sender<(Source, String)>)
where
    R: Read + Send + 'static,
{
    let Some(stream) = stream else { return };
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .is_ok_and(|length| length > 0)
        {
            let text = String::from_utf8_lossy(&line).into_owned();
            if lines.send((source, text)).is_err() {
                return;
            }
            line.clear();
        }
    });
}

/// All spinners, one below the other.
static SPINNERS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Prints where no spinner is.
pub(crate) fn undisturbed(print: impl FnOnce()) {
    SPINNERS.suspend(print);
}

/// A line on a terminal that says what happens, for as long as it lives.
pub(crate) struct Spinner(ProgressBar);

/// One with this name, if standard error is a terminal.
pub(crate) fn spinner(label: &str) -> Option<Spinner> {
    std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {wide_msg:.dim}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = SPINNERS.add(ProgressBar::new_spinner().with_style(style));
        bar.set_prefix(label.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Spinner(bar)
    })
}

impl Spinner {
    pub(crate) fn show(&self, text: &str) {
        self.0.set_message(text.trim().to_owned());
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A spinner on a terminal; elsewhere one line, as soon as the step proves slow. Nothing where notes
/// are collected.
struct Progress {
    label: String,
    started: Instant,
    spinner: Option<Spinner>,
    announced: Cell<bool>,
}

impl Progress {
    fn start(label: &str) -> Self {
        let is_silent = NOTES.with_borrow(Option::is_some);
        let spinner = if is_silent { None } else { spinner(label) };
        Self {
            label: label.to_owned(),
            started: Instant::now(),
            announced: Cell::new(is_silent || spinner.is_some()),
            spinner,
        }
    }

    fn show(&self, line: &str) {
        if let Some(spinner) = &self.spinner {
            spinner.show(line);
        }
    }

    fn announce_when_slow(&self) {
        if self.started.elapsed() >= WORTH_A_LINE && !self.announced.replace(true) {
            note(&format!("{} …", self.label));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, push_shortened};

    #[test]
    fn only_endless_lines_are_cut() {
        let mut shown = String::new();
        push_shortened(&mut shown, "short\n");
        push_shortened(&mut shown, &"é".repeat(LONGEST_LINE + 2));
        assert_eq!(shown, format!("short\n{} …\n", "é".repeat(LONGEST_LINE)));
    }
}
