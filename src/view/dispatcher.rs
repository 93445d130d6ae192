//! From a question as text to its answer as text.

use crate::blocking::operation::wire::{error_json, warning_json};
use crate::error::Error;
use crate::json::{self, Json, Object};
use crate::text::quoted;

use super::frames::Frames;
use super::shown::shown;
use super::tasks;
use super::viewer::Viewer;
use super::{blame, compare, operation, overview, position, revision, tick, timeline};
use super::{file, sessions};
use super::{thread, threads};

/// Answers one kind of query.
type QueryHandler = fn(&mut Viewer, &Object) -> Result<Json, Error>;

/// Every kind of query, and what answers it.
const QUERIES: &[(&str, QueryHandler)] = &[
    ("tick", tick::answer),
    ("overview", overview::answer),
    ("position", position::answer),
    ("timeline", timeline::answer),
    ("revision", revision::answer),
    ("compare", compare::answer),
    ("file", file::answer),
    ("blame", blame::answer),
    ("sessions", sessions::answer),
    ("tasks", tasks::answer),
    ("threads", threads::answer),
    ("thread", thread::answer),
    ("operation", operation::answer),
    ("shown", clean),
];

/// Takes frames and answers questions.
#[derive(Debug)]
pub struct Dispatcher {
    viewer: Viewer,
    frames: Frames,
    /// Why what came last was no frame. Nothing is read from then on.
    broken: Option<Error>,
}

impl Default for Dispatcher {
    fn default() -> Self {
        Dispatcher {
            viewer: Viewer::new(),
            frames: Frames::default(),
            broken: None,
        }
    }
}

impl Dispatcher {
    /// Takes a part of the stream of frames.
    pub fn take(&mut self, part: &[u8]) {
        let Dispatcher {
            viewer,
            frames,
            broken,
        } = self;
        if broken.is_none() {
            *broken = frames.take(part, |frame| viewer.apply(frame)).err();
        }
    }

    /// Answers a question, which is JSON text: `{"value":…,"warnings":[…]}`, or `{"error":{…}}`, or
    /// `{"wants":[…]}` where something has to be brought first.
    pub fn query(&mut self, question: &[u8]) -> String {
        let answered = match &self.broken {
            Some(error) => Err(error.clone()),
            None => self.answer(question),
        };
        let (requests, warnings) = self.viewer.end();
        let warnings = warnings.iter().map(warning_json).map(shown);
        let warnings: Vec<Json> = warnings.collect();
        let answer = match answered {
            _ if !requests.is_empty() => Object::new().with("wants", requests),
            Ok(value) => Object::new()
                .with("value", value)
                .with("warnings", warnings),
            Err(error) => Object::new()
                .with("error", shown(error_json(&error)))
                .with("warnings", warnings),
        };
        answer.to_line()
    }

    fn answer(&mut self, question: &[u8]) -> Result<Json, Error> {
        let reading = json::read(question).map_err(|malformed| {
            Error::usage(format!("Expected the question to be JSON: {malformed}"))
        })?;
        let Json::Object(question) = reading.value else {
            let message = "Expected the question to be an object";
            return Err(Error::usage(message.to_owned()));
        };
        let name = question.get("query").and_then(Json::as_str);
        let name = name.unwrap_or_default();
        let found = QUERIES.iter().find(|(known, _)| *known == name);
        let unknown = || Error::usage(format!("There is no question {}", quoted(name)));
        let (_, answer) = found.ok_or_else(unknown)?;
        self.viewer.begin(&question);
        answer(&mut self.viewer, &question)
    }
}

/// A value that the source has from elsewhere, such as what an examination found: its texts made visible.
fn clean(_: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let value = question.get("value").cloned().unwrap_or(Json::Null);
    Ok(shown(value))
}
