//! The author of each field.

use milepost::json::Json;

use super::source::Page;
use super::{at, list, page, phase, run_of_six, text};

const ASK: &str = r#"{"query":"blame","key":"c/implement-auth"}"#;

/// The revision of each field by its label.
fn blamed(page: &mut Page) -> Vec<(String, Option<u64>)> {
    let shown = page.ask(ASK);
    let fields = list(&shown, "/fields").iter();
    fields
        .map(|it| (text(it, "/label").to_owned(), at(it, "/revision").as_u64()))
        .collect()
}

fn of(fields: &[(String, Option<u64>)], label: &str) -> Option<u64> {
    let found = fields.iter().find(|(it, _)| it == label);
    found
        .unwrap_or_else(|| panic!("no {label} in {fields:#?}"))
        .1
}

#[test]
fn each_field_was_set_by_the_revision_that_gave_it_its_present_value() {
    let fields = blamed(&mut page(&run_of_six()));
    for (label, revision) in [
        ("command", 1),
        ("phase design started_at", 1),
        ("phase design context_summary", 2),
        ("phase design status", 3),
        ("state.completed_phases", 3),
        ("phase build files_created", 4),
        ("phase build status", 6),
        ("state.current_phase", 4),
        ("phase build files_modified", 6),
    ] {
        assert_eq!(of(&fields, label), Some(revision), "{label}");
    }
    assert!(
        !fields
            .iter()
            .any(|(label, _)| label.ends_with("updated_at") || label == "seal")
    );
}

#[test]
fn fields_from_before_the_oldest_kept_revision_say_so() {
    let world = run_of_six();
    let mut page = page(&world);
    for path in page.paths() {
        if path.contains("/history/1-") || path.contains("/history/2-") {
            page.remove(&path);
        }
    }
    let shown = page.ask(ASK);
    let fields = list(&shown, "/fields").iter();
    let field = |label: &str| {
        let mut fields = fields.clone();
        fields.find(|it| text(it, "/label") == label).unwrap()
    };
    let summary = field("phase design context_summary");
    assert_eq!(at(summary, "/revision"), &Json::Null);
    assert_eq!(at(summary, "/before").as_u64(), Some(3));
    assert_eq!(
        at(field("phase build status"), "/revision").as_u64(),
        Some(6)
    );
}

#[test]
fn fields_that_an_unreadable_revision_may_have_set_say_since_when() {
    let mut page = page(&run_of_six());
    let altered = page
        .paths()
        .into_iter()
        .find(|it| it.contains("/history/4-"))
        .unwrap();
    page.put(&altered, b"{}");
    let shown = page.ask(ASK);
    let fields = list(&shown, "/fields").iter();
    let field = |label: &str| {
        let mut fields = fields.clone();
        fields.find(|it| text(it, "/label") == label).unwrap()
    };
    let created = field("phase build files_created");
    assert_eq!(at(created, "/revision").as_u64(), Some(5));
    assert_eq!(at(created, "/since").as_u64(), Some(4));
    assert_eq!(at(field("phase build status"), "/since"), &Json::Null);
}

#[test]
fn a_field_that_a_hook_wrote_has_its_session() {
    let world = run_of_six();
    world.now_ms.set(world.now_ms.get() + 600_000.0);
    super::run(
        &world,
        r#"{"operation":"hook","agent":"claude-code","payload":{"hook_event_name":"SessionStart","session_id":"s-1","source":"startup"}}"#,
    );
    super::run(
        &world,
        r#"{"operation":"hook","agent":"claude-code","payload":{"hook_event_name":"PostToolUse","session_id":"s-1","cwd":"/repo","tool_name":"Write","tool_input":{"file_path":"/repo/src/new.rs","content":""},"tool_response":{"type":"create","filePath":"/repo/src/new.rs"}}}"#,
    );
    world.now_ms.set(world.now_ms.get() + 600_000.0);
    phase(&world, "build", r#"{"error":"by hand"}"#);
    let shown = page(&world).ask(ASK);
    let fields = list(&shown, "/fields").iter();
    let field = |label: &str| {
        let mut fields = fields.clone();
        fields
            .find(|it| text(it, "/label") == label)
            .unwrap_or_else(|| panic!("{}", shown.to_line()))
    };
    let created = field("phase build files_created");
    assert_eq!(text(created, "/session"), "s-1");
    assert_eq!(text(created, "/agent"), "claude-code");
    for label in ["phase build error", "phase design context_summary"] {
        assert_eq!(at(field(label), "/session"), &Json::Null, "{label}");
    }
}

/// Against looking through all revisions for the oldest one since which a value is what it is.
#[test]
fn the_history_of_a_field_is_that_of_its_values_regardless_of_what_was_saved() {
    const STATUSES: [&str; 4] = ["pending", "in_progress", "complete", "failed"];
    for seed in 0..40 {
        let _run = milepost_property::seed(
            "the history of a field is that of its values regardless of what was saved",
            seed,
        );
        let mut random = fastrand::Rng::with_seed(seed);
        let world = super::world();
        for _ in 0..random.usize(2..10) {
            let name = ["a", "b", "c/d"][random.usize(..3)];
            let patch = format!(
                r#"{{"status":"{}","n":{},"files_created":["{}"]}}"#,
                STATUSES[random.usize(..4)],
                random.u8(..2),
                random.u8(..3),
            );
            phase(&world, name, &patch);
        }
        let mut page = page(&world);
        let shown = page.ask(ASK);
        let newest = super::auth(&world, "log", "");
        let newest = at(&newest, "/0/revision").as_u64().unwrap();
        let documents: Vec<Json> = (1..=newest)
            .map(|revision| {
                let loaded = super::auth(&world, "load", &format!(r#","revision":{revision}"#));
                Json::Object(super::object(text(&loaded, "/text")))
            })
            .collect();
        for field in list(&shown, "/fields") {
            let path = text(field, "/path");
            let value = |document: &Json| document.at(path).map(Json::to_line);
            let present = value(documents.last().unwrap());
            let others = documents.iter().rposition(|it| value(it) != present);
            let expected = others.map_or(1, |at| at as u64 + 2);
            assert_eq!(
                at(field, "/revision").as_u64(),
                Some(expected),
                "seed {seed}: {path}"
            );
        }
    }
}
