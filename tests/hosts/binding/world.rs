//! A host of the smallest kind: files in a map.

use std::collections::{BTreeMap, BTreeSet};

use milepost::surface::js::{payload, resume, start, step};
use serde_json::{Value, json};

use crate::border::{get, put, returned, write};

/// What operations find and leave.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    folders: BTreeSet<String>,
}

/// What an operation asks for.
pub(crate) struct Asked {
    pub(crate) effect: Value,
    /// Taken at once: the next call into the wasm may put others in their place.
    bytes: Vec<u8>,
}

impl World {
    /// Runs one operation from its request to its reply.
    pub(crate) fn run(&mut self, request: &Value) -> Value {
        let handle = begin(request);
        let mut line = returned(step(handle));
        while let Some(asked) = asked(&line) {
            line = self.answer(handle, asked);
        }
        parse(&line)
    }

    /// Performs one effect and returns the line that the operation has then.
    pub(crate) fn answer(&mut self, handle: u32, asked: Asked) -> String {
        let outcome = self.perform(&asked.effect, asked.bytes);
        returned(resume(handle, write(&outcome.to_string())))
    }

    fn perform(&mut self, effect: &Value, content: Vec<u8>) -> Value {
        let path = || text(effect, "path").to_owned();
        match text(effect, "effect") {
            "clock" => clock(1_800_000_000_000.0, 5.0),
            "random" => bytes(&[7; 16]),
            "ascend" => failed("notFound"),
            "inspect" => json!({"outcome": "entries", "entries": self.entries(effect)}),
            "read" => match self.files.get(text(effect, "path")) {
                Some(content) => bytes(content),
                None => failed("notFound"),
            },
            "create" => {
                self.files.insert(path(), content);
                done()
            }
            "rename" => {
                let content = self.files.remove(text(effect, "from")).unwrap();
                self.files.insert(text(effect, "to").to_owned(), content);
                done()
            }
            "link" => match self.files.get(text(effect, "from")).cloned() {
                Some(content) => {
                    self.files.insert(text(effect, "to").to_owned(), content);
                    done()
                }
                None => failed("notFound"),
            },
            "remove" => {
                self.files.remove(text(effect, "path"));
                done()
            }
            "list" => json!({"outcome": "names", "names": self.names(effect), "complete": true}),
            "makeFolder" => {
                self.folders.insert(path());
                done()
            }
            "syncFolder" => done(),
            other => panic!("nothing here asks for {other}"),
        }
    }

    fn entries(&self, effect: &Value) -> Vec<Value> {
        let paths = effect["paths"].as_array().unwrap();
        paths
            .iter()
            .map(|path| self.entry(path.as_str().unwrap()))
            .collect()
    }

    fn entry(&self, path: &str) -> Value {
        match self.files.get(path) {
            Some(content) => json!({"kind": "file", "size": content.len()}),
            None if self.folders.contains(path) => json!({"kind": "folder", "size": 0}),
            None => json!({"kind": "absent", "size": 0}),
        }
    }

    fn names(&self, effect: &Value) -> Vec<&str> {
        let folder = format!("{}/", text(effect, "path"));
        let below = self.files.keys();
        below
            .filter_map(|path| path.strip_prefix(&folder))
            .collect()
    }
}

/// Starts the operation of a request.
pub(crate) fn begin(request: &Value) -> u32 {
    returned(start(write(&request.to_string())))
}

/// What a line asks for; nothing if it is the reply.
pub(crate) fn asked(line: &str) -> Option<Asked> {
    if !line.starts_with(r#"{"effect":"#) {
        return None;
    }
    let effect = parse(line);
    let place = [0, 1].map(|at| effect["bytes"][at].as_u64());
    let bytes = match place {
        [Some(start), Some(length)] => get(start as u32, length as u32),
        _ => Vec::new(),
    };
    Some(Asked { effect, bytes })
}

pub(crate) fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

fn text<'a>(effect: &'a Value, member: &str) -> &'a str {
    effect[member].as_str().unwrap()
}

/// Bytes of an outcome lie where the core says.
pub(crate) fn bytes(content: &[u8]) -> Value {
    put(payload(content.len()), content);
    json!({"outcome": "bytes"})
}

/// So do the two numbers of a clock.
pub(crate) fn clock(wall_ms: f64, monotonic_ms: f64) -> Value {
    let numbers = [wall_ms.to_le_bytes(), monotonic_ms.to_le_bytes()];
    put(payload(16), &numbers.concat());
    json!({"outcome": "clock"})
}

fn failed(fault: &str) -> Value {
    json!({"outcome": "failed", "fault": fault, "detail": "by hand"})
}

fn done() -> Value {
    json!({"outcome": "done"})
}
