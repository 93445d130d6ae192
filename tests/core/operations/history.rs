//! Histories with revisions that cannot be read.

use milepost::checkpoint::command::diff;
use milepost::json::{self, Json, Object};

use super::repair::{advice, alter, busy, entry, message};
use super::{FILE, ask, code, phase, value, warnings, world};
use crate::memory::{Memory, Node};

/// The entries of the log, each as its revision, its problem, and what its changes are counted from.
fn log(world: &Memory) -> Vec<(u64, bool, Option<u64>, usize)> {
    let reply = ask(world, "log", &[]);
    let entries = value(&reply).as_array().unwrap().iter();
    let entry = |entry: &Json| {
        let entry = entry.as_object().unwrap();
        let number = |key| entry.get(key).unwrap().as_u64();
        let changes = entry.get("changes").unwrap().as_array().unwrap().len();
        let is_bad = entry.get("problem") != Some(&Json::Null);
        (
            number("revision").unwrap(),
            is_bad,
            number("compared_with"),
            changes,
        )
    };
    entries.map(entry).collect()
}

fn diff(world: &Memory, more: &[(&str, Json)]) -> Object {
    ask(world, "diff", more)
}

#[test]
fn the_log_says_which_older_revision_it_compares_with() {
    let world = busy();
    alter(&world, 2);
    assert_eq!(
        log(&world),
        [
            (3, false, Some(1), 3),
            (2, true, None, 0),
            (1, false, None, 0)
        ]
    );
    alter(&world, 1);
    assert_eq!(
        log(&world),
        [(3, false, None, 0), (2, true, None, 0), (1, true, None, 0)]
    );
}

#[test]
fn a_folder_in_the_place_of_a_history_entry_leaves_the_log_readable() {
    for node in [Node::Folder, Node::Pipe, Node::dangling()] {
        let world = busy();
        let path = entry(&world, 2);
        world.delete(&path);
        world.put_node(&path, node);
        let listed = log(&world);
        assert_eq!(listed[0].2, Some(1));
        assert_eq!(listed[1], (2, true, None, 0));
        let reply = ask(&world, "log", &[]);
        let line = value(&reply).to_line();
        assert!(
            line.contains(r#""altered":false,"problem":".claude/"#),
            "{line}"
        );
        let reply = diff(&world, &[]);
        assert_eq!(warnings(&reply), ["unsafe_path"]);
        assert!(value(&reply).to_line().starts_with(r#"{"from":1,"to":3"#));
        // A revision that is asked for by its number fails, and the failure lists those that exist.
        for operation in ["load", "diff"] {
            let key = if operation == "load" {
                "revision"
            } else {
                "to"
            };
            let refused = ask(&world, operation, &[(key, 2u64.into())]);
            assert_eq!(code(&refused), "unsafe_path");
            let said = message(&refused);
            assert!(said.ends_with("; the nearest good revision is 1"), "{said}");
        }
    }
}

#[test]
fn a_heartbeat_after_an_altered_revision_is_compared_with_the_last_good_one() {
    let world = busy();
    phase(&world, "c", "{}");
    phase(&world, "d", "{}");
    alter(&world, 3);
    assert_eq!(
        log(&world)[..3],
        [
            (5, false, Some(4), 2),
            (4, false, Some(2), 2),
            (3, true, None, 0)
        ]
    );
}

#[test]
fn a_diff_with_an_older_revision_says_so() {
    let world = busy();
    assert!(warnings(&diff(&world, &[])).is_empty());
    alter(&world, 2);
    let reply = diff(&world, &[]);
    assert!(value(&reply).to_line().starts_with(r#"{"from":1,"to":3"#));
    assert_eq!(warnings(&reply), ["corrupt"]);
    let said = reply.get("warnings").unwrap().to_line();
    assert!(
        said.contains("not what was kept as revision 2); compared with revision 1"),
        "{said}"
    );
    // A caller that names it knows.
    assert!(warnings(&diff(&world, &[("from", 1u64.into())])).is_empty());
    alter(&world, 1);
    assert_eq!(code(&diff(&world, &[])), "corrupt");
}

#[test]
fn a_request_for_an_altered_revision_is_answered_with_the_good_one() {
    let world = busy();
    alter(&world, 2);
    let shown = |number: u64| ask(&world, "load", &[("revision", number.into())]);
    assert_eq!(code(&shown(2)), "corrupt");
    let said = message(&shown(2));
    assert!(
        said.ends_with("kept as revision 2; the nearest good revision is 1)"),
        "{said}"
    );
    assert_eq!(advice(&shown(2)), "log design");
    alter(&world, 1);
    assert!(message(&shown(1)).contains("; the nearest good revision is 3)"));
    world.put(FILE, "{ torn");
    alter(&world, 3);
    assert!(message(&shown(1)).ends_with("kept as revision 1)"));
}

/// The number of revisions of the history that an operation reads.
fn read(world: &Memory, operation: &str, more: &[(&str, Json)]) -> usize {
    world.log.borrow_mut().clear();
    value(&ask(world, operation, more));
    let log = world.log.borrow();
    let reads = log
        .iter()
        .filter(|it| it.starts_with("Read {") && it.contains("/history/"));
    reads.count()
}

#[test]
fn a_diff_of_two_revisions_reads_these_alone() {
    let world = world();
    for number in 1..=30 {
        phase(&world, &format!("p{number}"), "{}");
    }
    assert_eq!(read(&world, "diff", &[]), 1);
    assert_eq!(read(&world, "diff", &[("to", 12.into())]), 2);
    let both = [("from", 3.into()), ("to", 20.into())];
    assert_eq!(read(&world, "diff", &both), 2);
    assert_eq!(read(&world, "log", &[]), 29);
}

/// The log as it reads for a caller that has all states before them: for each revision what changed,
/// since which one, which earlier one is the same, and how many heartbeats follow.
fn expected_log(states: &[(u64, bool, Option<Object>)]) -> Vec<String> {
    let content = |object: &Object| {
        let mut object = object.clone();
        for key in ["revision", "seal", "updated_at", "restores"] {
            object.remove(key);
        }
        Json::Object(object).to_line()
    };
    let mut log: Vec<(u64, String, u64, bool)> = Vec::new();
    let mut before: Option<(u64, &Object)> = None;
    let mut contents: Vec<(u64, String)> = Vec::new();
    for (at, (revision, is_heartbeat, state)) in states.iter().enumerate() {
        if let (true, Some(last), Some(object)) = (*is_heartbeat, log.last_mut(), state)
            && at + 1 < states.len()
            && last.3
        {
            last.2 += 1;
            contents.push((last.0, content(object)));
            continue;
        }
        let mut line = String::new();
        if let (Some((number, before)), Some(after)) = (before, state) {
            let changes = diff::changes(before, after);
            let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
            let patch = diff::json_patch(before, after).to_line();
            line = format!(" since {number}: {} {patch}", Json::from(changes).to_line());
        }
        if let Some(object) = state {
            let content = content(object);
            if contents.last().is_some_and(|(_, last)| *last != content) {
                let earlier = || contents.iter().rev().filter(|(_, it)| *it == content);
                let restored = object.get("restores").and_then(Json::as_u64);
                let named = earlier().find(|(number, _)| Some(*number) == restored);
                if let Some((number, _)) = named.or_else(|| earlier().next()) {
                    line += &format!(" same as {number}");
                }
            }
            contents.push((*revision, content));
        }
        log.push((*revision, line, 0, state.is_some()));
        before = state.as_ref().map(|object| (*revision, object)).or(before);
    }
    let log = log.into_iter().rev();
    log.map(|(revision, line, beats, _)| format!("{revision}{line}, {beats} more"))
        .collect()
}

#[test]
fn a_log_that_reads_one_revision_after_the_other_says_what_one_of_all_of_them_says() {
    let (mut same, mut beats, mut bad) = (0, 0, 0);
    for seed in 0..60 {
        let _run = milepost_property::seed(
            "a log that reads one revision after the other says what one of all of them says",
            seed,
        );
        let mut random = fastrand::Rng::with_seed(seed);
        let world = world();
        phase(&world, "a", "{}");
        let mut altered = Vec::new();
        for _ in 0..random.usize(1..14) {
            world.now_ms.set(world.now_ms.get() + 1000.0);
            let name = ["a", "b", "c"][random.usize(..3)];
            match random.usize(..6) {
                0 => drop(ask(&world, "undo", &[])),
                1 => drop(ask(&world, "redo", &[])),
                2 => drop(phase(&world, name, r#"{"status":"complete"}"#)),
                3 => drop(phase(&world, name, r#"{"status":"pending"}"#)),
                _ => drop(phase(&world, name, "{}")),
            }
        }
        let file = json::read(world.text(FILE).as_bytes()).unwrap().value;
        let file = file.as_object().unwrap().clone();
        let present = file.get("revision").unwrap().as_u64().unwrap();
        if present > 2 && random.bool() {
            altered.push(random.u64(1..present));
            let path = entry(&world, altered[0]);
            world.put(&path, world.text(&path).replace("pending", "skipped") + " ");
        }
        let mut states: Vec<(u64, bool, Option<Object>)> = Vec::new();
        for number in 1..present {
            let path = entry(&world, number);
            let state = json::read(world.text(&path).as_bytes()).unwrap().value;
            let state = state.as_object().filter(|_| !altered.contains(&number));
            states.push((number, path.contains("heartbeat"), state.cloned()));
        }
        let is_heartbeat = file.get("seal").unwrap().to_line().contains("heartbeat");
        states.push((present, is_heartbeat, Some(file)));

        let reply = ask(&world, "log", &[]);
        let entries = value(&reply).as_array().unwrap().iter();
        let entries = entries.map(|entry| {
            let entry = entry.as_object().unwrap();
            let number = |key| entry.get(key).unwrap().as_u64();
            let line = |key| entry.get(key).unwrap().to_line();
            let mut text = line("revision");
            if let Some(since) = number("compared_with") {
                text += &format!(" since {since}: {} {}", line("changes"), line("patch"));
            }
            if let Some(number) = number("same_as") {
                text += &format!(" same as {number}");
                same += 1;
            }
            beats += number("heartbeats").unwrap();
            bad += u64::from(entry.get("problem") != Some(&Json::Null));
            format!("{text}, {} more", line("heartbeats"))
        });
        assert_eq!(
            entries.collect::<Vec<_>>(),
            expected_log(&states),
            "seed {seed}"
        );
    }
    assert!(same > 20 && beats > 20 && bad > 10, "{same} {beats} {bad}");
}
