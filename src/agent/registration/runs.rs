//! The results of registered lines, which only a host that starts programs can run.

use std::time::Duration;

use crate::json::Json;

/// The result of one line that was run as an agent runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRun {
    /// The line.
    pub command: String,
    /// The time that an event which means nothing takes, where it was measured; or the reason why the line does not
    /// work.
    pub result: Result<Option<Duration>, String>,
}

/// The results of several lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineRuns(Vec<LineRun>);

impl LineRuns {
    /// The results of these lines.
    pub fn new(runs: Vec<LineRun>) -> Self {
        LineRuns(runs)
    }

    /// Reads the list of a host: objects with `command`, and `failure` where it failed, or `us`, the microseconds of an
    /// event, where they were measured.
    pub fn read(reported: Option<&Json>) -> Self {
        let reported = reported.and_then(Json::as_array).unwrap_or_default();
        let of = |run: &Json| {
            let run = run.as_object()?;
            let text = |key: &str| Some(run.get(key)?.as_str()?.to_owned());
            let time = run.get("us").and_then(Json::as_u64);
            Some(LineRun {
                command: text("command")?,
                result: match text("failure") {
                    Some(failure) => Err(failure),
                    None => Ok(time.map(Duration::from_micros)),
                },
            })
        };
        LineRuns(reported.iter().filter_map(of).collect())
    }

    /// The result of these lines: that of the first that did not work, or else of the first; `None` where the host ran
    /// none of them.
    pub fn of(&self, commands: &[String]) -> Option<&Result<Option<Duration>, String>> {
        let ran = |run: &&LineRun| commands.contains(&run.command);
        let mut runs = self.0.iter().filter(ran).map(|run| &run.result);
        let first = runs.next()?;
        match first {
            Err(_) => Some(first),
            Ok(_) => Some(runs.find(|result| result.is_err()).unwrap_or(first)),
        }
    }
}
