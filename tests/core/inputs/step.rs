//! One step of a case, and whether its outcome is the one that the table names.

use std::time::Instant;

use milepost::json::{self, Json, Object};
use milepost::operation::request;

use super::ground::{CannotBeHad, Ground, SECRET, snapshot};
use super::host::Host;
use super::text;

/// A case under way.
pub(super) struct Case<'a> {
    ground: &'a Ground,
    each: Option<&'a Json>,
    pub(super) host: Host<'a>,
}

type Checked = Result<(), String>;

impl<'a> Case<'a> {
    pub(super) fn new(ground: &'a Ground, each: Option<&'a Json>) -> Self {
        let host = Host::new();
        Case { ground, each, host }
    }

    /// Takes a step; the inner result says what is not as the table says.
    pub(super) fn take(&mut self, step: &'a Object) -> Result<Checked, CannotBeHad> {
        if let Some(things) = step.get("put") {
            return self.ground.put(things, self.each).map(Ok);
        }
        if let Some(wall_ms) = step.get("clock").and_then(Json::as_u64) {
            self.host.wall_ms = Some(wall_ms as f64);
            return Ok(Ok(()));
        }
        if let Some(words) = step.get("line") {
            return Ok(self.run_line(words.as_array().unwrap(), step));
        }
        let operations = match step.get("ask") {
            Some(Json::Array(operations)) => operations.iter().collect(),
            Some(operation) => vec![operation],
            None => panic!("no step: {step:?}"),
        };
        for operation in operations {
            let operation = operation.as_str().unwrap();
            if let Err(failure) = self.ask(operation, step) {
                return Ok(Err(format!("{operation}: {failure}")));
            }
        }
        Ok(Ok(()))
    }

    fn ask(&mut self, operation: &str, step: &'a Object) -> Checked {
        if let Some(things) = step.get("while_waiting") {
            let (ground, each) = (self.ground, self.each);
            let act = move || ground.put(things, each).unwrap();
            self.host.while_waiting = Some(Box::new(act));
        }
        let request = self.request(operation, step);
        let kept = Kept::before(self.ground, step, self.each);
        let foreign = self.ground.foreign();
        let started = Instant::now();
        let reply = self.host.run(request::start(request.as_bytes()));
        check_time(started, step)?;
        expect(
            foreign == self.ground.foreign(),
            "something outside of the state folder changed",
        )?;
        kept.check(self.ground)?;
        expect(!reply.contains(SECRET), "the reply quotes a foreign file")?;
        let Json::Object(reply) = json::read(reply.as_bytes()).unwrap().value else {
            return Err(reply);
        };
        self.check_reply(&reply, step)
            .map_err(|why| format!("{why}\n    {}", cut(&Json::from(reply).to_line())))
    }

    /// The request of a step, as a host sends it.
    pub(super) fn request(&self, operation: &str, step: &Object) -> String {
        let project = self.ground.project().to_str().unwrap().to_owned();
        let place = [("root", project.as_str()), ("working", project.as_str())];
        let mut request = Object::from_iter([
            ("operation", Json::from(operation)),
            ("place", Object::from_iter(place).into()),
            ("command", "design".into()),
        ]);
        let mut patch = "}".to_owned();
        for key in ["command", "feature", "text", "phase", "patch"] {
            if let Some(value) = step.get(key) {
                let text = text::string(value, self.each);
                // JSON in the request, as it is written.
                match key == "patch" && json::read(text.as_bytes()).is_ok() {
                    true => patch = format!(r#","patch":{text}}}"#),
                    false => request.set(key, text),
                }
            }
        }
        let request = Json::from(request).to_line();
        format!("{}{patch}", &request[..request.len() - 1])
    }

    fn check_reply(&self, reply: &Object, step: &Object) -> Checked {
        let error = reply.get("error").and_then(Json::as_object);
        let code = error.and_then(|error| error.get("code"));
        let (found, expected) = (code.and_then(Json::as_str), step.get("error"));
        expect(
            found == expected.and_then(Json::as_str),
            &format!("ended with {found:?} instead of {expected:?}"),
        )?;
        let warnings = reply.get("warnings").and_then(Json::as_array).unwrap();
        let member = |object: &Json, key: &str| {
            let text = object.as_object().and_then(|object| object.get(key));
            text.and_then(Json::as_str).unwrap_or_default().to_owned()
        };
        let codes: Vec<_> = warnings.iter().map(|it| member(it, "code")).collect();
        let expected = strings(step.get("warnings"), None);
        expect(
            codes == expected,
            &format!("warned of {codes:?} instead of {expected:?}"),
        )?;
        let mut messages: Vec<_> = warnings.iter().map(|it| member(it, "message")).collect();
        messages.extend(error.map(|error| member(&error.clone().into(), "message")));
        let said = messages.join("\n");
        for part in strings(step.get("says"), self.each) {
            expect(said.contains(&part), &format!("does not say {part}"))?;
        }
        if let Some(expected) = step.get("value") {
            expect(
                reply.get("value").is_some_and(|it| covers(it, expected)),
                "the value is another one",
            )?;
        }
        let text = reply.get("value").map(|value| member(value, "text"));
        let text = text.unwrap_or_default();
        for part in strings(step.get("text_has"), self.each) {
            expect(text.contains(&part), &format!("no {part} in the text"))?;
        }
        for part in strings(step.get("text_lacks"), self.each) {
            expect(!text.contains(&part), &format!("{part} is in the text"))?;
        }
        Ok(())
    }

    #[cfg(not(feature = "cli"))]
    fn run_line(&mut self, _: &[Json], _: &Object) -> Checked {
        Ok(())
    }

    #[cfg(feature = "cli")]
    fn run_line(&mut self, words: &[Json], step: &Object) -> Checked {
        let project = self.ground.project().to_str().unwrap().to_owned();
        let place = [("root", project.as_str()), ("working", project.as_str())];
        let invocation = Object::from_iter([
            ("arguments", Json::Array(words.to_vec())),
            ("place", Object::from_iter(place).into()),
            ("color", false.into()),
        ]);
        let input = step.get("input").map(|input| text::bytes(input, self.each));
        self.host.input = input.unwrap_or_default();
        self.host.printed.clear();
        let foreign = self.ground.foreign();
        let started = Instant::now();
        let invocation = Json::from(invocation).to_line();
        let exit = self.host.run(milepost::cli::start(invocation.as_bytes()));
        check_time(started, step)?;
        expect(
            foreign == self.ground.foreign(),
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
        for part in strings(step.get("shows"), self.each) {
            expect(
                printed.contains(&part),
                &failure(&format!("does not show {part}")),
            )?;
        }
        Ok(())
    }
}

/// What a step must leave byte for byte as it is.
struct Kept(Vec<(std::path::PathBuf, super::ground::Snapshot)>);

impl Kept {
    fn before(ground: &Ground, step: &Object, each: Option<&Json>) -> Self {
        let paths = match step.get("kept") {
            Some(Json::String(_)) => vec![ground.project()],
            paths => strings(paths, each)
                .iter()
                .map(|path| ground.at(path))
                .collect(),
        };
        let seen = |path: std::path::PathBuf| (path.clone(), snapshot(&path));
        Kept(paths.into_iter().map(seen).collect())
    }

    fn check(&self, ground: &Ground) -> Checked {
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
            let path = path.strip_prefix(ground.project()).unwrap();
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

fn strings(list: Option<&Json>, each: Option<&Json>) -> Vec<String> {
    let items = list.and_then(Json::as_array).unwrap_or_default();
    items.iter().map(|item| text::string(item, each)).collect()
}

fn expect(holds: bool, otherwise: &str) -> Checked {
    holds.then_some(()).ok_or_else(|| otherwise.to_owned())
}

fn cut(text: &str) -> String {
    text.chars().take(600).collect()
}
