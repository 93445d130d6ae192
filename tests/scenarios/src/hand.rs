//! Scenarios that were written by hand, one file for each topic, with what is expected of them.

use anyhow::{Context, Result, anyhow, bail};
use milepost::json::{self, Json, Object};
use milepost::operation::table;

use crate::expect::WORDS;
use crate::scenario::Setting;
use crate::text;

/// A scenario, once for each value of its `each`.
#[derive(Clone, Debug)]
pub struct Hand {
    /// The property that holds, with its value of `each`.
    pub name: String,
    /// A part that a machine may lack; there the scenario is passed over.
    pub needs: Option<String>,
    /// The worlds that it runs in.
    pub worlds: Worlds,
    /// In order, without `each`.
    pub steps: Vec<Object>,
    /// Files in the end: a text, the members that matter, or null for none.
    pub files: Object,
}

/// The worlds that a scenario runs in.
#[derive(Clone, Debug, PartialEq)]
pub enum Worlds {
    /// It needs neither real files nor exact clocks, chance or faults.
    Both,
    /// In memory alone.
    Memory(Setting),
    /// On real files alone.
    Real,
}

const MEMBERS: [&str; 6] = ["name", "world", "each", "needs", "steps", "files"];

/// The longest value of `each` that a name shows, in characters.
const SHOWN: usize = 60;

/// Reads the scenarios of a file.
///
/// # Errors
///
/// Names the scenario and what is wrong with it.
pub fn read(text: &str) -> Result<Vec<Hand>> {
    let reading = json::read(text.as_bytes()).map_err(|error| anyhow!("{error}"))?;
    let scenarios = reading.value;
    let scenarios = scenarios.as_array().context("expected a list")?.iter();
    let read = scenarios.map(read_one).collect::<Result<Vec<_>>>()?;
    Ok(read.concat())
}

fn read_one(value: &Json) -> Result<Vec<Hand>> {
    let object = value.as_object().context("a scenario is an object")?;
    let name = object.get("name").and_then(Json::as_str);
    let name = name.context("a scenario has a name")?;
    let read = || match object.get("each").map(Json::as_array) {
        None => Ok(vec![variant(object, name.to_owned())?]),
        Some(None) => bail!("`each` is a list"),
        Some(Some(each)) => each
            .iter()
            .map(|each| {
                let shown: String = each.to_line().chars().take(SHOWN).collect();
                let Json::Object(object) = substitute(value, each) else {
                    bail!("a scenario is an object");
                };
                variant(&object, format!("{name}, {shown}"))
            })
            .collect(),
    };
    read().with_context(|| format!("scenario {name:?}"))
}

fn variant(object: &Object, name: String) -> Result<Hand> {
    let stranger = object.iter().find(|(key, _)| !MEMBERS.contains(key));
    if let Some((key, _)) = stranger {
        bail!("a scenario has no `{key}`");
    }
    let steps = object.get("steps").and_then(Json::as_array);
    let steps = steps.context("expected a list in `steps`")?.iter();
    let steps = steps.map(|step| Ok(step.as_object().context("a step is an object")?.clone()));
    let files = object.get("files").and_then(Json::as_object);
    Ok(Hand {
        name,
        needs: object
            .get("needs")
            .and_then(Json::as_str)
            .map(str::to_owned),
        worlds: Worlds::read(object.get("world"))?,
        steps: steps.collect::<Result<_>>()?,
        files: files.cloned().unwrap_or_default(),
    })
}

impl Worlds {
    fn read(value: Option<&Json>) -> Result<Self> {
        Ok(match value {
            None => Worlds::Both,
            Some(Json::String(name)) if name == "real" => Worlds::Real,
            Some(Json::String(name)) if name == "memory" => {
                Worlds::Memory(Setting::read(&Object::new())?)
            }
            Some(Json::Object(object)) => {
                let settings = object.get("memory").and_then(Json::as_object);
                Worlds::Memory(Setting::read(
                    settings.context("only memory has settings")?,
                )?)
            }
            Some(other) => bail!("no world: {}", other.to_line()),
        })
    }
}

/// `{"each": true}` stands for the value.
fn substitute(value: &Json, each: &Json) -> Json {
    match value {
        Json::Object(object) => match object.get("each") {
            Some(Json::Bool(true)) if object.len() == 1 => each.clone(),
            _ => {
                let members = object
                    .iter()
                    .map(|(key, value)| (key, substitute(value, each)));
                Json::Object(members.collect())
            }
        },
        Json::Array(items) => items
            .iter()
            .map(|item| substitute(item, each))
            .collect::<Vec<_>>()
            .into(),
        other => other.clone(),
    }
}

/// The operations that a step asks for.
///
/// # Errors
///
/// One of them is no text.
pub fn operations(step: &Object) -> Result<Vec<&str>> {
    match step.get("ask") {
        Some(Json::Array(operations)) => operations
            .iter()
            .map(|operation| operation.as_str().context("an operation is a text"))
            .collect(),
        Some(operation) => Ok(vec![operation.as_str().context("an operation is a text")?]),
        None => Ok(Vec::new()),
    }
}

/// The request of a step, as a surface sends it: `command` is `design` unless given.
///
/// # Errors
///
/// A text cannot be made.
pub fn request(step: &Object, operation: &str, place: Object) -> Result<String> {
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place)
        .with("command", "design");
    // A step that asks for several has what each of them takes.
    let of_several = matches!(step.get("ask"), Some(Json::Array(_)));
    let takes = |key: &str| {
        let row = table::find(operation).filter(|_| of_several);
        row.is_none_or(|row| row.arguments.fields.iter().any(|field| field.name == key))
    };
    for (key, value) in step.iter() {
        match key {
            "ask" | "patch_text" => {}
            word if !WORDS.contains(&word) && !takes(word) => {}
            word if WORDS.contains(&word) => {}
            "patch" | "document" => request.set(key, value.clone()),
            _ if text::is_made(value) => request.set(key, text::string(value)?),
            _ => request.set(key, value.clone()),
        }
    }
    let mut line = Json::Object(request).to_line();
    if let Some(patch) = step.get("patch_text").filter(|_| takes("patch")) {
        // To the letter.
        line.truncate(line.len() - 1);
        line = format!(r#"{line},"patch":{}}}"#, text::string(patch)?);
    }
    Ok(line)
}
