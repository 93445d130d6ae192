//! Requests and replies as JSON text, so that every host gives the same bytes.
//!
//! A request names the operation and its arguments; whole documents and patches are carried as
//! text inside it, so that they stay exact. A reply is `{"ok":true,"value":…,"warnings":[…]}` or
//! `{"ok":false,"error":{…},"warnings":[…]}`.

use std::cell::RefCell;

use crate::effect::{Io, Machine, Sync, apart};
use crate::error::{Advice, Error, ErrorKind, Warning};
use crate::handoff::{self, Policy};
use crate::json::{self, Json, Object};
use crate::schema::Problem;
use crate::store::{Retention, Stamp};
use crate::text::quoted;

use super::command::Saved;
use super::command::{overview, repair, revisions};
use super::{Noticed, Reply, Settings, Target, project, text};

/// Starts the operation that a request asks for; the machine ends with the reply.
pub fn start(request: &[u8]) -> Machine<String> {
    let parsed = Request::parse(request);
    Machine::start(|io| async move {
        let reply = match parsed {
            Ok(request) => perform(&io, &request).await,
            Err(error) => Reply {
                result: Err(error),
                warnings: Vec::new(),
            },
        };
        to_text(reply)
    })
}

async fn perform(io: &Io, request: &Request) -> Reply<Json> {
    let (result, warnings) = match dispatch(io, request).await {
        Ok(reply) => (reply.result, reply.warnings),
        Err(error) => (Err(error), Vec::new()),
    };
    let reply = request.noticed.take().reply(result);
    Reply {
        result: reply.result,
        warnings: [reply.warnings, warnings].concat(),
    }
}

/// The outer error is a request that is wrong in itself.
async fn dispatch(io: &Io, request: &Request) -> Result<Reply<Json>, Error> {
    use super::command as on;
    let operation = request.text("operation")?;
    if let Some(value) = pure(operation, request)? {
        return Ok(value);
    }
    let settings = &request.place()?;
    let target = || request.target();
    Ok(match operation {
        "load" => match request.number("revision")? {
            None => value(apart(on::load(io, settings, &target()?)).await),
            Some(number) => value(apart(revisions::load(io, settings, &target()?, number)).await),
        },
        "save" => with_text(apart(on::save(io, settings, &target()?, request.text("text")?)).await),
        "update_phase" => {
            let patch = request.object("patch")?;
            let update = on::PhaseUpdate {
                phase: request.text("phase")?,
                patch: &patch,
                task: request.optional_text("task")?,
            };
            value(apart(on::update_phase(io, settings, &target()?, &update)).await)
        }
        "complete" => value(apart(on::complete(io, settings, &target()?)).await),
        "resume_point" => value(apart(on::resume_point(io, settings, &target()?)).await),
        "gate" => value(apart(on::gate(io, settings, &target()?)).await),
        "list" => value(apart(overview::list(io, settings)).await),
        "latest" => value(apart(overview::latest(io, settings)).await),
        "log" => value(apart(revisions::log(io, settings, &target()?)).await),
        "diff" => {
            let (from, to) = (request.number("from")?, request.number("to")?);
            value(apart(revisions::diff(io, settings, &target()?, from, to)).await)
        }
        "undo" => {
            let undo = repair::Undo {
                to: request.number("to")?,
                seen: request.stamp()?.map(repair::Seen::State),
            };
            value(apart(repair::undo(io, settings, &target()?, &undo)).await)
        }
        "recover" => value(
            apart(repair::recover(
                io,
                settings,
                &target()?,
                request.number("to")?,
            ))
            .await,
        ),
        "trim" => {
            let (revisions, days) = (request.number("revisions")?, request.number("days")?);
            value(apart(repair::trim(io, settings, &target()?, revisions, days)).await)
        }
        "load_integrations" => value(apart(project::load_integrations(io, settings)).await),
        other => {
            return Err(Error::usage(format!(
                "There is no operation {}",
                quoted(other)
            )));
        }
    })
}

/// Operations that ask for no effect.
fn pure(operation: &str, request: &Request) -> Result<Option<Reply<Json>>, Error> {
    Ok(Some(match operation {
        "validate" => verdict(text::validate(request.text("text")?)),
        "check_handoff_request" => handed_on(text::check_handoff_request(request.text("text")?)),
        "check_handoff_response" => {
            let name = request.text("policy")?;
            let policy = Policy::parse(name).ok_or_else(|| {
                let known = Policy::ALL.map(Policy::as_str).join(", ");
                Error::usage(format!(
                    "Expected `policy` to be one of {known}, got {}",
                    quoted(name)
                ))
            })?;
            handed_on(text::check_handoff_response(request.text("text")?, policy))
        }
        _ => return Ok(None),
    }))
}

fn verdict(reply: Reply<Vec<Problem>>) -> Reply<Json> {
    let value = |problems: Vec<Problem>| {
        let valid = Json::from(problems.is_empty());
        Object::new()
            .with("valid", valid)
            .with("problems", problems_json(&problems))
            .into()
    };
    Reply {
        result: reply.result.map(value),
        warnings: reply.warnings,
    }
}

fn handed_on(reply: Reply<handoff::Checked>) -> Reply<Json> {
    let value = |checked: handoff::Checked| {
        Object::new()
            .with("valid", checked.problems.is_empty())
            .with("problems", problems_json(&checked.problems))
            .with("text", checked.document.to_document())
            .into()
    };
    Reply {
        result: reply.result.map(value),
        warnings: reply.warnings,
    }
}

struct Request {
    object: Object,
    /// What reading it, and the JSON in its texts, had to settle.
    noticed: RefCell<Noticed>,
}

impl Request {
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let reading = json::read(bytes).map_err(|malformed| {
            Error::usage(format!("Expected the request to be JSON: {malformed}"))
        })?;
        let mut noticed = Noticed::default();
        noticed.reading(
            "The request",
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        match reading.value {
            Json::Object(object) => Ok(Request {
                object,
                noticed: RefCell::new(noticed),
            }),
            other => Err(Error::usage(format!(
                "Expected the request to be an object, got {}",
                other.kind()
            ))),
        }
    }

    fn text(&self, key: &str) -> Result<&str, Error> {
        self.optional_text(key)?
            .ok_or_else(|| Error::usage(format!("Expected `{key}` to be a string, got nothing")))
    }

    fn optional_text(&self, key: &str) -> Result<Option<&str>, Error> {
        optional_text(&self.object, key)
    }

    fn number(&self, key: &str) -> Result<Option<u64>, Error> {
        optional_number(&self.object, key)
    }

    /// The state that the caller has seen, where it says so.
    fn stamp(&self) -> Result<Option<Stamp>, Error> {
        match (self.number("revision")?, self.optional_text("seal")?) {
            (None, None) => Ok(None),
            (Some(revision), Some(seal)) => Ok(Some(Stamp {
                revision,
                seal: seal.to_owned(),
            })),
            _ => Err(Error::usage(
                "Expected `revision` and `seal` together: they name the state that was seen"
                    .to_owned(),
            )),
        }
    }

    /// A text that holds a JSON object.
    fn object(&self, key: &str) -> Result<Object, Error> {
        self.noticed.borrow_mut().object(key, self.text(key)?)
    }

    fn target(&self) -> Result<Target, Error> {
        Ok(Target {
            command: self.text("command")?.to_owned(),
            feature: self.optional_text("feature")?.map(str::to_owned),
        })
    }

    fn place(&self) -> Result<Settings, Error> {
        match self.object.get("place") {
            Some(Json::Object(settings)) => parse_place(settings),
            _ => Err(Error::usage("Expected `place` to be an object".to_owned())),
        }
    }
}

/// The place that a request names.
pub(crate) fn parse_place(settings: &Object) -> Result<Settings, Error> {
    let text = |key: &str| optional_text(settings, key).map(|text| text.map(str::to_owned));
    let durability = match optional_text(settings, "durability")? {
        None | Some("durable") => Sync::Durable,
        Some("lazy") => Sync::Lazy,
        Some(other) => {
            return Err(Error::usage(format!(
                "Expected `durability` to be \"durable\" or \"lazy\", got {}",
                quoted(other)
            )));
        }
    };
    let history = match settings.get("history") {
        None | Some(Json::Null) => Retention::default(),
        Some(Json::Object(history)) => {
            let given = |key: &str| optional_number(history, key);
            Retention::default().with(given("revisions")?, given("days")?)?
        }
        Some(other) => {
            return Err(Error::usage(format!(
                "Expected `history` to be an object, got {}",
                other.kind()
            )));
        }
    };
    Ok(Settings {
        root: text("root")?,
        git_root: text("git_root")?,
        working: text("working")?.unwrap_or_else(|| ".".to_owned()),
        dir: text("dir")?,
        durability,
        history,
    })
}

fn optional_text<'a>(object: &'a Object, key: &str) -> Result<Option<&'a str>, Error> {
    match object.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(Error::usage(format!(
            "Expected `{key}` to be a string, got {}",
            other.kind()
        ))),
    }
}

fn optional_number(object: &Object, key: &str) -> Result<Option<u64>, Error> {
    match object.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(|| {
            Error::usage(format!(
                "Expected `{key}` to be a whole number, got {}",
                value.kind()
            ))
        }),
    }
}

fn value<T>(reply: Reply<T>) -> Reply<Json>
where
    Json: From<T>,
{
    Reply {
        result: reply.result.map(Json::from),
        warnings: reply.warnings,
    }
}

/// A whole document that was saved comes back as it is stored: filled in, and perhaps merged.
fn with_text(reply: Reply<Saved>) -> Reply<Json> {
    let value = |saved: Saved| {
        let text = saved.object.to_document();
        let mut value = Json::from(saved);
        if let Some(object) = value.as_object_mut() {
            object.set("text", text);
        }
        value
    };
    Reply {
        result: reply.result.map(value),
        warnings: reply.warnings,
    }
}

fn to_text(reply: Reply<Json>) -> String {
    let warnings: Vec<Json> = reply.warnings.iter().map(warning_json).collect();
    let (ok, key, content) = match reply.result {
        Ok(value) => (true, "value", value),
        Err(error) => (false, "error", error_json(&error)),
    };
    let reply = Object::new()
        .with("ok", ok)
        .with(key, content)
        .with("warnings", warnings);
    Json::Object(reply).to_line()
}

/// A warning as replies and `--json` show it.
pub(crate) fn warning_json(warning: &Warning) -> Json {
    Object::new()
        .with("code", warning.code.as_str())
        .with("message", warning.message.as_str())
        .into()
}

/// A failure as replies and `--json` show it.
pub(crate) fn error_json(error: &Error) -> Json {
    let mut object = Object::new();
    object.set("code", error.code().as_str());
    object.set("message", error.to_string());
    object.set("written", error.written().as_str());
    match error.kind() {
        ErrorKind::InvalidDocument(problems) => object.set("problems", problems_json(problems)),
        ErrorKind::SummaryTooLong { at, .. } => object.set("at", at.as_str()),
        ErrorKind::Conflict { fields, .. } => object.set("fields", fields.clone()),
        ErrorKind::Corrupt {
            path, last_good, ..
        } => {
            object.set("path", path.as_str());
            object.set("last_good", *last_good);
        }
        ErrorKind::Busy { path } | ErrorKind::UnsafePath { path, .. } => {
            object.set("path", path.as_str());
        }
        ErrorKind::Io { effect, path, .. } => {
            object.set("effect", *effect);
            if !path.is_empty() {
                object.set("path", path.as_str());
            }
        }
        _ => {}
    }
    if let Some(advice) = error.advice() {
        object.set("advice", advice_json(advice));
    }
    object.into()
}

fn advice_json(advice: &Advice) -> Json {
    let object = Object::new().with("kind", advice.as_str());
    match advice.target() {
        Some(target) => object
            .with("command", target.command.as_str())
            .with("feature", target.feature.clone()),
        None => object,
    }
    .into()
}

/// Problems as replies and `--json` show them.
pub(crate) fn problems_json(problems: &[Problem]) -> Json {
    let one = |problem: &Problem| {
        Object::new()
            .with("at", problem.at.as_str())
            .with("code", problem.code.as_str())
            .with("message", problem.message.as_str())
    };
    problems.iter().map(one).collect::<Vec<_>>().into()
}
