//! How full the context window of a session is, and what follows from it.
//!
//! It is no part of a checkpoint: the status line records it in the side folder of all checkpoints, where
//! each session has
//!
//! - `session-ID.json`: how full its window is, since when, and the id (of a subagent with a session of its own,
//!   what started it: `subagents.rs`);
//! - `session-ID.owner`: the process and the branch that it was seen at (`owner_record.rs`);
//! - `session-ID.due`, while it is to be asked to hand its work over: so a hook has one name to look for, and
//!   reads nothing;
//! - `session-ID.made`, once it was asked: the hook that asks gives the other one this name, and of several
//!   at once only one can.
//!
//! Nothing is synced, nobody waits for it, and all of it may be deleted at any time. What fails is as if it
//! had not been tried: no status line, and no event, fails for it.

use crate::agent::{self, Agent, Event, Payload, Request, Source};
use crate::checkpoint::command::agents;
use crate::effect::{Access, Entry, Io, Kind, Links, Sync};
use crate::error::{Error, Warning, whole};
use crate::json::{self, Json, Object};
use crate::operation::project::budget::budget;
use crate::operation::{Noticed, Settings};
use crate::root::{self, CONTEXTS, Root};
use crate::store::{self, Folder, MAX_NAMES, SIDE, Storage};
use crate::time;

use super::bound::Bound;
use super::settings::agent_settings;
use super::standing;

const RECORD: &str = "json";
/// The same before it is whole.
const PREPARING: &str = "new";
/// The record of the session's process and branch.
pub(super) const OWNER: &str = "owner";
const DUE: &str = "due";
const MADE: &str = "made";

const USED: &str = "used_percentage";
pub(super) const SINCE: &str = "recorded_at";

/// No record is larger.
const MAX_BYTES: u32 = 4096;

/// What was recorded so long ago is of a session that nobody goes on with: seven days.
const SWEPT_AFTER_MS: f64 = 7.0 * 24.0 * 3_600_000.0;

/// Records how full the window of a session is, in percent, and whether the session is to be asked to hand
/// its work over. Where that cannot be written, nothing is.
pub(super) async fn record(bound: &Bound<'_>, used: u64) {
    let Some(records) = Records::open(bound).await else {
        return;
    };
    let Some(before) = records.request().await else {
        return;
    };
    let recorded = records.used().await;
    let record = (USED, Json::from(used));
    if recorded != Some(used) && !records.write(record, recorded.is_none()).await {
        return;
    }
    let threshold = agent_settings(bound.io, bound.root).await.handoff_at;
    let request = before.at(used, threshold);
    if request == before {
        return;
    }
    match request {
        Request::Due => records.create(DUE).await,
        Request::None => {
            records.remove(DUE).await;
            records.remove(MADE).await;
        }
        Request::Made => {}
    }
}

/// Whether the answer to this event is to ask the agent to hand its work over. That costs one look, and
/// nothing with agents that do not say how full their window is.
///
/// # Errors
///
/// Where the wasm of hooks has to leave it to the whole library.
pub(super) async fn is_request_due(
    bound: &Bound<'_>,
    payload: &Payload<'_>,
) -> Result<bool, Error> {
    // The window of a subagent is another one.
    let is_of_window = payload.agent == Agent::ClaudeCode && payload.subagent.is_none();
    if !is_of_window || !agent::gives_context(payload) {
        return Ok(false);
    }
    let Some(records) = Records::of(bound) else {
        return Ok(false);
    };
    let looked = bound.io.inspect(vec![records.path(DUE)]).await;
    if !looked.is_ok_and(|it| it.iter().all(|entry| entry.kind == Kind::File)) {
        return Ok(false);
    }
    whole::needed()?;
    let Event::SessionStart(source) = payload.event else {
        return Ok(true);
    };
    // What a context that begins is told of the work is enough for now.
    if matches!(source, Source::Compact | Source::Clear)
        && let Some(records) = Records::open(bound).await
    {
        // What was full, was emptied.
        records.remove(DUE).await;
    }
    Ok(false)
}

/// Keeps a session checkpoint, and asks the agent to record its summary: the line to print. `None` where
/// another hook does so, and where there is nothing to hand over.
///
/// # Errors
///
/// As a load.
pub(super) async fn request(
    bound: &Bound<'_>,
    payload: &Payload<'_>,
    noticed: &mut Noticed,
) -> Result<Option<String>, Error> {
    whole::needed()?;
    let Some(records) = Records::open(bound).await else {
        return Ok(None);
    };
    let (Some(found), Some(used)) = (bound.found().await?, records.used().await) else {
        records.remove(DUE).await;
        return Ok(None);
    };
    if !records.rename(DUE, MADE).await {
        return Ok(None);
    }
    // The agent's own summary is worth more than the checkpoint, and is asked for without one as well.
    if let Err(error) = standing::keep(bound, "handoff", noticed).await {
        noticed.add(Warning::passed_over(&error));
    }
    let phase = agents::phase_of_summary(&found.object);
    // A recorded summary is checked; what is asked for here is advice.
    let budget = budget(bound.io, bound.root).await.unwrap_or_default();
    let sentence = agent::handoff_request(used, &found.target, &phase, budget);
    Ok(agent::answer(payload, &sentence))
}

/// What is kept of a session.
pub(super) struct Records<'a> {
    io: &'a Io,
    folder: Folder,
    id: &'a str,
}

impl<'a> Records<'a> {
    /// By names alone; `None` where there are no files.
    pub(super) fn of(bound: &Bound<'a>) -> Option<Self> {
        Records::of_session(bound.io, bound.root, bound.settings, &bound.session.id)
    }

    /// The same for the session of this id.
    pub(super) fn of_session(
        io: &'a Io,
        root: &Root,
        settings: &Settings,
        id: &'a str,
    ) -> Option<Self> {
        let folder = root::state_folder(root, settings).ok()?;
        (folder.storage() == Storage::Files).then_some(Records { io, folder, id })
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

    pub(super) async fn open(bound: &Bound<'a>) -> Option<Self> {
        Records::of(bound)?.opened().await
    }

    /// The same, where the folder is one of the store's own, and no link leads out of it.
    pub(super) async fn opened(self) -> Option<Self> {
        let folder = &self.folder;
        folder.check(self.io).await.ok()?;
        let parts = [folder.shown(SIDE), folder.shown(&below(""))];
        let entries = folder.inspect(self.io, &parts).await.ok()?;
        match entries.as_slice() {
            [side, own] if side.kind == Kind::Folder && own.kind == Kind::Folder => Some(self),
            [side, own] if side.kind == Kind::Folder && own.kind == Kind::Absent => {
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

    /// Whether the session was asked, or is to be.
    async fn request(&self) -> Option<Request> {
        // In this order: while a hook renames the one to the other, one of them is seen.
        let paths = vec![self.path(DUE), self.path(MADE)];
        let entries = self.io.inspect(paths).await.ok()?;
        let is_there = |entry: &Entry| entry.kind != Kind::Absent;
        let mut there = entries.iter().map(is_there);
        Some(match (there.next()?, there.next()?) {
            (true, _) => Request::Due,
            (false, true) => Request::Made,
            (false, false) => Request::None,
        })
    }

    /// How full the window was when that was recorded last.
    async fn used(&self) -> Option<u64> {
        self.record().await?.get(USED)?.as_u64()
    }

    /// The same, where the state folder is made if it is not there yet.
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

    /// What was recorded last.
    pub(super) async fn record(&self) -> Option<Object> {
        self.read(self.path(RECORD)).await
    }

    pub(super) async fn read(&self, path: String) -> Option<Object> {
        let bytes = self.io.read(path, MAX_BYTES, Links::Refuse).await.ok()?;
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

    async fn create(&self, ending: &str) {
        let path = self.path(ending);
        // Another one may have made it.
        let _ = self
            .io
            .create(path, Vec::new(), Sync::Lazy, Access::Owner)
            .await;
    }

    async fn remove(&self, ending: &str) {
        let _ = self.io.remove(self.path(ending)).await;
    }

    async fn rename(&self, from: &str, to: &str) -> bool {
        let renamed = self.io.rename(self.path(from), self.path(to)).await;
        renamed.is_ok()
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

/// The session and the ending of a name; `None` for one that nobody here makes.
fn parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("session-")?.rsplit_once('.')
}
