//! From a question as text to its answer as text.

use crate::blocking::operation::wire::{error_json, warning_json};
use crate::checkpoint::thread::steps::ThreadSteps;
use crate::error::Error;
use crate::json::{self, Json, Object};
use crate::schema::{Kind, Shaped, published};
use crate::text::quoted;

use super::blame::{self, Blame};
use super::compare::{self, Comparison};
use super::frames::Frames;
use super::operation;
use super::overview::{self, OverviewAnswer};
use super::position::{self, PositionAnswer};
use super::revision::{self, VersionPage};
use super::shown::shown;
use super::tasks;
use super::tick::{self, Tick};
use super::timeline::{self, Timeline};
use super::viewer::Viewer;
use super::{file, sessions};
use super::{thread, threads};

/// Answers one kind of query.
type QueryHandler = fn(&mut Viewer, &Object) -> Result<Json, Error>;

/// A kind of query, and what answers it.
pub(super) struct QueryKind {
    pub(super) name: &'static str,
    answer: QueryHandler,
    /// The kind of its answer; `None` in a wasm that publishes no definitions.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "native builds print the types")
    )]
    pub(super) kind: Option<Kind>,
}

impl QueryKind {
    const fn new<A: Shaped>(name: &'static str, answer: QueryHandler) -> Self {
        QueryKind {
            name,
            answer,
            kind: match published("-").is_empty() {
                true => None,
                false => Some(A::KIND),
            },
        }
    }
}

/// Every kind of query.
pub(super) const QUERIES: &[QueryKind] = &[
    QueryKind::new::<Tick>("tick", tick::answer),
    QueryKind::new::<OverviewAnswer>("overview", overview::answer),
    QueryKind::new::<PositionAnswer>("position", position::answer),
    QueryKind::new::<Timeline>("timeline", timeline::answer),
    QueryKind::new::<VersionPage>("revision", revision::answer),
    QueryKind::new::<Comparison>("compare", compare::answer),
    QueryKind::new::<file::FilePage>("file", file::answer),
    QueryKind::new::<Blame>("blame", blame::answer),
    QueryKind::new::<sessions::SessionsAnswer>("sessions", sessions::answer),
    QueryKind::new::<tasks::TasksAnswer>("tasks", tasks::answer),
    QueryKind::new::<threads::Threads>("threads", threads::answer),
    QueryKind::new::<ThreadSteps>("thread", thread::answer),
    QueryKind::new::<Json>("operation", operation::answer),
    QueryKind::new::<Json>("shown", clean),
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
        let found = QUERIES.iter().find(|known| known.name == name);
        let unknown = || Error::usage(format!("There is no question {}", quoted(name)));
        let kind = found.ok_or_else(unknown)?;
        self.viewer.begin(&question);
        (kind.answer)(&mut self.viewer, &question)
    }
}

/// A value that the source has from elsewhere, such as what an examination found: its texts made visible.
fn clean(_: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let value = question.get("value").cloned().unwrap_or(Json::Null);
    Ok(shown(value))
}
