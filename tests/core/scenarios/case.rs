//! The steps of one scenario, and the check of each answer against it.

use std::path::PathBuf;
use std::time::Instant;

use milepost::json::{Json, Object};
use milepost_scenarios::run::{Core, Native};
use milepost_scenarios::scenario::Step;
use milepost_scenarios::{expect, hand};

use super::fixture::{Fixture, SECRET, Snapshot, Unavailable, snapshot};
use super::host::Host;

/// A scenario that runs.
pub(super) struct Case<'a> {
    fixture: &'a Fixture,
    pub(super) host: Host<'a>,
}

type Checked = Result<(), String>;

impl<'a> Case<'a> {
    pub(super) fn new(fixture: &'a Fixture) -> Self {
        let host = Host::new();
        Case { fixture, host }
    }

    /// Takes a step; the inner result says what is not as the scenario says.
    pub(super) fn take(&mut self, step: &'a Object) -> Result<Checked, Unavailable> {
        if let Some(things) = step.get("put") {
            return self.fixture.put(things).map(Ok);
        }
        if let Some(wall_ms) = step.get("clock").and_then(Json::as_u64) {
            self.host.wall_ms = Some(wall_ms as f64);
            return Ok(Ok(()));
        }
        if let Some(words) = step.get("line") {
            return Ok(self.run_line(words.as_array().unwrap(), step));
        }
        let operations = hand::operations(step).unwrap();
        if operations.is_empty() {
            return Ok(self.take_rule(step));
        }
        for operation in operations {
            if let Err(failure) = self.ask(operation, step) {
                return Ok(Err(format!("{operation}: {failure}")));
            }
        }
        Ok(Ok(()))
    }

    /// Steps without files: rules, and time that passes.
    fn take_rule(&mut self, step: &Object) -> Checked {
        let found: Json = match Step::read(&step.clone().into()).unwrap() {
            Step::Count(text) => Native.count(&text).into(),
            Step::Truncate(text, limit) => Native.truncate(&text, limit).into(),
            Step::ValidateSummary(text, limit) => {
                let verdict = Native.validate_summary(&text, limit);
                milepost_scenarios::run::verdict(verdict).into()
            }
            Step::Pass(ms) => {
                self.host.passed_ms += ms as f64;
                return Ok(());
            }
            other => panic!("not over real files: {other:?}"),
        };
        expect::value(&found, step).map_err(|why| format!("{why:#}"))
    }

    fn ask(&mut self, operation: &str, step: &'a Object) -> Checked {
        if let Some(things) = step.get("while_waiting") {
            let fixture = self.fixture;
            self.host.while_waiting = Some(Box::new(move || fixture.put(things).unwrap()));
        }
        let request = self.request(operation, step);
        let kept = UnchangedFiles::before(self.fixture, step);
        let foreign = self.fixture.foreign();
        let started = Instant::now();
        let reply = self.host.ask(request.as_bytes());
        check_time(started, step)?;
        expect(
            foreign == self.fixture.foreign(),
            "something outside of the state folder changed",
        )?;
        kept.check(self.fixture)?;
        expect(!reply.contains(SECRET), "the reply quotes a foreign file")?;
        expect::reply(&reply, step).map_err(|why| format!("{why:#}"))
    }

    /// The request of a step, as a host sends it.
    pub(super) fn request(&self, operation: &str, step: &Object) -> String {
        hand::request(step, operation, self.place()).unwrap()
    }

    /// The place of the project in a request, as a host gives it.
    pub(super) fn place(&self) -> Object {
        let project = self.fixture.project().to_str().unwrap().to_owned();
        let place = [("root", project.as_str()), ("working", project.as_str())];
        Object::from_iter(place)
    }

    /// Compares files with what a scenario says of them in the end.
    pub(super) fn check_files(&self, files: &Object) -> Checked {
        for (path, expected) in files.iter() {
            let found = std::fs::read(self.fixture.at(path)).ok();
            expect::file(path, found.as_deref(), expected).map_err(|why| format!("{why:#}"))?;
        }
        Ok(())
    }

    #[cfg(not(feature = "cli"))]
    fn run_line(&mut self, _: &[Json], _: &Object) -> Checked {
        Ok(())
    }

    #[cfg(feature = "cli")]
    fn run_line(&mut self, words: &[Json], step: &Object) -> Checked {
        let invocation = Object::from_iter([
            ("arguments", Json::Array(words.to_vec())),
            ("place", self.place().into()),
            ("color", false.into()),
        ]);
        let input = step.get("input").map(milepost_scenarios::text::bytes);
        self.host.input = input.transpose().unwrap().unwrap_or_default();
        self.host.printed.clear();
        let foreign = self.fixture.foreign();
        let started = Instant::now();
        let invocation = Json::from(invocation).to_line();
        let exit = self.host.call(invocation.as_bytes());
        check_time(started, step)?;
        expect(
            foreign == self.fixture.foreign(),
            "something outside of the state folder changed",
        )?;
        let printed = &self.host.printed;
        let failure = |why: &str| format!("{words:?} {why}\n    {}", cut(printed));
        let expected = step.get("exit").and_then(Json::as_u64);
        expect(
            expected == Some(exit.into()),
            &failure(&format!("exited {exit}")),
        )?;
        let acts = |it: char| {
            it.is_control() && it != '\n'
                || matches!(it, '\u{61c}' | '\u{200e}' | '\u{200f}')
                || matches!(it, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        expect(
            !printed.contains(acts),
            &failure("printed what a terminal acts on"),
        )?;
        for part in expect::parts(step, "shows").unwrap() {
            expect(
                printed.contains(&part),
                &failure(&format!("does not show {part}")),
            )?;
        }
        Ok(())
    }
}

/// The files that a step must leave byte for byte unchanged.
struct UnchangedFiles(Vec<(PathBuf, Snapshot)>);

impl UnchangedFiles {
    fn before(fixture: &Fixture, step: &Object) -> Self {
        let paths = match step.get("kept") {
            Some(Json::String(_)) => vec![fixture.project()],
            _ => {
                let paths = expect::parts(step, "kept").unwrap();
                paths.iter().map(|path| fixture.at(path)).collect()
            }
        };
        let seen = |path: PathBuf| (path.clone(), snapshot(&path));
        UnchangedFiles(paths.into_iter().map(seen).collect())
    }

    fn check(&self, fixture: &Fixture) -> Checked {
        for (path, before) in &self.0 {
            let after = snapshot(path);
            if *before == after {
                continue;
            }
            let differs = before
                .iter()
                .find(|(path, what)| after.get(*path) != Some(what))
                .or_else(|| after.iter().find(|(path, _)| !before.contains_key(*path)));
            let (path, _) = differs.unwrap();
            let path = path.strip_prefix(fixture.project()).unwrap();
            return Err(format!("{} changed", path.display()));
        }
        Ok(())
    }
}

fn check_time(started: Instant, step: &Object) -> Checked {
    let limit = step.get("seconds").and_then(Json::as_u64);
    let taken = started.elapsed().as_secs();
    expect(
        limit.is_none_or(|limit| taken < limit),
        &format!("took {taken} s"),
    )
}

fn expect(holds: bool, otherwise: &str) -> Checked {
    holds.then_some(()).ok_or_else(|| otherwise.to_owned())
}

#[cfg(feature = "cli")]
fn cut(text: &str) -> String {
    text.chars().take(600).collect()
}
