//! A scenario by hand in the world of memory: run on the native core, held to what it says, and spelled
//! out as every host runs it.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use milepost::json::{self, Json, Object};

use crate::expect;
use crate::hand::{self, Hand, Worlds};
use crate::run::{Native, Run};
use crate::scenario::{Scenario, Setting, Step};
use crate::text;
use crate::world::World;

/// The root of every scenario by hand.
const ROOT: &str = "/repo";

/// The only part of the root that an operation changes.
const OURS: &str = "/repo/.claude/";

/// Runs a scenario and spells it out.
///
/// # Errors
///
/// It belongs to real files alone, or has a step that memory does not know.
pub fn out(hand: &Hand) -> Result<Spelled> {
    let read = || -> Result<Spelling> {
        let mut spelling = Spelling::new(&hand.worlds)?;
        for step in &hand.steps {
            spelling.take(step)?;
        }
        spelling.check_files(&hand.files);
        Ok(spelling)
    };
    let Spelling {
        setting,
        steps,
        wrong,
        ..
    } = read().with_context(|| format!("scenario {:?}", hand.name))?;
    Ok(Spelled {
        scenario: Scenario {
            name: hand.name.clone(),
            world: setting,
            steps,
        },
        wrong,
    })
}

/// A scenario as every host runs it.
#[derive(Debug)]
pub struct Spelled {
    /// Requests as texts, absolute paths, files as they are.
    pub scenario: Scenario,
    /// The answers of the native core that differ from those of the scenario.
    pub wrong: Vec<String>,
}

struct Spelling {
    setting: Setting,
    run: Run<Native>,
    steps: Vec<Step>,
    wrong: Vec<String>,
}

impl Spelling {
    fn new(worlds: &Worlds) -> Result<Self> {
        let mut setting = match worlds {
            Worlds::Both => Setting::read(&Object::new())?,
            Worlds::Memory(setting) => setting.clone(),
            Worlds::Real => bail!("it needs real files"),
        };
        setting.make_absolute(ROOT);
        setting.folders.push(ROOT.to_owned());
        Ok(Spelling {
            run: Run::new(Native, World::new(setting.clone())),
            setting,
            steps: Vec::new(),
            wrong: Vec::new(),
        })
    }

    fn take(&mut self, step: &Object) -> Result<()> {
        let operations = hand::operations(step)?;
        for operation in operations {
            let mut place = Object::new().with("working", ROOT);
            if let Some(storage) = &self.setting.storage {
                place.set("storage", storage.as_str());
            }
            let request = hand::request(step, operation, place)?;
            self.ask(Step::Request(request), step);
        }
        if step.get("ask").is_some() {
            return Ok(());
        }
        if let Some(things) = step.get("put") {
            for thing in things.as_array().context("`put` takes a list")? {
                let put = self.put(thing.as_object().context("a thing is an object")?)?;
                self.perform(put);
            }
            return Ok(());
        }
        if let Some(wall_ms) = step.get("clock").and_then(Json::as_u64) {
            let ms = wall_ms as f64 - self.run.world.now_ms();
            self.perform(Step::Pass(ms as i64));
            return Ok(());
        }
        let spelled = Step::read(&Json::Object(step.clone()))?;
        match spelled {
            Step::Pass(_) => drop(self.perform(spelled)),
            _ => self.ask(spelled, step),
        }
        Ok(())
    }

    /// One thing, put in place of what is there.
    fn put(&self, thing: &Object) -> Result<Step> {
        let (kind, path) = thing.iter().next().context("a thing has a member")?;
        let path = absolute(&text::string(path)?);
        Ok(match kind {
            "gone" => Step::Put(path, None),
            "file" => {
                let holds = thing.get("holds").context("a file holds something")?;
                Step::Put(path, Some(text::bytes(holds)?))
            }
            "edit" => {
                let stored = self.run.world.file(&path).context("no file to edit")?;
                let edited = edit(&String::from_utf8(stored)?, thing)?;
                Step::Put(path, Some(edited.into_bytes()))
            }
            other => bail!("memory has no `{other}`"),
        })
    }

    /// Takes a step that answers, and holds it to what is expected.
    fn ask(&mut self, spelled: Step, step: &Object) {
        let before = self.files();
        let is_request = matches!(spelled, Step::Request(_));
        let label = format!("{spelled:?}");
        let reply = self.perform(spelled).unwrap_or_default();
        let compared = match is_request {
            true => expect::reply(&reply, step),
            // A text that was cut is not quoted.
            false => match json::read(reply.as_bytes()) {
                Ok(reading) if step.get("truncate").is_none() => {
                    expect::value(&reading.value, step)
                }
                _ => expect::value(&reply.into(), step),
            },
        };
        if let Err(why) = compared.and_then(|()| self.check_kept(&before, step)) {
            self.wrong.push(format!("{label}\n    {why:#}"));
        }
    }

    /// Nothing outside of the state changes, and nothing that has to be kept.
    fn check_kept(&self, before: &BTreeMap<String, Vec<u8>>, step: &Object) -> Result<()> {
        let kept: Vec<String> = match step.get("kept") {
            Some(Json::String(_)) => vec![ROOT.to_owned()],
            _ => expect::parts(step, "kept")?,
        };
        let kept: Vec<String> = kept.iter().map(|path| absolute(path)).collect();
        let after = self.files();
        let paths = before.keys().chain(after.keys());
        for path in paths.filter(|path| before.get(*path) != after.get(*path)) {
            let is_kept = kept.iter().any(|kept| path.starts_with(kept));
            ensure!(!is_kept && path.starts_with(OURS), "{path} changed");
        }
        Ok(())
    }

    fn check_files(&mut self, files: &Object) {
        for (path, expected) in files.iter() {
            let found = self.run.world.file(&absolute(path));
            if let Err(why) = expect::file(path, found.as_deref(), expected) {
                self.wrong.push(format!("{why:#}"));
            }
        }
    }

    fn perform(&mut self, step: Step) -> Option<String> {
        let before = self.run.replies.len();
        self.run.take(&step);
        self.steps.push(step);
        self.run.replies.get(before).cloned()
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.run.world.files();
        files
            .map(|(path, bytes)| (path.to_owned(), bytes))
            .collect()
    }
}

/// A text with the first occurrence of another in it replaced.
///
/// # Errors
///
/// It does not occur.
pub fn edit(before: &str, thing: &Object) -> Result<String> {
    let replace = thing.get("replace").and_then(Json::as_array);
    let Some([from, to]) = replace else {
        bail!("`replace` takes two texts");
    };
    let from = text::string(from)?;
    ensure!(before.contains(&from), "no {from} in {before}");
    Ok(before.replacen(&from, &text::string(to)?, 1))
}

fn absolute(path: &str) -> String {
    match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{ROOT}/{path}"),
    }
}
