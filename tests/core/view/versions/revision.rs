//! One moment, whole.

use milepost::json::Json;

use super::{at, auth, list, page, phase, run, run_of_six, text, texts};

fn ask(key: &str, revision: &str) -> String {
    format!(r#"{{"query":"revision","moment":{{"key":"{key}","revision":{revision}}}}}"#)
}

#[test]
fn the_present_one_says_what_the_operations_say() {
    let world = run_of_six();
    let shown = page(&world).ask(&ask("c/implement-auth", "null"));
    assert_eq!(text(&shown, "/title"), "implement (feature auth)");
    assert_eq!(text(&shown, "/status"), "in_progress");
    assert_eq!(at(&shown, "/revisions").to_line(), "[1,2,3,4,5,6]");
    let loaded = auth(&world, "load", "");
    assert_eq!(at(&shown, "/raw"), at(&loaded, "/text"));
    let point = auth(&world, "resume_point", "");
    assert_eq!(at(&shown, "/resume/phase"), at(&point, "/phase"));
    assert_eq!(at(&shown, "/resume/summary"), at(&point, "/summary"));
    assert_eq!(at(&shown, "/gate"), &auth(&world, "gate", ""));
    assert_eq!(at(&shown, "/prose"), &Json::Null);
    assert_eq!(
        texts(&shown, "/phases", "/status"),
        ["complete", "in_progress"]
    );
    assert_eq!(
        list(&shown, "/phases/1/modified")[0].as_str(),
        Some("src/lib.rs")
    );
    assert_eq!(at(&shown, "/phases/1/tokens").as_u64(), Some(11));
    assert_eq!(
        texts(&shown, "/files", "/path"),
        ["docs/auth.md", "src/auth.rs", "src/lib.rs"]
    );
}

#[test]
fn gate_is_recorded_once_it_was_opened_or_closed() {
    let world = run_of_six();
    let recorded = || {
        let shown = page(&world).ask(&ask("c/implement-auth", "null"));
        at(&shown, "/is_gate_recorded").clone()
    };
    assert_eq!(recorded(), Json::Bool(false));
    auth(&world, "gate", r#","close":["tests fail"]"#);
    assert_eq!(recorded(), Json::Bool(true));
    auth(&world, "gate", r#","open":true"#);
    assert_eq!(recorded(), Json::Bool(true));
}

#[test]
fn the_text_to_resume_with_is_the_context_of_an_agent() {
    let world = run_of_six();
    let shown = page(&world).ask(&ask("c/implement-auth", "null"));
    let hook_text = super::run(
        &world,
        r#"{"operation":"hook","agent":"claude-code","payload":{"hook_event_name":"SessionStart","session_id":"s-1","source":"startup"}}"#,
    );
    let output = Json::Object(super::object(text(&hook_text, "/output")));
    // The agent is asked for its own plan besides, by the name of its tool.
    let lines = |of: &Json, pointer: &str| {
        let text = text(of, pointer);
        let (first, facts) = text.split_once('\n').unwrap();
        (first.to_owned(), facts.to_owned())
    };
    let (preface, facts) = lines(&shown, "/resume/text");
    let (hook_text, hook_facts) = lines(&output, "/hookSpecificOutput/additionalContext");
    assert!(hook_text.starts_with(&preface), "{hook_text}");
    assert_eq!(facts, hook_facts);
}

#[test]
fn an_earlier_revision_has_the_command_that_shows_it_and_the_one_that_goes_back() {
    let shown = page(&run_of_six()).ask(&ask("c/implement-auth", "3"));
    assert_eq!(at(&shown, "/revision").as_u64(), Some(3));
    assert_eq!(at(&shown, "/newest").as_u64(), Some(6));
    assert_eq!(
        texts(&shown, "/commands", "/text"),
        [
            "milepost show implement --feature auth --revision 3",
            "milepost undo implement --feature auth --to 3"
        ]
    );
}

#[test]
fn a_command_about_a_run_without_a_feature_says_so_where_others_of_its_name_have_one() {
    let world = run_of_six();
    for command in ["implement", "design"] {
        let request = format!(
            r#"{{"operation":"update_phase","command":"{command}","phase":"a","patch":{{}}}}"#
        );
        run(&world, &request);
    }
    let mut page = page(&world);
    while at(&page.ask(r#"{"query":"tick","ms":1000}"#), "/pending").as_u64() != Some(0) {}
    for (key, expected) in [
        (
            "c/implement-checkpoint",
            "milepost show implement --feature=",
        ),
        ("c/design-checkpoint", "milepost show design"),
    ] {
        let shown = page.ask(&ask(key, "null"));
        assert_eq!(text(&shown, "/commands/0/text"), expected);
    }
}

#[test]
fn every_command_of_a_page_begins_with_the_words_that_start_the_program() {
    let mut page = page(&run_of_six()).started_by("npx milepost");
    let shown = page.ask(&ask("c/implement-auth", "3"));
    let commands = texts(&shown, "/commands", "/text");
    assert_eq!(commands.len(), 2);
    for command in commands {
        assert!(command.starts_with("npx milepost "), "{command}");
    }
}

#[test]
fn every_command_of_a_page_names_the_place_as_its_caller_did() {
    let words = " --root '/my work/shop' --store env:DB --project shop";
    let mut page = page(&run_of_six()).named_by(words);
    let shown = page.ask(&ask("c/implement-auth", "3"));
    assert_eq!(
        texts(&shown, "/commands", "/text"),
        [
            format!("milepost show implement --feature auth --revision 3{words}"),
            format!("milepost undo implement --feature auth --to 3{words}")
        ]
    );
}

#[cfg(feature = "cli")]
#[test]
fn the_command_line_knows_every_command_that_a_page_shows() {
    let world = run_of_six();
    let session = run(
        &world,
        r#"{"operation":"create_session","reason":"handoff","files":false}"#,
    );
    let session = format!("s/{}", text(&session, "/id"));
    let mut page = page(&world);
    let mut typed = Vec::new();
    for (key, revision) in [
        ("c/implement-auth", "null"),
        ("c/implement-auth", "2"),
        (&session, "null"),
    ] {
        let shown = page.ask(&ask(key, revision));
        let commands = texts(&shown, "/commands", "/text");
        typed.extend(commands.into_iter().map(str::to_owned));
    }
    page.put(".claude/state/implement-auth.json", b"{");
    let shown = page.ask(&ask("c/implement-auth", "null"));
    let commands = texts(&shown, "/commands", "/text");
    typed.extend(commands.into_iter().map(str::to_owned));
    for command in &typed {
        let mut words: Vec<&str> = command.split(' ').collect();
        words.push("--json");
        let parsed = milepost::cli::definition().try_get_matches_from(&words);
        assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
    }
    assert!(typed.len() >= 9, "{typed:?}");
}

#[test]
fn a_corrupt_checkpoint_says_how_it_is_brought_back() {
    let mut page = page(&run_of_six());
    page.put(".claude/state/implement-auth.json", b"{ half");
    let shown = page.ask(&ask("c/implement-auth", "null"));
    assert_eq!(text(&shown, "/problem/code"), "corrupt");
    assert_eq!(at(&shown, "/revisions").to_line(), "[1,2,3,4,5,6]");
    assert_eq!(
        text(&shown, "/commands/0/text"),
        "milepost recover implement --feature auth"
    );
    let earlier = page.ask(&ask("c/implement-auth", "5"));
    assert_eq!(text(&earlier, "/status"), "failed");
}

#[test]
fn fields_say_of_what_kind_they_are_and_the_phases_are_not_among_them() {
    let world = run_of_six();
    phase(&world, "build", r#"{"own":{"n":1.0,"list":["a",1]}}"#);
    let shown = page(&world).ask(&ask("c/implement-auth", "null"));
    let fields = list(&shown, "/fields").iter();
    let fields: Vec<String> = fields
        .map(|it| {
            format!(
                "{} {} {}",
                text(it, "/label"),
                text(it, "/kind"),
                at(it, "/value").to_line()
            )
        })
        .collect();
    for expected in [
        r#"command value "implement""#,
        r#"state.completed_phases list ["design"]"#,
        r#"phase build own.n value "1.0""#,
        r#"phase build own.list list ["a","1"]"#,
    ] {
        assert!(
            fields.iter().any(|it| it == expected),
            "{expected}: {fields:#?}"
        );
    }
    assert!(fields.iter().any(|it| it.starts_with("updated_at time ")));
    assert!(
        !fields
            .iter()
            .any(|it| it.contains("context_summary") || it.starts_with("seal"))
    );
}

#[test]
fn a_session_says_what_it_is_resumed_with() {
    let world = run_of_six();
    let session = run(
        &world,
        r#"{"operation":"create_session","reason":"handoff","files":false}"#,
    );
    let id = text(&session, "/id");
    let shown = page(&world).ask(&ask(&format!("s/{id}"), "null"));
    assert_eq!(text(&shown, "/kind"), "session");
    assert!(text(&shown, "/resume/text").starts_with(&format!("Snapshot {id}")));
    assert!(text(&shown, "/raw").contains("reason: "));
    let prose = text(&shown, "/prose");
    assert!(
        prose.starts_with(&format!("Snapshot {id}, made "))
            && prose.contains(
                " for a handoff. It is of the run implement (feature auth) at revision 6."
            ),
        "{prose}"
    );
    assert_eq!(
        texts(&shown, "/commands", "/text")[2],
        format!("milepost snapshot restore {id} --files")
    );
}
