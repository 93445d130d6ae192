//! A page over a world of memory: what a source brings, and the questions that a page asks.

use milepost::json::{self, Json, Object};
use milepost::view::Dispatcher;

use crate::memory::{Memory, Node};

pub(super) const STATE: &str = ".claude/state";
const ROOT: &str = "/repo";

/// A page that was opened on a world. What it asks for is brought from there.
pub(super) struct Page<'a> {
    pub(super) world: &'a Memory,
    dispatcher: Dispatcher,
    /// The number of times that something was brought that was asked for.
    pub(super) brought: usize,
}

impl<'a> Page<'a> {
    /// A page to which everything was brought that is brought unasked.
    pub(super) fn open(world: &'a Memory) -> Self {
        let head = world.bytes("/repo/.git/refs/heads/main");
        let head = head.map(|bytes| String::from_utf8(bytes).unwrap().trim_end().to_owned());
        Page::with(world, Object::new().with("head", head))
    }

    /// A page with the facts that the source has of the place.
    pub(super) fn with(world: &'a Memory, meta: Object) -> Self {
        let mut page = Page::bare(world);
        page.take(&beginning(world, meta));
        page
    }

    /// A page to which nothing was brought.
    pub(super) fn bare(world: &'a Memory) -> Self {
        Page {
            world,
            dispatcher: Dispatcher::default(),
            brought: 0,
        }
    }

    pub(super) fn take(&mut self, frames: &[u8]) {
        self.dispatcher.take(frames);
    }

    /// Reports that a file changed, as a source does that watches.
    pub(super) fn report_change(&mut self, path: &str) {
        let frames = frames_of(self.world, path, true);
        self.take(&frames);
    }

    /// Reports that a folder was replaced by another one, of which nothing is known.
    pub(super) fn report_replaced_folder(&mut self, path: &str) {
        self.take(&frame(Object::new().with("gone", path), b""));
        self.report_change(path);
    }

    /// Answers a question as text, without bringing anything.
    pub(super) fn ask_once(&mut self, question: &str) -> Object {
        object(self.dispatcher.query(question.as_bytes()).as_bytes())
    }

    /// Answers a question, once all was brought that it needs.
    pub(super) fn ask(&mut self, question: &str) -> Object {
        for _ in 0..20 {
            let answer = self.ask_once(question);
            let Some(wants) = answer.get("wants") else {
                return answer;
            };
            self.bring(wants);
        }
        let answer = self.ask_once(question);
        panic!("{question} wants more and more: {answer:?}");
    }

    fn bring(&mut self, wants: &Json) {
        for file_request in wants.as_array().unwrap() {
            self.brought += 1;
            let text = |key: &str| file_request.as_object().unwrap().get(key).unwrap().as_str();
            let path = text("path").unwrap();
            let frames = match text("kind").unwrap() {
                "file" => frames_of(self.world, path, true),
                _ => listing(self.world, path, false),
            };
            self.take(&frames);
        }
    }

    /// Reads everything that has changed.
    pub(super) fn settle(&mut self) {
        for _ in 0..1_000 {
            let answer = self.ask(r#"{"query":"tick","ms":5}"#);
            let value = value(&answer);
            if value.get("pending").unwrap().as_u64() == Some(0) {
                return;
            }
        }
        panic!("the page never ends");
    }

    /// The value of a question about all that was read.
    pub(super) fn value(&mut self, question: &str) -> Object {
        self.settle();
        value(&self.ask(question)).clone()
    }

    /// Every row, in the order of the names.
    pub(super) fn rows(&mut self) -> Vec<Object> {
        let question = r#"{"query":"overview","sort":"name","count":1000}"#;
        let overview = self.value(question);
        let rows = overview.get("rows").unwrap().as_array().unwrap().iter();
        rows.map(|row| row.as_object().unwrap().clone()).collect()
    }

    /// The codes of the badges of a row.
    pub(super) fn badges(&mut self, key: &str) -> Vec<String> {
        let rows = self.rows();
        let has_key = |row: &&Object| row.get("key").unwrap().as_str() == Some(key);
        let row = rows.iter().find(has_key);
        let row = row.unwrap_or_else(|| panic!("no row {key}"));
        codes(row)
    }
}

/// The codes of a row's badges.
pub(super) fn codes(row: &Object) -> Vec<String> {
    let badges = row.get("badges").unwrap().as_array().unwrap().iter();
    let code = |badge: &Json| Some(badge.as_object()?.get("code")?.as_str()?.to_owned());
    badges.filter_map(code).collect()
}

pub(super) fn object(text: &[u8]) -> Object {
    json::read(text).unwrap().value.as_object().unwrap().clone()
}

pub(super) fn value(answer: &Object) -> &Object {
    let value = answer.get("value").unwrap_or_else(|| panic!("{answer:?}"));
    value.as_object().unwrap()
}

/// One frame.
pub(super) fn frame(header: Object, bytes: &[u8]) -> Vec<u8> {
    let line = Json::Object(header).to_line();
    [line.as_bytes(), b"\n", bytes].concat()
}

/// The files that a source brings unasked.
pub(super) fn beginning(world: &Memory, meta: Object) -> Vec<u8> {
    let mut stream = frame(Object::new().with("meta", meta.with("state", STATE)), b"");
    stream.extend(listing(world, STATE, true));
    stream.extend(frames_of(world, ".claude/config/integrations.json", true));
    let sides = format!("{STATE}/.milepost");
    stream.extend(listing(world, &sides, false));
    for side in world.disk.borrow().names(&format!("{ROOT}/{sides}")) {
        let kept = format!("{sides}/{side}/quarantine");
        if !world
            .disk
            .borrow()
            .names(&format!("{ROOT}/{kept}"))
            .is_empty()
        {
            stream.extend(listing(world, &kept, false));
        }
    }
    stream.extend(frame(Object::new().with("done", true), b""));
    stream
}

/// The entries of a folder.
pub(super) fn listing(world: &Memory, path: &str, has_contents: bool) -> Vec<u8> {
    let mut stream = Vec::new();
    let names = world.disk.borrow().names(&format!("{ROOT}/{path}"));
    for name in names {
        if has_contents && &*name == ".milepost" {
            continue;
        }
        stream.extend(frames_of(world, &format!("{path}/{name}"), has_contents));
    }
    stream.extend(frame(Object::new().with("listed", path), b""));
    stream
}

/// The node at a path.
fn frames_of(world: &Memory, path: &str, has_content: bool) -> Vec<u8> {
    let node = world.disk.borrow().node(&format!("{ROOT}/{path}")).cloned();
    let id = format!("id of {path}");
    match node {
        Some(Node::File(file)) => {
            let header = Object::new()
                .with("file", path)
                .with("modified", 1)
                .with("id", id);
            let size = file.bytes.len() as u64;
            match has_content && size <= 16 << 20 {
                true => frame(header.with("bytes", size), &file.bytes),
                false => frame(header.with("size", size), b""),
            }
        }
        Some(Node::Folder) => frame(Object::new().with("folder", path).with("id", id), b""),
        Some(Node::Symlink(_)) => frame(Object::new().with("link", path), b""),
        Some(Node::Pipe) | None => frame(Object::new().with("gone", path), b""),
    }
}
