//! Threads, from request to reply, among files and among records: beside other writers, and with deaths and
//! faults at every effect.

mod damage;
mod deletion;
mod expiry;
mod keeping;
mod listed;
mod power;
mod recovery;
mod transcripts;
mod trial;

use milepost::effect::{Effect, Machine, MachineStep, Sync};
use milepost::json::{self, Json, Object};
use milepost::operation::request;

use super::{code, value};
use crate::memory::Memory;
use trial::Trial;

/// The location of a thread, and the sizes of its checkpoints: those that it has, and what comes next.
#[derive(Clone, Copy, Debug)]
struct Setting {
    storage: &'static str,
    present: usize,
    next: usize,
}

/// A checkpoint that is so large leaves the index for a part; a small one is a line of its journal.
const LARGE: usize = 60_000;
const SMALL: usize = 10;

const SETTINGS: [Setting; 4] = [
    Setting {
        storage: "files",
        present: LARGE,
        next: LARGE,
    },
    Setting {
        storage: "files",
        present: SMALL,
        next: SMALL,
    },
    Setting {
        storage: "files",
        present: SMALL,
        next: LARGE,
    },
    Setting {
        storage: "records",
        present: LARGE,
        next: LARGE,
    },
];

fn line(setting: Setting, operation: &str, more: &[(&str, Json)]) -> String {
    let place = Object::new()
        .with("root", "/repo")
        .with("storage", setting.storage);
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place)
        .with("thread_id", "a/../thread");
    if operation == "prune_threads" {
        request.remove("thread_id");
    }
    for (key, value) in more {
        request.set(key, value.clone());
    }
    Json::Object(request).to_line()
}

fn text(json: &Json, at: &str) -> String {
    json.at(at).and_then(Json::as_str).unwrap().to_owned()
}

fn typed(text: &str) -> Json {
    vec![Json::from("json"), Json::from(text)].into()
}

fn checkpoint(setting: Setting, id: &str, parent: Option<&str>) -> Json {
    let size = match id {
        "a" | "b" | "c" => setting.present,
        _ => setting.next,
    };
    let text = format!("[\"{}\"]", id.repeat(size));
    let value = vec![Json::from("messages"), typed(&text)];
    Object::new()
        .with("namespace", "")
        .with("id", id)
        .with("parent", parent)
        .with("run", format!("run of {id}"))
        .with("checkpoint", typed("{\"ts\":\"2026-11-01T00:00:00Z\"}"))
        .with("metadata", typed("{}"))
        .with("channels", vec!["messages"])
        .with("changed", vec!["messages"])
        .with("values", vec![Json::from(value)])
        .into()
}

fn writes(id: &str, task: &str) -> Json {
    let value = vec![Json::from("messages"), typed("1")];
    Object::new()
        .with("namespace", "")
        .with("id", id)
        .with("task", task)
        .with("values", vec![Json::from(value)])
        .into()
}

fn put(setting: Setting, changes: Vec<Json>) -> String {
    line(setting, "put_thread", &[("changes", changes.into())])
}

fn parsed(reply: &str) -> Object {
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

fn ask(world: &Memory, line: &str) -> Object {
    parsed(&world.ask(line.as_bytes()))
}

/// A thread with three checkpoints.
fn begun(setting: Setting) -> Memory {
    let world = Memory::new();
    for (id, parent) in [("a", None), ("b", Some("a")), ("c", Some("b"))] {
        value(&ask(
            &world,
            &put(setting, vec![checkpoint(setting, id, parent)]),
        ));
    }
    world
}

/// All that can be read.
fn all(world: &Memory, setting: Setting) -> String {
    let reply = ask(
        world,
        &line(setting, "list_thread", &[("limit", 100.into())]),
    );
    let found = value(&reply)
        .at("/checkpoints")
        .unwrap()
        .as_array()
        .unwrap();
    let found = found.iter().map(|it| {
        let text = |key: &str| it.at(key).unwrap().to_line();
        format!(
            "{} {} {} {}\n",
            text("/id"),
            text("/parent"),
            text("/values").len(),
            text("/writes")
        )
    });
    found.collect()
}

fn lines(setting: Setting) -> Vec<String> {
    vec![
        put(setting, vec![checkpoint(setting, "d", Some("c"))]),
        put(
            setting,
            vec![writes("c", "t"), checkpoint(setting, "d", Some("c"))],
        ),
        put(setting, vec![writes("a", "t")]),
        line(setting, "delete_thread", &[]),
        line(setting, "prune_thread", &[]),
        line(
            setting,
            "delete_thread_runs",
            &[("runs", vec!["run of b"].into())],
        ),
        line(setting, "prune_threads", &[("days", 1.into())]),
        line(setting, "copy_thread", &[("target", "copy".into())]),
        line(
            setting,
            "load_thread",
            &[("namespace", "".into()), ("id", "a".into())],
        ),
    ]
}

/// Runs a request up to an effect; `None` where it did not come to its end.
fn until(world: &Memory, at: usize, line: &str) -> Option<Object> {
    let mut machine: Machine<String> = request::start(line.as_bytes());
    for _ in 0..at {
        match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(reply) => return Some(parsed(&reply)),
        }
    }
    None
}

/// The next caller can go on, and the same put again is no conflict, but for one of a run that was deleted.
fn expect_usable(world: &Memory, setting: Setting, context: &str) {
    let found = all(world, setting);
    // The run of it alone is ever deleted.
    let is_removed = |id: &str| id == "b" && found.contains("\"a\"") && !found.contains("\n\"b\"");
    for (id, parent) in [
        ("a", None),
        ("b", Some("a")),
        ("c", Some("b")),
        ("d", Some("c")),
    ] {
        let reply = ask(world, &put(setting, vec![checkpoint(setting, id, parent)]));
        let error = value(&reply).at("/results/0/error").unwrap();
        match error {
            Json::Null => {}
            _ => assert!(is_removed(id), "{context}: {id}"),
        }
    }
    assert!(all(world, setting).starts_with("\"d\" \"c\""), "{context}");
}

const TRIAL: Trial = Trial {
    begun,
    all,
    changes: lines,
    expect_usable,
};

#[test]
fn a_death_at_any_effect_loses_no_checkpoint_and_leaves_no_half_of_one() {
    let _run = milepost_property::run(
        "a death at any effect loses no checkpoint and leaves no half of one",
    );
    TRIAL.die();
}

#[test]
fn a_fault_at_any_effect_is_not_acknowledged_and_leaves_no_half_of_a_checkpoint() {
    let _run = milepost_property::run(
        "a fault at any effect is not acknowledged and leaves no half of a checkpoint",
    );
    TRIAL.fail(|it| {
        // It passes over a thread, with a warning, and names those that went.
        let is_passed_over = it.change.contains("\"prune_threads\"")
            && it.reply.get("warnings").and_then(Json::as_array) != Some(&[])
            && Json::Object(it.reply.clone())
                .at("/value/threads")
                .and_then(Json::as_array)
                == Some(&[]);
        if it.is_well() && !is_passed_over {
            assert_eq!(it.now, it.after, "{}: acknowledged and lost", it.context);
        }
    });
}

#[test]
fn of_two_writers_on_one_parent_one_wins() {
    let _run = milepost_property::run("of two writers on one parent one wins");
    for setting in SETTINGS {
        for at in 0.. {
            let world = begun(setting);
            let mut first: Machine<String> =
                request::start(put(setting, vec![checkpoint(setting, "x", Some("c"))]).as_bytes());
            let mut ended = false;
            for _ in 0..at {
                match first.step().unwrap() {
                    MachineStep::Effect(effect) => first.resume(world.perform(&effect)).unwrap(),
                    MachineStep::Done(_) => {
                        ended = true;
                        break;
                    }
                }
            }
            if ended {
                assert!(at > 3, "it ended immediately");
                break;
            }
            let second = ask(
                &world,
                &put(setting, vec![checkpoint(setting, "y", Some("c"))]),
            );
            let first = parsed(&world.run(first));
            let errors = [&first, &second].map(|it| {
                let error = value(it).at("/results/0/error/code");
                error.map(|code| code.as_str().unwrap().to_owned())
            });
            let lost = errors.iter().flatten().collect::<Vec<_>>();
            assert_eq!(lost, ["conflict"], "{setting:?} at {at}");
            let winner = if errors[0].is_none() {
                "\"x\""
            } else {
                "\"y\""
            };
            assert!(
                all(&world, setting).starts_with(winner),
                "{setting:?} at {at}"
            );
        }
    }
}

#[test]
fn many_writers_of_one_thread_lose_no_writes() {
    for setting in SETTINGS {
        for seed in 0..20 {
            let _run = milepost_property::seed("many writers of one thread lose no writes", seed);
            let world = begun(setting);
            let tasks: Vec<String> = (0..6).map(|it| format!("task-{it}")).collect();
            let machines = tasks
                .iter()
                .map(|task| request::start(put(setting, vec![writes("c", task)]).as_bytes()));
            for reply in world.interleave(machines.collect(), seed) {
                value(&parsed(&reply));
            }
            let now = all(&world, setting);
            for task in &tasks {
                assert!(
                    now.contains(task),
                    "{setting:?}, seed {seed}: {task} is lost"
                );
            }
        }
    }
}

#[test]
fn a_writer_that_died_in_the_middle_of_a_line_takes_no_later_line_along() {
    let setting = SETTINGS[1];
    let world = begun(setting);
    let before = all(&world, setting);
    let journals = world.files_below("/repo");
    let journal = journals.iter().find(|it| it.contains("/00-")).unwrap();
    let path = format!("/repo/{journal}");
    let text = world.text(&path);
    let head = text.rsplit('\n').next().and_then(|it| it.split(' ').nth(2));
    let torn = format!("\n{} 0123", head.unwrap());
    world.perform(&Effect::Append {
        path,
        bytes: torn.into_bytes(),
        sync: Sync::Lazy,
    });
    assert_eq!(all(&world, setting), before);
    let next = put(setting, vec![checkpoint(setting, "d", Some("c"))]);
    value(&ask(&world, &next));
    assert!(all(&world, setting).starts_with("\"d\" \"c\""));
}

#[test]
fn an_impossible_name_is_refused() {
    for setting in SETTINGS {
        let world = Memory::new();
        for (operation, more) in [
            (
                "load_thread",
                vec![("thread_id", Json::from("")), ("namespace", "".into())],
            ),
            (
                "load_thread",
                vec![("thread_id", "a\0".into()), ("namespace", "".into())],
            ),
            (
                "load_thread",
                vec![("namespace", "".into()), ("id", "".into())],
            ),
            (
                "delete_thread",
                vec![("thread_id", "x".repeat(5_000).into())],
            ),
        ] {
            let reply = ask(&world, &line(setting, operation, &more));
            assert_eq!(code(&reply), "invalid_name", "{operation} {more:?}");
        }
        assert_eq!(world.files_below("/repo"), [""; 0]);
    }
}

const THREADS: &str = ".claude/state/threads";

/// The document of the only thread, or one of its parts.
fn stored(world: &Memory, is_part: bool) -> String {
    let files = world.files_below(&format!("/repo/{THREADS}"));
    let is_journal = |it: &str| {
        let name = it.rsplit('/').next();
        name.is_some_and(|name| name.starts_with("00-") || name.starts_with("01-"))
    };
    let is_it = |it: &&String| {
        let is_own = it.contains(".milepost/") || is_journal(it);
        !is_own && it.ends_with("/index.json") != is_part
    };
    let file = files.iter().find(is_it);
    format!("{THREADS}/{}", file.unwrap())
}

#[test]
fn a_torn_thread_comes_with_what_fixes_it() {
    for is_part in [false, true] {
        let world = begun(SETTINGS[0]);
        let file = stored(&world, is_part);
        world.put(&format!("/repo/{file}"), "{\"version\": ");
        let reply = ask(&world, &line(SETTINGS[0], "list_thread", &[]));
        let mut replies = vec![reply];
        if !is_part {
            let put = put(SETTINGS[0], vec![checkpoint(SETTINGS[0], "d", Some("c"))]);
            let load = line(SETTINGS[0], "load_thread", &[("namespace", "".into())]);
            replies.extend([put, load].map(|line| ask(&world, &line)));
        }
        for reply in replies {
            assert_eq!(code(&reply), "corrupt", "{file}: {reply:?}");
            let advice = reply.get("error").unwrap().at("/advice").unwrap();
            assert_eq!(text(advice, "/kind"), "recover_thread");
            assert_eq!(text(advice, "/thread"), "a/../thread");
        }
        let deleted = ask(&world, &line(SETTINGS[0], "delete_thread", &[]));
        assert_eq!(value(&deleted).at("/deleted"), Some(&true.into()));
        value(&ask(
            &world,
            &put(SETTINGS[0], vec![checkpoint(SETTINGS[0], "a", None)]),
        ));
    }
}

#[test]
fn a_warning_of_a_torn_thread_names_its_path_once() {
    let world = begun(SETTINGS[0]);
    let index = stored(&world, false);
    world.put(&format!("/repo/{index}"), "{\"version\": ");
    let request = Object::new()
        .with("operation", "list_threads")
        .with("place", Object::new().with("root", "/repo"));
    let page = ask(&world, &Json::Object(request).to_line());
    let warning = page.get("warnings").unwrap().at("/0").unwrap();
    let said = text(warning, "/message");
    assert_eq!(said.matches(&index).count(), 1, "{said}");
    assert_eq!(text(warning, "/advice/kind"), "recover_thread");
    assert_eq!(warning.at("/advice/thread"), Some(&Json::Null));
}
