//! The overview says of every checkpoint what the list of the command line says.

use fastrand::Rng;
use milepost::json::{Json, Object};

use super::page::{Page, codes};
use crate::memory::{Memory, Node};

const STATE: &str = "/repo/.claude/state";
const HEAD: &str = "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d";

pub(super) fn world() -> Memory {
    let world = Memory::new();
    world.put("/repo/.git/HEAD", "ref: refs/heads/main\n");
    world.put("/repo/.git/refs/heads/main", format!("{HEAD}\n"));
    world
}

/// Runs an operation on a checkpoint; what it came to.
pub(super) fn ask(
    world: &Memory,
    operation: &str,
    of: (&str, Option<&str>),
    more: &[(&str, Json)],
) -> Object {
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", Object::from_iter([("working", "/repo")]));
    if !of.0.is_empty() {
        request.set("command", of.0);
        request.set("feature", of.1.map(str::to_owned));
    }
    for (key, value) in more {
        request.set(key, value.clone());
    }
    super::page::object(
        world
            .ask(Json::Object(request).to_line().as_bytes())
            .as_bytes(),
    )
}

pub(super) fn phase(world: &Memory, of: (&str, Option<&str>), name: &str, status: &str) {
    let patch = Object::from_iter([("status", status), ("context_summary", "what was done")]);
    let more = [("phase", name.into()), ("patch", patch.into())];
    let reply = ask(world, "update_phase", of, &more);
    assert_eq!(reply.get("ok"), Some(&Json::Bool(true)), "{reply:?}");
}

fn text(row: &Object, key: &str) -> Option<String> {
    Some(row.get(key)?.as_str()?.to_owned())
}

/// The common part of a row of the page and one of the list.
type Line = (String, Option<String>, Vec<u64>, Vec<Option<String>>);

fn line(row: &Object, counts: &Object, problem: Option<String>) -> Line {
    let count = |key: &str| counts.get(key).unwrap().as_u64().unwrap();
    let counted = ["completed", "in_progress", "failed", "pending", "skipped"].map(count);
    let of_row = ["revision", "done", "total"].map(|key| row.get(key).unwrap().as_u64().unwrap());
    let is = |key: &str| u64::from(row.get(key).unwrap().as_bool().unwrap());
    let facts = [is("complete"), is("has_work")];
    let texts = ["current_phase", "updated_at", "completed_at"].map(|key| text(row, key));
    (
        text(row, "command").unwrap(),
        text(row, "feature"),
        [&counted[..], &of_row, &facts].concat(),
        [&texts[..], &[problem]].concat(),
    )
}

/// Every checkpoint, as the page has it.
fn shown(page: &mut Page<'_>) -> Vec<Line> {
    let rows = page.rows();
    let line = |row: &Object| {
        let problem = row.get("problem").unwrap().as_object();
        let problem = problem.and_then(|problem| text(problem, "message"));
        line(
            row,
            row.get("progress").unwrap().as_object().unwrap(),
            problem,
        )
    };
    let mut lines: Vec<Line> = rows.iter().map(line).collect();
    lines.sort();
    lines
}

/// Every checkpoint, as the list has it.
fn listed(world: &Memory) -> Vec<Line> {
    let reply = ask(world, "list", ("", None), &[]);
    let rows = reply.get("value").unwrap().as_array().unwrap().iter();
    let rows = rows.map(|row| row.as_object().unwrap());
    let mut lines: Vec<Line> = rows
        .map(|row| line(row, row, text(row, "problem")))
        .collect();
    lines.sort();
    lines
}

/// Something that happens to a checkpoint between two saves.
fn meddle(world: &Memory, random: &mut Rng, of: (&str, Option<&str>)) {
    let stem = format!("{}-{}", of.0, of.1.unwrap_or("checkpoint"));
    let file = format!("{STATE}/{stem}.json");
    match random.u32(..16) {
        0 => world.put(&file, "{ half of a docum"),
        1 => world.put(&file, "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"),
        2 => world.put(&file, vec![b'['; 100_000]),
        3 => world.delete(&file),
        4 => drop(ask(world, "remove", of, &[])),
        5 => drop(ask(world, "complete", of, &[("force", true.into())])),
        6 => {
            let to = format!("moved-{}", random.u32(..3));
            drop(ask(world, "rename", of, &[("to", to.into())]));
        }
        7 => {
            world.delete(&file);
            world.put_node(&file, Node::dangling());
        }
        8 => {
            world.delete(&file);
            world.put(&format!("{file}/in a folder"), "x");
        }
        // Changed by a hand.
        9 => {
            if let Some(bytes) = world.bytes(&file) {
                let text = String::from_utf8_lossy(&bytes).replace("what was done", "by hand");
                world.put(&file, text);
            }
        }
        // An older state that was put back.
        10 => {
            let history = format!("{STATE}/.milepost/{}/{stem}/history", stem.to_lowercase());
            let plain = format!("{STATE}/.milepost/{stem}/history");
            let disk = world.disk.borrow().clone();
            for folder in [history, plain] {
                if let Some(name) = disk.names(&folder).first() {
                    let old = disk.bytes(&format!("{folder}/{name}")).unwrap().to_vec();
                    world.put(&file, old);
                }
            }
        }
        11 => world.put(
            &file,
            r#"{"command":"design","version":2,"phases":{"a":{}}}"#,
        ),
        12 => world.put(
            &file,
            r#"{"version":1,"state":{"pending_phases":["x","y\u001b["]}}"#,
        ),
        13 => {
            let lost = format!("{STATE}/.milepost/{}", stem.to_lowercase());
            for path in world.files_below(&lost) {
                world.delete(&format!("{lost}/{path}"));
            }
        }
        _ => {}
    }
}

const NAMES: [(&str, Option<&str>); 9] = [
    ("design", None),
    ("design", Some("Auth")),
    ("design", Some("auth")),
    ("implement", Some("a.b")),
    ("implement", Some("z")),
    ("ship", None),
    ("deploy", Some("x")),
    ("review", Some("moved-1")),
    ("research", Some("q")),
];

const STATUSES: [&str; 5] = ["pending", "in_progress", "complete", "failed", "skipped"];

/// A world in which a lot has happened.
fn lived_in(seed: u64) -> Memory {
    let random = &mut Rng::with_seed(seed);
    let world = world();
    let config = "/repo/.claude/config/integrations.json";
    let settings = r#"{"version":"1.0.0","commands":["deploy"]}"#;
    world.put(config, settings);
    for _ in 0..random.u32(4..30) {
        let of = NAMES[random.usize(..NAMES.len())];
        let patch = Object::from_iter([("status", STATUSES[random.usize(..5)])]);
        let more = [
            (
                "phase",
                ["plan", "build", "check"][random.usize(..3)].into(),
            ),
            ("patch", patch.into()),
        ];
        ask(&world, "update_phase", of, &more);
        if random.u32(..3) == 0 {
            meddle(&world, random, of);
        }
    }
    match random.u32(..8) {
        0 => world.delete(config),
        1 => world.put(config, "no settings"),
        2 => world.put(config, r#"{"version":"1.0.0","commands":["build"]}"#),
        _ => {}
    }
    world
}

/// Has the history of every checkpoint brought.
fn bring_histories(page: &mut Page<'_>) {
    for row in page.rows() {
        let feature = row.get("feature").unwrap().to_line();
        let command = row.get("command").unwrap().to_line();
        let request = format!(r#"{{"operation":"log","command":{command},"feature":{feature}}}"#);
        page.ask(&format!(r#"{{"query":"operation","request":{request}}}"#));
    }
}

/// The names of those that were changed without the store.
fn edited(page: &mut Page<'_>) -> Vec<(String, Option<String>)> {
    let rows = page.rows().into_iter();
    let edited = rows.filter(|row| codes(row).contains(&"edited_by_hand".to_owned()));
    let name = |row: Object| (text(&row, "command").unwrap(), text(&row, "feature"));
    edited.map(name).collect()
}

#[test]
fn the_overview_is_the_list_of_the_command_line() {
    let (mut problems, mut put_back) = (0, 0);
    for seed in 0..300 {
        let _run = milepost_property::seed("the overview is the list of the command line", seed);
        let world = lived_in(seed);
        let mut page = Page::open(&world);
        let before = shown(&mut page);
        bring_histories(&mut page);
        let after = shown(&mut page);
        let edited = edited(&mut page);
        let listed = listed(&world);
        problems += listed.iter().filter(|line| line.3[3].is_some()).count();
        assert_eq!(after, listed, "seed {seed}");
        // That an older state was put back is seen from its history alone.
        for (before, after) in before.iter().zip(&after).filter(|(a, b)| a != b) {
            put_back += 1;
            assert!(
                edited.contains(&(after.0.clone(), after.1.clone())),
                "seed {seed}: {before:?}"
            );
        }
    }
    assert!(problems > 100 && put_back > 10, "{problems} {put_back}");
}

#[test]
fn a_change_of_one_file_reaches_its_row_and_no_other() {
    let _run = milepost_property::seed("a change of one file reaches its row and no other", 5);
    let mut random = Rng::with_seed(5);
    let world = world();
    let settings = r#"{"version":"1.0.0","commands":["deploy"]}"#;
    world.put("/repo/.claude/config/integrations.json", settings);
    for of in NAMES {
        phase(&world, of, "plan", "in_progress");
    }
    let mut page = Page::open(&world);
    page.rows();
    for _ in 0..200 {
        let of = NAMES[random.usize(..NAMES.len())];
        let stem = format!("{}-{}", of.0, of.1.unwrap_or("checkpoint"));
        match random.u32(..4) {
            0 => meddle(&world, &mut random, of),
            _ => {
                let patch = Object::from_iter([("status", STATUSES[random.usize(..5)])]);
                let more = [("phase", "plan".into()), ("patch", patch.into())];
                ask(&world, "update_phase", of, &more);
            }
        }
        let side = stem.to_lowercase();
        page.report_change(&format!(".claude/state/{stem}.json"));
        page.report_replaced_folder(&format!(".claude/state/.milepost/{side}"));
        for moved in ["design-moved-0", "design-moved-1", "design-moved-2"] {
            for command in [
                "design",
                "implement",
                "ship",
                "deploy",
                "review",
                "research",
            ] {
                let other = moved.replace("design", command);
                page.report_change(&format!(".claude/state/{other}.json"));
                page.report_replaced_folder(&format!(".claude/state/.milepost/{other}"));
            }
        }
        let live = shown(&mut page);
        let opened_again = shown(&mut Page::open(&world));
        assert_eq!(live, opened_again, "{stem}");
    }
}

#[test]
fn every_badge_has_its_reason() {
    let world = world();
    let of = |feature: &'static str| ("design", Some(feature));
    for feature in [
        "stale", "edited", "tracked", "torn", "merged", "gone", "future", "link", "plain",
    ] {
        phase(&world, of(feature), "plan", "complete");
    }
    let file = |feature: &str| format!("{STATE}/design-{feature}.json");
    world.put(&file("torn"), "{");
    // A writer keeps what was corrupt.
    let patch = Object::from_iter([("status", "complete")]);
    ask(&world, "recover", of("torn"), &[]);
    ask(
        &world,
        "update_phase",
        of("torn"),
        &[("phase", "x".into()), ("patch", patch.into())],
    );
    let text = world.text(&file("edited"));
    world.put(
        &file("edited"),
        text.replace("what was done", "[REDACTED:key]"),
    );
    world.put(
        &file("merged"),
        "{\n<<<<<<< HEAD\n\"a\": 1\n=======\n>>>>>>> topic\n}",
    );
    world.delete(&file("gone"));
    world.put(
        &file("future"),
        r#"{"command":"design","feature":"future","version":9}"#,
    );
    world.delete(&file("link"));
    world.put_node(&file("link"), Node::dangling());
    world.put(&file("huge"), vec![b' '; (16 << 20) + 1]);
    let head = HEAD.replace('d', "e");
    phase(&world, of("fresh"), "plan", "pending");
    let text = world.text(&file("fresh")).replace(HEAD, &head);
    world.put(&file("fresh"), text);
    let tracked = vec![".claude/state/Design-tracked.json".to_owned()];
    let meta = Object::new().with("head", head).with("tracked", tracked);
    let mut page = Page::with(&world, meta);
    for (feature, expected) in [
        ("plain", vec!["stale"]),
        ("edited", vec!["stale", "edited_by_hand", "redacted"]),
        ("tracked", vec!["stale", "untrusted_origin"]),
        ("torn", vec!["stale", "quarantined"]),
        ("merged", vec!["corrupt", "conflict"]),
        ("gone", vec!["vanished"]),
        ("future", vec!["unsupported_version", "edited_by_hand"]),
        ("link", vec!["unsafe_path"]),
        ("huge", vec!["too_large"]),
        ("fresh", vec!["edited_by_hand"]),
    ] {
        assert_eq!(
            page.badges(&format!("c/design-{feature}")),
            expected,
            "{feature}"
        );
    }
    // HEAD moved.
    let meta = Object::new().with("head", HEAD).with("redacted", true);
    page.take(&super::page::frame(Object::new().with("meta", meta), b""));
    assert_eq!(page.badges("c/design-plain"), ["redacted"]);
    assert_eq!(page.badges("c/design-tracked"), ["redacted"]);
    assert_eq!(
        page.badges("c/design-fresh"),
        ["stale", "edited_by_hand", "redacted"]
    );
}

#[test]
fn a_run_shows_how_far_head_has_gone_where_the_source_says_so_of_the_commit_that_it_was_recorded_at()
 {
    let world = world();
    let of = |feature: &'static str| ("design", Some(feature));
    for feature in ["counted", "other", "fresh"] {
        phase(&world, of(feature), "plan", "in_progress");
    }
    let head = HEAD.replace('d', "e");
    let text = world.text(&format!("{STATE}/design-fresh.json"));
    world.put(
        &format!("{STATE}/design-fresh.json"),
        text.replace(HEAD, &head),
    );
    let since = "2 commits since this was recorded; 1 of its 3 files changed in them";
    let distance = |feature: &str, at: &str| {
        let document = format!(".claude/state/design-{feature}.json");
        let distance = Object::new().with("document", document);
        Json::from(distance.with("head_commit", at).with("text", since))
    };
    let distances = vec![
        distance("counted", HEAD),
        distance("other", &HEAD.replace('d', "c")),
        distance("fresh", HEAD),
    ];
    let meta = Object::new()
        .with("head", head.as_str())
        .with("since_recorded", distances);
    let mut page = Page::with(&world, meta);
    for (feature, badge, line) in [
        ("counted", Some(since), Some(since)),
        ("other", Some("saved at another commit than HEAD"), None),
        ("fresh", None, None),
    ] {
        let key = format!("c/design-{feature}");
        let rows = page.rows();
        let row = rows
            .iter()
            .find(|row| row.get("key").and_then(Json::as_str) == Some(&key));
        let badges = row.unwrap().get("badges").and_then(Json::as_array).unwrap();
        let stale = badges
            .iter()
            .filter_map(Json::as_object)
            .find(|badge| badge.get("code").and_then(Json::as_str) == Some("stale"));
        let text = stale.and_then(|badge| badge.get("text")?.as_str());
        assert_eq!(text, badge, "{feature}");
        let timeline = page.value(&format!(r#"{{"query": "timeline", "key": "{key}"}}"#));
        let shown = timeline.get("since_recorded").and_then(Json::as_str);
        assert_eq!(shown, line, "{feature}");
    }
}

#[test]
fn the_runs_of_a_command_that_the_project_adds_later_become_known() {
    let world = world();
    let config = "/repo/.claude/config/integrations.json";
    world.put(config, r#"{"version":"1.0.0","commands":["deploy"]}"#);
    phase(&world, ("deploy", None), "plan", "pending");
    phase(&world, ("ship", None), "plan", "pending");
    let statuses = |page: &mut Page<'_>| -> Vec<Option<String>> {
        page.rows().iter().map(|row| text(row, "status")).collect()
    };
    let mut page = Page::open(&world);
    assert_eq!(
        statuses(&mut page),
        [Some("pending".to_owned()), Some("pending".to_owned())]
    );
    page.take(&super::page::frame(
        Object::new().with("gone", ".claude/config"),
        b"",
    ));
    assert_eq!(
        statuses(&mut page),
        [Some("corrupt".to_owned()), Some("pending".to_owned())]
    );
    // A source without the file says which commands there are.
    let meta = Object::new().with("commands", vec!["deploy".to_owned()]);
    page.take(&super::page::frame(Object::new().with("meta", meta), b""));
    assert_eq!(
        statuses(&mut page),
        [Some("pending".to_owned()), Some("pending".to_owned())]
    );
    let answer = page.value(r#"{"query":"tick","ms":1}"#);
    assert_eq!(answer.get("total").unwrap().as_u64(), Some(2));
}

#[test]
fn a_row_has_the_branch_that_hooks_recorded() {
    let world = world();
    for (file, branch) in [
        ("design-checkpoint", ""),
        ("implement-side", r#""branch":"fix/side","#),
        ("ship-checkpoint", r#""branch":null,"#),
    ] {
        let (command, _) = file.split_once('-').unwrap();
        let feature = match file {
            "implement-side" => r#""feature":"side","#,
            _ => "",
        };
        let text = format!(
            r#"{{"command":"{command}",{feature}{branch}"version":1,"started_at":"2026-01-29T10:30:00.000Z","updated_at":"2026-01-29T10:30:00.000Z","state":{{}},"phases":{{}}}}"#
        );
        world.put(&format!("{STATE}/{file}.json"), text);
    }
    let mut page = Page::open(&world);
    let rows = page.rows();
    let mut branches: Vec<_> = rows
        .iter()
        .map(|row| (text(row, "command").unwrap(), text(row, "branch")))
        .collect();
    branches.sort();
    let named =
        |command: &str, branch: Option<&str>| (command.to_owned(), branch.map(str::to_owned));
    assert_eq!(
        branches,
        [
            named("design", None),
            named("implement", Some("fix/side")),
            named("ship", Some("detached HEAD")),
        ]
    );
}
