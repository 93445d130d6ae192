//! Effects and outcomes as lines of JSON; bytes lie beside them in wasm memory.
//!
//! Making and taking apart JavaScript objects from here would cost a call out of the wasm for each
//! member, and 10 KB more of it.

use std::fmt;
use std::mem;

use crate::effect::{Access, Effect, Entry, Fault, Kind, Links, Outcome, Stream, Swap, Sync};
use crate::json::{self, Json, Object};

/// The effect under its name, with its fields beside it: `{"effect":"random","length":16}`.
///
/// The bytes of a file to create are moved to `payload`, where `"bytes":[START,LENGTH]` finds
/// them; and those of a record that is expected, and of the one that takes its place.
pub(super) fn from_effect(effect: Effect, payload: &mut Vec<u8>) -> String {
    let line = match effect {
        Effect::Clock => named("clock"),
        Effect::Random { length } => named("random").with("length", u64::from(length)),
        Effect::Wait { ms } => named("wait").with("ms", u64::from(ms)),
        Effect::Ascend { from, name } => named("ascend").with("from", from).with("name", name),
        Effect::Inspect { paths } => named("inspect").with("paths", paths),
        Effect::Read { path, limit, links } => named("read")
            .with("path", path)
            .with("limit", u64::from(limit))
            .with("links", links_name(links)),
        Effect::ReadStart { path, limit } => named("readStart")
            .with("path", path)
            .with("limit", u64::from(limit)),
        Effect::MakeFolder { path, access } => named("makeFolder")
            .with("path", path)
            .with("access", access_name(access)),
        Effect::Create {
            path,
            bytes,
            sync,
            access,
        } => {
            *payload = bytes;
            let place = [payload.as_ptr() as usize, payload.len()];
            named("create")
                .with("path", path)
                .with("bytes", place.map(|number| number as u64).to_vec())
                .with("sync", sync_name(sync))
                .with("access", access_name(access))
        }
        Effect::Rename { from, to } => named("rename").with("from", from).with("to", to),
        Effect::Link { from, to } => named("link").with("from", from).with("to", to),
        Effect::Remove { path } => named("remove").with("path", path),
        Effect::RemoveFolder { path } => named("removeFolder").with("path", path),
        Effect::Restrict { path } => named("restrict").with("path", path),
        Effect::List { path, limit } => named("list")
            .with("path", path)
            .with("limit", u64::from(limit)),
        Effect::SyncFolder { path } => named("syncFolder").with("path", path),
        Effect::ReadRecord { record } => named("readRecord").with("record", record),
        Effect::SwapRecord(swap) => {
            let Swap {
                record,
                expected,
                bytes,
                keep,
                forget,
            } = *swap;
            payload.clear();
            let mut lengths = [None; 2];
            for (length, part) in lengths.iter_mut().zip([expected, bytes]) {
                *length = part.as_ref().map(Vec::len);
                payload.extend(part.unwrap_or_default());
            }
            let start = payload.as_ptr() as usize;
            let at = |start: usize, length: Option<usize>| {
                length.map(|length| [start, length].map(|number| number as u64).to_vec())
            };
            named("swapRecord")
                .with("record", record)
                .with("expected", at(start, lengths[0]))
                .with("bytes", at(start + lengths[0].unwrap_or(0), lengths[1]))
                .with("keep", keep)
                .with("forget", forget)
        }
        Effect::ListRecords { under, limit } => named("listRecords")
            .with("under", under)
            .with("limit", u64::from(limit)),
        Effect::Git { folder, arguments } => named("git")
            .with("folder", folder)
            .with("arguments", arguments),
        Effect::Print { stream, text } => named("print")
            .with("stream", stream_name(stream))
            .with("text", text),
        Effect::Input { limit } => named("input").with("limit", u64::from(limit)),
    };
    Json::Object(line).to_line()
}

fn named(effect: &str) -> Object {
    Object::new().with("effect", effect)
}

fn links_name(links: Links) -> &'static str {
    match links {
        Links::Follow => "follow",
        Links::Refuse => "refuse",
    }
}

fn sync_name(sync: Sync) -> &'static str {
    match sync {
        Sync::Durable => "durable",
        Sync::Lazy => "lazy",
    }
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access::Owner => "owner",
        Access::Shared => "shared",
    }
}

fn stream_name(stream: Stream) -> &'static str {
    match stream {
        Stream::Output => "output",
        Stream::Error => "error",
    }
}

/// The host answered with something that is no outcome. The operation still waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoOutcome {
    /// The member that is missing or of the wrong type.
    member: &'static str,
}

impl fmt::Display for NoOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host's outcome has no usable `")?;
        f.write_str(self.member)?;
        f.write_str("`")
    }
}

impl std::error::Error for NoOutcome {}

/// The outcome under its name, with its fields beside it: `{"outcome":"names","names":[…],…}`.
///
/// `{"outcome":"bytes"}` takes its bytes from `payload`; the two numbers of `{"outcome":"clock"}`
/// lie there too, as they lie in a `Float64Array`.
pub(super) fn to_outcome(line: &str, payload: &mut Vec<u8>) -> Result<Outcome, NoOutcome> {
    let Ok(Json::Object(outcome)) = json::read(line.as_bytes()).map(|reading| reading.value) else {
        return Err(NoOutcome { member: "outcome" });
    };
    let outcome = &outcome;
    Ok(match text(outcome, "outcome")? {
        "done" => Outcome::Done,
        "bytes" => Outcome::Bytes(mem::take(payload)),
        "clock" => match payload.as_chunks::<8>() {
            (&[wall_ms, monotonic_ms], []) => Outcome::Clock {
                wall_ms: f64::from_le_bytes(wall_ms),
                monotonic_ms: f64::from_le_bytes(monotonic_ms),
            },
            _ => return Err(NoOutcome { member: "wallMs" }),
        },
        "entries" => Outcome::Entries(entries(outcome)?),
        "found" => Outcome::Found {
            folder: text(outcome, "folder")?.to_owned(),
            below: text(outcome, "below")?.to_owned(),
            kind: kind(outcome)?,
        },
        "names" => Outcome::Names {
            names: names(outcome)?,
            complete: outcome.get("complete") == Some(&Json::Bool(true)),
        },
        "failed" => Outcome::Failed {
            fault: fault(outcome)?,
            detail: text(outcome, "detail")?.to_owned(),
        },
        _ => return Err(NoOutcome { member: "outcome" }),
    })
}

fn text<'a>(outcome: &'a Object, member: &'static str) -> Result<&'a str, NoOutcome> {
    let value = outcome.get(member).and_then(Json::as_str);
    value.ok_or(NoOutcome { member })
}

fn array<'a>(outcome: &'a Object, member: &'static str) -> Result<&'a [Json], NoOutcome> {
    let value = outcome.get(member).and_then(Json::as_array);
    value.ok_or(NoOutcome { member })
}

fn names(outcome: &Object) -> Result<Vec<String>, NoOutcome> {
    let mut names = Vec::new();
    for name in array(outcome, "names")? {
        let name = name.as_str().ok_or(NoOutcome { member: "names" })?;
        names.push(name.to_owned());
    }
    Ok(names)
}

fn entries(outcome: &Object) -> Result<Vec<Entry>, NoOutcome> {
    let mut entries = Vec::new();
    for entry in array(outcome, "entries")? {
        let entry = entry.as_object().ok_or(NoOutcome { member: "entries" })?;
        let number = |member: &str| entry.get(member).and_then(Json::as_u64);
        entries.push(Entry {
            kind: kind(entry)?,
            size: number("size").ok_or(NoOutcome { member: "size" })?,
            mode: number("mode").and_then(|mode| mode.try_into().ok()),
        });
    }
    Ok(entries)
}

fn kind(outcome: &Object) -> Result<Kind, NoOutcome> {
    Ok(match text(outcome, "kind")? {
        "absent" => Kind::Absent,
        "file" => Kind::File,
        "folder" => Kind::Folder,
        "symlink" => Kind::Symlink,
        "other" => Kind::Other,
        "denied" => Kind::Denied,
        _ => return Err(NoOutcome { member: "kind" }),
    })
}

fn fault(outcome: &Object) -> Result<Fault, NoOutcome> {
    Ok(match text(outcome, "fault")? {
        "notFound" => Fault::NotFound,
        "exists" => Fault::Exists,
        "symlink" => Fault::Symlink,
        "wrongKind" => Fault::WrongKind,
        "tooLarge" => Fault::TooLarge,
        "changed" => Fault::Changed,
        "noSpace" => Fault::NoSpace,
        "unsupported" => Fault::Unsupported,
        "denied" => Fault::Denied,
        "closed" => Fault::Closed,
        "sharing" => Fault::Sharing,
        "other" => Fault::Other,
        _ => return Err(NoOutcome { member: "fault" }),
    })
}
