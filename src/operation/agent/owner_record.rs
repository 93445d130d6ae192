//! The record of a session outside of all runs: the process of its agent, and the branch that it saw.
//!
//! It is kept beside the records of context windows, under the same rules: it may be deleted at any time, and what
//! fails is as if it had not been tried.

use crate::effect::Io;
use crate::json::{Json, Object};
use crate::time;

use super::process::{Process, ProcessState};
use super::records::{OWNER, Records, SINCE};

const PREPARING: &str = "owner-new";
/// The member with the time of the first record.
const BEGAN: &str = "began_at";

/// The record of a session.
pub(super) struct OwnerRecord {
    /// The branch that the session saw last; `None` for none.
    pub(super) branch: Option<String>,
    /// The time of the session's first record, in ms.
    pub(super) since_ms: f64,
    process: Option<Process>,
}

impl OwnerRecord {
    /// The record of the session which these records are of.
    pub(super) async fn read(records: &Records<'_>) -> Option<OwnerRecord> {
        let record = records.read(records.path(OWNER)).await?;
        let text = |key: &str| record.get(key).and_then(Json::as_str);
        let process = record.get("process").and_then(Json::as_object);
        Some(OwnerRecord {
            branch: text("branch").map(str::to_owned),
            since_ms: time::parse(text(BEGAN)?)?.wall_ms(),
            process: process.and_then(Process::of),
        })
    }

    /// Records the branch of now, and the process where it was not recorded.
    pub(super) async fn write(
        io: &Io,
        records: &Records<'_>,
        (agent, id, branch): (&str, &str, Option<&str>),
        before: Option<&OwnerRecord>,
    ) {
        let Ok(clock) = io.clock().await else {
            return;
        };
        let now_ms = clock.wall_ms;
        // A session that is continued has another process than before.
        let mut process = before.and_then(|it| it.process.clone());
        if let Some(known) = &process
            && known.state(io).await != ProcessState::Running
        {
            process = None;
        }
        let process = match process {
            Some(process) => Some(process),
            None => Process::of_agent(io).await,
        };
        if before.is_none() {
            records.sweep(now_ms).await;
        }
        let since_ms = before.map_or(now_ms, |it| it.since_ms);
        let mut record = Object::new()
            .with("session_id", id)
            .with("agent", agent)
            .with("branch", branch)
            .with(BEGAN, time::format(since_ms))
            .with(SINCE, time::format(now_ms));
        if let Some(process) = &process {
            record.set("process", process.to_object());
        }
        records.replace(OWNER, PREPARING, record).await;
    }
}

/// The state of the process of a session.
pub(super) async fn state_of(io: &Io, records: &Records<'_>) -> ProcessState {
    match OwnerRecord::read(records).await.and_then(|it| it.process) {
        Some(process) => process.state(io).await,
        None => ProcessState::Unknown,
    }
}
