//! Changing one phase: a patch is applied as the table of phases says, or refused whole.

use milepost::checkpoint::command::completion::{self, OpenPhases, open_phases};
use milepost::checkpoint::command::document::{Draft, RunDocument, problems};
use milepost::checkpoint::command::phases;
use milepost::json::{self, Json, Object};

use crate::input::{Result, Unstructured, check, document, one_in, text};

const NOW: &str = "2026-03-04T05:06:07.089Z";

/// The fields of a phase that an update sets by itself, besides those of the patch.
const OURS: [&str; 5] = [
    "status",
    "error",
    "started_at",
    "updated_at",
    "current_task",
];

/// A checkpoint, the name of a phase, and a patch for it.
pub fn run(data: &[u8]) {
    check(data, |u| {
        let Ok(before) = Draft::from(document::checkpoint(u)?).check(&[]) else {
            return Ok(());
        };
        let name = match one_in(u, 8)? {
            true => text::any(u)?,
            false => document::phase_name(u)?.to_owned(),
        };
        let patch = patch(u)?;
        update(&before, &name, &patch);
        complete(before);
        Ok(())
    });
}

fn patch(u: &mut Unstructured<'_>) -> Result<Object> {
    let mut patch = document::phase(u)?;
    for key in [
        "status",
        "error",
        "context_summary",
        "started_at",
        "current_task",
    ] {
        match u.int_in_range(0..=7_u8)? {
            0 => patch.set(key, Json::Null),
            1 => patch.set(key, document::value(u, 1)?),
            2 => drop(patch.remove(key)),
            _ => {}
        }
    }
    for (key, value) in document::object(u, 2)? {
        patch.set(&key, value);
    }
    Ok(patch)
}

fn updated(checkpoint: &RunDocument, update: &phases::Update<'_>) -> Option<RunDocument> {
    let mut draft = Draft::from(checkpoint.clone());
    update.apply(&mut draft, NOW).ok()?;
    draft.check(&[]).ok()
}

fn update(before: &RunDocument, name: &str, patch: &Object) {
    let Ok(update) = phases::Update::new(name, patch, None) else {
        return;
    };
    // A phase that is there needs a status, and not every patch gives or leaves one.
    let Some(after) = updated(before, &update) else {
        assert_eq!(patch.get("status"), Some(&Json::Null), "alone it was fine");
        return;
    };
    // A status of null is a new phase's "pending", and takes away what a phase must have.
    if patch.get("status") != Some(&Json::Null) {
        let again = updated(&after, &update).expect("what applied once applies again");
        let (again, once) = (again.into_object(), after.clone().into_object());
        assert_eq!(again, once, "the second time changed something");
    }

    let (before, after) = (before.as_object(), after.as_object());
    assert_eq!(problems(&Json::Object(after.clone()), &[]), []);
    let read = json::read(after.to_document().as_bytes()).unwrap().value;
    assert_eq!(read, Json::Object(after.clone()));

    fields(
        phase_of(before, name),
        phase_of(after, name).unwrap(),
        patch,
    );
    lists(before, after, name, patch);
    the_rest(before, after, name);
}

fn phase_of<'a>(document: &'a Object, name: &str) -> Option<&'a Object> {
    document.get("phases")?.as_object()?.get(name)?.as_object()
}

/// Expects that given fields replace, null removes, and everything else stays, in its order.
fn fields(before: Option<&Object>, after: &Object, patch: &Object) {
    let nothing = Object::new();
    let before = before.unwrap_or(&nothing);
    let ours = |key: &str| OURS.contains(&key);
    for (key, given) in patch.iter().filter(|(key, _)| !ours(key)) {
        let expected = Some(given).filter(|given| **given != Json::Null);
        assert_eq!(after.get(key), expected, "{key}");
    }
    for (key, kept) in before.iter().filter(|(key, _)| !ours(key)) {
        if patch.get(key).is_none() {
            assert_eq!(after.get(key), Some(kept), "{key}");
        }
    }
    let known = |key: &str| before.get(key).is_some() || patch.get(key).is_some() || ours(key);
    assert!(
        after.iter().all(|(key, _)| known(key)),
        "a field from nowhere"
    );
    let order = |from: &Object, other: &Object| -> Vec<String> {
        let keys = from
            .iter()
            .filter(|(key, _)| !ours(key) && other.get(key).is_some());
        keys.map(|(key, _)| key.to_owned()).collect()
    };
    assert_eq!(order(after, before), order(before, after));

    assert_eq!(after.get("updated_at"), Some(&NOW.into()));
    assert_eq!(after.get("current_task"), before.get("current_task"));
    assert!(after.get("started_at").is_some());
    let status = |object: &Object| object.get("status").cloned();
    let leaves_failed = status(before) == Some("failed".into()) && status(after) != status(before);
    if leaves_failed && patch.get("error").is_none() {
        assert_eq!(
            after.get("error"),
            None,
            "the error of a phase that failed no more"
        );
    }
}

/// The pending phases but for this one.
fn pending_beside(document: &Object, name: &str) -> Vec<String> {
    let open = open_phases(document).into_iter();
    let pending = open.filter(|(it, status)| *it != name && *status == phases::Status::Pending);
    pending.map(|(it, _)| it.to_owned()).collect()
}

/// `state`, by the table in words.
fn lists(before: &Object, after: &Object, name: &str, patch: &Object) {
    let state = |document: &'_ Object, key: &str| -> Option<Json> {
        document.get("state")?.as_object()?.get(key).cloned()
    };
    // An update that opens a run again brings its lists in line first.
    if before.get("completed_at").is_some() {
        for pending in pending_beside(before, name) {
            let open = open_phases(after);
            let is_open = open.iter().any(|(it, _)| *it == pending);
            assert!(is_open, "the pending phase {pending} is lost");
        }
        return;
    }
    let is_new = phase_of(before, name).is_none();
    let given = patch.get("status").is_some() || is_new;
    let status = phase_of(after, name)
        .unwrap()
        .get("status")
        .and_then(Json::as_str)
        .unwrap();
    let (was, is) = (
        state(before, "current_phase"),
        state(after, "current_phase"),
    );
    let was_current = was == Some(name.into());
    match status {
        _ if !given => assert_eq!(is, was),
        "in_progress" => assert_eq!(is, Some(name.into())),
        "failed" => assert_eq!(is, was),
        _ if was_current => assert_eq!(is, Some(Json::Null)),
        _ => assert_eq!(is, was),
    }
    for (key, wanted) in [
        ("completed_phases", "complete"),
        ("pending_phases", "pending"),
    ] {
        let list = |document| {
            let Some(Json::Array(items)) = state(document, key) else {
                panic!("{key} is no list");
            };
            items
        };
        let (was, is) = (list(before), list(after));
        if !given {
            assert_eq!(is, was, "{key}");
            continue;
        }
        let others = |items: &[Json]| -> Vec<Json> {
            let others = items.iter().filter(|item| item.as_str() != Some(name));
            others.cloned().collect()
        };
        assert_eq!(others(&is), others(&was), "{key}");
        assert_eq!(
            is.contains(&name.into()),
            status == wanted,
            "{key} of a {status} phase"
        );
    }
}

/// Nothing else changes but the times, and the checkpoint is open again.
fn the_rest(before: &Object, after: &Object, name: &str) {
    assert_eq!(after.get("updated_at"), Some(&NOW.into()));
    assert_eq!(after.get("completed_at"), None);
    let changed = ["updated_at", "completed_at", "state", "phases"];
    let same = |one: &Object, other: &Object| {
        for (key, value) in one.iter().filter(|(key, _)| !changed.contains(key)) {
            assert_eq!(other.get(key), Some(value), "{key}");
        }
    };
    same(before, after);
    same(after, before);
    let others = |document: &Object| -> Vec<(String, Json)> {
        let phases = document.get("phases").and_then(Json::as_object).unwrap();
        let others = phases.iter().filter(|(key, _)| *key != name);
        others
            .map(|(key, phase)| (key.to_owned(), phase.clone()))
            .collect()
    };
    assert_eq!(others(before), others(after));
}

/// Completing closes everything, once.
fn complete(checkpoint: RunDocument) {
    let was_complete = checkpoint.as_object().get("completed_at").is_some();
    for open in [OpenPhases::Keep, OpenPhases::Skip] {
        let mut draft = Draft::from(checkpoint.clone());
        let completed = completion::complete(&mut draft, NOW, open);
        assert_eq!(completed, Ok(!was_complete));
        if was_complete {
            assert_eq!(draft, checkpoint.clone().into());
            continue;
        }
        assert_eq!(problems(&Json::Object(draft.as_object().clone()), &[]), []);
        let left = open_phases(draft.as_object()).len();
        let before = open_phases(checkpoint.as_object()).len();
        match open {
            OpenPhases::Keep => assert_eq!(left, before, "an open phase is lost"),
            OpenPhases::Skip => assert_eq!(left, 0, "an open phase is left"),
        }
        let after = draft.clone();
        let again = completion::complete(&mut draft, "2030-01-01T00:00:00.000Z", open);
        assert_eq!(again, Ok(false));
        assert_eq!(draft, after);
    }
}
