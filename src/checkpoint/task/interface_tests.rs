//! The promises of the specified interface, over the rules alone.

use super::limits::{Cleanup, LimitSettings, TaskLimits};
use super::sample::{Tasks, state};
use super::state::remaining_steps;
use crate::error::Code;
use crate::json::{Json, Object};

fn usual() -> Tasks {
    Tasks::new(TaskLimits::default())
}

/// Tasks of which so many checkpoints are kept.
fn keeping(per_task: u64) -> Tasks {
    let per_task = Json::from(per_task);
    let given = LimitSettings {
        max_per_task: Some(&per_task),
        ..LimitSettings::default()
    };
    Tasks::new(TaskLimits::new(given).unwrap())
}

fn save(tasks: &mut Tasks, task: &str, ids: &[&str]) {
    for id in ids {
        tasks.save(&state(task, id)).unwrap();
    }
}

fn ids(tasks: &Tasks, task: &str) -> String {
    let all = tasks.list(task);
    let ids = all
        .iter()
        .map(|state| state.get("id").unwrap().as_str().unwrap());
    ids.collect::<Vec<_>>().join(" ")
}

fn step(state: &Object) -> Option<u64> {
    state.get("stepIndex")?.as_u64()
}

#[test]
fn ten_checkpoints_are_kept_by_default() {
    let mut tasks = usual();
    for number in 0..11 {
        save(&mut tasks, "t", &[&format!("c{number}")]);
    }
    assert_eq!(ids(&tasks, "t"), "c1 c2 c3 c4 c5 c6 c7 c8 c9 c10");
}

#[test]
fn the_number_of_checkpoints_that_was_asked_for_is_kept() {
    for (per_task, expected) in [(1, "d"), (2, "c d"), (4, "a b c d")] {
        let mut tasks = keeping(per_task);
        save(&mut tasks, "t", &["a", "b", "c", "d"]);
        assert_eq!(ids(&tasks, "t"), expected);
    }
}

#[test]
fn a_restore_brings_back_the_saved_snapshot() {
    let mut tasks = usual();
    let snapshot = state("t", "a").with("metadata", Object::new().with("by", "test"));
    tasks.save(&snapshot).unwrap();
    assert_eq!(tasks.restore("t"), Ok(snapshot.clone()));
    assert_eq!(tasks.restore_by_id("a"), Ok(snapshot));
}

#[test]
fn the_oldest_checkpoint_goes_first() {
    let mut tasks = keeping(2);
    save(&mut tasks, "t", &["a", "b", "c"]);
    assert_eq!(ids(&tasks, "t"), "b c");
    let gone = tasks.restore_by_id("a").unwrap_err();
    assert_eq!(gone.code(), Code::NotFound);
    assert_eq!(tasks.counts(), [1, 2, 2]);
}

#[test]
fn saving_under_the_same_id_replaces_the_checkpoint() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a", "b"]);
    tasks.save(&state("t", "a").with("stepIndex", 3)).unwrap();
    assert_eq!(ids(&tasks, "t"), "a b");
    let updated = tasks.restore_by_id("a").unwrap();
    assert_eq!(step(&updated), Some(3));
    assert_eq!(tasks.counts(), [1, 2, 2]);
}

#[test]
fn the_latest_checkpoint_is_restored() {
    let mut tasks = usual();
    let early = state("t", "b").with("createdAt", "1970-01-01T00:00:00Z");
    save(&mut tasks, "t", &["a"]);
    tasks.save(&early).unwrap();
    save(&mut tasks, "t", &["a"]);
    assert_eq!(tasks.restore("t"), Ok(early));
}

#[test]
fn a_failed_restore_has_the_specified_error() {
    let mut tasks = usual();
    for known in [false, true] {
        let [task, id] = [tasks.restore("no such"), tasks.restore_by_id("no such")];
        for (failed, expected) in [
            (task, "No checkpoint found for task: no such"),
            (id, "Checkpoint not found: no such"),
        ] {
            let error = failed.unwrap_err();
            assert_eq!(
                (error.code(), error.to_string().as_str()),
                (Code::NotFound, expected),
                "with another task: {known}"
            );
        }
        save(&mut tasks, "t", &["a"]);
    }
    let error = tasks.restore("\u{1b}[2J").unwrap_err().to_string();
    assert_eq!(error, "No checkpoint found for task: \\u{1b}[2J");
}

#[test]
fn a_restore_returns_the_steps_that_remain() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a"]);
    for restored in [tasks.restore("t"), tasks.restore_by_id("a")] {
        assert_eq!(remaining_steps(&restored.unwrap()), ["step-2", "step-3"]);
    }
}

#[test]
fn the_named_checkpoint_is_restored() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a", "b"]);
    save(&mut tasks, "u", &["c"]);
    for (task, id) in [("t", "a"), ("t", "b"), ("u", "c")] {
        assert_eq!(tasks.restore_by_id(id), Ok(state(task, id)));
    }
}

#[test]
fn checkpoints_are_listed_in_the_order_in_which_they_were_saved() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["z", "m", "a", "m"]);
    assert_eq!(ids(&tasks, "t"), "z m a");
}

#[test]
fn no_task_shows_in_another() {
    let mut tasks = keeping(2);
    save(&mut tasks, "u", &["x"]);
    save(&mut tasks, "t", &["a", "b", "c"]);
    tasks.delete_all("t");
    assert_eq!(
        (ids(&tasks, "t"), ids(&tasks, "u")),
        ("".into(), "x".into())
    );
}

#[test]
fn an_unknown_task_has_no_checkpoints() {
    assert_eq!(usual().list("t"), Vec::<Object>::new());
}

#[test]
fn a_deleted_checkpoint_is_gone() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a", "b"]);
    assert!(tasks.delete("b"));
    assert_eq!(ids(&tasks, "t"), "a");
    assert!(tasks.restore_by_id("b").is_err());
    assert_eq!(tasks.restore("t"), Ok(state("t", "a")));
}

#[test]
fn an_unknown_checkpoint_is_not_deleted() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a"]);
    assert!(!tasks.delete("b"));
    assert!(tasks.delete("a"));
    assert!(!tasks.delete("a"));
}

#[test]
fn a_task_ends_with_its_last_checkpoint() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a"]);
    assert!(tasks.delete("a"));
    assert_eq!(tasks.counts(), [0, 0, 0]);
    assert!(tasks.restore("t").is_err());
}

#[test]
fn deleting_a_task_deletes_and_counts_all_its_checkpoints() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a", "b", "c", "a"]);
    assert_eq!(tasks.delete_all("t"), 3);
    assert_eq!(tasks.counts(), [0, 0, 0]);
    assert_eq!(tasks.delete_all("t"), 0);
}

#[test]
fn deleting_a_task_leaves_all_others() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a"]);
    save(&mut tasks, "u", &["b", "c"]);
    assert_eq!(tasks.delete_all("t"), 1);
    assert_eq!(tasks.delete_all("v"), 0);
    assert_eq!(ids(&tasks, "u"), "b c");
}

#[test]
fn an_id_of_another_task_is_not_taken_over() {
    let mut tasks = usual();
    save(&mut tasks, "t", &["a"]);
    let error = tasks.save(&state("u", "a")).unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
    assert_eq!(tasks.counts(), [1, 1, 1]);
    assert!(tasks.delete("a"));
    save(&mut tasks, "u", &["a"]);
    assert_eq!(ids(&tasks, "u"), "a");
}

#[test]
fn a_refused_save_changes_nothing() {
    let mut tasks = keeping(1);
    save(&mut tasks, "t", &["a"]);
    let known = tasks
        .index(&super::name::TaskId::new("t").unwrap())
        .changes();
    let before = tasks.list("t");
    let bad = state("t", "b").with("stepIndex", 9);
    assert_eq!(tasks.save(&bad).unwrap_err().code(), Code::InvalidDocument);
    let late = tasks.save_expecting(&state("t", "b"), Some(known + 1));
    assert_eq!(late.unwrap_err().code(), Code::Conflict);
    assert_eq!((tasks.list("t"), tasks.counts()), (before, [1, 1, 1]));
}

#[test]
fn a_finished_task_is_cleaned_up() {
    let mut tasks = Tasks::new(TaskLimits {
        cleanup: Cleanup::OnceDone,
        ..TaskLimits::default()
    });
    save(&mut tasks, "t", &["a", "b"]);
    save(&mut tasks, "u", &["x", "y"]);
    let last = state("t", "c").with("pendingSteps", Vec::<Json>::new());
    tasks.save(&last).unwrap();
    assert_eq!(
        (ids(&tasks, "t"), ids(&tasks, "u")),
        ("c".into(), "x y".into())
    );
    save(&mut tasks, "t", &["d"]);
    assert_eq!(ids(&tasks, "t"), "c d", "it was taken up again");
}
