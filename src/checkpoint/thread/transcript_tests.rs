//! Transcripts: their order and parts, retries, repeated entries, and what goes.

use super::log::{LoadedParts, Log, ThreadStop};
use super::name::{of_session, session_of};
use super::retain::{KeptCheckpoints, newest_ms};
use super::sample::{Rule, World};
use super::transcript::{self, TranscriptCall, TranscriptEntry};
use crate::error::Code;

const AT: &str = "2026-11-28T00:12:57.123Z";

fn entries(texts: &[&str]) -> Vec<TranscriptEntry> {
    let texts = texts.iter().enumerate();
    let read = |(at, text): (usize, &&str)| TranscriptEntry::read(text, at).unwrap();
    texts.map(read).collect()
}

fn call<'a>(subpath: &'a str, id: &'a str) -> TranscriptCall<'a> {
    TranscriptCall {
        subpath,
        at: AT,
        id,
    }
}

fn apply(world: &mut World, rule: &mut Rule<'_>) -> Result<bool, Code> {
    world.try_apply(rule)?.remove(0)
}

fn append(world: &mut World, call: TranscriptCall<'_>, texts: &[&str]) -> Result<bool, Code> {
    let entries = entries(texts);
    apply(world, &mut |thread, loaded, token, writing| {
        transcript::append(thread, loaded, call, &entries, token, writing)
    })
}

fn pop(world: &mut World, call: TranscriptCall<'_>) -> Option<String> {
    let mut taken = None;
    let popped = apply(world, &mut |thread, loaded, token, writing| {
        transcript::pop(thread, loaded, call, &mut taken, token, writing)
    });
    assert_eq!(popped, Ok(taken.is_some()));
    taken
}

fn load(world: &mut World, subpath: &str, limit: Option<usize>) -> Vec<String> {
    let texts = world.needed(|thread, loaded| {
        let texts = transcript::load(Log::new(thread, loaded), subpath, limit)?;
        Ok(texts.into_iter().map(str::to_owned).collect::<Vec<_>>())
    });
    texts.unwrap()
}

fn asked<T>(world: &mut World, rule: fn(Log<'_>) -> Result<T, ThreadStop>) -> T {
    let found = world.needed(|thread, loaded: &LoadedParts| rule(Log::new(thread, loaded)));
    found.unwrap()
}

/// An entry of so many bytes.
fn text(number: usize, bytes: usize) -> String {
    format!(
        "{{\"type\":\"user\",\"number\":{number},\"text\":\"{}\"}}",
        "x".repeat(bytes)
    )
}

#[test]
fn entries_come_back_in_the_order_of_their_commits_from_any_number_of_parts() {
    let mut world = World::default();
    let mut expected = Vec::new();
    for number in 0..400 {
        // Small ones stay in the document for a while; large ones leave it with the change.
        let text = text(number, if number % 50 == 49 { 60_000 } else { 700 });
        let id = format!("{number:04x}");
        assert_eq!(append(&mut world, call("", &id), &[&text]), Ok(true));
        let other = format!("{{\"type\":\"a\",\"n\":{number}}}");
        assert_eq!(
            append(&mut world, call("subagents/a", &id), &[&other]),
            Ok(true)
        );
        expected.push(text);
    }
    assert_eq!(load(&mut world, "", None), expected);
    assert_eq!(load(&mut world, "", Some(3)), expected[397..]);
    assert_eq!(load(&mut world, "subagents/a", None).len(), 400);
    assert!(load(&mut world, "subagents/b", None).is_empty());
    assert!(world.parts.len() < 30, "{}", world.parts.len());
    // Merging writes each entry a handful of times.
    let all: usize = expected.iter().map(String::len).sum();
    assert!(world.written < 6 * all, "{} of {all}", world.written);
    assert!(world.lines > 400, "{}", world.lines);
}

#[test]
fn a_retry_of_one_call_adds_nothing() {
    let mut world = World::default();
    for number in 0..80 {
        let id = format!("{number:04x}");
        let texts = [text(number, 900), "{\"type\":\"title\"}".to_owned()];
        let texts = [texts[0].as_str(), texts[1].as_str()];
        assert_eq!(append(&mut world, call("", &id), &texts), Ok(true));
        assert_eq!(append(&mut world, call("", &id), &texts), Ok(false));
    }
    assert_eq!(load(&mut world, "", None).len(), 160);
}

#[test]
fn an_entry_of_one_uuid_comes_back_once_and_those_without_as_often_as_they_were_added() {
    let mut world = World::default();
    let named =
        |number: usize| format!("{{\"type\":\"user\",\"uuid\":\"u{number}\",\"at\":{number}}}");
    let all: Vec<String> = (0..300).map(named).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(append(&mut world, call("", "a"), &all), Ok(true));
    let changed = "{\"type\":\"user\",\"uuid\":\"u7\",\"at\":\"later\"}";
    assert_eq!(
        append(&mut world, call("", "b"), &[changed, changed, "{}", "{}"]),
        Ok(true)
    );
    // Known without a look into a part.
    assert_eq!(append(&mut world, call("", "c"), &all[290..]), Ok(false));
    assert_eq!(append(&mut world, call("", "d"), &all), Ok(true));
    let mut expected: Vec<&str> = all.clone();
    expected.extend(["{}", "{}"]);
    assert_eq!(load(&mut world, "", None), expected);
    // Another transcript is another place.
    assert_eq!(append(&mut world, call("s", "e"), &all[..1]), Ok(true));
    assert_eq!(load(&mut world, "s", None), all[..1]);
}

#[test]
fn the_newest_entry_is_taken_once_by_each_call() {
    let mut world = World::default();
    let texts: Vec<String> = (0..40).map(|number| text(number, 3_000)).collect();
    for (number, text) in texts.iter().enumerate() {
        assert_eq!(
            append(&mut world, call("", &format!("{number:x}")), &[text]),
            Ok(true)
        );
    }
    for (number, text) in texts.iter().enumerate().rev() {
        let id = format!("pop{number}");
        assert_eq!(pop(&mut world, call("", &id)).as_ref(), Some(text));
        // A retry finds what it took.
        let mut taken = None;
        let again = apply(&mut world, &mut |thread, loaded, token, writing| {
            transcript::pop(thread, loaded, call("", &id), &mut taken, token, writing)
        });
        assert_eq!((again, taken), (Ok(false), None));
        assert_eq!(load(&mut world, "", None), texts[..number]);
    }
    assert_eq!(pop(&mut world, call("", "none")), None);
    assert_eq!(append(&mut world, call("", "new"), &["{}"]), Ok(true));
    assert_eq!(load(&mut world, "", None), ["{}"]);
}

#[test]
fn a_transcript_of_a_subagent_goes_alone_and_all_go_with_their_session() {
    let mut world = World::default();
    for number in 0..60 {
        for subpath in ["", "subagents/a", "subagents/b"] {
            let id = format!("{number:x}");
            let text = text(number, 900);
            assert_eq!(append(&mut world, call(subpath, &id), &[&text]), Ok(true));
        }
    }
    assert_eq!(
        asked(&mut world, transcript::subpaths),
        ["subagents/a", "subagents/b"]
    );
    let kept = ["", "subagents/b"].map(|it| load(&mut world, it, None));
    let remove = |world: &mut World, subpath: &str| {
        apply(world, &mut |thread, loaded, token, writing| {
            transcript::remove(thread, loaded, subpath, token, writing)
        })
    };
    assert_eq!(remove(&mut world, "subagents/a"), Ok(true));
    assert_eq!(remove(&mut world, "subagents/a"), Ok(false));
    assert_eq!(asked(&mut world, transcript::subpaths), ["subagents/b"]);
    assert!(load(&mut world, "subagents/a", None).is_empty());
    assert_eq!(
        ["", "subagents/b"].map(|it| load(&mut world, it, None)),
        kept
    );
    world.delete();
    assert!(world.is_deleted());
    assert_eq!(
        append(&mut world, call("subagents/b", "z"), &["{}"]),
        Ok(true)
    );
    assert!(!world.is_deleted());
    assert_eq!(load(&mut world, "subagents/b", None), ["{}"]);
    // Without a transcript of its own it is no session of a list.
    assert_eq!(asked(&mut world, transcript::modified), None);
}

#[test]
fn a_session_that_is_pruned_keeps_the_newest_entries_of_each_transcript_and_goes_on() {
    let mut world = World::default();
    let texts: Vec<String> = (0..60).map(|number| text(number, 900)).collect();
    for (number, text) in texts.iter().enumerate() {
        for subpath in ["", "subagents/a"] {
            let id = format!("{number:04x}");
            assert_eq!(append(&mut world, call(subpath, &id), &[text]), Ok(true));
        }
    }
    let retained = world.retain(&KeptCheckpoints::Newest(3));
    assert_eq!((retained.kept, retained.removed), (6, 114));
    for subpath in ["", "subagents/a"] {
        assert_eq!(load(&mut world, subpath, None), texts[57..]);
        assert_eq!(
            append(&mut world, call(subpath, "after"), &["{}"]),
            Ok(true)
        );
        assert_eq!(load(&mut world, subpath, None).len(), 4);
    }
    let newest = asked(&mut world, newest_ms);
    assert_eq!(newest, Some(1_795_824_777_123.0));
}

#[test]
fn a_session_was_modified_when_it_was_last_written_to() {
    let mut world = World::default();
    assert_eq!(
        append(&mut world, call("", "a"), &[&text(0, 90_000)]),
        Ok(true)
    );
    assert_eq!(
        asked(&mut world, transcript::modified),
        Some(1_795_824_777_123)
    );
    let later = TranscriptCall {
        at: "2026-11-28T00:12:58.000Z",
        ..call("", "b")
    };
    assert_eq!(append(&mut world, later, &["{}"]), Ok(true));
    assert_eq!(
        asked(&mut world, transcript::modified),
        Some(1_795_824_778_000)
    );
}

#[test]
fn an_entry_that_is_no_object_is_refused_by_its_position() {
    for text in ["", "[]", "1", "{\"a\":}", "{} {}"] {
        let error = TranscriptEntry::read(text, 3).unwrap_err();
        assert_eq!(error.code(), Code::Usage);
        assert!(error.to_string().contains("entry 3"), "{error}");
    }
}

#[test]
fn the_name_of_a_thread_tells_project_and_session() {
    for (project, session) in [
        ("", "s"),
        ("-home-me", "0b6e"),
        ("\",\"", "]"),
        ("a", "b\u{7f}"),
    ] {
        let name = of_session(project, session);
        let expected = Some((project.to_owned(), session.to_owned()));
        assert_eq!(session_of(&name), expected, "{name}");
    }
    for other in [
        "session",
        "session [\"a\"]",
        "session [\"a\",1]",
        "a thread",
    ] {
        assert_eq!(session_of(other), None);
    }
}
