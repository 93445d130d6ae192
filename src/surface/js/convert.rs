//! Effects and outcomes as plain, flat objects.
//!
//! By hand: serde-wasm-bindgen does the same in 9 KB more of compressed wasm, of the 60 KB that the
//! whole library may have.

use std::fmt;

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::effect::{Effect, Entry, Fault, Kind, Links, Outcome, Stream, Sync};

/// An object with these members.
pub(super) fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = JsValue::from(Object::new());
    for (key, value) in members {
        // Fails on frozen objects and proxies; this one is new and plain.
        let _ = Reflect::set(&object, &(*key).into(), value);
    }
    object
}

/// The effect under its name, with its fields beside it: `{effect: "random", length: 16}`.
pub(super) fn from_effect(effect: Effect) -> JsValue {
    match effect {
        Effect::Clock => object(&[name("clock")]),
        Effect::Random { length } => object(&[name("random"), ("length", length.into())]),
        Effect::Wait { ms } => object(&[name("wait"), ("ms", ms.into())]),
        Effect::Ascend { from, name: entry } => object(&[
            name("ascend"),
            ("from", from.into()),
            ("name", entry.into()),
        ]),
        Effect::Inspect { paths } => object(&[name("inspect"), ("paths", texts(paths))]),
        Effect::Read { path, limit, links } => object(&[
            name("read"),
            ("path", path.into()),
            ("limit", limit.into()),
            ("links", links_name(links).into()),
        ]),
        Effect::MakeFolder { path } => object(&[name("makeFolder"), ("path", path.into())]),
        Effect::Create { path, bytes, sync } => object(&[
            name("create"),
            ("path", path.into()),
            ("bytes", Uint8Array::from(bytes.as_slice()).into()),
            ("sync", sync_name(sync).into()),
        ]),
        Effect::Rename { from, to } => {
            object(&[name("rename"), ("from", from.into()), ("to", to.into())])
        }
        Effect::Link { from, to } => {
            object(&[name("link"), ("from", from.into()), ("to", to.into())])
        }
        Effect::Remove { path } => object(&[name("remove"), ("path", path.into())]),
        Effect::List { path, limit } => {
            object(&[name("list"), ("path", path.into()), ("limit", limit.into())])
        }
        Effect::SyncFolder { path } => object(&[name("syncFolder"), ("path", path.into())]),
        Effect::Git { folder, arguments } => object(&[
            name("git"),
            ("folder", folder.into()),
            ("arguments", texts(arguments)),
        ]),
        Effect::Print { stream, text } => object(&[
            name("print"),
            ("stream", stream_name(stream).into()),
            ("text", text.into()),
        ]),
        Effect::Input { limit } => object(&[name("input"), ("limit", limit.into())]),
    }
}

fn name(effect: &str) -> (&'static str, JsValue) {
    ("effect", effect.into())
}

fn texts(texts: Vec<String>) -> JsValue {
    texts
        .into_iter()
        .map(JsValue::from)
        .collect::<Array>()
        .into()
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

/// The outcome under its name, with its fields beside it: `{outcome: "bytes", bytes}`.
pub(super) fn to_outcome(value: &JsValue) -> Result<Outcome, NoOutcome> {
    Ok(match text(value, "outcome")?.as_str() {
        "done" => Outcome::Done,
        "bytes" => Outcome::Bytes(bytes(value)?),
        "clock" => Outcome::Clock {
            wall_ms: number(value, "wallMs")?,
            monotonic_ms: number(value, "monotonicMs")?,
        },
        "entries" => Outcome::Entries(entries(value)?),
        "found" => Outcome::Found {
            folder: text(value, "folder")?,
            below: text(value, "below")?,
            kind: kind(value)?,
        },
        "names" => Outcome::Names {
            names: names(value)?,
            complete: member(value, "complete")? == JsValue::TRUE,
        },
        "failed" => Outcome::Failed {
            fault: fault(value)?,
            detail: text(value, "detail")?,
        },
        _ => return Err(NoOutcome { member: "outcome" }),
    })
}

fn member(value: &JsValue, member: &'static str) -> Result<JsValue, NoOutcome> {
    Reflect::get(value, &member.into()).map_err(|_| NoOutcome { member })
}

fn text(value: &JsValue, name: &'static str) -> Result<String, NoOutcome> {
    member(value, name)?
        .as_string()
        .ok_or(NoOutcome { member: name })
}

fn number(value: &JsValue, name: &'static str) -> Result<f64, NoOutcome> {
    member(value, name)?
        .as_f64()
        .ok_or(NoOutcome { member: name })
}

fn array(value: &JsValue, name: &'static str) -> Result<Array, NoOutcome> {
    member(value, name)?
        .dyn_into()
        .map_err(|_| NoOutcome { member: name })
}

fn bytes(value: &JsValue) -> Result<Vec<u8>, NoOutcome> {
    let bytes: Uint8Array = member(value, "bytes")?
        .dyn_into()
        .map_err(|_| NoOutcome { member: "bytes" })?;
    Ok(bytes.to_vec())
}

fn names(value: &JsValue) -> Result<Vec<String>, NoOutcome> {
    array(value, "names")?
        .iter()
        .map(|name| name.as_string().ok_or(NoOutcome { member: "names" }))
        .collect()
}

fn entries(value: &JsValue) -> Result<Vec<Entry>, NoOutcome> {
    array(value, "entries")?
        .iter()
        .map(|entry| {
            Ok(Entry {
                kind: kind(&entry)?,
                size: number(&entry, "size")? as u64,
            })
        })
        .collect()
}

fn kind(value: &JsValue) -> Result<Kind, NoOutcome> {
    Ok(match text(value, "kind")?.as_str() {
        "absent" => Kind::Absent,
        "file" => Kind::File,
        "folder" => Kind::Folder,
        "symlink" => Kind::Symlink,
        "other" => Kind::Other,
        _ => return Err(NoOutcome { member: "kind" }),
    })
}

fn fault(value: &JsValue) -> Result<Fault, NoOutcome> {
    Ok(match text(value, "fault")?.as_str() {
        "notFound" => Fault::NotFound,
        "exists" => Fault::Exists,
        "symlink" => Fault::Symlink,
        "wrongKind" => Fault::WrongKind,
        "tooLarge" => Fault::TooLarge,
        "unsupported" => Fault::Unsupported,
        "sharing" => Fault::Sharing,
        "other" => Fault::Other,
        _ => return Err(NoOutcome { member: "fault" }),
    })
}
