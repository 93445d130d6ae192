//! The contents of files that sessions keep, over a real repository.

use std::fs;
use std::path::Path;

use milepost::effect::Machine;
use milepost::json::{Json, Object};
use milepost::operation::request;
use tempfile::TempDir;

use super::source::Page;
use super::{at, list, object, text, texts};
use crate::disk::Disk;

fn git(root: &Path, arguments: &[&str]) {
    let mut git = crate::git::with_identity(root);
    git.args(arguments);
    let output = git.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn snapshot(root: &Path) -> String {
    let place = Object::new().with("root", root.to_str().unwrap());
    let request = Object::new()
        .with("operation", "create_session")
        .with("place", place)
        .with("reason", "handoff");
    let mut disk = Disk::new();
    let machine: Machine<String> = request::start(Json::Object(request).to_line().as_bytes());
    let reply = machine.run(|effect| disk.perform(effect));
    let reply = Json::Object(object(&reply));
    text(&reply, "/value/id").to_owned()
}

/// Two snapshots of a repository, and its page.
fn two() -> (TempDir, Page, [String; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let write = |path: &str, bytes: &[u8]| fs::write(root.join(path), bytes).unwrap();
    git(root, &["init", "-q"]);
    write("kept.txt", b"unchanged\n");
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "first"]);
    write("notes.txt", b"one\ntwo\nthree\n");
    write("image.bin", b"\x89PNG\0\0");
    write("large.txt", &b"a line\n".repeat(700_000));
    write("gone.txt", b"here\n");
    let first = snapshot(root);
    write("notes.txt", b"one\n2\nthree\n\x1b[2J\n");
    fs::remove_file(root.join("gone.txt")).unwrap();
    write("come.txt", b"new\n");
    let second = snapshot(root);
    let page = Page::of_folder(root);
    (folder, page, [first, second])
}

fn ask(page: &mut Page, a: Option<&str>, b: Option<&str>, path: &str) -> Json {
    let side = |id: Option<&str>| id.map(|id| Object::new().with("key", format!("s/{id}")));
    let question = Object::new()
        .with("query", "file")
        .with("a", side(a))
        .with("b", side(b))
        .with("path", path);
    page.ask(&Json::Object(question).to_line())
}

#[test]
fn a_file_of_two_sessions_is_compared_by_lines() {
    let (_folder, mut page, [a, b]) = two();
    let shown = ask(&mut page, Some(&a), Some(&b), "notes.txt");
    assert_eq!(
        texts(&shown, "/lines", "/op"),
        ["=", "-", "+", "=", "+", "="]
    );
    assert_eq!(text(&shown, "/lines/4/parts/0/text"), "\\u{1b}[2J");
    assert_eq!(at(&shown, "/size").to_line(), "[14,17]");
    assert!(
        page.rounds > 0,
        "the contents were there from the beginning"
    );
    let one = ask(&mut page, None, Some(&b), "notes.txt");
    assert_eq!(list(&one, "/lines").len(), 5);
    assert_eq!(at(&one, "/size").to_line(), "[null,17]");
}

#[test]
fn each_file_of_a_snapshot_has_what_differed_from_the_commit() {
    let (folder, _, _) = two();
    let root = folder.path();
    let before: Vec<String> = (1..=30).map(|it| format!("{it}\n")).collect();
    fs::write(root.join("kept.txt"), before.concat()).unwrap();
    git(root, &["add", "kept.txt"]);
    git(root, &["commit", "-qm", "second"]);
    let after = before.concat().replace("\n20\n", "\ntwenty\x1b\n");
    fs::write(root.join("kept.txt"), after).unwrap();
    let id = snapshot(root);
    let mut page = Page::of_folder(root);
    let question = format!(r#"{{"query":"revision","moment":{{"key":"s/{id}","revision":null}}}}"#);
    let shown = page.ask(&question);
    let of = |path: &str| {
        let mut files = list(&shown, "/files").iter();
        let file = files.find(|it| text(it, "/path") == path);
        file.unwrap().clone()
    };
    let kept = of("kept.txt");
    assert_eq!(at(&kept, "/lines/0/count").as_u64(), Some(16));
    assert_eq!(
        texts(&kept, "/lines", "/op"),
        ["…", "=", "=", "=", "-", "+", "=", "=", "="]
    );
    assert_eq!(text(&kept, "/lines/5/parts/0/text"), "twenty\\u{1b}");
    assert_eq!(texts(&of("come.txt"), "/lines", "/op"), ["+"]);
    assert_eq!(list(&of("image.bin"), "/lines").len(), 0);
}

#[test]
fn contents_without_lines_say_why() {
    let (_folder, mut page, [a, b]) = two();
    let shown = ask(&mut page, Some(&a), Some(&b), "image.bin");
    assert_eq!(at(&shown, "/binary"), &Json::Bool(true));
    assert_eq!(at(&shown, "/lines"), &Json::Null);
    let shown = ask(&mut page, Some(&a), None, "large.txt");
    assert_eq!(text(&shown, "/notes/0"), "larger than 4 MiB");
    assert_eq!(at(&shown, "/size/0").as_u64(), Some(4_900_000));
    let shown = ask(&mut page, Some(&a), Some(&b), "kept.txt");
    assert_eq!(text(&shown, "/notes/0"), "as in the commit");
}

#[test]
fn a_file_that_came_or_went_is_shown_whole() {
    let (_folder, mut page, [a, b]) = two();
    for (path, op) in [("come.txt", "+"), ("gone.txt", "-")] {
        let shown = ask(&mut page, Some(&a), Some(&b), path);
        assert!(
            texts(&shown, "/lines", "/op").contains(&op),
            "{path}: {}",
            shown.to_line()
        );
    }
}

#[test]
fn a_content_that_is_missing_or_damaged_is_reported() {
    let (_folder, mut page, [a, b]) = two();
    let objects = page.paths().into_iter();
    let objects: Vec<String> = objects
        .filter(|it| it.starts_with(".claude/checkpoints/objects/") && it.len() > 90)
        .collect();
    assert!(objects.len() > 3, "{objects:?}");
    ask(&mut page, Some(&a), Some(&b), "notes.txt");
    for object in &objects {
        page.put(object, b"other bytes");
    }
    let shown = ask(&mut page, Some(&a), Some(&b), "notes.txt");
    assert!(
        text(&shown, "/notes/0").ends_with(" is damaged"),
        "{}",
        shown.to_line()
    );
    for object in &objects {
        page.remove(object);
    }
    let shown = ask(&mut page, Some(&a), Some(&b), "notes.txt");
    assert!(
        text(&shown, "/notes/1").ends_with(" is missing"),
        "{}",
        shown.to_line()
    );
}

#[test]
fn a_content_that_an_export_leaves_behind_is_not_called_missing() {
    let (folder, _, [a, b]) = two();
    let mut page = Page::of_export(folder.path());
    let note = "contents of files are not part of an exported page";
    for path in ["notes.txt", "large.txt"] {
        let shown = ask(&mut page, Some(&a), Some(&b), path);
        assert_eq!(texts(&shown, "/notes", ""), [note, note], "{path}");
        assert_eq!(at(&shown, "/lines"), &Json::Null);
    }
    let shown = ask(&mut page, Some(&a), Some(&b), "kept.txt");
    assert_eq!(text(&shown, "/notes/0"), "as in the commit");
}

#[test]
fn the_list_of_sessions_and_their_comparison_know_the_files() {
    let (_folder, mut page, [a, b]) = two();
    let rows = page.ask(r#"{"query":"sessions"}"#);
    assert!(
        at(&rows, "/rows/0/files").as_u64() >= Some(4),
        "{}",
        rows.to_line()
    );
    let question = format!(r#"{{"query":"compare","a":{{"key":"s/{a}"}},"b":{{"key":"s/{b}"}}}}"#);
    let shown = page.ask(&question);
    let files: Vec<(&str, &str)> = texts(&shown, "/files", "/path")
        .into_iter()
        .zip(texts(&shown, "/files", "/change"))
        .collect();
    for expected in [
        ("come.txt", "added"),
        ("gone.txt", "removed"),
        ("notes.txt", "changed"),
    ] {
        assert!(files.contains(&expected), "{files:?}");
    }
    let one = page.ask(&format!(
        r#"{{"query":"revision","moment":{{"key":"s/{a}","revision":null}}}}"#
    ));
    assert!(texts(&one, "/files", "/path").contains(&"notes.txt"));
}
