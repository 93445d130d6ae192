//! A run that was kept in files while its database could not be used, on its way into that.

use super::gate;
use super::tombstone::is_tombstone;
use crate::json::{Json, Object};
use crate::time;

/// The seal of the state that was brought: so it is known for brought, also after a change in the database.
const BROUGHT_FROM: &str = "brought_from";

/// Members that each place gives by itself.
const OWN: [&str; 3] = ["revision", "seal", BROUGHT_FROM];

/// Objects of a run whose members come from several sessions, each under a name of its own.
const NAMED: [&str; 2] = ["phases", "agent_sessions"];

/// Lists of phases that are not in progress.
const LISTS: [&str; 2] = ["completed_phases", "pending_phases"];

/// Members that are about the last save alone, and `state`, whose members are united.
const OF_ONE_SAVE: [&str; 4] = ["completed_at", "head_commit", "restores", "state"];

/// The fate of a run that was kept in files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportDecision {
    /// The database is to have this.
    Import(Object),
    /// The database has all of it.
    Imported,
    /// The database has another state that is not older, and stays as it is.
    Newer,
}

/// Judges a run that was kept in files, under this seal, by what the database has of the same name.
///
/// Members that only an older state in the database has, such as its phases and its gate, stay beside those that
/// are brought. Of a tombstone nothing stays.
pub fn decide_import(kept: &Object, seal: &str, stored: Option<&Object>) -> ImportDecision {
    let content = without_own(kept);
    let Some(stored) = stored else {
        return ImportDecision::Import(content.with(BROUGHT_FROM, seal));
    };
    let is_brought = stored.get(BROUGHT_FROM).and_then(Json::as_str) == Some(seal);
    if is_brought || content.differing(&without_own(stored)).is_empty() {
        return ImportDecision::Imported;
    }
    match is_older(stored, kept) {
        true => ImportDecision::Import(united(content, stored).with(BROUGHT_FROM, seal)),
        false => ImportDecision::Newer,
    }
}

fn without_own(run: &Object) -> Object {
    let mut content = run.clone();
    for key in OWN {
        content.remove(key);
    }
    content
}

/// Returns whether one run was saved before another; `false` where either has no time.
fn is_older(one: &Object, other: &Object) -> bool {
    let [one, other] = [one, other].map(|run| {
        let text = run.get("updated_at").and_then(Json::as_str);
        text.and_then(time::parse)
    });
    one.zip(other).is_some_and(|(one, other)| one < other)
}

/// A run with what only an older one of the same name has.
fn united(mut content: Object, older: &Object) -> Object {
    if is_tombstone(older) {
        return content;
    }
    let known = member(&content, "phases").unwrap_or_default();
    for key in NAMED {
        let Some(others) = member(older, key) else {
            continue;
        };
        let mut all = member(&content, key).unwrap_or_default();
        for (name, value) in others.iter() {
            if all.get(name).is_none() {
                all.set(name, value.clone());
            }
        }
        content.set(key, all);
    }
    let state = content.get_mut("state").and_then(Json::as_object_mut);
    if let Some((state, others)) = state.zip(member(older, "state")) {
        for key in LISTS {
            let mut names = list(state, key);
            let is_new = |it: &Json| it.as_str().is_some_and(|name| known.get(name).is_none());
            for name in list(&others, key).into_iter().filter(is_new) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            state.set(key, names);
        }
        add_missing(state, &others, &["current_phase"]);
    }
    let had_gate = content.get("gate").is_some();
    add_missing(&mut content, &without_own(older), &OF_ONE_SAVE);
    if !had_gate {
        // It stays the gate of the commit that it was recorded at.
        let commit = older.get("head_commit").and_then(Json::as_str);
        gate::record(&mut content, None, commit);
    }
    content
}

/// Adds the members that only the other object has, except these.
fn add_missing(object: &mut Object, other: &Object, except: &[&str]) {
    for (key, value) in other.iter() {
        if !except.contains(&key) && object.get(key).is_none() {
            object.set(key, value.clone());
        }
    }
}

fn member(run: &Object, key: &str) -> Option<Object> {
    run.get(key)?.as_object().cloned()
}

fn list(state: &Object, key: &str) -> Vec<Json> {
    let items = state.get(key).and_then(Json::as_array);
    items.unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use super::{ImportDecision, decide_import};
    use crate::json::{self, Json, Object};

    fn run(text: &str) -> Object {
        match json::read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    fn kept() -> Object {
        run(
            r#"{"command": "design", "updated_at": "2026-03-02T08:00:00.000Z",
            "state": {"current_phase": "build", "completed_phases": ["plan"], "pending_phases": []},
            "phases": {"plan": {"status": "complete"}, "build": {"status": "in_progress"}},
            "revision": 4, "seal": "kept"}"#,
        )
    }

    fn at(time: &str) -> Object {
        run(r#"{"command": "design",
            "state": {"current_phase": "plan", "completed_phases": ["research"], "pending_phases": ["plan", "ship"]},
            "phases": {"research": {"status": "complete"}, "plan": {"status": "in_progress"}, "ship": {"status": "pending"}},
            "revision": 9, "seal": "stored"}"#)
        .with("updated_at", time)
    }

    fn brought(stored: Option<&Object>) -> Object {
        match decide_import(&kept(), "kept", stored) {
            ImportDecision::Import(object) => object,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_that_the_database_lacks_is_brought_unchanged() {
        let brought = brought(None);
        let mut content = kept();
        content.remove("revision");
        content.remove("seal");
        assert_eq!(brought, content.with("brought_from", "kept"));
    }

    #[test]
    fn a_run_that_was_brought_is_there_after_any_change_in_the_database() {
        let mut stored = brought(None).with("revision", 1_u64).with("seal", "own");
        assert_eq!(
            decide_import(&kept(), "kept", Some(&stored)),
            ImportDecision::Imported
        );
        stored.set("updated_at", "2026-03-09T08:00:00.000Z");
        stored.set("phases", Object::new());
        assert_eq!(
            decide_import(&kept(), "kept", Some(&stored)),
            ImportDecision::Imported
        );
        // A later state in files is another one.
        assert_eq!(
            decide_import(&kept(), "later", Some(&stored)),
            ImportDecision::Newer
        );
    }

    #[test]
    fn an_equal_run_is_there_under_any_revision() {
        let stored = kept().with("revision", 30_u64).with("seal", "other");
        assert_eq!(
            decide_import(&kept(), "kept", Some(&stored)),
            ImportDecision::Imported
        );
    }

    #[test]
    fn a_run_that_the_database_has_newer_stays() {
        for time in [
            "2026-03-02T08:00:00.000Z",
            "2026-03-03T00:00:00.000Z",
            "unknown",
        ] {
            assert_eq!(
                decide_import(&kept(), "kept", Some(&at(time))),
                ImportDecision::Newer,
                "{time}"
            );
        }
    }

    #[test]
    fn phases_that_only_an_older_state_has_stay_beside_those_that_are_brought() {
        let brought = brought(Some(&at("2026-03-01T08:00:00.000Z")));
        let phases = brought.get("phases").unwrap().as_object().unwrap();
        let status = |name: &str| phases.get(name)?.as_object()?.get("status")?.as_str();
        assert_eq!(
            ["plan", "build", "research", "ship"].map(status),
            ["complete", "in_progress", "complete", "pending"].map(Some)
        );
        let state = Json::from(brought.get("state").unwrap().as_object().unwrap().clone());
        assert_eq!(
            state.to_line(),
            r#"{"current_phase":"build","completed_phases":["plan","research"],"pending_phases":["ship"]}"#
        );
    }

    /// An older run in the database, with these members and these of its state.
    fn brought_over(members: &str, state: &str) -> Object {
        let mut stored = at("2026-03-01T08:00:00.000Z");
        for (key, value) in run(members).iter() {
            stored.set(key, value.clone());
        }
        let inner = stored.get_mut("state").and_then(Json::as_object_mut);
        let inner = inner.unwrap();
        for (key, value) in run(state).iter() {
            inner.set(key, value.clone());
        }
        brought(Some(&stored))
    }

    #[test]
    fn members_that_only_an_older_state_has_stay() {
        let gate = r#"{"ship_allowed":false,"blockers":["tests"],"head_commit":"old"}"#;
        let brought = brought_over(
            &format!(r#"{{"gate": {gate}, "ticket": "AB-1"}}"#),
            r#"{"context_summary": "the whole", "current_task": "T2", "lead": "me"}"#,
        );
        assert_eq!(brought.get("gate"), Some(&Json::from(run(gate))));
        assert_eq!(brought.get("ticket"), Some(&Json::from("AB-1")));
        let state = brought.get("state").unwrap().as_object().unwrap();
        let texts = ["context_summary", "current_task", "lead", "current_phase"];
        assert_eq!(
            texts.map(|key| state.get(key).and_then(Json::as_str)),
            ["the whole", "T2", "me", "build"].map(Some)
        );
    }

    #[test]
    fn members_of_one_save_go_with_an_older_state() {
        let brought = brought_over(
            r#"{"completed_at": "2026-03-01T08:00:00.000Z", "head_commit": "old", "restores": 3}"#,
            "{}",
        );
        for gone in [
            "completed_at",
            "head_commit",
            "restores",
            "revision",
            "seal",
        ] {
            assert_eq!(brought.get(gone), None, "{gone}");
        }
        let is_from = brought.get("brought_from").and_then(Json::as_str);
        assert_eq!(is_from, Some("kept"));
    }

    #[test]
    fn a_gate_that_stays_holds_for_the_commit_that_it_was_recorded_at() {
        let brought = brought_over(
            r#"{"gate": {"ship_allowed": true, "blockers": []}, "head_commit": "old"}"#,
            "{}",
        );
        let gate = brought.get("gate").unwrap().as_object().unwrap();
        assert_eq!(gate.get("head_commit"), Some(&Json::from("old")));
    }

    #[test]
    fn nothing_of_an_older_tombstone_stays() {
        let stored = run(
            r#"{"command": "design", "updated_at": "2026-03-01T08:00:00.000Z",
            "renamed_to": "b", "renamed": "seal", "renamed_over": "other", "lead": "me"}"#,
        );
        assert_eq!(brought(Some(&stored)), brought(None));
    }
}
