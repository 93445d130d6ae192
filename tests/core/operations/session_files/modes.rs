//! Permission bits of files and folders, which git does not know.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use milepost::checkpoint::session::yaml;
use milepost::effect::{Effect, Fault, Outcome};
use milepost::json::{Json, Object};

use super::place::{TempWorktree, failure, restoring, text, value};

/// The nine bits of what stands at a path; `None` where nothing does.
fn mode(place: &TempWorktree, path: &str) -> Option<u32> {
    let found = fs::symlink_metadata(place.at(path)).ok()?;
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
    let place = TempWorktree::with(&[("a", "head")]);
    let then = [
        ("priv/deep/notes.txt", Some(0o600)),
        ("priv/deep", Some(0o750)),
        ("priv", Some(0o700)),
        ("group.txt", Some(0o660)),
        ("run.sh", Some(0o755)),
        ("read.txt", Some(0o440)),
    ];
    for name in ["priv/deep/notes.txt", "group.txt", "run.sh", "read.txt"] {
        place.write(name, "then");
    }
    for (path, bits) in then {
        place.mode(path, bits.unwrap());
    }
    let (id, left_out) = place.create();
    assert_eq!(left_out, []);
    assert!(place.is_match(&id));
    place.remove("priv");
    place.mode("group.txt", 0o640);
    place.remove("read.txt");
    place.write("run.sh", "now");
    place.mode("run.sh", 0o700);
    let now = then.map(|(path, _)| (path, mode(&place, path)));
    let changed = ("group.txt".to_owned(), "changed".to_owned());
    assert!(place.mismatches(&id).contains(&changed));
    let set = ("group.txt".to_owned(), "set_mode".to_owned());
    assert!(place.plan(&id, &[]).changes.contains(&set));
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(then.map(|(path, _)| (path, mode(&place, path))), then);
    assert!(place.is_match(&id));
    place.restore(&undo, &[]);
    assert_eq!(then.map(|(path, _)| (path, mode(&place, path))), now);
    assert_eq!(place.text("run.sh"), "now");
}

#[test]
fn the_undo_knows_the_bits_of_a_file_that_is_as_in_the_commit_and_of_its_folder() {
    let place = TempWorktree::with(&[("in/f", "head")]);
    place.write("in/f", "then");
    let (id, _) = place.create();
    let then = [mode(&place, "in/f"), mode(&place, "in")];
    place.write("in/f", "head");
    place.mode("in/f", 0o600);
    place.mode("in", 0o750);
    let plan = place.plan(&id, &[]);
    assert_eq!(plan.paths(), ["in", "in/f"]);
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!([mode(&place, "in/f"), mode(&place, "in")], then);
    place.restore(&undo, &[]);
    let back = [mode(&place, "in/f"), mode(&place, "in")];
    assert_eq!(back, [Some(0o600), Some(0o750)]);
    assert_eq!(place.text("in/f"), "head");
}

#[test]
fn a_folder_whose_mode_alone_was_changed_is_reported_and_set_back() {
    let place = TempWorktree::with(&[("a", "head")]);
    place.write("dir/new", "then");
    place.mode("dir", 0o700);
    let (id, _) = place.create();
    place.mode("dir", 0o755);
    let changed = ("dir".to_owned(), "changed".to_owned());
    assert_eq!(place.mismatches(&id), [changed]);
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(mode(&place, "dir"), Some(0o700));
    place.restore(&undo, &[]);
    assert_eq!(mode(&place, "dir"), Some(0o755));
}

#[test]
fn a_file_that_a_commit_has_keeps_the_bits_of_the_one_that_it_replaces() {
    let place = TempWorktree::with(&[("a", "head")]);
    let (id, _) = place.create();
    place.write("a", "now");
    place.mode("a", 0o640);
    place.restore(&id, &[]);
    assert_eq!(place.text("a"), "head");
    assert_eq!(mode(&place, "a"), Some(0o640));
}

#[test]
fn a_mode_that_was_set_after_the_undo_was_made_stops_the_restore() {
    for content in ["then", "now"] {
        let place = TempWorktree::with(&[("a", "head")]);
        place.write("new", "then");
        place.mode("new", 0o600);
        let (id, _) = place.create();
        place.write("new", content);
        place.mode("new", 0o640);
        let mut disk = place.disk();
        let reply = place.ask_over("restore_session", &restoring(&id), |effect| {
            if matches!(&effect, Effect::MakeFolder { path, .. } if path.ends_with("/restore")) {
                place.mode("new", 0o604);
            }
            disk.perform(effect)
        });
        let (code, message) = failure(&reply);
        assert_eq!(code, "conflict", "{message}");
        assert!(
            message.contains("new was changed after the undo"),
            "{message}"
        );
        assert_eq!(mode(&place, "new"), Some(0o604), "{content}");
        assert_eq!(place.text("new"), content);
        place.restore(&id, &[]);
        assert_eq!(mode(&place, "new"), Some(0o600), "{content}");
    }
}

#[test]
fn bits_beyond_the_nine_are_neither_kept_nor_set_nor_taken() {
    let place = TempWorktree::with(&[("a", "head")]);
    place.write("dir/new", "then");
    place.mode("dir/new", 0o4711);
    place.mode("dir", 0o1770);
    let (id, _) = place.create();
    let text = fs::read_to_string(place.at(&format!(".claude/checkpoints/{id}.yaml"))).unwrap();
    assert!(
        text.contains("\"0711\"") && text.contains("\"0770\""),
        "{text}"
    );
    place.remove("dir/new");
    place.mode("dir", 0o1777);
    place.restore(&id, &[]);
    let all = |path| fs::metadata(place.at(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((all("dir/new"), all("dir")), (0o711, 0o1770));
}

#[test]
fn a_snapshot_without_permission_bits_is_restored_and_compared_by_git_s_bit_alone() {
    let place = TempWorktree::with(&[("a", "head")]);
    place.write("dir/new", "then");
    place.mode("dir/new", 0o640);
    let (id, _) = place.create();
    let file = place.at(&format!(".claude/checkpoints/{id}.yaml"));
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
    place.mode("dir/new", 0o600);
    assert!(place.is_match(&id));
    place.mode("dir/new", 0o700);
    assert!(!place.is_match(&id));
    place.restore(&id, &[]);
    assert_eq!(mode(&place, "dir/new"), Some(0o600));
}

#[test]
fn a_host_that_sets_no_modes_brings_back_the_files_and_says_of_which_the_mode_is_another() {
    let place = TempWorktree::with(&[("a", "head")]);
    place.write("usual", "then");
    place.mode("usual", 0o644);
    place.write("private", "then");
    place.mode("private", 0o600);
    let (id, _) = place.create();
    place.write("usual", "now");
    place.write("private", "now");
    let mut disk = place.disk();
    let reply = place.ask_over("restore_session", &restoring(&id), |effect| match effect {
        Effect::SetMode { .. } => Outcome::Failed {
            fault: Fault::Unsupported,
            detail: "no modes".into(),
        },
        effect => disk.perform(effect),
    });
    assert_eq!(value(&reply).at("/restored"), Some(&Json::Bool(true)));
    let expected = "This host has no modes: private (1 in all) may have another than it had";
    assert_eq!(warnings(&reply), [expected]);
    assert_eq!(place.text("private"), "then");
}
