use super::super::sample::{part, state};
use super::*;
use crate::error::{Code, ErrorKind};

pub(super) fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

pub(super) fn limits(per_task: u64) -> TaskLimits {
    TaskLimits {
        per_task,
        ..TaskLimits::default()
    }
}

fn cleaning(per_task: u64) -> TaskLimits {
    TaskLimits {
        cleanup: Cleanup::OnceDone,
        ..limits(per_task)
    }
}

/// Saves checkpoints one after another, each part with a token of its own.
pub(super) fn task_with(ids: &[&str]) -> TaskIndex {
    ids.iter()
        .enumerate()
        .fold(TaskIndex::new(id("t")), |index, (at, it)| {
            let saved = index.saved(save(&id(it), at), &limits(u64::MAX)).unwrap();
            saved.next
        })
}

pub(super) fn save(id: &TaskId, at: usize) -> Save {
    Save {
        entry: TaskIndexEntry::new(id.clone(), part(at)),
        progress: TaskProgress::Open,
        expected: None,
    }
}

fn done(id: &TaskId, at: usize) -> Save {
    Save {
        progress: TaskProgress::Done,
        ..save(id, at)
    }
}

fn names<'a>(entries: impl IntoIterator<Item = &'a TaskIndexEntry>) -> String {
    let names = entries.into_iter().map(|entry| entry.id().as_str());
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_change_leaves_the_index_that_it_was_computed_from() {
    let index = task_with(&["a", "b"]);
    let before = index.clone();
    index.saved(save(&id("c"), 9), &limits(1)).unwrap();
    index.saved(save(&id("a"), 9), &limits(1)).unwrap();
    index.removed(&id("a")).unwrap();
    assert_eq!(index, before);
}

#[test]
fn the_latest_is_the_one_that_was_first_saved_last() {
    let index = task_with(&["a", "b", "c", "a", "b"]);
    assert_eq!(names(index.entries()), "a b c");
    assert_eq!(index.latest().map(TaskIndexEntry::id), Some(&id("c")));
    let again = index.removed(&id("a")).unwrap().next;
    let again = again.saved(save(&id("a"), 9), &limits(10)).unwrap().next;
    assert_eq!(names(again.entries()), "b c a");
}

#[test]
fn the_order_does_not_depend_on_a_clock() {
    let mut index = TaskIndex::new(id("t"));
    for (at, saved_at) in ["2100-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"]
        .into_iter()
        .enumerate()
    {
        let mut part = part(at);
        part.saved_at = saved_at.to_owned();
        let mut save = save(&id(&format!("c{at}")), at);
        save.entry = save.entry.with_part(part);
        index = index.saved(save, &limits(10)).unwrap().next;
    }
    assert_eq!(index.latest().map(TaskIndexEntry::id), Some(&id("c1")));
}

#[test]
fn the_oldest_is_evicted() {
    let index = task_with(&["a", "b", "c"]);
    let saved = index.saved(save(&id("d"), 9), &limits(3)).unwrap();
    assert_eq!(
        (names(saved.next.entries()), names(&saved.evicted)),
        ("b c d".into(), "a".into())
    );
    assert_eq!(saved.replaced, None);
    let saved = index.saved(save(&id("d"), 9), &limits(1)).unwrap();
    assert_eq!(names(saved.next.entries()), "d");
    assert_eq!(names(saved.dropped()), "a b c");
}

#[test]
fn a_checkpoint_is_not_evicted_by_its_own_save() {
    let index = task_with(&["a", "b", "c"]);
    let saved = index.saved(save(&id("a"), 9), &limits(2)).unwrap();
    assert_eq!(
        (names(saved.next.entries()), names(&saved.evicted)),
        ("a c".into(), "b".into())
    );
    let saved = index.saved(save(&id("a"), 9), &limits(1)).unwrap();
    assert_eq!(names(saved.next.entries()), "a");
}

#[test]
fn an_update_keeps_the_place_of_a_checkpoint_and_replaces_its_part() {
    let index = task_with(&["a", "b", "c"]);
    let saved = index.saved(save(&id("b"), 9), &limits(3)).unwrap();
    assert_eq!(names(saved.next.entries()), "a b c");
    assert_eq!(saved.evicted, []);
    let [before, after] = [saved.replaced.as_ref(), saved.next.find(&id("b"))].map(Option::unwrap);
    assert_eq!((before.part(), after.part()), (&part(1), &part(9)));
    assert_eq!(saved.dropped().collect::<Vec<_>>(), [before]);
}

#[test]
fn a_finished_task_keeps_only_its_last_checkpoint() {
    let index = task_with(&["a", "b", "c"]);
    for (it, dropped) in [("d", "a b c"), ("b", "b a c")] {
        let saved = index.saved(done(&id(it), 9), &cleaning(10)).unwrap();
        assert_eq!(names(saved.next.entries()), it);
        assert_eq!(names(saved.dropped()), dropped);
    }
    let other = [
        index.saved(save(&id("d"), 9), &cleaning(10)),
        index.saved(done(&id("d"), 9), &limits(10)),
    ];
    for saved in other {
        assert_eq!(names(saved.unwrap().next.entries()), "a b c d");
    }
}

#[test]
fn a_task_is_done_when_its_steps_are() {
    let open = TaskState::new(state("t", "a").into()).unwrap();
    let done = state("t", "b").with("pendingSteps", Vec::<Json>::new());
    let done = TaskState::new(done.into()).unwrap();
    for (state, expected) in [(&open, TaskProgress::Open), (&done, TaskProgress::Done)] {
        let save = Save::of(state, part(1)).expecting(Some(7));
        assert_eq!((save.progress, save.expected), (expected, Some(7)));
        assert_eq!(save.entry.id(), state.id());
    }
}

#[test]
fn of_two_writers_of_one_state_one_wins() {
    let index = task_with(&["a"]);
    let read = Some(index.changes());
    let [first, second] = [id("b"), id("c")];
    let winner = index
        .saved(save(&first, 8).expecting(read), &limits(10))
        .unwrap();
    let loser = winner
        .next
        .saved(save(&second, 9).expecting(read), &limits(10));
    let error = loser.unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
    assert_eq!(
        error.to_string(),
        "Task \"t\" is at revision 2, and this save expects 1: read the task again, and save what \
         follows from that"
    );
    let again = winner
        .next
        .saved(save(&second, 9).expecting(Some(2)), &limits(10));
    assert_eq!(names(again.unwrap().next.entries()), "a b c");
}

#[test]
fn a_task_that_has_to_be_new_is_refused_where_it_exists() {
    let new = TaskIndex::new(id("t"));
    let a = id("a");
    let saved = new
        .saved(save(&a, 1).expecting(Some(0)), &limits(10))
        .unwrap();
    let error = saved
        .next
        .saved(save(&a, 2).expecting(Some(0)), &limits(10));
    assert_eq!(error.unwrap_err().code(), Code::Conflict);
    let error = new.saved(save(&a, 1).expecting(Some(1)), &limits(10));
    assert_eq!(error.unwrap_err().code(), Code::Conflict);
}

#[test]
fn a_task_that_was_emptied_is_new_again() {
    let emptied = task_with(&["a"]).removed(&id("a")).unwrap().next;
    assert_eq!((emptied.changes(), emptied.revision()), (2, 0));
    let b = id("b");
    let saved = emptied.saved(save(&b, 1).expecting(Some(0)), &limits(10));
    assert_eq!(saved.unwrap().next.revision(), 3);
    let late = emptied.saved(save(&b, 1).expecting(Some(2)), &limits(10));
    assert_eq!(late.unwrap_err().code(), Code::Conflict);
}

#[test]
fn a_task_that_was_begun_again_differs_from_the_one_before_it() {
    let new = TaskIndex::new(id("t")).counted_from(7_000);
    assert_eq!(new.revision(), 0);
    let saved = new.saved(save(&id("a"), 1), &limits(10)).unwrap();
    assert_eq!(saved.next.revision(), 7_001);
    let last = TaskIndex::new(id("t")).counted_from(u64::MAX);
    assert_eq!(last.changes(), MAX_INTEGER);
}

#[test]
fn a_removal_and_an_update_are_changes_for_a_writer_that_expects_none() {
    let index = task_with(&["a", "b"]);
    let nexts = [
        index.saved(save(&id("a"), 9), &limits(10)).unwrap().next,
        index.removed(&id("a")).unwrap().next,
    ];
    for next in nexts {
        assert_eq!(next.changes(), index.changes() + 1);
    }
}

#[test]
fn a_made_up_count_of_changes_does_not_run_out() {
    let mut object = task_with(&["a"]).into_object();
    object.set("changes", MAX_INTEGER);
    let index = TaskIndex::read(object, &id("t").stem()).unwrap();
    let next = index.removed(&id("a")).unwrap().next;
    assert!(TaskIndex::read(next.into_object(), &id("t").stem()).is_ok());
}

#[test]
fn a_removal_takes_its_checkpoint_and_no_other() {
    let index = task_with(&["a", "b", "c"]);
    assert_eq!(index.removed(&id("x")), None);
    let removed = index.removed(&id("b")).unwrap();
    assert_eq!(names(removed.next.entries()), "a c");
    assert_eq!(removed.dropped, [index.find(&id("b")).unwrap().clone()]);
    assert!(!removed.next.is_empty());
}

#[test]
fn a_checkpoint_and_a_task_stay_within_their_limits() {
    let index = task_with(&["a", "b"]);
    let c = id("c");
    let sized = |bytes: u64| {
        let mut save = save(&c, 3);
        let part = CheckpointPart {
            bytes,
            ..save.entry.part().clone()
        };
        save.entry = save.entry.with_part(part);
        save
    };
    let used = index.bytes();
    let limits = TaskLimits {
        max_bytes: 1_000,
        max_task_bytes: used + 500,
        ..limits(10)
    };
    assert!(index.saved(sized(500), &limits).is_ok());
    for (bytes, input) in [
        (501, "task"),
        (1_001, "checkpoint"),
        (u64::MAX, "checkpoint"),
    ] {
        let error = index.saved(sized(bytes), &limits).unwrap_err();
        assert_eq!(error.code(), Code::TooLarge);
        let ErrorKind::TooLarge { input: found, .. } = error.into_kind() else {
            panic!("it was another error");
        };
        assert_eq!(found, input, "{bytes} bytes");
    }
    // A checkpoint that makes room for it counts no more.
    let room = TaskLimits {
        per_task: 2,
        ..limits
    };
    let oldest = index.entries()[0].part().bytes;
    assert!(index.saved(sized(500 + oldest), &room).is_ok());
    assert!(index.saved(sized(501 + oldest), &room).is_err());
    // So a task above a limit that was lowered gets below it.
    let lowered = TaskLimits {
        max_task_bytes: used - 1,
        ..room
    };
    assert!(index.saved(sized(oldest - 1), &lowered).is_ok());
}

#[test]
fn a_checkpoint_of_another_task_is_not_taken_over() {
    let error = of_another_task(&id("cp"), &id("task 1"));
    assert_eq!(error.code(), Code::Conflict);
    assert_eq!(
        error.to_string(),
        "Checkpoint \"cp\" belongs to task \"task 1\" already: save it under another id, or delete \
         that one first"
    );
}
