//! A page and where its files come from: what is not brought at the beginning is brought when it is wanted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use milepost::json::{Json, Object};
use milepost::view::Dispatcher;

use super::{HEAD, ROOT, object};
use crate::memory::{Memory, Node};

/// No question needs more rounds of what is wanted.
const ROUNDS: usize = 8;

const STATE: &str = ".claude/state";
const SESSIONS: &str = ".claude/checkpoints";

/// A page with its files.
pub(super) struct Page {
    /// By paths below the root; `None` is a folder.
    files: BTreeMap<String, Option<Vec<u8>>>,
    dispatcher: Dispatcher,
    /// The number of requests for the last question.
    pub(super) rounds: usize,
}

impl Page {
    /// One over the files of a world in memory.
    pub(super) fn of_memory(world: &Memory) -> Self {
        let mut files = BTreeMap::new();
        walk(world, ROOT, &mut files);
        Page::new(files, "folder")
    }

    /// One over the files of a folder on the disk.
    pub(super) fn of_folder(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        walk_folder(root, "", &mut files);
        Page::new(files, "folder")
    }

    /// An exported one, in which the contents of files are not that sessions keep.
    pub(super) fn of_export(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        walk_folder(root, "", &mut files);
        files.retain(|path, _| !path.starts_with(".claude/checkpoints/objects"));
        Page::new(files, "export")
    }

    fn new(files: BTreeMap<String, Option<Vec<u8>>>, shape: &str) -> Self {
        let mut page = Page {
            files,
            dispatcher: Dispatcher::default(),
            rounds: 0,
        };
        page.begin(shape);
        page
    }

    /// The files that every source brings at the beginning.
    fn begin(&mut self, shape: &str) {
        let meta = Object::new()
            .with("root", "sample")
            .with("state", STATE)
            .with("sessions", SESSIONS)
            .with("head", HEAD)
            .with("shape", shape);
        self.take(Object::new().with("meta", meta), &[]);
        for folder in [STATE, SESSIONS] {
            for (path, content) in self.entries(folder) {
                match content {
                    Some(bytes) if path.ends_with(".json") || path.ends_with(".yaml") => {
                        self.content(&path, &bytes);
                    }
                    _ => self.name(&path),
                }
            }
            self.take(Object::new().with("listed", folder), &[]);
        }
        self.take(Object::new().with("done", true), &[]);
    }

    /// The page as it is from a place where these words start the program.
    pub(super) fn started_by(mut self, program: &str) -> Self {
        let meta = Object::new()
            .with("state", STATE)
            .with("sessions", SESSIONS)
            .with("head", HEAD)
            .with("program", program);
        self.take(Object::new().with("meta", meta), &[]);
        self
    }

    /// The page as it is from a place that its caller named by these options.
    pub(super) fn named_by(mut self, words: &str) -> Self {
        let meta = Object::new()
            .with("state", STATE)
            .with("sessions", SESSIONS)
            .with("head", HEAD)
            .with("place_words", words);
        self.take(Object::new().with("meta", meta), &[]);
        self
    }

    /// The entries right in a folder.
    fn entries(&self, folder: &str) -> Vec<(String, Option<Vec<u8>>)> {
        let below = |path: &&String| {
            let rest = path
                .strip_prefix(folder)
                .and_then(|it| it.strip_prefix('/'));
            rest.is_some_and(|rest| !rest.contains('/'))
        };
        let names = self.files.keys().filter(below);
        names
            .map(|path| (path.clone(), self.files[path].clone()))
            .collect()
    }

    fn name(&mut self, path: &str) {
        let frame = match &self.files[path] {
            Some(bytes) => Object::new()
                .with("file", path)
                .with("modified", 1_u64)
                .with("size", bytes.len() as u64),
            None => Object::new().with("folder", path),
        };
        self.take(frame, &[]);
    }

    fn content(&mut self, path: &str, bytes: &[u8]) {
        let frame = Object::new()
            .with("file", path)
            .with("modified", 1_u64)
            .with("bytes", bytes.len() as u64);
        self.take(frame, bytes);
    }

    fn take(&mut self, frame: Object, bytes: &[u8]) {
        let line = Json::Object(frame).to_line() + "\n";
        self.dispatcher.take(line.as_bytes());
        self.dispatcher.take(bytes);
    }

    /// Takes a file away, and says so.
    pub(super) fn remove(&mut self, path: &str) {
        self.files.remove(path).unwrap();
        self.take(Object::new().with("gone", path), &[]);
    }

    /// Changes a file, and brings it.
    pub(super) fn put(&mut self, path: &str, bytes: &[u8]) {
        self.files.insert(path.to_owned(), Some(bytes.to_vec()));
        self.content(path, bytes);
    }

    /// The paths of all files.
    pub(super) fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    /// A file's bytes.
    pub(super) fn bytes(&self, path: &str) -> &[u8] {
        self.files[path].as_deref().unwrap()
    }

    /// Asks until nothing is wanted any more. The whole answer.
    #[track_caller]
    pub(super) fn answer(&mut self, question: &str) -> Object {
        for round in 0..ROUNDS {
            self.rounds = round;
            let answer = object(&self.dispatcher.query(question.as_bytes()));
            let Some(wants) = answer.get("wants").and_then(Json::as_array) else {
                return answer;
            };
            for file_request in wants {
                let path = file_request.at("/path").and_then(Json::as_str).unwrap();
                self.bring(path);
            }
        }
        panic!("{question} wants more and more");
    }

    fn bring(&mut self, path: &str) {
        match self.files.get(path).cloned() {
            Some(Some(bytes)) => self.content(path, &bytes),
            Some(None) => {
                for (below, _) in self.entries(path) {
                    self.name(&below);
                }
                self.take(Object::new().with("listed", path), &[]);
            }
            None => self.take(Object::new().with("gone", path), &[]),
        }
    }

    /// The value of an answer.
    #[track_caller]
    pub(super) fn ask(&mut self, question: &str) -> Json {
        let answer = self.answer(question);
        let value = answer.get("value").cloned();
        value.unwrap_or_else(|| panic!("{question}: {}", Json::Object(answer).to_line()))
    }

    /// The code of a failure.
    #[track_caller]
    pub(super) fn fail(&mut self, question: &str) -> String {
        let answer = Json::Object(self.answer(question));
        super::text(&answer, "/error/code").to_owned()
    }
}

fn walk(world: &Memory, folder: &str, files: &mut BTreeMap<String, Option<Vec<u8>>>) {
    let names = world.disk.borrow().names(folder);
    for name in names {
        let path = format!("{folder}/{name}");
        let node = world.disk.borrow().node(&path).cloned();
        let below = path[ROOT.len() + 1..].to_owned();
        match node {
            Some(Node::File(file)) => drop(files.insert(below, Some(file.bytes.clone()))),
            Some(Node::Folder) => {
                files.insert(below, None);
                walk(world, &path, files);
            }
            _ => {}
        }
    }
}

fn walk_folder(root: &Path, below: &str, files: &mut BTreeMap<String, Option<Vec<u8>>>) {
    for entry in fs::read_dir(root.join(below)).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let path = match below.is_empty() {
            true => name,
            false => format!("{below}/{name}"),
        };
        if entry.file_type().unwrap().is_dir() {
            files.insert(path.clone(), None);
            walk_folder(root, &path, files);
        } else if let Ok(bytes) = fs::read(entry.path()) {
            files.insert(path, Some(bytes));
        }
    }
}
