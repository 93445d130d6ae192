use super::{ThreadStep, newest_first, steps, summary};
use crate::checkpoint::thread::change::{Addition, Coverage, Fork, Put, ThreadChange, change};
use crate::checkpoint::thread::index::Thread;
use crate::checkpoint::thread::log::{LoadedParts, Log};
use crate::checkpoint::thread::seal::Writing;
use crate::checkpoint::thread::value::Typed;
use crate::checkpoint::thread::writes::ChannelWrite;

fn typed(text: &str) -> Typed {
    Typed {
        kind: "json".to_owned(),
        encoding: None,
        text: text.into(),
    }
}

/// A checkpoint that follows from another one, with all of its channels; those that are named first are new.
fn put(id: &str, parent: Option<&str>, changed: &[(&str, &str)], others: &[&str]) -> ThreadChange {
    let names = changed.iter().map(|(name, _)| *name);
    let names: Vec<String> = names.map(str::to_owned).collect();
    let others = others.iter().map(|&name| name.to_owned());
    let values = changed.iter();
    ThreadChange::Put(Box::new(Put {
        namespace: String::new(),
        id: id.to_owned(),
        parent: parent.map(str::to_owned),
        fork: Fork::Refuse,
        body: typed(&format!(
            r#"{{"ts":"2026-01-01T00:00:0{}.000Z"}}"#,
            id.len()
        )),
        metadata: typed(r#"{"source":"loop","step":-1}"#),
        channels: names.iter().cloned().chain(others).collect(),
        changed: names,
        values: values
            .map(|(name, text)| ((*name).to_owned(), typed(text)))
            .collect(),
        coverage: Coverage::All,
        run: None,
        outer: Vec::new(),
    }))
}

fn write(id: &str, task: &str, channel: &str, text: &str) -> ThreadChange {
    ThreadChange::Add(Addition {
        namespace: String::new(),
        id: id.to_owned(),
        writes: ChannelWrite::all(task, "", vec![(channel.to_owned(), typed(text))]),
    })
}

fn thread(name: &str, changes: &[ThreadChange]) -> Thread {
    let empty = Thread::new(name, &"5f".repeat(16));
    let token = "0".repeat(32);
    let outcome = change(
        &empty,
        &LoadedParts::default(),
        changes,
        &token,
        Writing::Lines,
    )
    .unwrap();
    assert!(outcome.results.iter().all(|it| matches!(it, Ok(true))));
    *outcome.next.unwrap().thread
}

fn step_of(thread: &Thread, id: &str) -> ThreadStep {
    let loaded = LoadedParts::default();
    let steps = steps(Log::new(thread, &loaded), 100, |_, text| text.to_owned())
        .unwrap()
        .steps;
    steps.into_iter().find(|it| it.head.id == id).unwrap()
}

fn changed(step: &ThreadStep) -> Vec<String> {
    let changes = step.changes.iter();
    changes
        .map(|it| format!("{} {}", it.channel, it.kind.as_str()))
        .collect()
}

#[test]
fn a_step_has_the_channels_that_differ_from_its_parent() {
    let thread = thread(
        "t",
        &[
            put("a", None, &[("x", "1"), ("y", "[1]"), ("z", "3")], &[]),
            put(
                "bb",
                Some("a"),
                &[("y", "[1,2]"), ("w", "4"), ("z", "3")],
                &["x"],
            ),
            put("ccc", Some("bb"), &[], &["x", "y"]),
        ],
    );
    assert_eq!(
        changed(&step_of(&thread, "a")),
        ["x added", "y added", "z added"]
    );
    let step = step_of(&thread, "bb");
    assert_eq!(changed(&step), ["y changed", "w added"]);
    assert_eq!(step.changes[0].parts[0].at, "/1");
    let gone = step_of(&thread, "ccc");
    assert_eq!(changed(&gone).len(), 2);
    assert!(changed(&gone).iter().all(|it| it.ends_with(" removed")));
    assert_eq!(step.head.parent.as_deref(), Some("a"));
    assert_eq!(step.head.at.as_deref(), Some("2026-01-01T00:00:02.000Z"));
    assert_eq!(step.head.source.as_deref(), Some("loop"));
    assert_eq!(step.head.number.unwrap().to_line(), "-1");
}

#[test]
fn writes_are_pending_until_a_checkpoint_follows() {
    let before = [
        put("a", None, &[("x", "1")], &[]),
        write("a", "t1", "x", "2"),
    ];
    let waiting = step_of(&thread("t", &before), "a");
    assert!(waiting.is_pending);
    let write = &waiting.writes[0];
    assert_eq!((write.task.as_str(), write.channel.as_str()), ("t1", "x"));
    assert_eq!(write.value.text.as_deref(), Some("2"));
    let [first, second] = before;
    let applied = thread(
        "t",
        &[first, second, put("bb", Some("a"), &[("x", "2")], &[])],
    );
    assert!(!step_of(&applied, "a").is_pending);
    assert_eq!(step_of(&applied, "a").writes.len(), 1);
    assert!(!step_of(&applied, "bb").is_pending, "it has no writes");
}

#[test]
fn the_newest_steps_come_first_and_older_ones_are_known_of() {
    let thread = thread(
        "t",
        &[
            put("a", None, &[("x", "1")], &[]),
            put("bb", Some("a"), &[("x", "2")], &[]),
            put("ccc", Some("bb"), &[("x", "3")], &[]),
        ],
    );
    let loaded = LoadedParts::default();
    for (limit, expected, has_more) in [
        (2, &["ccc", "bb"][..], true),
        (3, &["ccc", "bb", "a"], false),
        (0, &[], true),
    ] {
        let found = steps(Log::new(&thread, &loaded), limit, |_, text| text.to_owned()).unwrap();
        let ids = found.steps.iter().map(|it| it.head.id.as_str());
        assert_eq!(ids.collect::<Vec<_>>(), expected);
        assert_eq!(found.has_more, has_more, "{limit}");
    }
}

#[test]
fn threads_are_listed_by_their_newest_step() {
    let old = thread("old", &[put("a", None, &[("x", "1")], &[])]);
    let new = thread(
        "new",
        &[
            put("a", None, &[("x", "1")], &[]),
            put("bb", Some("a"), &[("x", "2")], &[]),
            write("bb", "t1", "x", "3"),
            write("bb", "t2", "x", "4"),
        ],
    );
    let empty = thread("empty", &[write("z", "t1", "x", "1")]);
    let loaded = LoadedParts::default();
    let all = [&empty, &old, &new].map(|it| summary(Log::new(it, &loaded)).unwrap());
    let mut all = Vec::from(all);
    newest_first(&mut all);
    let rows = all.iter().map(|it| {
        let latest = it.latest.as_ref().map_or("-", |it| it.id.as_str());
        format!("{} {latest} {}", it.thread, it.pending)
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        ["new bb 2", "old a 0", "empty - 0"]
    );
}
