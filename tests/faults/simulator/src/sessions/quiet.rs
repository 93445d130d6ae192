//! The checks of what has to be there once no process is at work.

use std::collections::BTreeSet;

use milepost::json::Json;
use milepost_disk::Disk;

use super::{FOLDER, Sessions, Task};
use crate::reply::{id, in_peace};

/// The end of a run.
pub(super) struct Quiet<'a> {
    pub(super) disk: &'a mut Disk,
    pub(super) durability: &'static str,
    pub(super) sessions: &'a mut Sessions,
    pub(super) asked: u64,
}

impl Quiet<'_> {
    /// The next process makes one, and cleans up; then all that is there is whole.
    pub(super) fn check(&mut self) -> Result<(), String> {
        for task in [Task::Create(true), Task::CleanUp] {
            let reply = self.in_peace(&task.request(self.durability))?;
            if let Some(id) = id(&reply) {
                let bytes = self.document(&id).unwrap_or_default().to_vec();
                self.sessions.acknowledge(&id, bytes)?;
            }
        }
        let list = self.in_peace(&Task::List.request("durable"))?;
        let list = list.as_array().unwrap_or_default();
        let listed: BTreeSet<String> = list.iter().filter_map(id).collect();
        let register = self.register();
        for (one, bytes) in &self.sessions.acknowledged {
            if !listed.contains(one) {
                if !register.contains(one.as_str()) {
                    return Err(format!("{one} was acknowledged, and is lost"));
                }
            } else if self.document(one) != Some(bytes) {
                return Err(format!("{one} is not what was acknowledged"));
            }
        }
        for one in &self.sessions.pinned {
            if !listed.contains(one) {
                return Err(format!("{one} was pinned, and is gone"));
            }
        }
        for one in &listed {
            let place = Task::List.request("durable");
            let place = place.replace("list_sessions", "load_session");
            let place = place.replace(r#""archived":true"#, &format!(r#""id":"{one}""#));
            let reply = self.in_peace(&place)?;
            let document = reply.at("/document").ok_or("no document in the reply")?;
            let snapshot = document.at("/snapshot/files").and_then(Json::as_array);
            let contents = snapshot.unwrap_or_default().iter();
            let contents = contents.filter_map(|file| file.at("/sha256"));
            for sha256 in contents.chain(document.at("/checkpoint/sha256")) {
                let sha256 = sha256.as_str().unwrap_or_default();
                if !self.is_kept(sha256) {
                    return Err(format!("{one} refers to {sha256}, which is not there"));
                }
            }
        }
        Ok(())
    }

    /// The document under an id, archived or not.
    fn document(&self, id: &str) -> Option<&[u8]> {
        let paths = ["", "archive/"].map(|below| format!("{FOLDER}/{below}{id}.yaml"));
        paths.iter().find_map(|path| self.disk.bytes(path))
    }

    /// Returns whether a content is where it belongs, or where a collector puts it that waits for a writer, and where
    /// readers look as well.
    fn is_kept(&self, sha256: &str) -> bool {
        let path = format!("{FOLDER}/objects/{}/{sha256}", &sha256[..2]);
        let trashed = format!("{FOLDER}/objects/trash/{sha256}.");
        self.disk.bytes(&path).is_some()
            || self
                .disk
                .files()
                .any(|(path, _)| path.starts_with(&trashed))
    }

    /// The text of the register.
    fn register(&self) -> String {
        let is_of_register = |path: &str| {
            let name = path.strip_prefix(FOLDER).unwrap_or_default();
            name.ends_with(".json") && name.matches('/').count() == 1
        };
        let files = self.disk.files().filter(|(path, _)| is_of_register(path));
        files
            .filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok())
            .collect()
    }

    /// The value of an operation on which nothing happens.
    fn in_peace(&mut self, line: &str) -> Result<Json, String> {
        self.asked += 1;
        in_peace(self.disk, line, u64::MAX - self.asked)
    }
}
