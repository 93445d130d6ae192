//! Files that were left out are not read again, and those that cannot be kept by their names are compared by them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use milepost::effect::Effect;
use milepost::json::{Json, Object};

use super::worktree::{TempWorktree, restoring, text, value};

/// A size at which reading takes longer than the test.
const LARGE: u64 = 1 << 40;

fn put_large(worktree: &TempWorktree, name: &str) {
    let file = fs::File::create(worktree.at(name)).unwrap();
    // Some file systems have no files of that size.
    file.set_len(LARGE)
        .or_else(|_| file.set_len(LARGE >> 10))
        .unwrap();
}

/// Asks, and returns of which paths anything was read besides.
fn ask_and_record_reads(
    worktree: &TempWorktree,
    operation: &str,
    more: &[(&str, Json)],
) -> (Object, Vec<String>) {
    let mut disk = worktree.disk();
    let mut read = Vec::new();
    let reply = worktree.ask_over(operation, more, |effect| {
        if let Effect::Part { path, .. } | Effect::Read { path, .. } = &effect {
            let name = path.rsplit('/').next().unwrap_or_default();
            read.push(name.to_owned());
        }
        disk.perform(effect)
    });
    (reply, read)
}

#[test]
fn a_file_that_was_left_out_for_its_size_is_read_by_nothing() {
    let worktree = TempWorktree::with(&[("a", "head"), ("tracked", "head")]);
    put_large(&worktree, "big");
    put_large(&worktree, "tracked");
    // The index has something else than HEAD, so that the file is compared with both.
    worktree.git(&["rm", "-q", "--cached", "tracked"]);
    worktree.write("a", "then");
    let (id, left_out) = worktree.create();
    let names: Vec<&str> = left_out.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["big", "tracked"]);
    worktree.write("a", "now");
    let mut undo = String::new();
    for (operation, more) in [
        ("verify_session", vec![("id", Json::from(id.as_str()))]),
        ("restore_session", restoring(&id).to_vec()),
        ("restore_session", Vec::new()),
        ("verify_session", vec![("latest", true.into())]),
        ("create_session", vec![("reason", "handoff".into())]),
    ] {
        // The third one takes the second one back.
        let more = match more.is_empty() {
            true => restoring(&undo).to_vec(),
            false => more,
        };
        let (reply, read) = ask_and_record_reads(&worktree, operation, &more);
        let done = value(&reply);
        if let Some(made) = done.at("/undo").and_then(Json::as_str) {
            made.clone_into(&mut undo);
        }
        let is_large = |name: &&String| ["big", "tracked"].contains(&name.as_str());
        assert_eq!(read.iter().find(is_large), None, "{operation}");
    }
    assert_eq!(worktree.text("a"), "now");
}

#[test]
fn a_large_file_that_came_since_is_compared_by_its_size() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("kept", "then");
    let (id, _) = worktree.create();
    put_large(&worktree, "new");
    put_large(&worktree, "a");
    put_large(&worktree, "kept");
    let (reply, read) =
        ask_and_record_reads(&worktree, "verify_session", &[("id", id.as_str().into())]);
    let files = value(&reply).at("/files").and_then(Json::as_array).unwrap();
    let said: Vec<(String, String)> = files
        .iter()
        .map(|it| (text(it, "/path"), text(it, "/answer")))
        .collect();
    let expected = [
        ("a", "unexpected"),
        ("kept", "changed"),
        ("new", "unexpected"),
    ];
    assert_eq!(
        said,
        expected.map(|(path, answer)| (path.to_owned(), answer.to_owned()))
    );
    let large = ["a", "kept", "new"];
    assert!(
        !read.iter().any(|it| large.contains(&it.as_str())),
        "{read:?}"
    );
    let dry = [&restoring(&id)[..], &[("dry_run", true.into())]].concat();
    let (reply, read) = ask_and_record_reads(&worktree, "restore_session", &dry);
    value(&reply);
    assert!(
        !read.iter().any(|it| large.contains(&it.as_str())),
        "{read:?}"
    );
    let (code, message) = worktree.refused(&id, &[]);
    assert_eq!(code, "usage");
    assert!(message.contains("too large"), "{message}");
}

#[test]
fn a_large_file_that_is_allowed_is_kept_compared_and_restored() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write(
        ".claude/config/integrations.json",
        r#"{"sessions": {"max_file_bytes": 8, "allow": ["long"]}}"#,
    );
    worktree.commit();
    worktree.write("long", "longer than eight bytes");
    let (id, left_out) = worktree.create();
    assert_eq!(left_out, []);
    assert!(worktree.is_match(&id));
    worktree.write("long", "LONGER THAN EIGHT BYTES");
    assert!(!worktree.is_match(&id));
    worktree.restore(&id, &[]);
    assert_eq!(worktree.text("long"), "longer than eight bytes");
}

/// Writes a file whose name has these bytes.
fn put_strange(worktree: &TempWorktree, name: &[u8]) -> std::path::PathBuf {
    let file = worktree.root.join(OsStr::from_bytes(name));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "x").unwrap();
    file
}

#[test]
fn a_name_that_is_not_unicode_is_named_where_it_is_left_out_and_counts_in_verify() {
    let worktree = TempWorktree::with(&[("a", "head"), (".gitignore", "*.log\n")]);
    let bad = put_strange(&worktree, b"bad\xffname");
    let inner = put_strange(&worktree, b"folder\xfe/in");
    put_strange(&worktree, b"ignored\xff.log");
    put_strange(&worktree, b"back\\slash\xff");
    let (id, left_out) = worktree.create();
    let why = "has a name that is not UTF-8";
    let expected = [r"back\\slash\xff", r"bad\xffname", r"folder\xfe"];
    assert_eq!(
        left_out,
        expected.map(|path| (path.to_owned(), why.to_owned()))
    );
    assert!(worktree.is_match(&id));
    // Its content is not kept, and not compared.
    fs::write(&bad, "else").unwrap();
    assert!(worktree.is_match(&id));
    fs::remove_file(&bad).unwrap();
    put_strange(&worktree, b"new\xff");
    let missing = (r"bad\xffname".to_owned(), "missing".to_owned());
    let new = (r"new\xff".to_owned(), "unexpected".to_owned());
    assert_eq!(worktree.mismatches(&id), [missing, new]);
    assert!(!worktree.is_match(&id));
    // A restore leaves both as they are.
    worktree.write("a", "now");
    worktree.restore(&id, &[]);
    assert_eq!(worktree.text("a"), "head");
    assert!(inner.exists() && worktree.root.join(OsStr::from_bytes(b"new\xff")).exists());
}

#[test]
fn a_tracked_name_that_is_not_unicode_counts_as_long_as_it_stands() {
    let worktree = TempWorktree::with(&[("a", "head"), (".gitignore", "*.log\n")]);
    let tracked = put_strange(&worktree, b"tracked\xff.log");
    worktree.git(&["add", "-f", "."]);
    worktree.git(&["commit", "-q", "-m", "all"]);
    let (id, left_out) = worktree.create();
    assert_eq!(left_out.len(), 1, "{left_out:?}");
    assert!(worktree.is_match(&id));
    fs::remove_file(&tracked).unwrap();
    let missing = (r"tracked\xff.log".to_owned(), "missing".to_owned());
    assert_eq!(worktree.mismatches(&id), [missing]);
    // One that was gone when the snapshot was made is no name that went since.
    let (later, left_out) = worktree.create();
    assert_eq!(left_out[0].1, "is gone, and has a name that is not UTF-8");
    assert!(worktree.is_match(&later));
}
