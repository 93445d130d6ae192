//! What operations return, as replies and `--json` show it.

use crate::checkpoint::command::{gate, resume};
use crate::json::{Json, Object};
use crate::store::Trimmed;

use super::command::overview::{Latest, Listed};
use super::command::repair::{Recovered, Restored};
use super::command::revisions::{Diff, LogEntry};
use super::command::{Loaded, Saved};

impl From<Loaded> for Json {
    fn from(loaded: Loaded) -> Self {
        Object::new()
            .with("text", loaded.text)
            .with("revision", loaded.revision)
            .with("seal", loaded.seal)
            .into()
    }
}

impl From<Saved> for Json {
    fn from(saved: Saved) -> Self {
        Object::new()
            .with("revision", saved.revision)
            .with("seal", saved.seal)
            .with("merged", saved.merged)
            .with("changed", saved.changed)
            .into()
    }
}

impl From<Restored> for Json {
    fn from(restored: Restored) -> Self {
        Object::new()
            .with("revision", restored.revision)
            .with("seal", restored.seal)
            .with("restored", restored.restored)
            .with("changed", restored.changed)
            .into()
    }
}

impl From<Recovered> for Json {
    fn from(recovered: Recovered) -> Self {
        let mut value = Json::from(recovered.restored);
        if let Some(object) = value.as_object_mut() {
            object.set("quarantined", recovered.quarantined);
        }
        value
    }
}

impl From<Trimmed> for Json {
    fn from(trimmed: Trimmed) -> Self {
        Object::new()
            .with("removed", trimmed.removed)
            .with("kept", trimmed.kept as u64)
            .into()
    }
}

impl From<resume::ResumePoint> for Json {
    fn from(point: resume::ResumePoint) -> Self {
        Object::new()
            .with("phase", point.phase)
            .with("summary", point.summary)
            .into()
    }
}

impl From<gate::Verdict> for Json {
    fn from(verdict: gate::Verdict) -> Self {
        Object::new()
            .with("open", verdict.open)
            .with("blockers", verdict.blockers)
            .into()
    }
}

impl From<Latest> for Json {
    fn from(latest: Latest) -> Self {
        Object::new()
            .with("command", Some(latest.target.command))
            .with("feature", latest.target.feature)
            .with("phase", latest.point.phase)
            .with("summary", latest.point.summary)
            .into()
    }
}

impl From<Listed> for Json {
    fn from(listed: Listed) -> Self {
        Object::new()
            .with("command", listed.target.command)
            .with("feature", listed.target.feature)
            .with("current_phase", listed.current_phase)
            .with("completed", listed.completed as u64)
            .with("pending", listed.pending as u64)
            .with("updated_at", listed.updated_at)
            .with("completed_at", listed.completed_at)
            .with("revision", listed.revision)
            .with("problem", listed.problem)
            .into()
    }
}

impl From<LogEntry> for Json {
    fn from(entry: LogEntry) -> Self {
        Object::new()
            .with("revision", entry.revision)
            .with("updated_at", entry.updated_at)
            .with("changes", entry.changes)
            .with("same_as", entry.same_as)
            .with("heartbeats", entry.heartbeats)
            .with("altered", entry.altered)
            .into()
    }
}

impl From<Diff> for Json {
    fn from(diff: Diff) -> Self {
        let lines: Vec<String> = diff.changes.iter().map(ToString::to_string).collect();
        Object::new()
            .with("from", diff.from)
            .with("to", diff.to)
            .with("changes", lines)
            .with("patch", diff.patch)
            .into()
    }
}
