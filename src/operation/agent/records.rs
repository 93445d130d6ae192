//! The records of sessions, in the side folder of all runs: outside of any run, and deletable at any time.
//!
//! Nothing is synced, and what fails is as if it had not been tried.

use crate::agent::HandoffRequestState;
use crate::effect::{Access, Io, Links, PathEntry, PathKind, Sync};
use crate::json::{self, Json, Object};
use crate::operation::Settings;
use crate::root::{self, CONTEXTS, Root};
use crate::store::{self, MAX_NAMES, SIDE, StoreFolder};
use crate::time;

const RECORD: &str = "json";
/// The name of that file until it is complete.
const PREPARING: &str = "new";
/// The record of the session's process and branch.
pub(super) const OWNER: &str = "owner";
pub(super) const DUE: &str = "due";
pub(super) const MADE: &str = "made";

pub(super) const USED: &str = "used_percentage";
pub(super) const SINCE: &str = "recorded_at";

/// No record is larger.
const MAX_BYTES: u32 = 4096;

/// The age of a record whose session is over for certain: seven days.
const SWEPT_AFTER_MS: f64 = 7.0 * 24.0 * 3_600_000.0;

/// The records of a session.
pub(super) struct Records<'a> {
    io: &'a Io,
    folder: StoreFolder,
    id: &'a str,
}

impl<'a> Records<'a> {
    /// By names alone. They are of this machine, and so in files beside a database too.
    pub(super) fn of_session(
        io: &'a Io,
        root: &Root,
        settings: &Settings,
        id: &'a str,
    ) -> Option<Self> {
        let folder = root::local_folder(root, settings).ok()?;
        Some(Records { io, folder, id })
    }

    /// Those of another session, in the same folder.
    pub(super) fn of_other<'b>(&self, id: &'b str) -> Records<'b>
    where
        'a: 'b,
    {
        Records {
            io: self.io,
            folder: self.folder.clone(),
            id,
        }
    }

    /// The records, where the folder is one of the store's own, and no link leads out of it.
    pub(super) async fn opened(self) -> Option<Self> {
        let folder = &self.folder;
        folder.check(self.io).await.ok()?;
        let parts = [folder.shown(SIDE), folder.shown(&below(""))];
        let entries = folder.inspect(self.io, &parts).await.ok()?;
        match entries.as_slice() {
            [side, own] if side.kind == PathKind::Folder && own.kind == PathKind::Folder => {
                Some(self)
            }
            [side, own] if side.kind == PathKind::Folder && own.kind == PathKind::Absent => {
                let made = self.io.make_folder(folder.host(&below("")), Access::Owner);
                // Another session may have made it just now.
                let _ = made.await;
                Some(self)
            }
            _ => None,
        }
    }

    pub(super) fn path(&self, ending: &str) -> String {
        self.path_of(&["session-", self.id, ".", ending].concat())
    }

    pub(super) fn path_of(&self, name: &str) -> String {
        self.folder.host(&below(name))
    }

    /// The state of the request that the session hand its work over, if it was or is to be asked.
    pub(super) async fn request(&self) -> Option<HandoffRequestState> {
        // In this order: while a hook renames the one to the other, one of them is seen.
        let paths = vec![self.path(DUE), self.path(MADE)];
        let entries = self.io.inspect(paths).await.ok()?;
        let is_there = |entry: &PathEntry| entry.kind != PathKind::Absent;
        let mut there = entries.iter().map(is_there);
        Some(match (there.next()?, there.next()?) {
            (true, _) => HandoffRequestState::Due,
            (false, true) => HandoffRequestState::Made,
            (false, false) => HandoffRequestState::None,
        })
    }

    /// The fill of the window when that was recorded last.
    pub(super) async fn used(&self) -> Option<u64> {
        self.record().await?.get(USED)?.as_u64()
    }

    /// The records, in a state folder that is made if it is not there yet.
    pub(super) async fn made(self, root: &Root) -> Option<Self> {
        let known = root::expect_known(self.io, root, &self.folder);
        known.await.ok()?;
        let made = store::make_folder(self.io, &self.folder, Sync::Lazy);
        made.await.ok()?;
        self.opened().await
    }

    /// Removes what was recorded; whether this call did.
    pub(super) async fn remove_record(&self) -> bool {
        self.io.remove(self.path(RECORD)).await.is_ok()
    }

    /// The latest record.
    pub(super) async fn record(&self) -> Option<Object> {
        self.read(self.path(RECORD)).await
    }

    /// Reads a record.
    pub(super) async fn read(&self, path: String) -> Option<Object> {
        self.read_up_to(path, MAX_BYTES).await
    }

    /// Reads a record that may be larger.
    pub(super) async fn read_up_to(&self, path: String, limit: u32) -> Option<Object> {
        let bytes = self.io.read(path, limit, Links::Refuse).await.ok()?;
        match json::read(&bytes).ok()?.value {
            Json::Object(record) => Some(record),
            _ => None,
        }
    }

    /// Records this, whole or not at all; with the first one of a session, what is old goes. Returns whether it is
    /// recorded.
    pub(super) async fn write(&self, (key, value): (&str, Json), is_first: bool) -> bool {
        let Ok(clock) = self.io.clock().await else {
            return false;
        };
        let now_ms = clock.wall_ms;
        if is_first {
            self.sweep(now_ms).await;
        }
        let record = Object::new()
            .with("session_id", self.id)
            .with(key, value)
            .with(SINCE, time::format(now_ms));
        self.replace(RECORD, PREPARING, record).await
    }

    /// Writes a record of the session, whole or not at all.
    pub(super) async fn replace(&self, ending: &str, preparing: &str, record: Object) -> bool {
        let bytes = (Json::Object(record).to_line() + "\n").into_bytes();
        // It is a dead process's; or else that one's rename fails, or gives this one its name.
        self.remove(preparing).await;
        let path = self.path(preparing);
        let created = self.io.create(path, bytes, Sync::Lazy, Access::Owner).await;
        if created.is_ok() && self.rename(preparing, ending).await {
            return true;
        }
        self.remove(preparing).await;
        false
    }

    pub(super) async fn create(&self, ending: &str) {
        let path = self.path(ending);
        // Another one may have made it.
        let _ = self
            .io
            .create(path, Vec::new(), Sync::Lazy, Access::Owner)
            .await;
    }

    pub(super) async fn remove(&self, ending: &str) {
        let _ = self.io.remove(self.path(ending)).await;
    }

    pub(super) async fn rename(&self, from: &str, to: &str) -> bool {
        let renamed = self.io.rename(self.path(from), self.path(to)).await;
        renamed.is_ok()
    }

    /// The other sessions that have a record of this ending.
    pub(super) async fn others_with(&self, ending: &str) -> Vec<String> {
        let names = self
            .folder
            .names_up_to(self.io, &below(""), MAX_NAMES)
            .await;
        let Ok(Some(names)) = names else {
            return Vec::new();
        };
        let others = names.iter().filter_map(|name| parts(name));
        let others = others.filter(|(id, it)| *it == ending && *id != self.id);
        others.map(|(id, _)| id.to_owned()).collect()
    }

    /// Removes what is left of sessions that are not used any more.
    pub(super) async fn sweep(&self, now_ms: f64) {
        let names = self
            .folder
            .names_up_to(self.io, &below(""), MAX_NAMES)
            .await;
        let Ok(Some(names)) = names else { return };
        let mut alive = Vec::new();
        for name in &names {
            if let Some((id, RECORD | OWNER)) = parts(name)
                && self.is_recent(name, now_ms).await
            {
                alive.push(id);
            }
        }
        for name in &names {
            if parts(name).is_some_and(|(id, _)| id != self.id && !alive.contains(&id)) {
                let _ = self.io.remove(self.path_of(name)).await;
            }
        }
    }

    async fn is_recent(&self, name: &str, now_ms: f64) -> bool {
        let record = self.read(self.path_of(name)).await;
        let since = record.and_then(|it| time::parse(it.get(SINCE)?.as_str()?));
        since.is_some_and(|since| now_ms - since.wall_ms() < SWEPT_AFTER_MS)
    }
}

fn below(name: &str) -> String {
    match name {
        "" => [SIDE, "/", CONTEXTS].concat(),
        name => [SIDE, "/", CONTEXTS, "/", name].concat(),
    }
}

/// The session and the ending of a name; `None` for a name that this module does not make.
fn parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("session-")?.rsplit_once('.')
}
