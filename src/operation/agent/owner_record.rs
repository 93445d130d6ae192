//! What is recorded of a session outside of all runs: the process of its agent, and the branch that it was told of.
//!
//! It is kept beside the records of context windows, under the same rules: it may be deleted at any time, and what
//! fails is as if it had not been tried.

use crate::json::{Json, Object};
use crate::time;

use super::bound::Bound;
use super::context_window::{OWNER, Records, SINCE};
use super::process::{Process, State};

const PREPARING: &str = "owner-new";

/// The record of a session.
pub(super) struct OwnerRecord {
    /// The branch that the session was told of last; `None` for none.
    pub(super) branch: Option<String>,
    /// When the session was recorded first, in ms.
    pub(super) since_ms: f64,
    process: Option<Process>,
}

impl OwnerRecord {
    /// That of this session.
    pub(super) async fn read(bound: &Bound<'_>) -> Option<OwnerRecord> {
        OwnerRecord::of(bound, &bound.session.id).await
    }

    async fn of(bound: &Bound<'_>, id: &str) -> Option<OwnerRecord> {
        let records = Records::of(bound)?;
        let path = records.path_of(&["session-", id, ".", OWNER].concat());
        let record = records.read(path).await?;
        let text = |key: &str| record.get(key).and_then(Json::as_str);
        let process = record.get("process").and_then(Json::as_object);
        Some(OwnerRecord {
            branch: text("branch").map(str::to_owned),
            since_ms: time::parse(text(SINCE)?)?.wall_ms(),
            process: process.and_then(Process::of),
        })
    }

    /// Records the branch of now, and the process where it was not recorded.
    pub(super) async fn write(bound: &Bound<'_>, before: Option<&OwnerRecord>) {
        let Some(records) = Records::open(bound).await else {
            return;
        };
        let Ok(now_ms) = bound.now_ms().await else {
            return;
        };
        let process = match before.and_then(|it| it.process.clone()) {
            Some(process) => Some(process),
            None => Process::of_agent(bound.io).await,
        };
        let branch = bound.here().await.branch();
        if before.is_none() {
            records.sweep(now_ms).await;
        }
        let since_ms = before.map_or(now_ms, |it| it.since_ms);
        let mut record = Object::new()
            .with("session_id", bound.session.id.as_str())
            .with("agent", bound.session.agent.name())
            .with("branch", branch)
            .with(SINCE, time::format(since_ms));
        if let Some(process) = &process {
            record.set("process", process.to_object());
        }
        records.replace(OWNER, PREPARING, record).await;
    }
}

/// What is known of the process of another session.
pub(super) async fn state_of(bound: &Bound<'_>, id: &str) -> State {
    match OwnerRecord::of(bound, id).await.and_then(|it| it.process) {
        Some(process) => process.state(bound.io).await,
        None => State::Unknown,
    }
}
