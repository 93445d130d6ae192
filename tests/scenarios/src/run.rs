//! Runs a scenario, and says what came of it.

#[cfg(not(target_family = "wasm"))]
use std::sync::mpsc;
#[cfg(not(target_family = "wasm"))]
use std::thread;

#[cfg(not(target_family = "wasm"))]
use milepost::blocking::effect::Io;
#[cfg(not(target_family = "wasm"))]
use milepost::blocking::operation::request::ParsedRequest;
use milepost::effect::{Effect, Outcome};
use milepost::json::{Json, Object};
use milepost::operation::request;
use milepost::tokens;

use crate::scenario::{Scenario, Step};
use crate::text::content;
use crate::world::World;

/// One binding of the core.
pub trait Core {
    /// The tokens of a text.
    fn count(&mut self, text: &str) -> u64;
    /// Checks a text against a limit of tokens.
    fn validate_summary(&mut self, text: &str, limit: u64) -> tokens::WordLimitVerdict;
    /// The text, cut to a limit of tokens.
    fn truncate(&mut self, text: &str, limit: u64) -> String;
    /// Runs one operation on a host that answers immediately.
    fn run(&mut self, request: &str, perform: &mut dyn FnMut(Effect) -> Outcome) -> String;
}

/// The crate itself, by its async variant.
#[derive(Debug)]
pub struct Native;

/// The crate itself, by the blocking variant, which the native program is made of.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
pub struct NativeBlocking;

impl Core for Native {
    fn count(&mut self, text: &str) -> u64 {
        tokens::count(text)
    }

    fn validate_summary(&mut self, text: &str, limit: u64) -> tokens::WordLimitVerdict {
        tokens::validate(text, limit)
    }

    fn truncate(&mut self, text: &str, limit: u64) -> String {
        tokens::truncate(text, limit).to_owned()
    }

    fn run(&mut self, request: &str, perform: &mut dyn FnMut(Effect) -> Outcome) -> String {
        request::start(request.as_bytes()).run(perform)
    }
}

#[cfg(not(target_family = "wasm"))]
impl Core for NativeBlocking {
    fn count(&mut self, text: &str) -> u64 {
        Native.count(text)
    }

    fn validate_summary(&mut self, text: &str, limit: u64) -> tokens::WordLimitVerdict {
        Native.validate_summary(text, limit)
    }

    fn truncate(&mut self, text: &str, limit: u64) -> String {
        Native.truncate(text, limit)
    }

    /// The core keeps its host for as long as it likes, and so has a thread and two channels to this one.
    fn run(&mut self, request: &str, perform: &mut dyn FnMut(Effect) -> Outcome) -> String {
        let (ask, asked) = mpsc::channel();
        let (answer, answered) = mpsc::channel();
        thread::scope(|scope| {
            let core = scope.spawn(move || {
                let io = Io::new(move |effect| {
                    ask.send(effect).expect("the host listens to the end");
                    answered.recv().expect("the host answers each effect")
                });
                let request = ParsedRequest::read(request.as_bytes());
                request.answer(&io).text
            });
            for effect in asked {
                answer
                    .send(perform(effect))
                    .expect("the core waits for its answer");
            }
            core.join().expect("a panic is reported where it happens")
        })
    }
}

/// A scenario in progress.
#[derive(Debug)]
pub struct Run<C> {
    core: C,
    /// As it is now.
    pub world: World,
    /// The answers to the steps so far.
    pub replies: Vec<String>,
}

impl<C: Core> Run<C> {
    /// Nothing has happened yet.
    pub fn new(core: C, world: World) -> Self {
        let replies = Vec::new();
        Run {
            core,
            world,
            replies,
        }
    }

    /// Takes one step.
    pub fn take(&mut self, step: &Step) {
        let reply = match step {
            Step::Request(request) => {
                let world = &mut self.world;
                self.core.run(request, &mut |effect| world.perform(&effect))
            }
            Step::Count(text) => self.core.count(text).to_string(),
            Step::ValidateSummary(text, limit) => {
                Json::Object(verdict(self.core.validate_summary(text, *limit))).to_line()
            }
            Step::Truncate(text, limit) => self.core.truncate(text, *limit),
            Step::Put(path, bytes) => return self.world.put(path, bytes.clone()),
            Step::Pass(ms) => return self.world.pass(*ms),
        };
        self.replies.push(reply);
    }

    /// The line that every host prints.
    pub fn outcome(&self, name: &str) -> String {
        let files = self.world.files();
        let files: Object = files.map(|(path, bytes)| (path, content(&bytes))).collect();
        let object = Object::new()
            .with("name", name)
            .with("replies", self.replies.clone())
            .with("files", files);
        Json::Object(object).to_line()
    }
}

/// The outcome of a scenario.
pub fn outcome(core: impl Core, scenario: &Scenario) -> String {
    let mut run = Run::new(core, World::new(scenario.world.clone()));
    for step in &scenario.steps {
        run.take(step);
    }
    run.outcome(&scenario.name)
}

/// A verdict, as every host says it.
pub fn verdict(verdict: tokens::WordLimitVerdict) -> Object {
    Object::new()
        .with("valid", verdict.valid)
        .with("tokenCount", verdict.token_count)
        .with("limit", verdict.limit)
        .with("error", verdict.error)
}
