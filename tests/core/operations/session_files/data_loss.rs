//! Files that the undo could not keep are not touched, unless the user agrees to lose them.

use milepost::json::{Json, Object};

use super::worktree::{TempWorktree, list, value};

fn secret() -> String {
    ["key = ghp_", "1234567890abcdefghijklmnopqrstuvwxyzAB\n"].concat()
}

/// Refused with this word, then done by name, and by force.
#[track_caller]
fn assert_refused(make: impl Fn() -> (TempWorktree, String), path: &str, why: &str) {
    for more in [("lose", list(&[path])), ("force", true.into())] {
        let (worktree, id) = make();
        let now = worktree.tree();
        let (code, message) = worktree.refused(&id, &[("lose", list(&["other"]))]);
        assert_eq!(code, "usage", "{message}");
        assert!(message.contains(path) && message.contains(why), "{message}");
        assert_eq!(worktree.tree(), now);
        worktree.restore(&id, &[more]);
        assert_ne!(worktree.tree().nodes.get(path), now.nodes.get(path));
        assert!(worktree.is_match(&id));
    }
}

#[test]
fn a_secret_that_came_since_stops_the_restore() {
    let in_a_tracked_file = || {
        let worktree = TempWorktree::with(&[("a", "head")]);
        let (id, _) = worktree.create();
        worktree.write("a", secret());
        (worktree, id)
    };
    assert_refused(in_a_tracked_file, "a", "looks like a secret");
    let in_a_new_file = || {
        let worktree = TempWorktree::with(&[("a", "head")]);
        let (id, _) = worktree.create();
        worktree.write("new", secret());
        (worktree, id)
    };
    assert_refused(in_a_new_file, "new", "looks like a secret");
    let by_name = || {
        let worktree = TempWorktree::with(&[("a", "head")]);
        let (id, _) = worktree.create();
        worktree.write(".env", "x");
        (worktree, id)
    };
    assert_refused(by_name, ".env", "by its name");
}

#[test]
fn a_compiled_program_is_kept_and_a_text_with_its_name_and_a_secret_is_not() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let program = [b"\0asm\x01\0\0\0", secret().as_bytes()].concat();
    worktree.write("dist/milepost.wasm", &program);
    worktree.write("dist/notes.wasm", secret());
    let (id, left_out) = worktree.create();
    let left_out: Vec<&str> = left_out.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left_out, ["dist/notes.wasm"]);
    worktree.write("dist/milepost.wasm", "gone");
    worktree.restore(&id, &[]);
    assert_eq!(
        std::fs::read(worktree.at("dist/milepost.wasm")).unwrap(),
        program
    );
}

#[test]
fn a_file_that_is_ignored_by_now_stops_the_restore() {
    let ignored = || {
        let worktree = TempWorktree::with(&[("a", "head")]);
        worktree.write("x.log", "then");
        let (id, _) = worktree.create();
        worktree.write(".gitignore", "*.log\n");
        worktree.write("x.log", "now");
        (worktree, id)
    };
    assert_refused(ignored, "x.log", "ignored");
}

#[test]
fn a_file_that_git_does_not_look_at_stops_the_restore() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let hidden = || {
            let worktree = TempWorktree::with(&[("a", "head")]);
            worktree.write("a", "then");
            let (id, _) = worktree.create();
            worktree.git(&["update-index", flag, "a"]);
            worktree.write("a", "now");
            (worktree, id)
        };
        assert_refused(hidden, "a", flag.trim_start_matches("--"));
    }
}

#[test]
fn a_large_file_stops_the_restore() {
    let large = || {
        let worktree = TempWorktree::with(&[("a", "head")]);
        let (id, _) = worktree.create();
        let file = std::fs::File::create(worktree.at("a")).unwrap();
        file.set_len((256 << 20) + 1).unwrap();
        (worktree, id)
    };
    let (worktree, id) = large();
    let (code, message) = worktree.refused(&id, &[]);
    assert_eq!(code, "usage");
    assert!(message.contains("too large"), "{message}");
}

#[test]
fn an_ignored_file_in_the_way_stops_the_restore() {
    let worktree = TempWorktree::with(&[(".gitignore", "*.log\n"), ("a", "head")]);
    let (id, _) = worktree.create();
    worktree.remove("a");
    worktree.write("a/b/x.log", "mine");
    worktree.write("a/c", "new");
    let now = worktree.tree();
    for more in [("lose", list(&["a", "a/c"])), ("force", true.into())] {
        let (code, message) = worktree.refused(&id, &[more]);
        assert_eq!(code, "usage");
        assert!(message.contains("a/b/x.log is in the way"), "{message}");
        assert_eq!(worktree.tree(), now);
    }
    worktree.remove("a/b/x.log");
    worktree.restore(&id, &[]);
    assert_eq!(worktree.text("a"), "head");
}

#[test]
fn files_of_a_folder_that_was_left_out_stay() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let nested = worktree.at("nested");
    std::fs::create_dir(&nested).unwrap();
    crate::git::git(&nested, &["init", "-q", "--template="]);
    worktree.write("nested/in", "in");
    let (id, left_out) = worktree.create();
    assert_eq!(left_out.len(), 1);
    // It is a folder like any other by now, and what was in it is unknown.
    worktree.remove("nested/.git");
    worktree.write("a", "now");
    let plan = worktree.plan(&id, &[]);
    assert_eq!(plan.paths(), ["a"]);
    worktree.restore(&id, &[]);
    assert_eq!(worktree.text("nested/in"), "in");
    assert!(worktree.is_match(&id));
}

#[test]
fn a_file_that_was_left_out_is_not_touched() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write(".env", "then");
    worktree.write("t", secret());
    let (id, left_out) = worktree.create();
    assert_eq!(left_out.len(), 2);
    worktree.write(".env", "now");
    worktree.write("t", "now");
    worktree.write("a", "now");
    let plan = worktree.plan(&id, &[]);
    assert_eq!(plan.paths(), ["a"]);
    assert_eq!(plan.left.len(), 2);
    worktree.restore(&id, &[]);
    assert_eq!(
        (worktree.text(".env"), worktree.text("t")),
        ("now".into(), "now".into())
    );
    assert!(worktree.is_match(&id));
}

#[test]
fn a_file_that_was_ignored_when_the_snapshot_was_made_stays() {
    let worktree = TempWorktree::with(&[(".gitignore", "cache/\n*.log\n"), ("a", "head")]);
    worktree.write("cache/in", "mine");
    worktree.write("sub/.gitignore", "data\n");
    worktree.write("sub/data", "mine");
    let (id, _) = worktree.create();
    worktree.remove(".gitignore");
    worktree.remove("sub/.gitignore");
    worktree.write("a", "now");
    worktree.write("new", "now");
    let now = worktree.tree();
    let plan = worktree.plan(&id, &[]);
    assert_eq!(plan.paths(), [".gitignore", "a", "new", "sub/.gitignore"]);
    let left: Vec<&str> = plan.left.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left, ["cache/in", "sub/data"]);
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(worktree.text("cache/in"), "mine");
    assert_eq!(worktree.text("sub/data"), "mine");
    assert!(worktree.is_match(&id));
    worktree.restore(&undo, &[]);
    assert!(worktree.tree().differing(&now).is_empty());
}

#[test]
fn a_file_that_is_ignored_since_and_was_gone_is_removed_by_the_undo() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("x.log", "then");
    let (id, _) = worktree.create();
    worktree.write(".gitignore", "*.log\n");
    worktree.remove("x.log");
    let now = worktree.tree();
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(worktree.text("x.log"), "then");
    worktree.restore(&undo, &[]);
    let differing = worktree.tree().differing(&now);
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn the_undo_of_a_restore_removes_an_ignored_file_that_the_restored_snapshot_keeps() {
    let worktree = TempWorktree::with(&[("a", "head"), (".gitignore", "*.log\n")]);
    worktree.write("x.log", "then");
    worktree.git(&["add", "-f", "x.log"]);
    let (id, _) = worktree.create();
    worktree.git(&["rm", "-q", "-f", "x.log"]);
    let now = worktree.tree();
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(worktree.text("x.log"), "then");
    // Only a checkpoint has what is written into it from here on.
    worktree.write("x.log", "worked on");
    let (code, message) = worktree.refused(&undo, &[]);
    assert_eq!(code, "usage");
    assert!(
        message.contains("x.log") && message.contains("ignored"),
        "{message}"
    );
    worktree.write("x.log", "then");
    worktree.restore(&undo, &[]);
    assert_eq!(worktree.tree(), now);
    worktree.restore(&id, &[]);
    assert_eq!(worktree.text("x.log"), "then");
}

#[test]
fn a_run_that_was_stored_with_a_secret_is_not_kept_and_a_restore_says_so() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let settings = ".claude/config/integrations.json";
    worktree.write(settings, r#"{"redaction":{"allow":["token"]}}"#);
    let patch = Object::new().with("context_summary", secret());
    let phase = [
        ("command", Json::from("design")),
        ("phase", "a".into()),
        ("patch", patch.into()),
    ];
    value(&worktree.ask("update_phase", &phase));
    worktree.write(settings, "{}");
    worktree.write("a", "then");
    let (id, _) = worktree.create();
    let loaded = worktree.ask("load_session", &[("id", id.as_str().into())]);
    let document = value(&loaded).at("/document").unwrap();
    assert_eq!(
        document.at("/checkpoint/left_out").and_then(Json::as_str),
        Some("holds what looks like a secret (token)")
    );
    assert_eq!(document.at("/checkpoint/sha256"), None);
    assert!(!document.to_line().contains("1234567890"), "{document:?}");
    worktree.write("a", "now");
    let more = [("id", Json::from(id)), ("files", true.into())];
    let restored = worktree.ask("restore_session", &more);
    value(&restored);
    let said = restored.get("warnings").unwrap().to_line();
    assert!(
        said.contains("redacted") && said.contains("is not restored"),
        "{said}"
    );
    assert_eq!(worktree.text("a"), "then");
}

#[test]
fn a_file_whose_name_holds_a_secret_is_named_nowhere_and_stays() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let name = secret().trim_end().replace("key = ", "");
    worktree.write(&name, "x");
    worktree.write("a", "then");
    let files = Object::new().with("created", vec![name.clone(), "b".into()]);
    let given = Object::new().with("files", files);
    let more = [("reason", "handoff".into()), ("given", given.into())];
    let made = worktree.ask("create_session", &more);
    let id = value(&made).at("/id").and_then(Json::as_str).unwrap();
    let left_out = value(&made).at("/left_out").and_then(Json::as_array);
    assert!(left_out.unwrap().is_empty());
    let loaded = worktree.ask("load_session", &[("id", id.into())]);
    let document = value(&loaded).at("/document").unwrap();
    assert!(!document.to_line().contains("1234567890"), "{document:?}");
    let created = document.at("/files/created").unwrap();
    assert_eq!(created, &Json::from(vec!["b"]));
    let notes = document.at("/snapshot/notes").unwrap().to_line();
    assert!(notes.contains("One path is not listed"), "{notes}");
    assert!(
        notes.contains("One path of `files` is not listed"),
        "{notes}"
    );
    worktree.write("a", "now");
    worktree.restore(id, &[]);
    assert_eq!(
        (worktree.text("a"), worktree.text(&name)),
        ("then".into(), "x".into())
    );
}
