//! The timeline of a run.

use super::{MINUTE, at, list, page, phase, run_of_six, text, texts, world};
use milepost::json::Json;

const ASK: &str = r#"{"query":"timeline","key":"c/implement-auth"}"#;
const START: f64 = 1_800_000_000_000.0;

/// A number; of times, which an effect takes some of, to the second.
fn number(json: &Json, pointer: &str) -> f64 {
    match at(json, pointer) {
        Json::Number(text) if pointer.ends_with("_ms") => {
            (text.parse::<f64>().unwrap() / 1_000.0).round() * 1_000.0
        }
        Json::Number(text) => text.parse().unwrap(),
        other => panic!("{pointer}: {}", other.to_line()),
    }
}

#[test]
fn each_revision_stands_at_its_time_with_what_the_log_says_of_it() {
    let world = run_of_six();
    let shown = page(&world).ask(ASK);
    assert_eq!(text(&shown, "/title"), "implement (feature auth)");
    let log = super::auth(&world, "log", "");
    let log = log.as_array().unwrap();
    let shown = list(&shown, "/revisions");
    assert_eq!(shown.len(), 6);
    for (revision, entry) in shown.iter().zip(log.iter().rev()) {
        for member in [
            "/revision",
            "/changes",
            "/heartbeats",
            "/same_as",
            "/compared_with",
        ] {
            assert_eq!(at(revision, member), at(entry, member));
        }
        assert_eq!(at(revision, "/at"), at(entry, "/updated_at"));
    }
    assert_eq!(number(&shown[0], "/at_ms"), START + MINUTE);
    assert_eq!(number(&shown[5], "/at_ms"), START + 6.0 * MINUTE);
    assert_eq!(text(&shown[0], "/headline"), "created");
    assert_eq!(
        text(&shown[4], "/headline"),
        "phase build: in_progress → failed (+1 more)"
    );
}

#[test]
fn the_lanes_show_each_try_of_each_phase() {
    let shown = page(&run_of_six()).ask(ASK);
    assert_eq!(texts(&shown, "/lanes", "/phase"), ["design", "build"]);
    assert_eq!(
        texts(&shown, "/lanes", "/status"),
        ["complete", "in_progress"]
    );
    assert_eq!(texts(&shown, "/lanes/0/bars", "/status"), ["complete"]);
    assert_eq!(
        texts(&shown, "/lanes/1/bars", "/status"),
        ["failed", "in_progress"]
    );
    let bar = |at: &str| number(&shown, at) - START;
    assert_eq!(bar("/lanes/0/bars/0/from_ms"), MINUTE);
    assert_eq!(bar("/lanes/0/bars/0/to_ms"), 3.0 * MINUTE);
    assert_eq!(bar("/lanes/1/bars/0/to_ms"), 5.0 * MINUTE);
    assert_eq!(at(&shown, "/lanes/1/bars/1/to_ms"), &Json::Null);
}

#[test]
fn a_night_is_folded() {
    let world = run_of_six();
    world.now_ms.set(world.now_ms.get() + 14.0 * 60.0 * MINUTE);
    phase(&world, "build", r#"{"status":"complete"}"#);
    let shown = page(&world).ask(ASK);
    let idle: Vec<bool> = list(&shown, "/segments")
        .iter()
        .map(|it| at(it, "/idle").as_bool().unwrap())
        .collect();
    assert_eq!(idle, [false, true]);
    assert!(number(&shown, "/segments/1/x/1") - number(&shown, "/segments/1/x/0") < 0.34);
}

#[test]
fn a_clock_that_was_set_back_makes_no_revision_come_before_the_one_before_it() {
    let world = run_of_six();
    world.now_ms.set(START - 1_000.0 * MINUTE);
    phase(&world, "build", r#"{"status":"failed"}"#);
    world.now_ms.set(START + 8.0 * MINUTE);
    phase(&world, "build", r#"{"status":"complete"}"#);
    let shown = page(&world).ask(ASK);
    let times: Vec<f64> = list(&shown, "/revisions")
        .iter()
        .map(|it| number(it, "/at_ms"))
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(times[6], times[5]);
    for lane in list(&shown, "/lanes") {
        for bar in list(lane, "/bars") {
            let to = at(bar, "/to_ms");
            assert!(*to == Json::Null || number(bar, "/to_ms") >= number(bar, "/from_ms"));
        }
    }
}

#[test]
fn revisions_without_any_time_do_not_stand_in_1970() {
    let world = world();
    let document = r#"{"command":"implement","feature":"auth","version":1,"updated_at":"yesterday",
        "phases":{"design":{"status":"in_progress","started_at":"yesterday"}}}"#;
    world.put("/repo/.claude/state/implement-auth.json", document);
    let shown = page(&world).ask(ASK);
    assert_eq!(list(&shown, "/revisions").len(), 1);
    assert_eq!(text(&shown, "/revisions/0/at"), "yesterday");
    assert_eq!(at(&shown, "/revisions/0/at_ms"), &Json::Null);
    assert!(list(&shown, "/segments").is_empty());
    assert!(list(&shown, "/lanes").is_empty());
}

#[test]
fn a_revision_that_cannot_be_read_has_a_place_and_says_why() {
    let world = run_of_six();
    let mut page = page(&world);
    let history = |number: u64| format!("/.milepost/implement-auth/history/{number}-");
    let of = |paths: &[String], number: u64| {
        let found = paths.iter().find(|it| it.contains(&history(number)));
        found.unwrap().clone()
    };
    let paths = page.paths();
    let altered = of(&paths, 3);
    let bytes = String::from_utf8(page.bytes(&altered).to_vec()).unwrap();
    page.put(&altered, bytes.replace("design", "resign").as_bytes());
    page.remove(&of(&paths, 2));
    let shown = page.ask(ASK);
    let revisions: Vec<f64> = list(&shown, "/revisions")
        .iter()
        .map(|it| number(it, "/revision"))
        .collect();
    assert_eq!(revisions, [1.0, 3.0, 4.0, 5.0, 6.0]);
    assert!(text(&shown, "/revisions/1/problem").contains("revision 3"));
    assert!(text(&shown, "/revisions/1/headline").starts_with("altered"));
    assert_eq!(
        number(&shown, "/revisions/1/at_ms"),
        number(&shown, "/revisions/0/at_ms")
    );
    assert!(text(&shown, "/revisions/2/headline").ends_with(", since revision 1"));
}

#[test]
fn a_checkpoint_that_vanishes_between_two_questions_is_shown_from_its_history() {
    let mut page = page(&run_of_six());
    page.ask(ASK);
    page.remove(".claude/state/implement-auth.json");
    let shown = page.ask(ASK);
    assert_eq!(list(&shown, "/revisions").len(), 6);
    assert_eq!(
        page.fail(r#"{"query":"timeline","key":"c/design-x"}"#),
        "not_found"
    );
    assert_eq!(
        page.fail(r#"{"query":"timeline","key":"s/chk-20250126-103000"}"#),
        "usage"
    );
}

#[test]
fn a_timeline_begins_with_where_to_carry_on_as_the_operation_says_it() {
    let world = run_of_six();
    phase(
        &world,
        "build",
        r#"{"status":"failed","error":"torn\u001b"}"#,
    );
    phase(&world, "ship", r#"{"status":"pending"}"#);
    for (name, status) in [("search", "in_progress"), ("done", "complete")] {
        let of = format!(r#""command":"design","feature":"{name}""#);
        super::run(
            &world,
            &format!(
                r#"{{"operation":"update_phase",{of},"phase":"a","patch":{{"status":"{status}"}}}}"#
            ),
        );
        if status == "complete" {
            super::run(&world, &format!(r#"{{"operation":"complete",{of}}}"#));
        }
    }
    let mut page = page(&world);
    while at(&page.ask(r#"{"query":"tick","ms":1000}"#), "/pending").as_u64() != Some(0) {}
    let shown = page.ask(ASK);
    let said = super::auth(&world, "resume_here", "");
    for (member, named) in [
        ("phase", "phase"),
        ("status", "status"),
        ("phase_summary", "phase_summary"),
        ("summary", "summary"),
        ("created", "files_created"),
        ("modified", "files_modified"),
        ("alongside", "alongside"),
        ("pending", "pending"),
    ] {
        let shown = at(&shown, &format!("/resume/{member}"));
        assert_eq!(shown, at(&said, &format!("/{named}")), "{member}");
    }
    assert_eq!(text(&shown, "/resume/phase"), "build");
    assert_eq!(text(&shown, "/resume/error"), "torn\\u{1b}");
    assert_eq!(text(&shown, "/resume/run"), "failed");
    assert_eq!(
        text(&shown, "/resume/command"),
        "milepost resume implement --feature auth"
    );
    let others = at(&shown, "/resume/others").to_line();
    assert_eq!(
        others,
        r#"[{"key":"c/design-search","title":"design (feature search)"}]"#
    );
    assert_eq!(at(&shown, "/resume/more").to_line(), "0");
}

#[test]
fn the_timeline_of_a_run_that_is_gone_has_no_resume_point() {
    let mut page = page(&run_of_six());
    page.remove(".claude/state/implement-auth.json");
    assert_eq!(at(&page.ask(ASK), "/resume"), &Json::Null);
}
