//! The results of registered lines, which only a host that starts programs can run.

use crate::json::Json;

/// Lines that were run once, as an agent runs them, each with the reason why it did not work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineRuns(Vec<(String, Option<String>)>);

impl LineRuns {
    /// Reads the list of a host: objects with `command`, and `failure` where it failed.
    pub fn read(reported: Option<&Json>) -> Self {
        let reported = reported.and_then(Json::as_array).unwrap_or_default();
        let of = |run: &Json| {
            let text = |key: &str| Some(run.as_object()?.get(key)?.as_str()?.to_owned());
            Some((text("command")?, text("failure")))
        };
        LineRuns(reported.iter().filter_map(of).collect())
    }

    /// The result of these lines: the reason of the first that did not work, `Ok` where one did; `None` where the host
    /// ran none of them.
    pub fn of(&self, commands: &[String]) -> Option<Result<(), &str>> {
        let mut runs = self
            .0
            .iter()
            .filter(|(command, _)| commands.contains(command));
        let first = runs.next()?;
        let failed = first
            .1
            .as_deref()
            .or(runs.find_map(|(_, failure)| failure.as_deref()));
        Some(failed.map_or(Ok(()), Err))
    }
}
