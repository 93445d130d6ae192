//! Runs that hooks keep in files because the database that their command names could not be used when an event arrived.

use crate::agent::{self, CommandWords};
use crate::json::{Json, Object};

/// The database that could not be used, and why.
#[derive(Clone, Copy, Debug)]
pub struct KeptInFiles<'a> {
    /// The variable that holds the connection string; `None` for those that the driver knows.
    pub variable: Option<&'a str>,
    /// The project in the database.
    pub project: &'a str,
    /// The reason that it could not be used; `None` where the variable is not set.
    pub reason: Option<&'a str>,
}

impl<'a> KeptInFiles<'a> {
    /// Reads the member that a host puts into a request.
    pub(super) fn read(request: Option<&'a Object>) -> Option<Self> {
        let object = request?;
        let text = |key: &str| object.get(key).and_then(Json::as_str);
        Some(KeptInFiles {
            variable: text("variable"),
            project: text("project")?,
            reason: text("reason"),
        })
    }

    /// The sentence that a session is given as it starts.
    pub(super) fn sentence(&self, words: &CommandWords<'_>) -> String {
        agent::kept_in_files(words, self.variable, self.project, self.reason)
    }
}
