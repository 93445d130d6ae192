//! A scenario, read from its line of JSON and written to it.

use anyhow::{Context, Result, anyhow, bail};
use milepost::effect::Fault;
use milepost::json::{self, Json, Object};

use crate::text::{self, content};

/// One scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The property that holds; of a generated one its kind, seed and number.
    pub name: String,
    /// The world before the first step.
    pub world: Setting,
    /// The steps, in this order.
    pub steps: Vec<Step>,
}

/// The beginning of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// Milliseconds since 1970 at the start.
    pub now_ms: u64,
    /// Milliseconds that each effect takes.
    pub step_ms: u64,
    /// The state of the random numbers; never 0.
    pub seed: u32,
    /// Files by path, with their folders.
    pub files: Vec<(String, Vec<u8>)>,
    /// Folders without files.
    pub folders: Vec<String>,
    /// Symbolic links; they lead nowhere.
    pub symlinks: Vec<String>,
    /// The output of git; without it, the host has no git.
    pub git: Option<String>,
    /// Effects that go wrong.
    pub faults: Vec<Injected>,
    /// The storage that its requests name, if any.
    pub storage: Option<String>,
}

/// An effect on files that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injected {
    /// The number of the effect, counted from 0 over the whole scenario.
    pub at: u64,
    /// The answer to it.
    pub fault: Fault,
    /// True if every later one goes wrong too.
    pub for_good: bool,
    /// True if it was performed all the same.
    pub done: bool,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// An operation; the text goes to the core as it is.
    Request(String),
    /// Counts the tokens of a text.
    Count(String),
    /// Compares a text with a limit of tokens.
    ValidateSummary(String, u64),
    /// Cuts a text to a limit of tokens.
    Truncate(String, u64),
    /// Another program writes a file, or removes it.
    Put(String, Option<Vec<u8>>),
    /// The clocks are moved by so many milliseconds.
    Pass(i64),
}

/// The names of faults in scenarios.
pub const FAULTS: [(&str, Fault); 12] = [
    ("notFound", Fault::NotFound),
    ("exists", Fault::Exists),
    ("symlink", Fault::Symlink),
    ("wrongKind", Fault::WrongKind),
    ("tooLarge", Fault::TooLarge),
    ("changed", Fault::Changed),
    ("noSpace", Fault::NoSpace),
    ("unsupported", Fault::Unsupported),
    ("denied", Fault::Denied),
    ("closed", Fault::Closed),
    ("sharing", Fault::Sharing),
    ("other", Fault::Other),
];

impl Scenario {
    /// Reads the line of a scenario.
    ///
    /// # Errors
    ///
    /// Names the member that is missing or of the wrong type.
    pub fn read(line: &str) -> Result<Self> {
        let reading = json::read(line.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        let object = reading.value.as_object().context("expected an object")?;
        let name = member(object, "name")?.to_owned();
        let read = || -> Result<Self> {
            let world = object.get("world").and_then(Json::as_object);
            let steps = object.get("steps").and_then(Json::as_array);
            let steps = steps.context("expected a list in `steps`")?.iter();
            Ok(Scenario {
                name: name.clone(),
                world: Setting::read(world.context("expected an object in `world`")?)?,
                steps: steps.map(Step::read).collect::<Result<_>>()?,
            })
        };
        read().with_context(|| format!("scenario {name:?}"))
    }

    /// The line of the scenario.
    pub fn to_line(&self) -> String {
        let steps: Vec<Json> = self.steps.iter().map(Step::to_json).collect();
        let object = Object::new()
            .with("name", self.name.as_str())
            .with("world", self.world.to_json())
            .with("steps", steps);
        Json::Object(object).to_line()
    }
}

impl Setting {
    /// Reads the world of a scenario. What is left out is empty; the clock has a fixed start.
    ///
    /// # Errors
    ///
    /// Names the member that is of the wrong type.
    pub fn read(object: &Object) -> Result<Self> {
        let texts = |key: &str| -> Result<Vec<String>> {
            let items = list(object, key)?.iter();
            items
                .map(|item| Ok(item.as_str().context("expected a text")?.to_owned()))
                .collect()
        };
        let mut files = Vec::new();
        if let Some(members) = object.get("files") {
            for (path, content) in members.as_object().context("`files` is an object")?.iter() {
                files.push((path.to_owned(), text::bytes(content)?));
            }
        }
        let faults = list(object, "faults")?.iter().map(Injected::read);
        Ok(Setting {
            now_ms: number(object, "now_ms")?.unwrap_or(1_800_000_000_000),
            step_ms: number(object, "step_ms")?.unwrap_or(1),
            seed: u32::try_from(number(object, "seed")?.unwrap_or(1))?,
            files,
            folders: texts("folders")?,
            symlinks: texts("symlinks")?,
            git: object.get("git").and_then(Json::as_str).map(str::to_owned),
            faults: faults.collect::<Result<_>>()?,
            storage: object
                .get("storage")
                .and_then(Json::as_str)
                .map(str::to_owned),
        })
    }

    /// Paths that are relative are so to this folder.
    pub(crate) fn make_absolute(&mut self, root: &str) {
        let files = self.files.iter_mut().map(|(path, _)| path);
        for path in files.chain(&mut self.folders).chain(&mut self.symlinks) {
            if !path.starts_with('/') {
                *path = format!("{root}/{path}");
            }
        }
    }

    fn to_json(&self) -> Json {
        let files = self
            .files
            .iter()
            .map(|(path, bytes)| (path.as_str(), content(bytes)));
        let faults: Vec<Json> = self.faults.iter().map(|it| it.to_json()).collect();
        Object::new()
            .with("now_ms", self.now_ms)
            .with("step_ms", self.step_ms)
            .with("seed", u64::from(self.seed))
            .with("files", files.collect::<Object>())
            .with("folders", self.folders.clone())
            .with("symlinks", self.symlinks.clone())
            .with("git", self.git.clone())
            .with("faults", faults)
            .with("storage", self.storage.clone())
            .into()
    }
}

impl Injected {
    fn read(value: &Json) -> Result<Self> {
        let object = value.as_object().context("a fault is an object")?;
        let name = member(object, "fault")?;
        let known = FAULTS.iter().find(|(known, _)| *known == name);
        let is = |key: &str| object.get(key).and_then(Json::as_bool) == Some(true);
        Ok(Injected {
            at: number(object, "at")?.context("a fault has `at`")?,
            fault: known
                .with_context(|| format!("there is no fault {name}"))?
                .1,
            for_good: is("for_good"),
            done: is("done"),
        })
    }

    fn to_json(self) -> Json {
        let name = FAULTS.iter().find(|(_, fault)| *fault == self.fault);
        Object::new()
            .with("at", self.at)
            .with("fault", name.map(|(name, _)| *name))
            .with("for_good", self.for_good)
            .with("done", self.done)
            .into()
    }
}

impl Step {
    /// Reads one step.
    ///
    /// # Errors
    ///
    /// Quotes what is no step.
    pub fn read(value: &Json) -> Result<Self> {
        let object = value.as_object().context("a step is an object")?;
        let Some((kind, argument)) = object.iter().next() else {
            bail!("a step has a member");
        };
        let of_text = || argument.as_str().map(str::to_owned);
        let limit = || number(object, "limit")?.context("this step has a `limit`");
        Ok(match (kind, of_text()) {
            ("request", Some(text)) => Step::Request(text),
            ("count", Some(text)) => Step::Count(text),
            ("validate_summary", Some(text)) => Step::ValidateSummary(text, limit()?),
            ("truncate", Some(text)) => Step::Truncate(text, limit()?),
            ("put", None) => read_put(argument)?,
            ("pass", None) => match argument {
                Json::Number(ms) => Step::Pass(ms.parse()?),
                _ => bail!("`pass` takes milliseconds"),
            },
            _ => bail!("no step: {}", value.to_line()),
        })
    }

    fn to_json(&self) -> Json {
        let object = Object::new();
        match self {
            Step::Request(text) => object.with("request", text.as_str()),
            Step::Count(text) => object.with("count", text.as_str()),
            Step::ValidateSummary(text, limit) => object
                .with("validate_summary", text.as_str())
                .with("limit", *limit),
            Step::Truncate(text, limit) => {
                object.with("truncate", text.as_str()).with("limit", *limit)
            }
            Step::Put(path, bytes) => {
                let thing = match bytes {
                    Some(bytes) => Object::new()
                        .with("file", path.as_str())
                        .with("holds", content(bytes)),
                    None => Object::new().with("gone", path.as_str()),
                };
                object.with("put", vec![thing])
            }
            Step::Pass(ms) => object.with("pass", Json::Number(ms.to_string().into())),
        }
        .into()
    }
}

/// The act of another program on one file.
fn read_put(things: &Json) -> Result<Step> {
    let Some([Json::Object(thing)]) = things.as_array() else {
        bail!("expected one thing, got {}", things.to_line());
    };
    match (thing.get("file"), thing.get("gone")) {
        (Some(path), None) => {
            let holds = thing.get("holds").context("a file holds something")?;
            Ok(Step::Put(text::string(path)?, Some(text::bytes(holds)?)))
        }
        (None, Some(path)) => Ok(Step::Put(text::string(path)?, None)),
        _ => bail!("no thing: {}", things.to_line()),
    }
}

fn member<'a>(object: &'a Object, key: &str) -> Result<&'a str> {
    let value = object.get(key).and_then(Json::as_str);
    value.with_context(|| format!("expected a text in `{key}`"))
}

fn number(object: &Object, key: &str) -> Result<Option<u64>> {
    match object.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => bail!("expected a whole number in `{key}`"),
        },
    }
}

fn list<'a>(object: &'a Object, key: &str) -> Result<&'a [Json]> {
    match object.get(key) {
        None => Ok(&[]),
        Some(value) => value
            .as_array()
            .with_context(|| format!("expected a list in `{key}`")),
    }
}
