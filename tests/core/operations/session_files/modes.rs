//! Permission bits of files and folders, which git does not know.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use milepost::checkpoint::session::yaml;
use milepost::effect::{Effect, Fault, Outcome};
use milepost::json::{Json, Object};

use super::worktree::{TempWorktree, failure, restoring, text, value};

/// The nine bits of what stands at a path; `None` where nothing does.
fn mode(worktree: &TempWorktree, path: &str) -> Option<u32> {
    let found = fs::symlink_metadata(worktree.at(path)).ok()?;
    Some(found.permissions().mode() & 0o777)
}

fn warnings(reply: &Object) -> Vec<String> {
    let warnings = reply.get("warnings").and_then(Json::as_array);
    let warnings = warnings.unwrap_or_default().iter();
    warnings.map(|it| text(it, "/message")).collect()
}

#[test]
fn files_and_folders_get_the_permission_bits_that_they_had_and_the_undo_gives_back_those_that_they_have()
 {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let then = [
        ("priv/deep/notes.txt", Some(0o600)),
        ("priv/deep", Some(0o750)),
        ("priv", Some(0o700)),
        ("group.txt", Some(0o660)),
        ("run.sh", Some(0o755)),
        ("read.txt", Some(0o440)),
    ];
    for name in ["priv/deep/notes.txt", "group.txt", "run.sh", "read.txt"] {
        worktree.write(name, "then");
    }
    for (path, bits) in then {
        worktree.mode(path, bits.unwrap());
    }
    let (id, left_out) = worktree.create();
    assert_eq!(left_out, []);
    assert!(worktree.is_match(&id));
    worktree.remove("priv");
    worktree.mode("group.txt", 0o640);
    worktree.remove("read.txt");
    worktree.write("run.sh", "now");
    worktree.mode("run.sh", 0o700);
    let now = then.map(|(path, _)| (path, mode(&worktree, path)));
    let changed = ("group.txt".to_owned(), "changed".to_owned());
    assert!(worktree.mismatches(&id).contains(&changed));
    let set = ("group.txt".to_owned(), "set_mode".to_owned());
    assert!(worktree.plan(&id, &[]).changes.contains(&set));
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(then.map(|(path, _)| (path, mode(&worktree, path))), then);
    assert!(worktree.is_match(&id));
    worktree.restore(&undo, &[]);
    assert_eq!(then.map(|(path, _)| (path, mode(&worktree, path))), now);
    assert_eq!(worktree.text("run.sh"), "now");
}

#[test]
fn the_undo_knows_the_bits_of_a_file_that_is_as_in_the_commit_and_of_its_folder() {
    let worktree = TempWorktree::with(&[("in/f", "head")]);
    worktree.write("in/f", "then");
    let (id, _) = worktree.create();
    let then = [mode(&worktree, "in/f"), mode(&worktree, "in")];
    worktree.write("in/f", "head");
    worktree.mode("in/f", 0o600);
    worktree.mode("in", 0o750);
    let plan = worktree.plan(&id, &[]);
    assert_eq!(plan.paths(), ["in", "in/f"]);
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!([mode(&worktree, "in/f"), mode(&worktree, "in")], then);
    worktree.restore(&undo, &[]);
    let back = [mode(&worktree, "in/f"), mode(&worktree, "in")];
    assert_eq!(back, [Some(0o600), Some(0o750)]);
    assert_eq!(worktree.text("in/f"), "head");
}

#[test]
fn a_folder_whose_mode_alone_was_changed_is_reported_and_set_back() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("dir/new", "then");
    worktree.mode("dir", 0o700);
    let (id, _) = worktree.create();
    worktree.mode("dir", 0o755);
    let changed = ("dir".to_owned(), "changed".to_owned());
    assert_eq!(worktree.mismatches(&id), [changed]);
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(mode(&worktree, "dir"), Some(0o700));
    worktree.restore(&undo, &[]);
    assert_eq!(mode(&worktree, "dir"), Some(0o755));
}

#[test]
fn a_file_that_a_commit_has_keeps_the_bits_of_the_one_that_it_replaces() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let (id, _) = worktree.create();
    worktree.write("a", "now");
    worktree.mode("a", 0o640);
    worktree.restore(&id, &[]);
    assert_eq!(worktree.text("a"), "head");
    assert_eq!(mode(&worktree, "a"), Some(0o640));
}

#[test]
fn a_mode_that_was_set_after_the_undo_was_made_stops_the_restore() {
    for content in ["then", "now"] {
        let worktree = TempWorktree::with(&[("a", "head")]);
        worktree.write("new", "then");
        worktree.mode("new", 0o600);
        let (id, _) = worktree.create();
        worktree.write("new", content);
        worktree.mode("new", 0o640);
        let mut disk = worktree.disk();
        let reply = worktree.ask_over("restore_session", &restoring(&id), |effect| {
            if matches!(&effect, Effect::MakeFolder { path, .. } if path.ends_with("/restore")) {
                worktree.mode("new", 0o604);
            }
            disk.perform(effect)
        });
        let (code, message) = failure(&reply);
        assert_eq!(code, "conflict", "{message}");
        assert!(
            message.contains("new was changed after the undo"),
            "{message}"
        );
        assert_eq!(mode(&worktree, "new"), Some(0o604), "{content}");
        assert_eq!(worktree.text("new"), content);
        worktree.restore(&id, &[]);
        assert_eq!(mode(&worktree, "new"), Some(0o600), "{content}");
    }
}

#[test]
fn bits_beyond_the_nine_are_neither_kept_nor_set_nor_taken() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("dir/new", "then");
    worktree.mode("dir/new", 0o4711);
    worktree.mode("dir", 0o1770);
    let (id, _) = worktree.create();
    let text = fs::read_to_string(worktree.at(&format!(".claude/checkpoints/{id}.yaml"))).unwrap();
    assert!(
        text.contains("\"0711\"") && text.contains("\"0770\""),
        "{text}"
    );
    worktree.remove("dir/new");
    worktree.mode("dir", 0o1777);
    worktree.restore(&id, &[]);
    let all = |path| {
        fs::metadata(worktree.at(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o7777
    };
    assert_eq!((all("dir/new"), all("dir")), (0o711, 0o1770));
}

#[test]
fn a_snapshot_without_permission_bits_is_restored_and_compared_by_git_s_bit_alone() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("dir/new", "then");
    worktree.mode("dir/new", 0o640);
    let (id, _) = worktree.create();
    let file = worktree.at(&format!(".claude/checkpoints/{id}.yaml"));
    let mut document = yaml::read(&fs::read(&file).unwrap()).unwrap();
    let snapshot = document.get_mut("snapshot").and_then(Json::as_object_mut);
    let snapshot = snapshot.unwrap();
    assert!(snapshot.remove("modes").is_some());
    let Some(Json::Array(files)) = snapshot.get_mut("files") else {
        panic!("no files");
    };
    for kept in files {
        assert!(kept.as_object_mut().unwrap().remove("mode").is_some());
    }
    fs::write(&file, yaml::write(&document)).unwrap();
    worktree.mode("dir/new", 0o600);
    assert!(worktree.is_match(&id));
    worktree.mode("dir/new", 0o700);
    assert!(!worktree.is_match(&id));
    worktree.restore(&id, &[]);
    assert_eq!(mode(&worktree, "dir/new"), Some(0o600));
}

#[test]
fn a_host_that_sets_no_modes_brings_back_the_files_and_says_of_which_the_mode_is_another() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("usual", "then");
    worktree.mode("usual", 0o644);
    worktree.write("private", "then");
    worktree.mode("private", 0o600);
    let (id, _) = worktree.create();
    worktree.write("usual", "now");
    worktree.write("private", "now");
    let mut disk = worktree.disk();
    let reply = worktree.ask_over("restore_session", &restoring(&id), |effect| match effect {
        Effect::SetMode { .. } => Outcome::Failed {
            fault: Fault::Unsupported,
            detail: "no modes".into(),
        },
        effect => disk.perform(effect),
    });
    assert_eq!(value(&reply).at("/restored"), Some(&Json::Bool(true)));
    let expected = "This host has no modes: private (1 in all) may have another than it had";
    assert_eq!(warnings(&reply), [expected]);
    assert_eq!(worktree.text("private"), "then");
}
