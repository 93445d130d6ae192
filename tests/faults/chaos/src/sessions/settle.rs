//! When all is quiet: what was begun is finished, each operation is done once more on every host, and all
//! that is there is read.

use std::collections::BTreeMap;

use anyhow::Result;
use fastrand::Rng;
use serde_json::Value;

use super::book::Book;
use super::repository::ChaosRepository;
use super::task::Task;
use super::worker::Crew;
use crate::actor::{Actor, patiently};
use crate::cast::Host;

/// Notes everything that is wrong.
pub(super) fn settle(crew: Crew<'_>, place: &ChaosRepository, chance: &mut Rng) -> Result<()> {
    place.age_writers(true);
    let hosts = &crew.cast.hosts;
    let begun = place.registered("restoring")?;
    for (number, id) in begun.into_iter().enumerate() {
        let mut once = Once::on(crew, hosts[number % hosts.len()])?;
        once.perform(&Task::Restore(Some(id)))?;
        once.end()?;
    }
    let begun = place.registered("restoring")?;
    if !begun.is_empty() {
        crew.book.wrong(format!("{begun:?} do not end"));
    }
    for (number, host) in hosts.iter().enumerate() {
        once_more(crew, place, *host, number, chance)?;
    }
    let mut once = Once::on(crew, hosts[0])?;
    once.perform(&Task::CleanUp)?;
    for left in place.left_over()? {
        crew.book.wrong(format!("{left} is left over"));
    }
    let list = once.perform(&Task::List)?;
    let list = list.as_array().into_iter().flatten();
    let listed: Vec<&str> = list.filter_map(|line| line["id"].as_str()).collect();
    let mut messages: BTreeMap<String, &str> = BTreeMap::new();
    for id in &listed {
        let loaded = once.perform(&Task::Load((*id).to_owned()))?;
        // The command line prints it alone.
        let document = loaded.get("document").unwrap_or(&loaded);
        for sha256 in contents(document) {
            if !place.has_object(sha256) {
                let what = format!("{id} refers to {sha256}, which is not there");
                crew.book.wrong(what);
            }
        }
        if document["snapshot"].is_object() {
            once.perform(&Task::Plan((*id).to_owned()))?;
        }
        let message = document["message"].as_str().unwrap_or_default().to_owned();
        // An undo says what it is before, and may be made more than once.
        let other = messages.insert(message.clone(), id);
        if let (Some(other), true) = (other, message.starts_with('w')) {
            crew.book.wrong(format!("{message} is in {other} and {id}"));
        }
    }
    once.end()?;
    look_up(crew.book, place, &listed, &messages)
}

/// Everything that was acknowledged is there unchanged, or was removed.
fn look_up(
    book: &Book<'_>,
    place: &ChaosRepository,
    listed: &[&str],
    messages: &BTreeMap<String, &str>,
) -> Result<()> {
    let removed = place.registered("removed")?;
    let state = book.state().clone();
    for (id, (message, bytes)) in &state.made {
        match (listed.contains(&id.as_str()), removed.contains(id)) {
            (true, true) => book.wrong(format!("{id} is removed, and there")),
            (false, false) => book.wrong(format!("{id} was acknowledged, and is lost")),
            (true, false) if messages.get(message) != Some(&id.as_str()) => {
                book.wrong(format!("{id} is not what was made as {message}"));
            }
            (true, false) if bytes.is_some() && place.document(id) != *bytes => {
                book.wrong(format!("{id} is not what it was"));
            }
            _ => {}
        }
    }
    for (message, id) in messages.iter().filter(|(it, _)| it.starts_with('w')) {
        let is_known = state.unknown.contains(message) || state.made.contains_key(*id);
        if !is_known {
            book.wrong(format!("{id} was refused as {message}, and is there"));
        }
    }
    Ok(())
}

/// Every operation on one host: a checkpoint that is made, restored, and its restore undone.
fn once_more(
    crew: Crew<'_>,
    place: &ChaosRepository,
    host: Host,
    number: usize,
    chance: &mut Rng,
) -> Result<()> {
    let mut once = Once::on(crew, host)?;
    let standing = || place.files().map(|files| files.standing);
    let message = format!("w-quiet-{number}");
    let then = standing()?;
    let made = once.perform(&Task::Create {
        message,
        has_files: true,
    })?;
    let id = made["id"].as_str().unwrap_or_default().to_owned();
    (0..10).for_each(|_| place.work(chance));
    let now = standing()?;
    let restored = once.perform(&Task::Restore(Some(id.clone())))?;
    if standing()? != then {
        crew.book
            .wrong(format!("{} did not bring {id} back", host.name()));
    }
    if let Some(undo) = restored["undo"].as_str() {
        once.perform(&Task::Restore(Some(undo.to_owned())))?;
    }
    if standing()? != now {
        crew.book
            .wrong(format!("{} did not undo {id}", host.name()));
    }
    for task in [Task::Archive(Some(id)), Task::CleanUp, Task::List] {
        once.perform(&task)?;
    }
    once.end()
}

/// An undisturbed process: nothing that it is asked for is refused, but by a slow disk.
struct Once<'a> {
    crew: Crew<'a>,
    host: Host,
    actor: Actor<'a>,
}

impl<'a> Once<'a> {
    fn on(crew: Crew<'a>, host: Host) -> Result<Self> {
        let actor = crew.start(host)?;
        Ok(Once { crew, host, actor })
    }

    fn perform(&mut self, task: &Task) -> Result<Value> {
        let perform = || self.crew.perform(&mut self.actor, task);
        let value = patiently(perform, |value| value.as_ref().err())?;
        Ok(value.unwrap_or_else(|refusal| {
            let (host, message) = (self.host.name(), &refusal.message);
            let what = format!("in peace, {task:?} is refused on {host}: {message}");
            self.crew.book.refused_wrongly(&refusal, what);
            Value::Null
        }))
    }

    fn end(self) -> Result<()> {
        self.actor.end()
    }
}

/// The SHA-256 of everything that a document refers to.
fn contents(document: &Value) -> Vec<&str> {
    let files = document["snapshot"]["files"].as_array();
    let files = files.into_iter().flatten();
    let files = files.filter_map(|file| file["sha256"].as_str());
    files
        .chain(document["checkpoint"]["sha256"].as_str())
        .collect()
}
