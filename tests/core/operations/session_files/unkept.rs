//! Files that the undo could not keep are not touched, unless the user agrees to lose them.

use milepost::json::{Json, Object};

use super::place::{TempWorktree, list, value};

fn secret() -> String {
    ["key = ghp_", "1234567890abcdefghijklmnopqrstuvwxyzAB\n"].concat()
}

/// Refused with this word, then done by name, and by force.
#[track_caller]
fn assert_refused(make: impl Fn() -> (TempWorktree, String), path: &str, why: &str) {
    for more in [("lose", list(&[path])), ("force", true.into())] {
        let (place, id) = make();
        let now = place.tree();
        let (code, message) = place.refused(&id, &[("lose", list(&["other"]))]);
        assert_eq!(code, "conflict", "{message}");
        assert!(message.contains(path) && message.contains(why), "{message}");
        assert_eq!(place.tree(), now);
        place.restore(&id, &[more]);
        assert_ne!(place.tree().nodes.get(path), now.nodes.get(path));
        assert!(place.is_match(&id));
    }
}

#[test]
fn a_secret_that_came_since_stops_the_restore() {
    let in_a_tracked_file = || {
        let place = TempWorktree::with(&[("a", "head")]);
        let (id, _) = place.create();
        place.write("a", secret());
        (place, id)
    };
    assert_refused(in_a_tracked_file, "a", "looks like a secret");
    let in_a_new_file = || {
        let place = TempWorktree::with(&[("a", "head")]);
        let (id, _) = place.create();
        place.write("new", secret());
        (place, id)
    };
    assert_refused(in_a_new_file, "new", "looks like a secret");
    let by_name = || {
        let place = TempWorktree::with(&[("a", "head")]);
        let (id, _) = place.create();
        place.write(".env", "x");
        (place, id)
    };
    assert_refused(by_name, ".env", "by its name");
}

#[test]
fn a_compiled_program_is_kept_and_a_text_with_its_name_and_a_secret_is_not() {
    let place = TempWorktree::with(&[("a", "head")]);
    let program = [b"\0asm\x01\0\0\0", secret().as_bytes()].concat();
    place.write("dist/milepost.wasm", &program);
    place.write("dist/notes.wasm", secret());
    let (id, left_out) = place.create();
    let left_out: Vec<&str> = left_out.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left_out, ["dist/notes.wasm"]);
    place.write("dist/milepost.wasm", "gone");
    place.restore(&id, &[]);
    assert_eq!(
        std::fs::read(place.at("dist/milepost.wasm")).unwrap(),
        program
    );
}

#[test]
fn a_file_that_is_ignored_by_now_stops_the_restore() {
    let ignored = || {
        let place = TempWorktree::with(&[("a", "head")]);
        place.write("x.log", "then");
        let (id, _) = place.create();
        place.write(".gitignore", "*.log\n");
        place.write("x.log", "now");
        (place, id)
    };
    assert_refused(ignored, "x.log", "ignored");
}

#[test]
fn a_file_that_git_does_not_look_at_stops_the_restore() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let hidden = || {
            let place = TempWorktree::with(&[("a", "head")]);
            place.write("a", "then");
            let (id, _) = place.create();
            place.git(&["update-index", flag, "a"]);
            place.write("a", "now");
            (place, id)
        };
        assert_refused(hidden, "a", flag.trim_start_matches("--"));
    }
}

#[test]
fn a_large_file_stops_the_restore() {
    let large = || {
        let place = TempWorktree::with(&[("a", "head")]);
        let (id, _) = place.create();
        let file = std::fs::File::create(place.at("a")).unwrap();
        file.set_len((256 << 20) + 1).unwrap();
        (place, id)
    };
    let (place, id) = large();
    let (code, message) = place.refused(&id, &[]);
    assert_eq!(code, "conflict");
    assert!(message.contains("too large"), "{message}");
}

#[test]
fn an_ignored_file_in_the_way_stops_the_restore() {
    let place = TempWorktree::with(&[(".gitignore", "*.log\n"), ("a", "head")]);
    let (id, _) = place.create();
    place.remove("a");
    place.write("a/b/x.log", "mine");
    place.write("a/c", "new");
    let now = place.tree();
    for more in [("lose", list(&["a", "a/c"])), ("force", true.into())] {
        let (code, message) = place.refused(&id, &[more]);
        assert_eq!(code, "conflict");
        assert!(message.contains("a/b/x.log is in the way"), "{message}");
        assert_eq!(place.tree(), now);
    }
    place.remove("a/b/x.log");
    place.restore(&id, &[]);
    assert_eq!(place.text("a"), "head");
}

#[test]
fn files_of_a_folder_that_was_left_out_stay() {
    let place = TempWorktree::with(&[("a", "head")]);
    let nested = place.at("nested");
    std::fs::create_dir(&nested).unwrap();
    crate::git::git(&nested, &["init", "-q", "--template="]);
    place.write("nested/in", "in");
    let (id, left_out) = place.create();
    assert_eq!(left_out.len(), 1);
    // It is a folder like any other by now, and what was in it is unknown.
    place.remove("nested/.git");
    place.write("a", "now");
    let plan = place.plan(&id, &[]);
    assert_eq!(plan.paths(), ["a"]);
    place.restore(&id, &[]);
    assert_eq!(place.text("nested/in"), "in");
    assert!(place.is_match(&id));
}

#[test]
fn a_file_that_was_left_out_is_not_touched() {
    let place = TempWorktree::with(&[("a", "head")]);
    place.write(".env", "then");
    place.write("t", secret());
    let (id, left_out) = place.create();
    assert_eq!(left_out.len(), 2);
    place.write(".env", "now");
    place.write("t", "now");
    place.write("a", "now");
    let plan = place.plan(&id, &[]);
    assert_eq!(plan.paths(), ["a"]);
    assert_eq!(plan.left.len(), 2);
    place.restore(&id, &[]);
    assert_eq!(
        (place.text(".env"), place.text("t")),
        ("now".into(), "now".into())
    );
    assert!(place.is_match(&id));
}

#[test]
fn a_file_that_was_ignored_when_the_snapshot_was_made_stays() {
    let place = TempWorktree::with(&[(".gitignore", "cache/\n*.log\n"), ("a", "head")]);
    place.write("cache/in", "mine");
    place.write("sub/.gitignore", "data\n");
    place.write("sub/data", "mine");
    let (id, _) = place.create();
    place.remove(".gitignore");
    place.remove("sub/.gitignore");
    place.write("a", "now");
    place.write("new", "now");
    let now = place.tree();
    let plan = place.plan(&id, &[]);
    assert_eq!(plan.paths(), [".gitignore", "a", "new", "sub/.gitignore"]);
    let left: Vec<&str> = plan.left.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left, ["cache/in", "sub/data"]);
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(place.text("cache/in"), "mine");
    assert_eq!(place.text("sub/data"), "mine");
    assert!(place.is_match(&id));
    place.restore(&undo, &[]);
    assert!(place.tree().differing(&now).is_empty());
}

#[test]
fn a_file_that_is_ignored_since_and_was_gone_is_removed_by_the_undo() {
    let place = TempWorktree::with(&[("a", "head")]);
    place.write("x.log", "then");
    let (id, _) = place.create();
    place.write(".gitignore", "*.log\n");
    place.remove("x.log");
    let now = place.tree();
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(place.text("x.log"), "then");
    place.restore(&undo, &[]);
    let differing = place.tree().differing(&now);
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn the_undo_of_a_restore_removes_an_ignored_file_that_the_restored_snapshot_keeps() {
    let place = TempWorktree::with(&[("a", "head"), (".gitignore", "*.log\n")]);
    place.write("x.log", "then");
    place.git(&["add", "-f", "x.log"]);
    let (id, _) = place.create();
    place.git(&["rm", "-q", "-f", "x.log"]);
    let now = place.tree();
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(place.text("x.log"), "then");
    // Only a checkpoint has what is written into it from here on.
    place.write("x.log", "worked on");
    let (code, message) = place.refused(&undo, &[]);
    assert_eq!(code, "conflict");
    assert!(
        message.contains("x.log") && message.contains("ignored"),
        "{message}"
    );
    place.write("x.log", "then");
    place.restore(&undo, &[]);
    assert_eq!(place.tree(), now);
    place.restore(&id, &[]);
    assert_eq!(place.text("x.log"), "then");
}

#[test]
fn a_run_that_was_stored_with_a_secret_is_not_kept_and_a_restore_says_so() {
    let place = TempWorktree::with(&[("a", "head")]);
    let settings = ".claude/config/integrations.json";
    place.write(settings, r#"{"redaction":{"allow":["token"]}}"#);
    let patch = Object::new().with("context_summary", secret());
    let phase = [
        ("command", Json::from("design")),
        ("phase", "a".into()),
        ("patch", patch.into()),
    ];
    value(&place.ask("update_phase", &phase));
    place.write(settings, "{}");
    place.write("a", "then");
    let (id, _) = place.create();
    let loaded = place.ask("load_session", &[("id", id.as_str().into())]);
    let document = value(&loaded).at("/document").unwrap();
    assert_eq!(
        document.at("/checkpoint/left_out").and_then(Json::as_str),
        Some("holds what looks like a secret (token)")
    );
    assert_eq!(document.at("/checkpoint/sha256"), None);
    assert!(!document.to_line().contains("1234567890"), "{document:?}");
    place.write("a", "now");
    let more = [("id", Json::from(id)), ("files", true.into())];
    let restored = place.ask("restore_session", &more);
    value(&restored);
    let said = restored.get("warnings").unwrap().to_line();
    assert!(
        said.contains("redacted") && said.contains("stays as it is"),
        "{said}"
    );
    assert_eq!(place.text("a"), "then");
}

#[test]
fn a_file_whose_name_holds_a_secret_is_named_nowhere_and_stays() {
    let place = TempWorktree::with(&[("a", "head")]);
    let name = secret().trim_end().replace("key = ", "");
    place.write(&name, "x");
    place.write("a", "then");
    let (id, left_out) = place.create();
    assert_eq!(left_out, []);
    let loaded = place.ask("load_session", &[("id", id.as_str().into())]);
    let document = value(&loaded).at("/document").unwrap();
    assert!(!document.to_line().contains("1234567890"), "{document:?}");
    let notes = document.at("/snapshot/notes").unwrap().to_line();
    assert!(notes.contains("One path is not listed"), "{notes}");
    place.write("a", "now");
    place.restore(&id, &[]);
    assert_eq!(
        (place.text("a"), place.text(&name)),
        ("then".into(), "x".into())
    );
}
