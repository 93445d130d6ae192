//! A writer or reader: a process that answers line by line, or one for each request.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cast::{Cast, Host, Script};
use crate::child::{Child, Heard};
use crate::signal::Interrupt;

/// A process that is not stopped and gives no answer for so long never will: an operation ends after 5 s.
const PATIENCE: Duration = Duration::from_secs(60);

/// The command of all checkpoints of a run; they differ in the feature.
pub(crate) const COMMAND: &str = "implement";

/// The request to a process.
#[derive(Clone, Debug)]
pub(crate) enum Request<'a> {
    /// A phase of this name, through the operation for phases.
    Phase(&'a str),
    /// The change, through a compare-and-swap of the whole document.
    Save(&'a str),
    Read,
}

/// The answer of a process to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) text: String,
    /// The warnings, where all is well.
    warning: String,
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The revision that was written, or read.
    Revision(u64),
    Refused(Refusal),
}

impl Answer {
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        match self {
            Answer::Refused(refusal) => Some(refusal),
            Answer::Revision(_) => None,
        }
    }
}

/// The error of a failed operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) message: String,
    /// True if it leaves open that the operation is written, or says so: it was not acknowledged,
    /// and may be there.
    pub(crate) may_be_there: bool,
}

/// So often an undisturbed operation is asked for: a disk may be as slow as that.
pub(crate) const MOST_TRIES: usize = 20;

/// The result of an operation that is retried while it is refused as `busy`.
pub(crate) fn patiently<T>(
    mut ask: impl FnMut() -> Result<T>,
    refused: impl Fn(&T) -> Option<&Refusal>,
) -> Result<T> {
    let mut answer = ask()?;
    for _ in 1..MOST_TRIES {
        if refused(&answer).is_none_or(|refusal| refusal.code != "busy") {
            break;
        }
        answer = ask()?;
    }
    Ok(answer)
}

impl Refusal {
    /// Of which nothing was written.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Refusal {
            code: code.to_owned(),
            message: message.into(),
            may_be_there: false,
        }
    }
}

/// A writer or reader on a host.
pub(crate) struct Actor<'a> {
    cast: &'a Cast,
    host: Host,
    root: &'a Path,
    interrupt: &'a Interrupt,
    /// Where a process serves one request, none in between.
    child: Option<Child>,
    /// The part of an answer that it has said.
    said: String,
}

impl<'a> Actor<'a> {
    /// Starts it, and waits until it listens.
    pub(crate) fn start(
        cast: &'a Cast,
        host: Host,
        script: Script,
        root: &'a Path,
        interrupt: &'a Interrupt,
    ) -> Result<Self> {
        let mut actor = Actor {
            cast,
            host,
            root,
            interrupt,
            child: None,
            said: String::new(),
        };
        if !host.is_command_line() {
            let mut child = Child::start(&mut cast.script(host, script, root))?;
            match child.hear(Instant::now() + PATIENCE, interrupt)? {
                Heard::Line(line) if line.contains("ready") => {}
                heard => bail!("{} did not start: {heard:?} {}", host.name(), child.errors),
            }
            actor.child = Some(child);
        }
        Ok(actor)
    }

    /// Asks, without waiting for the answer.
    pub(crate) fn ask(&mut self, request: &Request<'_>, feature: &str) -> Result<()> {
        let words = match request {
            // One process is one operation: the command line has no load and save in one.
            Request::Phase(operation) | Request::Save(operation) => {
                vec![
                    "phase",
                    COMMAND,
                    operation,
                    "complete",
                    "--feature",
                    feature,
                ]
            }
            Request::Read => vec!["show", COMMAND, "--feature", feature],
        };
        let line = match request {
            Request::Phase(operation) => format!("phase {feature} {operation}"),
            Request::Save(operation) => format!("save {feature} {operation}"),
            Request::Read => format!("read {feature}"),
        };
        self.say(&words, &line)
    }

    /// Asks with the words of the command line or with a line for a script, whichever the host takes.
    pub(crate) fn say(&mut self, words: &[&str], line: &str) -> Result<()> {
        if self.host.is_command_line() {
            let mut call = self.cast.call(self.host, self.root, words);
            let mut child = Child::start(&mut call)?;
            child.close();
            self.child = Some(child);
            return Ok(());
        }
        self.child.as_mut().context("no process")?.say(line)
    }

    /// The answer, if it comes before a moment.
    pub(crate) fn answer(&mut self, until: Instant) -> Result<Option<Answer>> {
        self.hear(until)?.map(|said| said.answer()).transpose()
    }

    /// The answer, however long it takes.
    pub(crate) fn whole_answer(&mut self) -> Result<Answer> {
        self.hear_all()?.answer()
    }

    /// Returns what it says, if it does before a moment.
    pub(crate) fn hear(&mut self, until: Instant) -> Result<Option<Said>> {
        loop {
            let child = self.child.as_mut().context("nothing was asked")?;
            match child.hear(until, self.interrupt)? {
                Heard::Line(line) => self.said.push_str(&line),
                Heard::Nothing => return Ok(None),
                Heard::End if self.host.is_command_line() => return self.end_of_call().map(Some),
                Heard::End => bail!("{} ended by itself\n{}", self.host.name(), child.errors),
            }
            if !self.host.is_command_line() {
                return Ok(Some(Said::new(std::mem::take(&mut self.said))));
            }
        }
    }

    /// Returns what it says, however long it takes.
    pub(crate) fn hear_all(&mut self) -> Result<Said> {
        let said = self.hear(Instant::now() + PATIENCE)?;
        said.with_context(|| format!("no answer on {} for {PATIENCE:?}", self.host.name()))
    }

    /// The result of a call of the command line: its exit code has to say that all is well.
    fn end_of_call(&mut self) -> Result<Said> {
        let mut child = self.child.take().context("nothing was asked")?;
        let text = std::mem::take(&mut self.said);
        let status = child.ended()?;
        let errors = std::mem::take(&mut child.errors);
        // With 1, an answer says "no".
        let is_no = status.code() == Some(1) && serde_json::from_str::<Value>(&text).is_ok();
        match status.success() || is_no {
            true => Ok(Said {
                text,
                warning: errors,
            }),
            // After the warnings, a line each.
            false => match errors.lines().last() {
                Some(error) if serde_json::from_str::<Value>(error).is_ok() => {
                    Ok(Said::new(error.to_owned()))
                }
                _ => bail!("{} ended with {status}: {text}{errors}", self.host.name()),
            },
        }
    }

    pub(crate) fn stop(&self) -> Result<()> {
        self.child.as_ref().map_or(Ok(()), Child::stop)
    }

    pub(crate) fn go_on(&self) -> Result<()> {
        self.child.as_ref().map_or(Ok(()), Child::go_on)
    }

    /// Kills it, and returns what it had answered before. An answer counts as soon as it is said.
    pub(crate) fn kill(self) -> Result<Option<Answer>> {
        // Half an answer does not count.
        Ok(parse(&self.silence()?).ok())
    }

    /// Kills it, and returns what it had said before, which may be half of an answer.
    pub(crate) fn silence(mut self) -> Result<String> {
        let mut said = std::mem::take(&mut self.said);
        if let Some(mut child) = self.child.take() {
            said.extend(child.kill()?);
        }
        Ok(said)
    }

    /// Lets it end, which it does by itself.
    pub(crate) fn end(mut self) -> Result<()> {
        let Some(mut child) = self.child.take() else {
            return Ok(());
        };
        child.close();
        match child.hear(Instant::now() + PATIENCE, self.interrupt)? {
            Heard::End if child.ended()?.success() => Ok(()),
            _ => bail!("{} did not end well\n{}", self.host.name(), child.errors),
        }
    }
}

impl Said {
    fn new(text: String) -> Self {
        Said {
            text,
            warning: String::new(),
        }
    }

    /// A warning that any of these checkpoints has does not count.
    fn answer(&self) -> Result<Answer> {
        match self.warning.trim_end() {
            "" => parse(&self.text),
            warning => Ok(Answer::Refused(Refusal::new("warning", warning))),
        }
    }
}

/// The refusal in an answer, if it is one.
pub(crate) fn refusal(answer: &Value) -> Option<Refusal> {
    let error = answer.get("error")?;
    let text = |name| error.get(name).and_then(Value::as_str).unwrap_or_default();
    Some(Refusal {
        // A process that does not say what was written has to have written nothing.
        may_be_there: matches!(text("written"), "yes" | "unknown"),
        ..Refusal::new(text("code"), text("message"))
    })
}

/// Parses the answer that the scripts and the command line have in common.
fn parse(said: &str) -> Result<Answer> {
    let unclear = || format!("not an answer: {said}");
    let answer: Value = serde_json::from_str(said).with_context(unclear)?;
    if let Some(refusal) = refusal(&answer) {
        return Ok(Answer::Refused(refusal));
    }
    let revision = answer.get("revision").and_then(Value::as_u64);
    Ok(Answer::Revision(revision.with_context(unclear)?))
}

#[cfg(test)]
mod tests {
    use super::{Answer, Refusal, parse};

    #[test]
    fn half_an_answer_acknowledges_nothing() {
        assert!(parse("{ \"revision\": 12").is_err());
        assert!(parse("").is_err());
    }

    #[test]
    fn a_refusal_that_may_have_written_may_be_there() {
        for (written, expected) in [
            (r#""no""#, false),
            (r#""yes""#, true),
            (r#""unknown""#, true),
            (r#""perhaps""#, false),
            ("null", false),
        ] {
            let said = format!(r#"{{"error":{{"code":"io","written":{written}}}}}"#);
            let Answer::Refused(refusal) = parse(&said).expect("it is an answer") else {
                panic!("{said} is a refusal");
            };
            assert_eq!(refusal.may_be_there, expected, "{written}");
        }
    }

    #[test]
    fn a_refusal_and_a_revision_are_answers() {
        let refused = parse(r#"{"error":{"code":"busy","message":"held"}}"#).expect("it is one");
        assert_eq!(refused, Answer::Refused(Refusal::new("busy", "held")));
        assert_eq!(
            parse("{\n  \"revision\": 3,\n  \"seal\": \"x\"\n}\n").expect("one"),
            Answer::Revision(3)
        );
    }
}
