//! Transcripts of sessions, from request to reply: beside other writers, and with deaths and faults at every effect.

use milepost::effect::Machine;
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::super::{code, value};
use super::trial::Trial;
use super::{LARGE, SETTINGS, Setting, ask, parsed, stored};
use crate::memory::Memory;

fn request_of(setting: Setting, operation: &str, more: &[(&str, Json)]) -> String {
    let place = Object::new()
        .with("root", "/repo")
        .with("storage", setting.storage);
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place)
        .with("project", "-home-me/../app");
    for (key, value) in more {
        request.set(key, value.clone());
    }
    Json::Object(request).to_line()
}

fn of_session(setting: Setting, operation: &str, more: &[(&str, Json)]) -> String {
    let session = [("session", "0b6e".into())];
    request_of(setting, operation, &[&session, more].concat())
}

/// An entry of a setting's size, with a `uuid`.
fn entry(setting: Setting, number: usize) -> String {
    let size = if number < 3 {
        setting.present
    } else {
        setting.next
    };
    format!(
        "{{\"type\":\"user\",\"uuid\":\"u{number}\",\"text\":\"{}\"}}",
        "x".repeat(size)
    )
}

fn append(setting: Setting, subpath: Option<&str>, entries: Vec<String>) -> String {
    let mut more = vec![("entries", Json::from(entries))];
    more.extend(subpath.map(|it| ("subpath", it.into())));
    of_session(setting, "append_transcript", &more)
}

/// A session with three entries, and one of a subagent.
fn begun(setting: Setting) -> Memory {
    let world = Memory::new();
    for number in 0..3 {
        value(&ask(
            &world,
            &append(setting, None, vec![entry(setting, number)]),
        ));
    }
    let of_subagent = vec![entry(setting, 9)];
    value(&ask(
        &world,
        &append(setting, Some("subagents/a"), of_subagent),
    ));
    world
}

fn texts(reply: &Object, at: &str) -> Vec<String> {
    let found = value(reply).at(at).and_then(Json::as_array);
    let found = found.unwrap_or_default().iter();
    found.map(|it| it.as_str().unwrap().to_owned()).collect()
}

/// The numbers of the entries of both transcripts.
fn all(world: &Memory, setting: Setting) -> String {
    let numbers = |more: &[(&str, Json)]| {
        let reply = ask(world, &of_session(setting, "load_transcript", more));
        let texts = texts(&reply, "/entries").into_iter();
        let number = |it: String| it.split('"').nth(7).unwrap_or("?").to_owned();
        texts.map(number).collect::<Vec<_>>().join(" ")
    };
    let of_subagent = numbers(&[("subpath", "subagents/a".into())]);
    format!("{} | {of_subagent}", numbers(&[]))
}

fn changes(setting: Setting) -> Vec<String> {
    let more = vec![entry(setting, 3), entry(setting, 4)];
    vec![
        append(setting, None, more),
        append(setting, Some("subagents/a"), vec![entry(setting, 5)]),
        of_session(setting, "pop_transcript", &[]),
        of_session(
            setting,
            "delete_transcript",
            &[("subpath", "subagents/a".into())],
        ),
        of_session(setting, "delete_transcript", &[]),
    ]
}

/// The next writer can go on.
fn expect_usable(world: &Memory, setting: Setting, context: &str) {
    let reply = ask(world, &append(setting, None, vec![entry(setting, 7)]));
    value(&reply);
    let now = all(world, setting);
    assert!(
        now.split(" |").next().unwrap().ends_with("u7"),
        "{context}: {now}"
    );
}

const TRIAL: Trial = Trial {
    begun,
    all,
    changes,
    expect_usable,
};

#[test]
fn a_transcript_is_what_was_added_to_it() {
    for setting in SETTINGS {
        let states: Vec<String> = (0..changes(setting).len())
            .flat_map(|number| TRIAL.ends(setting, number))
            .collect();
        let before = "u0 u1 u2 | u9";
        let after = [
            "u0 u1 u2 u3 u4 | u9",
            "u0 u1 u2 | u9 u5",
            "u0 u1 | u9",
            "u0 u1 u2 | ",
            " | ",
        ];
        let expected: Vec<&str> = after.iter().flat_map(|it| [before, *it]).collect();
        assert_eq!(states, expected, "{setting:?}");
    }
}

#[test]
fn a_death_at_any_effect_loses_no_entry_and_leaves_no_half_of_an_append() {
    let _run = milepost_property::run("a death at any effect loses no entry");
    TRIAL.die();
}

#[test]
fn a_fault_at_any_effect_of_a_transcript_is_not_acknowledged_and_a_retry_adds_nothing_twice() {
    let _run = milepost_property::run("a fault at any effect of a transcript is not acknowledged");
    TRIAL.fail(|it| {
        if it.is_well() {
            assert_eq!(it.now, it.after, "{}: acknowledged and lost", it.context);
        } else if !it.change.contains("pop_transcript") {
            value(&ask(it.world, it.change));
            let retried = all(it.world, it.setting);
            assert_eq!(retried, it.after, "{}: the retry", it.context);
        }
    });
}

#[test]
fn many_writers_of_one_session_lose_no_entry_and_keep_the_order_of_each() {
    for setting in SETTINGS {
        for seed in 0..20 {
            let _run = milepost_property::seed("many writers of one session lose no entry", seed);
            let world = begun(setting);
            let entries = |writer: usize| -> Vec<String> {
                let text = |it: usize| format!("{{\"a\":\"b\",\"c\":\"{writer}.{it}\"}}");
                (0..3).map(text).collect()
            };
            let machines: Vec<Machine<String>> = (0..6)
                .map(|it| request::start(append(setting, None, entries(it)).as_bytes()))
                .collect();
            for reply in world.interleave(machines, seed) {
                value(&parsed(&reply));
            }
            let now = all(&world, setting);
            for writer in 0..6 {
                let three = format!("{writer}.0 {writer}.1 {writer}.2");
                assert!(now.contains(&three), "{setting:?}, seed {seed}: {now}");
            }
        }
    }
}

#[test]
fn each_of_many_that_pop_gets_another_entry() {
    for setting in SETTINGS {
        for seed in 0..20 {
            let _run = milepost_property::seed("each of many that pop gets another entry", seed);
            let world = begun(setting);
            let pop = of_session(setting, "pop_transcript", &[]);
            let machines = (0..4).map(|_| request::start(pop.as_bytes()));
            let replies = world.interleave(machines.collect(), seed).into_iter();
            let popped = replies.map(|it| value(&parsed(&it)).at("/entry").unwrap().to_line());
            let mut popped: Vec<String> = popped
                .map(|it| it.split("\\\"").nth(7).unwrap_or("none").to_owned())
                .collect();
            popped.sort();
            assert_eq!(
                popped,
                ["none", "u0", "u1", "u2"],
                "{setting:?}, seed {seed}"
            );
            assert_eq!(all(&world, setting), " | u9");
        }
    }
}

#[test]
fn sessions_are_listed_by_their_project_and_threads_of_others_are_not() {
    for setting in SETTINGS {
        let world = begun(setting);
        value(&ask(
            &world,
            &super::put(setting, vec![super::checkpoint(setting, "a", None)]),
        ));
        let other = [("session", "other".into()), ("project", "another".into())];
        let entries = ("entries", Json::from(vec!["{}"]));
        let more = [&other[..], &[entries]].concat();
        value(&ask(
            &world,
            &request_of(setting, "append_transcript", &more),
        ));
        let listed = |more: &[(&str, Json)]| {
            let reply = ask(&world, &request_of(setting, "list_transcripts", more));
            let sessions = value(&reply).at("/sessions").and_then(Json::as_array);
            let sessions = sessions.unwrap().iter();
            let session = |it: &Json| {
                assert!(it.at("/mtime").and_then(Json::as_u64).unwrap() > 1_000_000);
                it.at("/session").and_then(Json::as_str).unwrap().to_owned()
            };
            sessions.map(session).collect::<Vec<_>>()
        };
        assert_eq!(listed(&[]), ["0b6e"]);
        assert_eq!(listed(&other[1..]), ["other"]);
        assert!(listed(&[("project", "none".into())]).is_empty());
        let subpaths = ask(&world, &of_session(setting, "list_subpaths", &[]));
        assert_eq!(texts(&subpaths, "/subpaths"), ["subagents/a"]);
    }
}

#[test]
fn a_damaged_transcript_is_corrupt_and_never_overwritten() {
    let setting = SETTINGS[0];
    let world = begun(setting);
    let path = format!("/repo/{}", stored(&world, false));
    world.put(&path, "{\"version\": ");
    for request in [
        append(setting, None, vec![entry(setting, 3)]),
        of_session(setting, "load_transcript", &[]),
        of_session(setting, "pop_transcript", &[]),
    ] {
        assert_eq!(code(&ask(&world, &request)), "corrupt");
    }
    assert_eq!(world.text(&path), "{\"version\": ");
}

#[test]
fn what_cannot_be_an_entry_or_a_name_is_refused_and_nothing_is_made() {
    for setting in SETTINGS {
        let world = Memory::new();
        let refused = |request: &str| code(&ask(&world, request)).to_owned();
        let text = append(setting, None, vec!["{}".to_owned(), "[1]".to_owned()]);
        assert_eq!(refused(&text), "usage");
        let long = "x".repeat(LARGE);
        for more in [
            [("session", Json::from("")), ("subpath", "".into())],
            [("session", "a\0".into()), ("subpath", "".into())],
            [("session", long.as_str().into()), ("subpath", "".into())],
            [("session", "a".into()), ("subpath", long.as_str().into())],
        ] {
            let request = request_of(setting, "load_transcript", &more);
            assert_eq!(refused(&request), "invalid_name", "{more:?}");
        }
        value(&ask(&world, &append(setting, None, Vec::new())));
        assert_eq!(world.files_below("/repo"), [""; 0]);
    }
}
