//! A process that is talked to, stopped, continued and killed, and that never outlives its owner.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{self, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::signal::{self, Interrupt};

/// The interval at which a wait looks whether the run is to end.
const LOOK: Duration = Duration::from_millis(100);

/// The stream that a line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Output,
    Errors,
}

/// A started process, with its streams.
pub(crate) struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Source, String)>,
    /// The text that it wrote to standard error.
    pub(crate) errors: String,
}

/// The event that was heard of a process.
#[derive(Debug)]
pub(crate) enum Heard {
    Line(String),
    /// Its streams have ended.
    End,
    /// Nothing until that moment.
    Nothing,
}

impl Child {
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let mut process = signal::in_own_group(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{program}`"))?;
        let (sender, lines) = mpsc::channel();
        forward(process.stdout.take(), Source::Output, sender.clone());
        forward(process.stderr.take(), Source::Errors, sender);
        Ok(Self {
            input: process.stdin.take(),
            process,
            lines,
            errors: String::new(),
        })
    }

    /// Sends one line.
    pub(crate) fn say(&mut self, line: &str) -> Result<()> {
        let Some(input) = &mut self.input else {
            bail!("its standard input is closed");
        };
        let said = input.write_all(format!("{line}\n").as_bytes());
        said.with_context(|| format!("it does not listen: {}", self.errors))
    }

    /// The next line on its standard output, until a moment.
    pub(crate) fn hear(&mut self, until: Instant, interrupt: &Interrupt) -> Result<Heard> {
        loop {
            signal::check(interrupt)?;
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok((Source::Output, line)) => return Ok(Heard::Line(line)),
                Ok((Source::Errors, line)) => self.errors.push_str(&line),
                Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(Heard::Nothing),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    pub(crate) fn stop(&self) -> Result<()> {
        signal::stop(&self.process).context("cannot stop a process")
    }

    pub(crate) fn go_on(&self) -> Result<()> {
        signal::go_on(&self.process).context("cannot continue a process")
    }

    /// Kills it, whether it is stopped or not, and returns what it had said before.
    pub(crate) fn kill(&mut self) -> Result<Vec<String>> {
        self.process.kill().context("cannot kill a process")?;
        self.process.wait()?;
        let mut said = Vec::new();
        for (source, line) in self.lines.iter() {
            match source {
                Source::Output => said.push(line),
                Source::Errors => self.errors.push_str(&line),
            }
        }
        Ok(said)
    }

    /// Closes its standard input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Waits for a process whose streams have ended.
    pub(crate) fn ended(&mut self) -> Result<ExitStatus> {
        Ok(self.process.wait()?)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Of one that has ended already there is nothing to kill.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
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

/// Runs a program that prepares something, to its end.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{program}`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "`{program}` failed ({})\n{}",
            output.status,
            said.trim_end()
        );
    }
    Ok(())
}

/// Lets time pass.
pub(crate) fn wait(length: Duration, interrupt: &Interrupt) -> Result<()> {
    let until = Instant::now() + length;
    loop {
        // A failure of this type only follows the one that ended the run.
        signal::check(interrupt)?;
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        thread::sleep(left.min(LOOK));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::wait;
    use crate::signal::{Interrupt, Interrupted};

    #[test]
    fn an_interrupted_wait_shows_why_the_run_ended() {
        let interrupt = Interrupt::listen().expect("signals can be heard");
        assert!(wait(Duration::ZERO, &interrupt).is_ok());
        interrupt.raise();
        let failure = wait(Duration::from_secs(60), &interrupt).expect_err("it is raised");
        assert!(failure.is::<Interrupted>(), "{failure:?}");
    }
}
