//! Requests and replies as JSON text, so that every host gives the same bytes.
//!
//! A request is an object with the operation's name, its place, and its arguments; documents and
//! patches in it are JSON. It is checked by the shape of the operation's arguments.
//!
//! A request about a text that may be invalid JSON can have it behind itself: NUL, the request, NUL, and the text as it
//! is, in place of the argument `text`. Between quotes, where each quote and each line of it is an escape, writing and
//! reading it would take longer than judging it.

#[cfg(threads)]
use std::rc::Rc;

use crate::effect::{Io, Machine, Sync};
use crate::error::Error;
use crate::error::whole;
use crate::extent::IS_WHOLE;
use crate::json::{self, Json, MAX_DEPTH, Object};
use crate::root::{Alias, Settings};
use crate::schema::{ArgumentMembers, Kind, Shape};
use crate::store::{Retention, Storage};
use crate::text::quoted;

use super::row::{Arguments, Operation, OperationFunction};
use super::table;
use super::wire::Ended;
use super::{Reply, Warnings};

/// A document may be nested [`MAX_DEPTH`] deep by itself.
const DEPTH: usize = MAX_DEPTH + 1;

/// Starts the operation of a request, JSON text; the machine ends with the reply, JSON text too:
/// `{"ok":true,"value":…,"warnings":[…]}` or `{"ok":false,"error":{…},"warnings":[…]}`.
///
/// Nothing is an error of this function: a request that is not valid has a reply as well, with the code `usage` and
/// before any effect. `written` of a failure says whether the operation has stored anything.
///
/// ```
/// use milepost::operation::request::start;
///
/// let request = br#"{"operation": "validate", "document": {"command": "design"}}"#;
/// let reply = start(request).run(|effect| panic!("a rule needs no host: {effect:?}"));
/// assert!(reply.starts_with(r#"{"ok":true,"value":{"valid":false,"problems":["#), "{reply}");
///
/// let reply = start(br#"{"operation": "fly"}"#).run(|effect| panic!("{effect:?}"));
/// assert!(reply.starts_with(r#"{"ok":false,"error":{"code":"usage","#), "{reply}");
/// ```
pub fn start(request: &[u8]) -> Machine<String> {
    machine(request).map(|ended| ended.text)
}

/// The machine for a host that sees a failure beside the reply.
pub fn machine(request: &[u8]) -> Machine<Ended> {
    let parsed = ParsedRequest::read(request);
    Machine::start(|io| async move { parsed.answer(&io).await })
}

/// A parsed request.
pub struct ParsedRequest {
    request: Result<Request, Error>,
    warnings: Warnings,
}

impl ParsedRequest {
    /// Reads a request. One that is wrong is answered with its failure.
    pub fn read(request: &[u8]) -> Self {
        let mut warnings = Warnings::default();
        let request = Request::parse(request, &mut warnings);
        ParsedRequest { request, warnings }
    }

    /// Runs the operation that was asked for.
    pub async fn answer(self, io: &Io) -> Ended {
        Ended::new(self.reply(io).await)
    }

    /// Runs the request, and returns the reply as a value.
    pub async fn reply(self, io: &Io) -> Reply<Json> {
        let done = match self.request {
            Ok(request) => request.perform(io).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        let of_request = self.warnings.reply(done.result);
        Reply {
            result: of_request.result,
            warnings: [of_request.warnings, done.warnings].concat(),
        }
    }
}

struct Request {
    run: OperationFunction,
    settings: Option<Settings>,
    arguments: Arguments,
}

impl Request {
    fn parse(bytes: &[u8], warnings: &mut Warnings) -> Result<Self, Error> {
        let (bytes, text) = divided(bytes)?;
        let reading = json::read_within(bytes, DEPTH).map_err(|malformed| {
            Error::usage(sentence!("Expected the request to be JSON: {malformed}"))
        })?;
        if reading.duplicate_key.is_some() || reading.text_replaced {
            whole::needed()?;
        }
        warnings.reading(
            "The request",
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        check(&RequestMembers::SHAPE, &reading.value)?;
        let Json::Object(mut object) = reading.value else {
            return Err(Error::usage(
                "Expected the request to be an object".to_owned(),
            ));
        };
        let operation = named(&object)?;
        #[cfg(threads)]
        let (text, shared_text) = match text {
            Some(text) if operation.shares_text => (None, Some(Rc::new(text.to_owned()))),
            text => (text, None),
        };
        if let Some(text) = text {
            object.set("text", text);
        }
        let settings = match operation.has_place() {
            true => Some(settings(object.remove("place").unwrap_or(Json::Null))?),
            false => None,
        };
        expect_known(operation.name, operation.arguments, &object)?;
        let arguments = Json::Object(object);
        check(operation.arguments, &arguments)?;
        let Json::Object(members) = arguments else {
            return Err(Error::usage(
                "Expected the request to be an object".to_owned(),
            ));
        };
        Ok(Request {
            run: operation.run,
            settings,
            arguments: Arguments {
                members,
                #[cfg(threads)]
                shared_text,
            },
        })
    }

    async fn perform(&self, io: &Io) -> Reply<Json> {
        match (self.run, &self.settings) {
            (OperationFunction::At(run), Some(settings)) => {
                run(io, settings, &self.arguments).await
            }
            (OperationFunction::Alone(run), _) => run(&self.arguments),
            (OperationFunction::At(_), None) => {
                let error = Error::usage("Expected `place` to be an object".to_owned());
                Warnings::default().reply(Err(error))
            }
        }
    }
}

/// The request, and the text behind it, if it says that there is one.
fn divided(bytes: &[u8]) -> Result<(&[u8], Option<&str>), Error> {
    let Some(bytes) = bytes.strip_prefix(b"\0") else {
        return Ok((bytes, None));
    };
    let length = bytes.iter().take_while(|byte| **byte != 0).count();
    let text = str::from_utf8(bytes.get(length + 1..).unwrap_or_default());
    let text = text
        .map_err(|_| Error::usage("Expected the text behind the request to be UTF-8".to_owned()))?;
    Ok((&bytes[..length], Some(text)))
}

fn named(object: &Object) -> Result<&'static Operation, Error> {
    let RequestMembers { operation: name } = RequestMembers::read(object);
    table::find(name)
        .ok_or_else(|| Error::usage(sentence!("There is no operation {}", quoted(name))))
}

/// The members that any request may have, valid or not: its own, and a checkpoint.
const COMMON: [&str; 4] = ["operation", "place", "command", "feature"];

/// Refuses an unknown member: a misspelt one would silently not count.
fn expect_known(name: &str, shape: &Shape, object: &Object) -> Result<(), Error> {
    let is_known =
        |key: &str| COMMON.contains(&key) || shape.fields.iter().any(|field| field.name == key);
    let Some((key, _)) = object.iter().find(|(key, _)| !is_known(key)) else {
        return Ok(());
    };
    whole::needed()?;
    let names: Vec<&str> = shape.fields.iter().map(|field| field.name).collect();
    let known = match names.is_empty() {
        true => "it takes none".to_owned(),
        false => sentence!("known are {}", names.join(", ")),
    };
    let key = quoted(key);
    Err(Error::usage(sentence!(
        "`{name}` has no option {key}; {known}"
    )))
}

/// Refuses a value that has not this shape, with every problem.
fn check(shape: &Shape, value: &Json) -> Result<(), Error> {
    let problems = shape.problems(value);
    if problems.is_empty() {
        return Ok(());
    }
    whole::needed()?;
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Err(Error::usage(sentence!(
        "The request is wrong: {}",
        lines.join("; ")
    )))
}

/// A request; the arguments of its operation stand beside these.
#[derive(ArgumentMembers)]
#[shape(name = "Request")]
struct RequestMembers<'a> {
    /// The operation's name.
    operation: &'a str,
}

/// The location that an operation works on.
#[derive(ArgumentMembers)]
#[shape(name = "Place")]
pub(super) struct PlaceMembers<'a> {
    /// The root that the caller chose.
    root: Option<String>,
    /// The value of `GIT_ROOT`.
    git_root: Option<String>,
    /// The working folder; `.` by default.
    working: Option<String>,
    /// Another name of the working folder, or of one above it.
    alias: Option<FolderAlias<'a>>,
    /// The state folder, relative to the root or absolute.
    dir: Option<String>,
    /// The durability of a change; `durable` by default.
    #[shape(kind = Kind::Enum(&["durable", "lazy"]))]
    durability: Option<&'a str>,
    /// The storage that the host keeps documents in; files by default.
    #[shape(kind = Kind::Enum(&["files", "records"]))]
    storage: Option<&'a str>,
    /// The limits of the history that is kept.
    history: Option<HistoryLimits>,
}

/// Another name of a folder, which a symbolic link gives it.
#[derive(ArgumentMembers)]
struct FolderAlias<'a> {
    /// The other name, absolute.
    name: &'a str,
    /// The name by which the rest of the place knows it, absolute.
    folder: &'a str,
}

/// The limits of the history that is kept.
#[derive(ArgumentMembers)]
#[shape(name = "History")]
struct HistoryLimits {
    /// So many replaced revisions; 50 by default.
    revisions: Option<u64>,
    /// None that is older than so many days.
    days: Option<u64>,
}

/// The settings that the `place` of a request has.
pub(crate) fn settings(place: Json) -> Result<Settings, Error> {
    check(&PlaceMembers::SHAPE, &place)?;
    let Json::Object(object) = place else {
        return Err(Error::usage("Expected `place` to be an object".to_owned()));
    };
    expect_known("place", &PlaceMembers::SHAPE, &object)?;
    let place = PlaceMembers::read(&object);
    let history = match place.history {
        None => Retention::default(),
        Some(limits) => Retention::default().with(limits.revisions, limits.days)?,
    };
    Ok(Settings {
        root: place.root,
        git_root: place.git_root,
        working: place.working.unwrap_or_else(|| ".".to_owned()),
        // Hooks have none, since their paths are not typed.
        alias: place.alias.filter(|_| IS_WHOLE).map(|alias| Alias {
            name: alias.name.to_owned(),
            folder: alias.folder.to_owned(),
        }),
        dir: place.dir,
        durability: match place.durability {
            Some("lazy") => Sync::Lazy,
            _ => Sync::Durable,
        },
        history,
        storage: match place.storage {
            Some("records") => {
                whole::needed()?;
                Storage::Records
            }
            _ => Storage::Files,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::start;
    use crate::json::Json;

    fn reply_to(request: &[u8]) -> String {
        start(request).run(|effect| panic!("{effect:?} of a rule"))
    }

    fn quoted(operation: &str, text: &str) -> String {
        let text = Json::from(text).to_line();
        reply_to(format!(r#"{{"operation":"{operation}","text":{text}}}"#).as_bytes())
    }

    fn behind(operation: &str, text: &[u8]) -> String {
        let request = format!("\0{{\"operation\":\"{operation}\"}}\0");
        reply_to(&[request.as_bytes(), text].concat())
    }

    #[test]
    fn a_text_behind_a_request_is_judged_as_between_quotes() {
        let texts = [
            "",
            "{}",
            "[]",
            "\0",
            "{\"command\":\0}",
            "{\n  \"command\": \"design\",\n  \"version\": 2,\n  \"own\": \"\\ud800 \\u2019\"\n}\n",
            "{}, \"operation\": \"remove\"",
            "\u{FEFF}{\"a\": 1, \"a\": 2}",
            "“quotes” — \"quotes\"",
        ];
        for text in texts {
            for operation in [
                "validate",
                "check_handoff_request",
                "check_handoff_response",
            ] {
                let expected = quoted(operation, text);
                assert_eq!(behind(operation, text.as_bytes()), expected, "{text:?}");
            }
        }
    }

    #[test]
    fn a_text_behind_a_request_that_takes_none_is_refused() {
        let reply = behind("location", b"{}");
        assert!(reply.contains("usage"), "{reply}");
    }

    #[test]
    fn bytes_behind_a_request_that_are_not_utf_8_are_refused() {
        let reply = behind("validate", b"{\"a\": \"\xFF\"}");
        assert!(reply.contains("UTF-8"), "{reply}");
    }
}
