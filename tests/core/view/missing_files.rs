//! Files that were not brought are asked for, and then the answer is that of a page which has everything.

use milepost::json::{Json, Object};

use super::overview::{ask, phase, world};
use super::page::{Page, STATE, frame, listing, object};
use crate::memory::{Memory, Node};

const OF: (&str, Option<&str>) = ("design", Some("a"));

/// A checkpoint with five revisions.
fn with_history() -> Memory {
    let world = world();
    for (name, status) in [
        ("a", "pending"),
        ("a", "in_progress"),
        ("a", "complete"),
        ("b", "failed"),
        ("b", "complete"),
    ] {
        phase(&world, OF, name, status);
    }
    world
}

fn question(operation: &str, more: &[(&str, Json)]) -> String {
    let mut request = Object::new()
        .with("operation", operation)
        .with("command", OF.0)
        .with("feature", OF.1.map(str::to_owned));
    for (key, value) in more {
        request.set(key, value.clone());
    }
    let question = Object::new()
        .with("query", "operation")
        .with("request", request);
    Json::Object(question).to_line()
}

/// The paths of the files that an answer requests, each with its kind.
fn file_requests(answer: &Object) -> Vec<(String, String)> {
    let file_requests = answer
        .get("wants")
        .unwrap_or_else(|| panic!("{answer:?}"))
        .as_array()
        .unwrap();
    let text = |file_request: &Json, key: &str| {
        file_request
            .as_object()
            .unwrap()
            .get(key)
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned()
    };
    file_requests
        .iter()
        .map(|file_request| (text(file_request, "path"), text(file_request, "kind")))
        .collect()
}

#[test]
fn the_page_says_of_a_run_what_the_operation_says() {
    let world = with_history();
    let mut page = Page::open(&world);
    for (operation, more) in [
        ("load", vec![]),
        ("load", vec![("revision", Json::from(2))]),
        ("load", vec![("revision", Json::from(77))]),
        ("log", vec![]),
        ("diff", vec![]),
        ("diff", vec![("from", Json::from(1)), ("to", Json::from(4))]),
        ("resume_point", vec![]),
        ("gate", vec![]),
    ] {
        let shown = page.ask(&question(operation, &more));
        let said = ask(&world, operation, OF, &more);
        for part in ["value", "error", "warnings"] {
            assert_eq!(shown.get(part), said.get(part), "{operation} {more:?}");
        }
    }
}

#[test]
fn revisions_are_asked_for_together() {
    let world = with_history();
    let mut page = Page::open(&world);
    page.settle();
    let question = question("load", &[("revision", Json::from(2))]);
    let side = ".claude/state/.milepost/design-a";
    let answer = page.ask_once(&question);
    assert_eq!(
        file_requests(&answer),
        [(side.to_owned(), "folder".to_owned())]
    );
    let file_request = answer.get("wants").unwrap().as_array().unwrap()[0]
        .as_object()
        .unwrap()
        .clone();
    assert_eq!(
        file_request.get("id").unwrap().as_str(),
        Some("id of .claude/state/.milepost/design-a")
    );
    page.take(&super::page::listing(&world, side, false));
    let answer = page.ask_once(&question);
    assert_eq!(
        file_requests(&answer),
        [(format!("{side}/history"), "folder".to_owned())]
    );
    page.take(&super::page::listing(
        &world,
        &format!("{side}/history"),
        false,
    ));
    let missing = file_requests(&page.ask_once(&question));
    let history = world
        .files_below(&format!("/repo/{side}/history"))
        .into_iter();
    let expected: Vec<(String, String)> = history
        .map(|name| (format!("{side}/history/{name}"), "file".to_owned()))
        .collect();
    assert!(expected.len() >= 4, "{expected:?}");
    assert_eq!(missing, expected);
    // All of them are there from now on.
    page.ask(&question);
    let before = page.brought;
    page.ask(&self::question(
        "diff",
        &[("from", Json::from(1)), ("to", Json::from(3))],
    ));
    assert_eq!(page.brought, before);
}

#[test]
fn no_more_than_fits_is_asked_for_in_one_request() {
    let world = with_history();
    let mut page = Page::open(&world);
    let history = ".claude/state/.milepost/design-a/history";
    page.take(&super::page::listing(
        &world,
        ".claude/state/.milepost/design-a",
        false,
    ));
    page.take(&super::page::listing(&world, history, false));
    for number in 0..9 {
        let path = format!("{history}/{number}");
        let size = 3 << 20;
        page.take(&frame(
            Object::new().with("file", path).with("size", size as u64),
            b"",
        ));
    }
    let missing = file_requests(&page.ask_once(&question("load", &[("revision", Json::from(2))])));
    let huge = missing
        .iter()
        .filter(|(path, _)| path.rsplit('/').next().unwrap().len() == 1);
    assert_eq!(huge.count(), 5);
}

#[test]
fn a_file_that_cannot_be_read_or_vanished_is_asked_for_once() {
    let world = with_history();
    let file = ".claude/state/design-a.json";
    for (header, code) in [
        (Object::new().with("gone", file), "vanished"),
        (
            Object::new()
                .with("file", file)
                .with("size", 9)
                .with("fault", "denied"),
            "io",
        ),
        (
            Object::new()
                .with("file", file)
                .with("size", 9)
                .with("fault", "io"),
            "io",
        ),
        (
            Object::new()
                .with("file", file)
                .with("size", (16 << 20) + 1),
            "too_large",
        ),
        (Object::new().with("link", file), "unsafe_path"),
        (Object::new().with("folder", file), "unsafe_path"),
    ] {
        let mut page = Page::open(&world);
        page.rows();
        page.take(&frame(header.clone(), b""));
        let rows = page.rows();
        let problem = rows[0].get("problem").unwrap().as_object().unwrap();
        let shown = match code {
            "vanished" => "not_found",
            code => code,
        };
        assert_eq!(
            problem.get("code").unwrap().as_str(),
            Some(shown),
            "{header:?}"
        );
        assert_eq!(rows[0].get("status").unwrap().as_str(), Some("corrupt"));
    }
    // Its size alone was sent: it is asked for.
    let mut page = Page::open(&world);
    page.take(&frame(
        Object::new()
            .with("file", file)
            .with("modified", 2)
            .with("size", 9),
        b"",
    ));
    let answer = page.ask_once(r#"{"query":"tick","ms":1}"#);
    assert!(file_requests(&answer).contains(&(file.to_owned(), "file".to_owned())));
    assert_eq!(page.rows().len(), 1);
}

#[test]
fn the_size_of_a_file_that_arrives_again_leaves_its_content_known() {
    let world = with_history();
    let mut page = Page::open(&world);
    page.settle();
    let size = world
        .bytes("/repo/.claude/state/design-a.json")
        .unwrap()
        .len() as u64;
    let header = Object::new().with("file", ".claude/state/design-a.json");
    page.take(&frame(header.with("modified", 1).with("size", size), b""));
    assert_eq!(page.rows().len(), 1);
    assert_eq!(page.brought, 0);
}

#[test]
fn a_page_changes_nothing_that_it_shows() {
    let world = with_history();
    world.put("/repo/.claude/state/ship-torn.json", "{");
    world.put_node("/repo/.claude/state/ship-link.json", Node::dangling());
    let before = world.disk.borrow().digest();
    let mut page = Page::open(&world);
    page.rows();
    let reading = milepost::operation::table::all().filter(|operation| !operation.changes);
    let mut count = 0;
    for operation in reading {
        let question = question(operation.name, &[]);
        page.ask(&question);
        count += 1;
    }
    assert!(count > 15, "{count}");
    assert_eq!(world.disk.borrow().digest(), before);
}

#[test]
fn an_operation_that_only_reads_asks_for_no_change_of_the_disk() {
    for operation in milepost::operation::table::all().filter(|it| !it.changes && it.has_place()) {
        let world = with_history();
        let start = world.log.borrow().len();
        ask(&world, operation.name, OF, &[]);
        // The list keeps a hint for the next listing.
        let changes = [
            "create",
            "rename",
            "remove",
            "append",
            "make_folder",
            "symlink",
            "link",
        ];
        let log = world.log.borrow();
        let asked = log[start..].iter().filter(|it| !it.contains(".overview"));
        let is_change = |it: &&String| {
            changes
                .iter()
                .any(|name| it.split(' ').next() == Some(*name))
        };
        assert_eq!(asked.filter(is_change).count(), 0, "{}", operation.name);
    }
}

#[test]
fn a_name_of_any_kind_neither_breaks_the_page_nor_becomes_a_row() {
    let world = world();
    let mut page = Page::open(&world);
    let names = [
        "..",
        ".",
        "",
        "/",
        "//",
        "design-\u{202e}a.json",
        "design-a\n.json",
        "design-CON.json",
        "<script>alert(1)</script>-a.json",
        "design-.json",
        "design.json",
        "-a.json",
        ".json",
        "design-ä.json",
        "__proto__",
        "design-__proto__.json",
        "\u{0}",
        "design-a.JSON",
        "DESIGN-a.json",
        "constructor-a.json",
    ];
    for name in names {
        let path = format!(".claude/state/{name}");
        page.take(&frame(
            Object::new().with("file", path).with("bytes", 2),
            b"{}",
        ));
        let side = format!(".claude/state/.milepost/{name}");
        page.take(&frame(Object::new().with("folder", side), b""));
    }
    let keys: Vec<String> = page
        .rows()
        .iter()
        .map(|row| row.get("key").unwrap().to_line())
        .collect();
    assert_eq!(keys, Vec::<String>::new());
    page.take(&frame(
        Object::new()
            .with("file", ".claude/state/design-a.json")
            .with("bytes", 2),
        b"{}",
    ));
    assert_eq!(page.rows().len(), 1);
}

#[test]
fn text_of_a_document_does_not_act_on_the_reader_of_its_row() {
    let world = world();
    let mut page = Page::open(&world);
    let hostile = "\u{1b}[31m\u{202e}</script><img src=x onerror=alert(1)>\u{0}";
    let phase = Object::new()
        .with("status", "complete")
        .with("context_summary", hostile);
    let document = Object::new()
        .with("command", hostile)
        .with("updated_at", hostile)
        .with("completed_at", hostile)
        .with(
            "state",
            Object::new().with("completed_phases", vec![hostile.to_owned()]),
        )
        .with("phases", Object::from_iter([(hostile, phase)]));
    let text = Json::Object(document).to_line();
    let header = Object::new()
        .with("file", ".claude/state/design-a.json")
        .with("bytes", text.len() as u64);
    page.take(&frame(header, text.as_bytes()));
    let shown = Json::Object(object(
        page.value(r#"{"query":"overview"}"#).to_line().as_bytes(),
    ))
    .to_line();
    for acting in ["\\u001b", "\u{1b}", "\u{202e}", "\\u202e", "\\u0000"] {
        assert!(!shown.contains(acting), "{acting:?} {shown}");
    }
    assert!(
        shown.contains("\\\\u{1b}[31m\\\\u{202e}</script>"),
        "{shown}"
    );
}

#[test]
fn history_that_comes_after_its_document_is_read_without_reading_that_again() {
    let world = with_history();
    let mut page = Page::open(&world);
    page.settle();
    let side = format!("{STATE}/.milepost/design-a");
    for folder in [side.clone(), format!("{side}/history")] {
        page.take(&listing(&world, &folder, true));
    }
    let answer = page.ask_once(r#"{"query":"overview","sort":"name","count":1}"#);
    let pending = super::page::value(&answer).get("pending").cloned();
    assert_eq!(pending, Some(Json::from(0_u64)));
    // The newest one counts: an older state that was put back takes the place after the newest.
    let document = format!("/repo/{STATE}/design-a.json");
    let newest = world.text(&document);
    phase(&world, OF, "c", "pending");
    page.report_change(&format!("{STATE}/design-a.json"));
    page.take(&listing(&world, &format!("{side}/history"), true));
    world.put(&document, newest);
    page.report_change(&format!("{STATE}/design-a.json"));
    assert_eq!(page.badges("c/design-a"), ["edited_by_hand"]);
}
