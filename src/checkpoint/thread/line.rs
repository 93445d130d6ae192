//! The addition of one change to a thread, as a line of the journal of its document.

use super::entry::ThreadEntry;
use super::index::{Stray, Thread, list};
use super::writes::ChannelWrite;
use crate::error::Error;
use crate::json::{self, Json, Object};
use crate::schema::{Problem, ProblemCode};

/// Returns the line that makes one state of a thread of the one before it, where its parts stay
/// unchanged.
///
/// Entries only come, go, and get writes, and the number of the next one follows from them.
pub(super) fn between(before: &Thread, after: &Thread) -> Vec<u8> {
    let mut object = Object::new().with("next", after.next);
    let old = |number: u64| find(&before.tail, number);
    let is_gone = |it: &&ThreadEntry| find(&after.tail, it.number).is_none();
    let gone = before.tail.iter().filter(is_gone);
    set(&mut object, "gone", gone.map(|it| Json::from(it.number)));
    let mut entries = Vec::new();
    let mut writes = Vec::new();
    for entry in &after.tail {
        match old(entry.number) {
            Some(old) if old.writes == entry.writes => {}
            Some(_) => {
                let all = entry.writes.iter().cloned().map(ChannelWrite::into_json);
                let all = all.collect::<Vec<_>>();
                writes.push(vec![Json::from(entry.number), Json::from(all)].into());
            }
            None => entries.push(entry.clone().into_json()),
        }
    }
    set(&mut object, "writes", writes.into_iter());
    set(&mut object, "entries", entries.into_iter());
    if before.strays != after.strays {
        let strays = after.strays.iter().cloned().map(Stray::into_json);
        object.set("strays", strays.collect::<Vec<_>>());
    }
    Json::from(object).to_line().into_bytes()
}

fn find(tail: &[ThreadEntry], number: u64) -> Option<&ThreadEntry> {
    let at = tail.binary_search_by_key(&number, |it| it.number).ok()?;
    tail.get(at)
}

fn set(object: &mut Object, key: &str, items: impl Iterator<Item = Json>) {
    let items: Vec<Json> = items.collect();
    if !items.is_empty() {
        object.set(key, items);
    }
}

/// The thread after the changes of these lines.
///
/// # Errors
///
/// [`Error::invalid_document`] where one does not follow from it.
pub fn after(mut thread: Thread, lines: &[Vec<u8>]) -> Result<Thread, Error> {
    for line in lines {
        thread = apply(thread, line).ok_or_else(wrong)?;
    }
    Ok(thread)
}

fn apply(mut thread: Thread, line: &[u8]) -> Option<Thread> {
    let Json::Object(mut object) = json::read(line).ok()?.value else {
        return None;
    };
    thread.next = object.get("next")?.as_u64()?;
    for number in items(&mut object, "gone", Some)? {
        let at = thread
            .tail
            .binary_search_by_key(&number.as_u64()?, |it| it.number);
        thread.tail.remove(at.ok()?);
    }
    for (number, writes) in items(&mut object, "writes", read_writes)? {
        let at = thread.tail.binary_search_by_key(&number, |it| it.number);
        thread.tail.get_mut(at.ok()?)?.writes = writes;
    }
    thread
        .tail
        .extend(items(&mut object, "entries", ThreadEntry::read)?);
    if let Some(strays) = object.remove("strays") {
        thread.strays = list(strays, Stray::read)?;
    }
    thread.is_in_order().then_some(thread)
}

/// The number that the next entry has after a line, from which follows which of two lines is the older one.
pub(super) fn next(line: &[u8]) -> u64 {
    let reading = json::read(line).ok();
    let next = reading.and_then(|it| it.value.at("/next")?.as_u64());
    next.unwrap_or_default()
}

/// The thread after the changes of these lines, some of which rest on others that are lost, and how many of them can
/// be used.
pub(super) fn after_some(mut thread: Thread, lines: &[Vec<u8>]) -> (Thread, usize) {
    let mut used = 0;
    for line in lines {
        let next = apply(thread.clone(), line).or_else(|| apply_alone(thread.clone(), line));
        if let Some(next) = next {
            thread = next;
            used += 1;
        }
    }
    (thread, used)
}

/// Applies a line, as far as the things that it changes are there.
fn apply_alone(mut thread: Thread, line: &[u8]) -> Option<Thread> {
    let Json::Object(mut object) = json::read(line).ok()?.value else {
        return None;
    };
    thread.next = thread.next.max(object.get("next")?.as_u64()?);
    let gone = items(&mut object, "gone", Some)?;
    let gone: Vec<u64> = gone.iter().filter_map(Json::as_u64).collect();
    thread.tail.retain(|it| !gone.contains(&it.number));
    for (number, writes) in items(&mut object, "writes", read_writes)? {
        let at = thread.tail.binary_search_by_key(&number, |it| it.number);
        let entry = at.ok().and_then(|at| thread.tail.get_mut(at));
        if let Some(entry) = entry {
            entry.writes = writes;
        }
    }
    for entry in items(&mut object, "entries", ThreadEntry::read)? {
        let sealed = thread.segments.last().map(|it| it.last);
        let last = thread.tail.last().map(|it| it.number).or(sealed);
        if last.is_none_or(|it| entry.number > it) {
            thread.tail.push(entry);
        }
    }
    if let Some(strays) = object.remove("strays") {
        thread.strays = list(strays, Stray::read)?;
    }
    thread.is_in_order().then_some(thread)
}

fn items<T>(object: &mut Object, key: &str, read: fn(Json) -> Option<T>) -> Option<Vec<T>> {
    match object.remove(key) {
        None => Some(Vec::new()),
        Some(json) => list(json, read),
    }
}

fn read_writes(json: Json) -> Option<(u64, Vec<ChannelWrite>)> {
    let Json::Array(pair) = json else {
        return None;
    };
    let [number, writes] = <[Json; 2]>::try_from(pair).ok()?;
    Some((number.as_u64()?, list(writes, ChannelWrite::read)?))
}

fn wrong() -> Error {
    Error::invalid_document(vec![Problem {
        at: json::Pointer::root().key("journal"),
        code: ProblemCode::Type,
        message: "expected changes that follow from this document".to_owned(),
    }])
}
