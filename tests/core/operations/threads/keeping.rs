//! Pruned threads, copies, and threads that are removed for their age or for a run: beside other writers, and with deaths
//! at every effect. That a death leaves no half of a change, the tests of all changes say.

use milepost::effect::Machine;
use milepost::json::Json;
use milepost::operation::request;

use super::super::{code, value};
use super::{
    SETTINGS, Setting, all, ask, begun, checkpoint, line, parsed, put, typed, until, writes,
};
use crate::memory::Memory;

const DAY_MS: f64 = 24.0 * 3_600_000.0;

fn of(setting: Setting, thread: &str, operation: &str, more: &[(&str, Json)]) -> String {
    let thread = [("thread_id", thread.into())];
    line(setting, operation, &[&thread, more].concat())
}

/// The ids of the checkpoints of a thread, the newest first.
fn ids(world: &Memory, setting: Setting, thread: &str) -> String {
    let reply = ask(world, &of(setting, thread, "list_thread", &[]));
    let found = value(&reply).at("/checkpoints").and_then(Json::as_array);
    let id = |it: &Json| it.at("/id").and_then(Json::as_str).unwrap().to_owned();
    found.unwrap().iter().map(id).collect()
}

fn number(reply: &milepost::json::Object, at: &str) -> Option<u64> {
    value(reply).at(at).and_then(Json::as_u64)
}

#[test]
fn a_pruned_thread_has_its_newest_checkpoints_and_counts_the_others() {
    for setting in SETTINGS {
        let world = begun(setting);
        let whole = all(&world, setting);
        let reply = ask(
            &world,
            &line(setting, "prune_thread", &[("keep", 2.into())]),
        );
        assert_eq!(number(&reply, "/kept"), Some(2));
        assert_eq!(number(&reply, "/removed"), Some(1));
        let left: Vec<&str> = whole.lines().take(2).collect();
        assert_eq!(all(&world, setting).trim_end(), left.join("\n"));
        let again = ask(
            &world,
            &line(setting, "prune_thread", &[("keep", 2.into())]),
        );
        assert_eq!(number(&again, "/removed"), Some(0));
        let none = ask(
            &world,
            &line(setting, "prune_thread", &[("keep", 0.into())]),
        );
        assert_eq!(code(&none), "usage");
        let unknown = ask(&world, &of(setting, "unknown", "prune_thread", &[]));
        assert_eq!(number(&unknown, "/kept"), Some(0));
    }
}

#[test]
fn writes_and_checkpoints_beside_a_prune_are_kept() {
    let _run = milepost_property::run("writes and checkpoints beside a prune are kept");
    for setting in SETTINGS {
        for at in 0.. {
            let world = begun(setting);
            let mut pruning: Machine<String> =
                request::start(line(setting, "prune_thread", &[]).as_bytes());
            let is_done = super::expiry::run_until(&world, &mut pruning, at);
            let beside = put(
                setting,
                vec![writes("c", "task"), checkpoint(setting, "d", Some("c"))],
            );
            value(&ask(&world, &beside));
            if !is_done {
                value(&parsed(&world.run(pruning)));
            }
            let context = format!("{setting:?} at {at}");
            assert!(
                ids(&world, setting, "a/../thread").starts_with('d'),
                "{context}"
            );
            if is_done {
                assert!(all(&world, setting).contains("task"), "{context}");
                break;
            }
        }
    }
}

#[test]
fn checkpoints_of_a_run_go_from_every_thread() {
    for setting in SETTINGS {
        let world = begun(setting);
        let other = of(
            setting,
            "other",
            "put_thread",
            &[("changes", vec![checkpoint(setting, "b", None)].into())],
        );
        value(&ask(&world, &other));
        let delete = line(
            setting,
            "delete_thread_runs",
            &[("thread_id", Json::Null), ("runs", vec!["run of b"].into())],
        );
        let reply = ask(&world, &delete);
        assert_eq!(number(&reply, "/removed"), Some(2));
        let threads = value(&reply).at("/threads").and_then(Json::as_array);
        assert_eq!(threads.map(<[Json]>::len), Some(2));
        assert_eq!(ids(&world, setting, "a/../thread"), "ca");
        assert_eq!(ids(&world, setting, "other"), "");
    }
}

#[test]
fn threads_that_are_old_go_and_others_stay() {
    for setting in SETTINGS {
        let world = begun(setting);
        let prune = |days: u64, dry_run: bool| {
            let more = [("days", days.into()), ("dry_run", dry_run.into())];
            let reply = ask(&world, &line(setting, "prune_threads", &more));
            let threads = value(&reply).at("/threads").and_then(Json::as_array);
            threads.unwrap().len()
        };
        // The checkpoints are from 2026-11-01.
        let made = 1_793_491_200_000.0;
        world.now_ms.set(made + 9.5 * DAY_MS);
        assert_eq!(prune(10, false), 0);
        assert_eq!(prune(9, true), 1);
        assert_eq!(ids(&world, setting, "a/../thread"), "cba");
        assert_eq!(prune(9, false), 1);
        assert_eq!(ids(&world, setting, "a/../thread"), "");
        // A run that was going on finds out.
        let late = ask(
            &world,
            &put(setting, vec![checkpoint(setting, "d", Some("c"))]),
        );
        let error = value(&late).at("/results/0/error/code");
        assert_eq!(error.and_then(Json::as_str), Some("conflict"));
        let wrong = ask(
            &world,
            &line(setting, "prune_threads", &[("days", 0.into())]),
        );
        assert_eq!(code(&wrong), "usage");
    }
}

#[test]
fn a_copy_is_whole_or_not_there_and_both_go_on_by_themselves() {
    let _run = milepost_property::run("a copy is whole or not there");
    for setting in SETTINGS {
        let copy = line(setting, "copy_thread", &[("target", "copy".into())]);
        for at in 0.. {
            let world = begun(setting);
            let done = until(&world, at, &copy);
            let now = ids(&world, setting, "copy");
            let context = format!("{setting:?} at {at}");
            assert!(now.is_empty() || now == "cba", "{context}: {now}");
            let again = ask(&world, &copy);
            match now.is_empty() {
                true => assert_eq!(number(&again, "/checkpoints"), Some(3), "{context}"),
                false => assert_eq!(code(&again), "conflict", "{context}"),
            }
            let next = put(setting, vec![checkpoint(setting, "d", Some("c"))]);
            value(&ask(&world, &next));
            assert_eq!(ids(&world, setting, "a/../thread"), "dcba");
            assert_eq!(ids(&world, setting, "copy"), "cba");
            if done.is_some() {
                assert_eq!(now, "cba", "{context}: acknowledged and lost");
                break;
            }
        }
        let world = begun(setting);
        let unknown = of(
            setting,
            "unknown",
            "copy_thread",
            &[("target", "copy".into())],
        );
        assert_eq!(code(&ask(&world, &unknown)), "not_found");
        value(&ask(&world, &copy));
        value(&ask(&world, &of(setting, "copy", "delete_thread", &[])));
        assert_eq!(number(&ask(&world, &copy), "/checkpoints"), Some(3));
    }
}

#[test]
fn a_copy_takes_other_texts_in_the_place_of_those_that_its_origin_still_has() {
    for setting in SETTINGS {
        let world = begun(setting);
        value(&ask(&world, &put(setting, vec![writes("c", "task")])));
        let read = || ask(&world, &line(setting, "thread_texts", &[]));
        let reply = read();
        let state = value(&reply).at("/state").unwrap();
        let entries = value(&reply).at("/entries").and_then(Json::as_array);
        let mut count = 0;
        for entry in entries.unwrap() {
            let items = |at: &str| entry.at(at).and_then(Json::as_array).unwrap().len();
            count += items("/values") + items("/writes");
            count += if entry.at("/checkpoint") == Some(&Json::Null) {
                0
            } else {
                2
            };
        }
        let copy = |texts: Vec<Json>| {
            let more = [
                ("target", "copy".into()),
                ("state", state.clone()),
                ("texts", texts.into()),
            ];
            ask(&world, &line(setting, "copy_thread", &more))
        };
        let text = |number: usize| typed(&format!("\"text {number}\""));
        let texts: Vec<Json> = (0..count).map(text).collect();
        assert_eq!(code(&copy(texts[1..].to_vec())), "usage");
        assert_eq!(code(&copy([&texts[..], &texts[..1]].concat())), "usage");
        assert_eq!(code(&copy(vec![Json::Null; count])), "usage");
        value(&ask(&world, &put(setting, vec![writes("c", "other")])));
        let changed = copy(texts.clone());
        assert_eq!(code(&changed), "conflict");
        let fields = changed.get("error").unwrap().at("/fields").unwrap();
        assert_eq!(fields.to_line(), "[\"/state\"]");
        assert_eq!(ids(&world, setting, "copy"), "");

        let reply = read();
        let more = [
            ("target", "copy".into()),
            ("state", value(&reply).at("/state").unwrap().clone()),
            ("texts", (0..=count).map(text).collect::<Vec<_>>().into()),
        ];
        let copied = ask(&world, &line(setting, "copy_thread", &more));
        assert_eq!(number(&copied, "/checkpoints"), Some(3));
        let latest = ask(
            &world,
            &of(setting, "copy", "load_thread", &[("namespace", "".into())]),
        );
        let found = value(&latest).at("/found").unwrap();
        let at = |at: &str| found.at(at).and_then(Json::as_str).unwrap().to_owned();
        assert!(at("/checkpoint/1").starts_with("\"text "), "{found:?}");
        assert!(at("/values/0/1/1").starts_with("\"text "));
        assert!(at("/writes/1/2/1").starts_with("\"text "));
        let origin = ask(
            &world,
            &line(setting, "load_thread", &[("namespace", "".into())]),
        );
        assert!(!value(&origin).to_line().contains("\"text "));
        let unknown = of(setting, "unknown", "thread_texts", &[]);
        assert_eq!(code(&ask(&world, &unknown)), "not_found");
    }
}
