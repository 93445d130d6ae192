//! Scenarios written by hand, one file for each rule, with what is expected of them.

use anyhow::{Context, Result, anyhow, bail};
use milepost::json::{self, Json, Object};

use crate::run::{Native, Run};
use crate::scenario::{Scenario, Setting, Step};
use crate::world::World;

/// A scenario and what it leads to.
#[derive(Clone, Debug)]
pub struct Hand {
    /// As every host runs it.
    pub scenario: Scenario,
    /// What each step answers, as far as it matters.
    replies: Vec<Option<Json>>,
    /// Files in the end: a text, the members that matter, or null for none.
    files: Object,
}

/// Reads the scenarios of a file.
///
/// # Errors
///
/// Names the scenario and what is wrong with it.
pub fn read(text: &str) -> Result<Vec<Hand>> {
    let reading = json::read(text.as_bytes()).map_err(|error| anyhow!("{error}"))?;
    let scenarios = reading.value;
    let scenarios = scenarios.as_array().context("expected a list")?.iter();
    scenarios.map(read_one).collect()
}

fn read_one(value: &Json) -> Result<Hand> {
    let object = value.as_object().context("a scenario is an object")?;
    let name = object.get("name").and_then(Json::as_str);
    let name = name.context("a scenario has a name")?;
    let read = || -> Result<Hand> {
        let empty = Object::new();
        let world = object.get("world").and_then(Json::as_object);
        let mut world = Setting::read(world.unwrap_or(&empty))?;
        world.folders.push("/repo".to_owned());
        let steps = object.get("steps").and_then(Json::as_array);
        let (mut taken, mut replies) = (Vec::new(), Vec::new());
        for step in steps.context("expected a list in `steps`")? {
            let step = step.as_object().context("a step is an object")?;
            taken.push(read_step(step)?);
            replies.push(step.get("reply").cloned());
        }
        let files = object.get("files").and_then(Json::as_object);
        Ok(Hand {
            scenario: Scenario {
                name: name.to_owned(),
                world,
                steps: taken,
            },
            replies,
            files: files.cloned().unwrap_or_default(),
        })
    };
    read().with_context(|| format!("scenario {name:?}"))
}

/// `{"ask": OPERATION, …}` is a request with the usual place and command, in which documents need
/// not be quoted.
fn read_step(step: &Object) -> Result<Step> {
    let Some(operation) = step.get("ask") else {
        return Step::read(&Json::Object(step.clone()));
    };
    let mut request = Object::new()
        .with("operation", operation.clone())
        .with("place", Object::new().with("working", "/repo"))
        .with("command", "design");
    for (key, value) in step
        .iter()
        .filter(|(key, _)| !matches!(*key, "ask" | "reply"))
    {
        match (key, value) {
            ("text", Json::Object(document)) => {
                request.set(key, Json::Object(document.clone()).to_line());
            }
            _ => request.set(key, value.clone()),
        }
    }
    Ok(Step::Request(Json::Object(request).to_line()))
}

impl Hand {
    /// Runs it on the native core and compares.
    ///
    /// # Errors
    ///
    /// Shows the step, what it answered, and what was expected.
    pub fn check(&self) -> Result<()> {
        let mut run = Run::new(Native, World::new(self.scenario.world.clone()));
        for (step, expected) in self.scenario.steps.iter().zip(&self.replies) {
            let before = run.replies.len();
            run.take(step);
            let (Some(expected), reply) = (expected, run.replies.get(before)) else {
                continue;
            };
            let reply = reply.context("a step without a reply")?;
            let holds = match expected {
                Json::String(text) => text == reply,
                _ => json::read(reply.as_bytes()).is_ok_and(|it| covers(&it.value, expected)),
            };
            if !holds {
                bail!(
                    "{step:?}\n  answers  {reply}\n  expected {}",
                    expected.to_line()
                );
            }
        }
        for (path, expected) in self.files.iter() {
            let stored = run.world.file(path);
            let text = stored.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let holds = match (&text, expected) {
                (None, Json::Null) => true,
                (Some(text), Json::String(expected)) => text == expected,
                (Some(text), Json::Object(_)) => {
                    json::read(text.as_bytes()).is_ok_and(|it| covers(&it.value, expected))
                }
                _ => false,
            };
            if !holds {
                bail!("{path} is {text:?}\n  expected {}", expected.to_line());
            }
        }
        Ok(())
    }
}

/// Whether a value has at least the members that are expected, at every level.
fn covers(value: &Json, expected: &Json) -> bool {
    match (value, expected) {
        (Json::Object(value), Json::Object(expected)) => expected
            .iter()
            .all(|(key, expected)| value.get(key).is_some_and(|it| covers(it, expected))),
        (Json::Array(value), Json::Array(expected)) => {
            value.len() == expected.len()
                && value.iter().zip(expected).all(|(it, of)| covers(it, of))
        }
        _ => value == expected,
    }
}
