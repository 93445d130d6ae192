//! Threads that are deleted while a run goes on, and checkpoints whose parent is not there.

use milepost::effect::{Machine, MachineStep};
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::super::value;
use super::{
    SETTINGS, Setting, all, ask, begun, checkpoint, expect_usable, line, parsed, put, typed, writes,
};
use crate::memory::Memory;

/// A put that began before its thread was deleted is done before that, or refused; nothing of it comes back.
#[test]
fn a_put_while_its_thread_is_deleted_brings_nothing_of_it_back() {
    let _run =
        milepost_property::run("a put while its thread is deleted brings nothing of it back");
    for setting in SETTINGS {
        for at in 0.. {
            let world = begun(setting);
            let changes = vec![checkpoint(setting, "x", Some("c")), writes("c", "t")];
            let asked = put(setting, changes);
            let mut first: Machine<String> = request::start(asked.as_bytes());
            let mut effects = Vec::new();
            let mut ended = false;
            for _ in 0..at {
                match first.step().unwrap() {
                    MachineStep::Effect(effect) => {
                        effects.push(effect.name());
                        first.resume(world.perform(&effect)).unwrap();
                    }
                    MachineStep::Done(_) => {
                        ended = true;
                        break;
                    }
                }
            }
            if ended {
                break;
            }
            let was_there = all(&world, setting).starts_with("\"x\"");
            let deleted = ask(&world, &line(setting, "delete_thread", &[]));
            assert_eq!(value(&deleted).at("/deleted"), Some(&true.into()));
            let reply = parsed(&world.run(first));
            let code = |at: &str| value(&reply).at(at).and_then(Json::as_str);
            let refused = ["/results/0/error/code", "/results/1/error/code"].map(code);
            let context = format!("{setting:?} at {at}: {effects:?} {reply:?}");
            assert!(was_there || refused == [Some("conflict"); 2], "{context}");
            expect_gone(&world, setting, &context);
            expect_usable(&world, setting, &context);
        }
    }
}

/// No answer has anything of the thread.
fn expect_gone(world: &Memory, setting: Setting, context: &str) {
    assert_eq!(all(world, setting), "", "{context}");
    let load = line(setting, "load_thread", &[("namespace", "".into())]);
    let found = ask(world, &load);
    assert_eq!(value(&found).at("/found"), Some(&Json::Null), "{context}");
    let place = Object::new()
        .with("root", "/repo")
        .with("storage", setting.storage);
    let list = Object::new()
        .with("operation", "list_threads")
        .with("place", place);
    let list = ask(world, &Json::Object(list).to_line());
    let threads = value(&list).at("/threads").and_then(Json::as_array);
    assert_eq!(threads.map(<[Json]>::len), Some(0), "{context}");
}

#[test]
fn a_deleted_thread_takes_a_new_run_and_nothing_of_the_former_one() {
    for setting in SETTINGS {
        let world = begun(setting);
        let delete = line(setting, "delete_thread", &[]);
        let error = |change: Json| {
            let reply = ask(&world, &put(setting, vec![change]));
            let code = value(&reply).at("/results/0/error/code");
            code.and_then(Json::as_str).map(str::to_owned)
        };
        for expected in [true, false] {
            let deleted = ask(&world, &delete);
            assert_eq!(value(&deleted).at("/deleted"), Some(&expected.into()));
            for (id, parent) in [("d", "c"), ("e", "d"), ("f", "e")] {
                let late = checkpoint(setting, id, Some(parent));
                assert_eq!(error(late).as_deref(), Some("conflict"), "{setting:?} {id}");
                let late = error(writes(id, "t"));
                assert_eq!(late.as_deref(), Some("conflict"), "{setting:?} {id}");
                expect_gone(&world, setting, id);
            }
        }
        // Large values would be in one of these.
        let files = world.files_below("/repo");
        let has_any = |it: &&String| world.text(&format!("/repo/{it}")).contains("cccccccccc");
        assert_eq!(files.iter().find(has_any), None, "{setting:?}");
        assert_eq!(error(checkpoint(setting, "n", None)), None);
        assert_eq!(error(checkpoint(setting, "o", Some("n"))), None);
        assert_eq!(error(writes("o", "t")), None);
        let late = error(checkpoint(setting, "g", Some("f")));
        assert_eq!(late.as_deref(), Some("conflict"), "{setting:?}");
        assert!(all(&world, setting).starts_with("\"o\" \"n\""));
        assert_eq!(all(&world, setting).lines().count(), 2);
    }
}

#[test]
fn a_checkpoint_whose_parent_is_not_there_is_stored_whole() {
    for setting in SETTINGS {
        let world = Memory::new();
        let Json::Object(change) = checkpoint(setting, "b", Some("a")) else {
            unreachable!()
        };
        let change = change.with("channels", vec!["messages", "count"]);
        let reply = ask(&world, &put(setting, vec![change.clone().into()]));
        let refused = value(&reply).at("/results/0/error/code");
        assert_eq!(refused, Some(&"not_found".into()), "{setting:?}");
        assert_eq!(all(&world, setting), "");
        let values = change.get("values").and_then(Json::as_array).unwrap();
        let count = vec![Json::from("count"), typed("7")];
        let values = [values, &[Json::from(count)]].concat();
        let whole = change.with("whole", true).with("values", values);
        let reply = ask(&world, &put(setting, vec![whole.into()]));
        assert_eq!(value(&reply).at("/results/0/error"), Some(&Json::Null));
        let load = line(setting, "load_thread", &[("namespace", "".into())]);
        let found = ask(&world, &load);
        let values = value(&found).at("/found/values").and_then(Json::as_array);
        assert_eq!(values.map(<[Json]>::len), Some(2), "{setting:?}");
    }
}
