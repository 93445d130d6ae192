//! The overview: a hint that spares reading every checkpoint, and changes no answer.

use milepost::checkpoint::command::phases::Status;
use milepost::effect::Fault;
use milepost::json::Json;
use milepost::operation::request;

use super::latest::{begin, document_path};
use super::{ask, value, warnings, world};
use crate::memory::{Injected, Memory, Node};

const OVERVIEW: &str = "/repo/.claude/state/.milepost/.overview";

/// More than the few that are read in any case.
const MANY: usize = 24;

const FEATURES: [&str; MANY] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x",
];

/// Some sort before what the overview begins with, and some after.
fn name(feature: &'static str) -> (&'static str, Option<&'static str>) {
    match feature < "h" {
        true => ("design", Some(feature)),
        false => ("ship", Some(feature)),
    }
}

fn of(feature: &'static str) -> [(&'static str, Json); 2] {
    [
        ("command", name(feature).0.into()),
        ("feature", feature.into()),
    ]
}

fn file(feature: &'static str) -> String {
    document_path(name(feature))
}

fn wait(world: &Memory, ms: f64) {
    world.now_ms.set(world.now_ms.get() + ms);
}

/// A world with many checkpoints, some of them complete, that were written a while ago.
fn crowd() -> Memory {
    let world = world();
    for (at, feature) in FEATURES.into_iter().enumerate() {
        world.run(begin(
            name(feature),
            "a",
            Status::ALL[at % Status::ALL.len()],
        ));
        if at % 3 == 0 {
            let force = [&of(feature)[..], &[("force", Json::from(true))]].concat();
            value(&ask(&world, "complete", &force));
        }
    }
    wait(&world, 10_000.0);
    world
}

/// A world with the same files at the same time.
fn copy(base: &Memory) -> Memory {
    let world = world();
    *world.disk.borrow_mut() = base.disk.borrow().clone();
    world.now_ms.set(base.now_ms.get());
    world
}

/// Answers with an overview.
fn known() -> Memory {
    let world = crowd();
    ask(&world, "list", &[]);
    assert!(world.bytes(OVERVIEW).is_some());
    world
}

/// The two answers, which are equal without an overview.
fn said(world: &Memory, note: &str) -> [String; 2] {
    ["list", "latest"].map(|operation| {
        let said = || Json::from(ask(world, operation, &[])).to_line();
        world.has_dates.set(false);
        let read = said();
        world.has_dates.set(true);
        assert_eq!(said(), read, "{note}: {operation}");
        read
    })
}

/// The number of files that an operation reads.
fn reads(world: &Memory, operation: &str) -> usize {
    world.log.borrow_mut().clear();
    value(&ask(world, operation, &[]));
    let log = world.log.borrow();
    log.iter().filter(|it| it.starts_with("Read ")).count()
}

/// The text of a file with another phase in it, of the same length.
fn edited(world: &Memory, feature: &'static str) -> String {
    world.text(&file(feature)).replace("\"a\"", "\"z\"")
}

#[test]
fn a_list_reads_only_the_runs_that_changed() {
    let world = world();
    for at in 0..1_000 {
        let feature = format!("other-{at}");
        let name: (_, Option<&'static str>) = ("ship", Some(feature.leak()));
        world.run(begin(name, "a", Status::Pending));
    }
    wait(&world, 10_000.0);
    assert!(reads(&world, "latest") > 1_000);
    for operation in ["latest", "list"] {
        let count = reads(&world, operation);
        assert!(count <= 8, "{operation} reads {count} files");
    }
    world.run(begin(("ship", Some("other-7")), "b", Status::Pending));
    let count = reads(&world, "list");
    assert!(count <= 9, "after one change, list reads {count} files");
}

#[test]
fn a_run_edited_within_the_grain_of_the_clock_is_read_again() {
    let world = crowd();
    world.run(begin(name("m"), "a", Status::Failed));
    // It is written, read, and written again in place, all at the same time as the disk has it.
    said(&world, "just written");
    let text = edited(&world, "m");
    world.disk.borrow_mut().write_in_place(&file("m"), text);
    let [listed, _] = said(&world, "edited");
    assert!(listed.contains(r#""current_phase":"z""#), "{listed}");
}

#[test]
fn a_run_edited_long_after_it_was_read_is_read_again() {
    let world = known();
    let text = edited(&world, "m");
    world.disk.borrow_mut().write_in_place(&file("m"), text);
    for _ in 0..3 {
        wait(&world, 10_000.0);
        let [listed, _] = said(&world, "edited");
        // An edit by hand counts as the next revision, each time.
        assert_eq!(listed.matches(r#""feature":"m""#).count(), 1);
        let of_it = listed.split(r#""feature":"m""#).nth(1).unwrap();
        let of_it = of_it.split('}').next().unwrap();
        assert!(of_it.contains(r#""revision":3"#), "{of_it}");
    }
}

#[test]
fn a_run_that_was_edited_or_broken_by_hand_is_listed_as_it_is_stored() {
    let world = known();
    let line = |feature| format!("\n{}-{feature}\t", name(feature).0);
    let text = edited(&world, "m");
    world.disk.borrow_mut().write_in_place(&file("m"), text);
    world.put(&file("n"), "{ torn");
    for feature in &FEATURES[..20] {
        if !["m", "n"].contains(feature) {
            world.run(begin(name(feature), "b", Status::Pending));
        }
    }
    for feature in ["a", "m", "n"] {
        assert!(world.text(OVERVIEW).contains(&line(feature)), "{feature}");
    }
    wait(&world, 10_000.0);
    ask(&world, "list", &[]);
    let kept = ["a", "l", "m", "n", "o", "x"].map(|it| world.text(OVERVIEW).contains(&line(it)));
    assert_eq!(kept, [true, true, false, false, true, true]);
}

#[test]
fn a_broken_run_in_the_overview_is_warned_of_again() {
    let world = known();
    for torn in ["{ torn", "[]", ""] {
        world.put(&file("c"), torn);
        wait(&world, 10_000.0);
        for _ in 0..3 {
            // Other changes make the overview be written again.
            for feature in FEATURES.into_iter().filter(|it| *it != "c") {
                world.run(begin(name(feature), "b", Status::Pending));
            }
            wait(&world, 10_000.0);
            said(&world, torn);
            assert_eq!(warnings(&ask(&world, "latest", &[])), ["corrupt"]);
        }
    }
    world.put_node(&file("c"), Node::dangling());
    assert_eq!(warnings(&ask(&world, "latest", &[])), ["unsafe_path"]);
    world.delete(&file("c"));
    assert_eq!(warnings(&ask(&world, "latest", &[])), ["vanished"]);
    said(&world, "gone");
}

#[test]
fn an_older_state_that_was_put_back_in_place_is_read_again() {
    let world = known();
    let path = file("b");
    let before = world.bytes(&path);
    world.run(begin(name("b"), "b", Status::Pending));
    let side = "/repo/.claude/state/.milepost/design-b/history";
    let history = world.files_below(side);
    let entry = history.iter().find(|it| it.starts_with("1-")).unwrap();
    let entry = format!("{side}/{entry}");
    assert_eq!(world.bytes(&entry), before);
    world.run(milepost::effect::Machine::start(|io| async move {
        io.rename(entry, path).await.unwrap();
    }));
    wait(&world, 10_000.0);
    let [listed, _] = said(&world, "put back");
    let of_it = listed.split(r#""feature":"b""#).nth(1).unwrap();
    let of_it = of_it.split('}').next().unwrap();
    assert!(of_it.contains(r#""revision":3"#), "{of_it}");
}

#[test]
fn an_overview_that_is_torn_or_of_another_user_is_ignored() {
    let world = known();
    let whole = world.bytes(OVERVIEW).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    let mut others: Vec<Vec<u8>> = (0..whole.len())
        .step_by(97)
        .map(|end| whole[..end].to_vec())
        .collect();
    for at in (0..whole.len()).step_by(211) {
        let mut zeros = whole.clone();
        let end = (at + 64).min(whole.len());
        zeros[at..end].fill(0);
        others.push(zeros);
    }
    others.push(text.replacen("overview 1", "overview 2", 1).into());
    others.push(text.replacen("overview 1 ", "overview 1 9", 1).into());
    others.push(b"\xFF\xFE".to_vec());
    others.push(b"{}".to_vec());
    // Lines that say nothing that makes sense, or stand twice, or in another order.
    others.push(text.replace('=', "x").into());
    others.push(text.replace("\t1\t", "\tx\t").into());
    let (first, rest) = text.split_once('\n').unwrap();
    let mut lines: Vec<&str> = rest.lines().filter(|line| *line != "end").collect();
    lines.reverse();
    others.push(format!("{first}\n{}\nend\n", lines.join("\n")).into());
    others.push(format!("{first}\n{rest}{rest}").into());
    let [listed, latest] = said(&world, "whole");
    for other in others {
        world.put(OVERVIEW, other.as_slice());
        let note = String::from_utf8_lossy(&other).into_owned();
        assert_eq!(
            Json::from(ask(&world, "list", &[])).to_line(),
            listed,
            "{note}"
        );
        world.put(OVERVIEW, other);
        assert_eq!(
            Json::from(ask(&world, "latest", &[])).to_line(),
            latest,
            "{note}"
        );
    }
    world.put(OVERVIEW, "torn");
    ask(&world, "list", &[]);
    assert_eq!(world.text(OVERVIEW), text, "it is replaced");
}

#[test]
fn a_link_or_a_folder_in_the_place_of_the_overview_is_neither_followed_nor_in_the_way() {
    let world = crowd();
    let [listed, latest] = said(&crowd(), "none");
    for node in [Node::dangling(), Node::Folder, Node::Pipe] {
        for path in [OVERVIEW, &format!("{OVERVIEW}.new")] {
            world.put_node(path, node.clone());
            assert_eq!(said(&world, path), [listed.clone(), latest.clone()]);
            world.delete(path);
        }
    }
}

#[test]
fn leftovers_of_a_dead_writer_do_not_keep_the_overview_from_being_written() {
    let world = crowd();
    let left = format!("{OVERVIEW}.new");
    world.put(&left, "half");
    said(&world, "left");
    assert!(world.text(OVERVIEW).ends_with("\nend\n"));
    assert_eq!(world.bytes(&left), None);
}

#[test]
fn runs_are_listed_where_nothing_can_be_written_or_surveyed() {
    let [listed, latest] = said(&crowd(), "without a fault");
    let base = crowd();
    let effects = |operation: &str| {
        let world = copy(&base);
        let before = world.performed.get();
        ask(&world, operation, &[]);
        world.performed.get() - before
    };
    for (operation, expected) in [("list", &listed), ("latest", &latest)] {
        let mut seen = 0;
        for at in 0..effects(operation) {
            let world = copy(&base);
            world.log.borrow_mut().clear();
            let number = world.performed.get() + at;
            world.injected.set(Some(Injected {
                at: number,
                for_good: false,
                fault: Fault::Denied,
            }));
            let reply = ask(&world, operation, &[]);
            let log = world.log.borrow();
            let hit = log.get(at).unwrap();
            if hit.contains(".overview") || hit.starts_with("Survey") {
                seen += 1;
                assert_eq!(Json::from(reply).to_line(), *expected, "{hit}");
            }
        }
        // The survey, the look at the overview, and its removal, writing and renaming.
        assert!(seen >= 5, "{operation}: {seen}");
    }
}

#[test]
fn writers_of_the_overview_together_leave_one_that_is_right() {
    let base = crowd();
    let list = r#"{"operation":"list","place":{"working":"/repo"}}"#;
    for seed in 0..40 {
        let _run = milepost_property::seed(
            "writers of the overview together leave one that is right",
            seed,
        );
        let world = copy(&base);
        let mut machines: Vec<_> = (0..3).map(|_| request::start(list.as_bytes())).collect();
        machines.push(begin(name("a"), "b", Status::Failed));
        machines.push(begin(name("x"), "b", Status::Failed));
        for reply in world.interleave(machines, seed) {
            assert!(reply.starts_with(r#"{"ok":true"#), "seed {seed}: {reply}");
        }
        said(&world, &format!("seed {seed}"));
        wait(&world, 10_000.0);
        said(&world, &format!("seed {seed}, later"));
    }
}

#[test]
fn reading_makes_no_side_folder_in_a_project_without_one() {
    let world = crowd();
    let side = "/repo/.claude/state/.milepost";
    let below: Vec<String> = world
        .disk
        .borrow()
        .names(side)
        .iter()
        .map(ToString::to_string)
        .collect();
    for name in below {
        for part in world.files_below(&format!("{side}/{name}")) {
            world.delete(&format!("{side}/{name}/{part}"));
        }
        for part in ["tokens", "history", ""] {
            let part = format!("{side}/{name}/{part}");
            world.delete(part.trim_end_matches('/'));
        }
    }
    world.delete(side);
    said(&world, "no side folder");
    assert_eq!(world.disk.borrow().node(side), None);
}

#[test]
fn an_update_neither_reads_nor_writes_the_overview() {
    let world = known();
    let before = world.bytes(OVERVIEW);
    world.log.borrow_mut().clear();
    world.run(begin(name("a"), "b", Status::Pending));
    let log = world.log.borrow();
    let about = log
        .iter()
        .find(|it| it.contains(".overview") || it.starts_with("Survey"));
    assert_eq!(about, None);
    assert_eq!(world.bytes(OVERVIEW), before);
}

#[test]
fn doctor_takes_the_overview_for_no_stray_file() {
    let world = known();
    world.put(&format!("{OVERVIEW}.new"), "half");
    let reply = Json::from(ask(&world, "doctor", &[])).to_line();
    assert!(!reply.contains("overview"), "{reply}");
}

/// Something that writers, people and programs do.
fn happen(world: &Memory, random: &mut fastrand::Rng) {
    let feature = FEATURES[random.usize(..MANY)];
    match random.u8(..16) {
        0..=3 => {
            let status = Status::ALL[random.usize(..Status::ALL.len())];
            let phase = ["a", "b"][random.usize(..2)];
            world.run(begin(name(feature), phase, status));
        }
        4 => {
            let force = [&of(feature)[..], &[("force", Json::from(true))]].concat();
            drop(ask(world, "complete", &force));
        }
        5 => drop(ask(world, "remove", &of(feature))),
        6 => drop(ask(world, "undo", &of(feature))),
        7 => drop(ask(world, "recover", &of(feature))),
        8 => {
            let to = [("to", "moved".into())];
            drop(ask(world, "rename", &[&of(feature)[..], &to[..]].concat()));
        }
        9 => world.put(&file(feature), ["{ torn", "[]", ""][random.usize(..3)]),
        10 => world.delete(&file(feature)),
        11 | 12 => {
            if let Some(bytes) = world.bytes(&file(feature)) {
                let text = String::from_utf8(bytes).unwrap().replace("\"a\"", "\"z\"");
                world.disk.borrow_mut().write_in_place(&file(feature), text);
            }
        }
        13 => {
            if let Some(mut bytes) = world.bytes(OVERVIEW) {
                bytes.truncate(random.usize(..=bytes.len()));
                world.put(OVERVIEW, bytes);
            }
        }
        _ => {
            let ms = random.f64() * 6_000.0;
            wait(world, ms);
        }
    }
}

#[test]
fn an_answer_with_the_overview_is_the_one_without() {
    let base = crowd();
    let mut written = 0;
    let seeds = milepost_property::rounds(100, 300);
    for seed in 0..seeds {
        let _run = milepost_property::seed("an answer with the overview is the one without", seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let world = copy(&base);
        for step in 0..random.usize(3..9) {
            happen(&world, &mut random);
            if random.bool() {
                said(&world, &format!("seed {seed}, step {step}"));
            }
        }
        said(&world, &format!("seed {seed}, at the end"));
        written += usize::from(world.bytes(OVERVIEW).is_some());
    }
    assert!(written as u64 > seeds / 6 * 5, "{written} of {seeds}");
}

#[test]
fn a_few_runs_are_read_without_a_survey() {
    let world = world();
    for feature in &FEATURES[..16] {
        world.run(begin(name(feature), "a", Status::Pending));
    }
    wait(&world, 10_000.0);
    world.log.borrow_mut().clear();
    value(&ask(&world, "list", &[]));
    assert!(!world.log.borrow().iter().any(|it| it.starts_with("Survey")));
    assert_eq!(world.bytes(OVERVIEW), None);
}
