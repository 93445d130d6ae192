//! The stored state of each task, read from outside: its index, and what belongs to it.

use milepost::json::{self, Json};
use milepost::store::Storage;
use milepost_disk::Disk;

use super::job::{TASKS, number, stem};

pub(super) const FOLDER: &str = "/r/.claude/state/tasks";

/// A task at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// The checkpoints and their contents, in the order of their first save.
    pub(super) entries: Vec<(String, u64)>,
    /// The revision that a save can expect.
    pub(super) revision: u64,
}

impl State {
    pub(super) fn content(&self, id: &str) -> Option<u64> {
        let found = self.entries.iter().find(|(known, _)| known == id);
        found.map(|(_, number)| *number)
    }
}

/// Reads what is stored; reads again only what changed.
#[derive(Clone, Debug)]
pub(super) struct Seer {
    storage: Storage,
    seen: [TaskFiles; TASKS.len()],
}

#[derive(Clone, Debug, Default)]
struct TaskFiles {
    index: Option<Vec<u8>>,
    state: State,
    /// The files that have to be there as long as the index is: parts, with their lengths, and marks.
    parts: Vec<(String, usize)>,
    marks: Vec<String>,
}

impl Seer {
    pub(super) fn new(storage: Storage) -> Self {
        Seer {
            storage,
            seen: Default::default(),
        }
    }

    /// Every task as it is now.
    ///
    /// # Errors
    ///
    /// The file that is torn, or named and not there, or the id that two tasks have.
    pub(super) fn look(&mut self, disk: &Disk) -> Result<[State; TASKS.len()], String> {
        for (at, task) in TASKS.iter().enumerate() {
            self.look_at(disk, at, task)
                .map_err(|what| format!("task {task}: {what}"))?;
        }
        let states = self.seen.each_ref().map(|seen| seen.state.clone());
        for (at, state) in states.iter().enumerate() {
            for (id, _) in &state.entries {
                if states[at + 1..].iter().any(|it| it.content(id).is_some()) {
                    return Err(format!("two tasks have the id {id}"));
                }
            }
        }
        Ok(states)
    }

    fn look_at(&mut self, disk: &Disk, at: usize, task: &str) -> Result<(), String> {
        let stem = stem(task);
        let index = self.bytes(disk, &self.index_path(&stem));
        let is_known = self.seen[at].index.as_deref() == index;
        if !is_known {
            let seen = match index {
                Some(bytes) => self.read(disk, &stem, bytes)?,
                None => TaskFiles::default(),
            };
            self.seen[at] = seen;
        }
        let TaskFiles { parts, marks, .. } = &self.seen[at];
        for (path, length) in parts {
            match self.bytes(disk, path) {
                Some(bytes) if bytes.len() == *length => {}
                Some(_) => return Err(format!("{path} is torn")),
                None => return Err(format!("the index names {path}, and it is not there")),
            }
        }
        let lost = marks.iter().find(|path| self.bytes(disk, path).is_none());
        lost.map_or(Ok(()), |path| Err(format!("the mark {path} is not there")))
    }

    fn read(&self, disk: &Disk, stem: &str, bytes: &[u8]) -> Result<TaskFiles, String> {
        let torn = |_| "its index is torn".to_owned();
        let index = json::read(bytes).map_err(torn)?.value;
        let mut seen = TaskFiles {
            index: Some(bytes.to_vec()),
            ..TaskFiles::default()
        };
        let entries = index.at("/checkpoints").and_then(Json::as_array);
        for entry in entries.unwrap_or_default() {
            let text = |at| entry.at(at).and_then(Json::as_str).unwrap_or_default();
            let (id, key, token) = (text("/id"), text("/key"), text("/token"));
            let path = self.part_path(stem, key, token);
            let part = self.bytes(disk, &path);
            let part =
                part.ok_or_else(|| format!("the index names {path}, and it is not there"))?;
            let state = json::read(part).map_err(|_| format!("{path} is torn"))?;
            let number = number(&state.value).ok_or_else(|| format!("{path} is not whole"))?;
            seen.state.entries.push((id.to_owned(), number));
            seen.parts.push((path, part.len()));
            seen.marks.push(self.mark_path(stem, key, token));
        }
        if !seen.state.entries.is_empty() {
            let changes = index.at("/changes").and_then(Json::as_u64);
            seen.state.revision = changes.ok_or("its index does not count")?;
        }
        Ok(seen)
    }

    fn bytes<'d>(&self, disk: &'d Disk, path: &str) -> Option<&'d [u8]> {
        match self.storage {
            Storage::Files => disk.bytes(path),
            Storage::Records => disk.records.get(path),
        }
    }

    fn index_path(&self, stem: &str) -> String {
        match self.storage {
            Storage::Files => format!("{FOLDER}/{stem}/index.json"),
            Storage::Records => format!("{FOLDER}/{stem}"),
        }
    }

    fn part_path(&self, stem: &str, key: &str, token: &str) -> String {
        match self.storage {
            Storage::Files => format!("{FOLDER}/{stem}/{key}-{token}.json"),
            Storage::Records => format!("{FOLDER}/{stem}/parts/{key}-{token}"),
        }
    }

    fn mark_path(&self, stem: &str, key: &str, token: &str) -> String {
        let shard = key.get(..2).unwrap_or_default();
        match self.storage {
            Storage::Files => format!("{FOLDER}/.milepost/keys/{shard}/{key}.{stem}.{token}"),
            Storage::Records => format!("{FOLDER}/.milepost/keys/{shard}/{key}"),
        }
    }

    /// Everything below the folder of tasks that none of them needs. What an index keeps beside itself, the
    /// next writer of it takes away: [`Seer::unfinished`] reports those.
    pub(super) fn left_over(&self, disk: &Disk) -> Option<String> {
        let needed = |path: &str| {
            self.seen.iter().any(|it| {
                it.parts.iter().any(|(part, _)| part == path)
                    || it.marks.iter().any(|mark| mark == path)
            }) || TASKS.iter().any(|task| {
                let stem = stem(task);
                path == self.index_path(&stem)
                    || path.starts_with(&format!("{FOLDER}/{stem}/.milepost/index/"))
            })
        };
        let mut all = self.all(disk);
        all.find(|path| !needed(path) && !path.ends_with("/.gitignore"))
            .map(str::to_owned)
    }

    /// A token or lock of anybody's.
    pub(super) fn unfinished(&self, disk: &Disk) -> Option<String> {
        let is_token = |path: &str| path.contains("/tokens/") && !path.ends_with(".new");
        let mut all = self.all(disk);
        all.find(|path| is_token(path) || path.ends_with("/lock"))
            .map(str::to_owned)
    }

    fn all<'d>(&self, disk: &'d Disk) -> impl Iterator<Item = &'d str> {
        let files = disk.files().map(|(path, _)| path);
        let records = disk.records.all().map(|(name, _)| name);
        files.chain(records).filter(|path| path.starts_with(FOLDER))
    }
}
