//! Work trees, repositories and names that are seldom seen.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use milepost::effect::{Effect, Fault, Outcome};
use milepost::json::{Json, Object};

use super::place::{TempWorktree, failure, restoring, text, value};
use crate::disk::Disk;
use crate::git::git;

/// Every file of the objects that are kept.
fn kept(place: &TempWorktree) -> Vec<std::path::PathBuf> {
    fn walk(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => walk(&entry.path(), into),
                false => into.push(entry.path()),
            }
        }
    }
    let mut files = Vec::new();
    walk(&place.at(".claude/checkpoints/objects"), &mut files);
    files.retain(|it| it.metadata().unwrap().len() > 0);
    files.sort();
    files
}

#[test]
fn a_restore_without_all_of_its_contents_changes_nothing() {
    for is_missing in [true, false] {
        let place = TempWorktree::with(&[("a", "head"), ("z", "head")]);
        place.write("a", "then");
        let before: Vec<_> = match place.at(".claude/checkpoints/objects").exists() {
            true => kept(&place),
            false => Vec::new(),
        };
        assert!(before.is_empty());
        place.write("m", "middle\n".repeat(300));
        place.write("z", "at the end");
        let (id, _) = place.create();
        for name in ["a", "m", "z"] {
            place.write(name, "now");
        }
        let now = place.tree();
        for object in kept(&place) {
            let bytes = fs::read(&object).unwrap();
            match is_missing {
                true => fs::remove_file(&object).unwrap(),
                false => {
                    let mut broken = bytes.clone();
                    let last = broken.len() - 1;
                    broken[last] ^= 1;
                    fs::remove_file(&object).unwrap();
                    fs::write(&object, broken).unwrap();
                }
            }
            let reply = place.ask("restore_session", &restoring(&id));
            if reply.get("ok") == Some(&Json::Bool(true)) {
                panic!("{} is not needed", object.display());
            }
            let (code, message) = failure(&reply);
            let stem = object.file_stem().unwrap().to_str().unwrap();
            assert!(message.contains(stem), "{message}: {}", object.display());
            let names = ["What a was", "What m was", "What z was"];
            let is_named = names.iter().any(|it| message.contains(it));
            assert!(is_named && code == "conflict", "{code} {message}");
            assert_eq!(place.tree(), now);
            fs::remove_file(&object).ok();
            fs::write(&object, bytes).unwrap();
        }
        place.restore(&id, &[]);
        assert_eq!(
            (place.text("a"), place.text("z")),
            ("then".into(), "at the end".into())
        );
    }
}

#[test]
fn a_name_that_cannot_be_restored_anywhere_does_not_stop_the_others() {
    let place = TempWorktree::with(&[("a", "head")]);
    for name in [
        "back\\slash",
        "C:x",
        "dir/...",
        "dir/ /x",
        "git~1",
        "deep/git~1/x",
        "..\u{200c}",
    ] {
        place.write(name, "then");
    }
    place.write("a", "then");
    let (id, left_out) = place.create();
    let names: Vec<&str> = left_out.iter().map(|(path, _)| path.as_str()).collect();
    let expected = [
        "..\u{200c}",
        "C:x",
        "back\\slash",
        "deep/git~1/x",
        "dir/ /x",
        "dir/...",
        "git~1",
    ];
    assert_eq!(names, expected);
    assert!(left_out.iter().all(|(_, why)| !why.is_empty()));
    place.write("a", "now");
    place.write("back\\slash", "now");
    place.remove("C:x");
    place.write("other\\one", "new");
    let plan = place.plan(&id, &[]);
    assert_eq!(
        (plan.paths(), plan.refusals.len()),
        (vec!["a"], 0),
        "{plan:?}"
    );
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(place.text("a"), "then");
    assert_eq!(place.text("back\\slash"), "now");
    // Nothing brings back that it was not there.
    assert!(!place.is_match(&id));
    place.remove("other\\one");
    assert!(place.is_match(&id));
    place.restore(&undo, &[]);
    assert_eq!(place.text("a"), "now");
}

#[test]
fn a_name_comes_back_unchanged() {
    let names = [
        "with blank",
        "q'u\"ote",
        "new\nline",
        "- dash",
        "#hash",
        "yes",
        "1e3",
        "Case",
        "case",
        "cr\rx",
        "tab\t",
        "ü/世",
        "~",
        "null",
        "*star",
        "e\u{301}",
        "\u{e9}",
        "\u{1}ctl",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{feff}x",
        "🦀",
    ];
    let place = TempWorktree::with(&[("a", "head")]);
    for name in names {
        place.write(name, name);
    }
    let then = place.tree();
    let (id, left_out) = place.create();
    assert_eq!(left_out, []);
    for name in names {
        place.remove(name);
    }
    place.remove("ü");
    let plan = place.plan(&id, &[]);
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(plan.paths(), expected);
    place.restore(&id, &[]);
    assert!(place.tree().differing(&then).is_empty());
    assert!(place.is_match(&id));
}

#[test]
fn a_name_that_is_not_unicode_does_not_stop_the_others() {
    let place = TempWorktree::with(&[("a", "head")]);
    let odd = place.root.join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    fs::write(&odd, "x").unwrap();
    place.write("a", "then");
    let (id, _) = place.create();
    place.write("a", "now");
    fs::write(&odd, "y").unwrap();
    place.restore(&id, &[]);
    assert_eq!(
        (place.text("a"), fs::read_to_string(&odd).unwrap()),
        ("then".into(), "y".into())
    );
}

#[test]
fn a_restore_writes_through_no_link_and_stays_in_its_folder() {
    let place = TempWorktree::with(&[("folder/in", "head"), ("folder/deep/in", "head")]);
    place.write("folder/new", "then");
    let (id, _) = place.create();
    let then = place.tree();
    let outside = place.beside("outside");
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::write(outside.join("in"), "outside").unwrap();
    fs::write(outside.join("deep/in"), "outside").unwrap();
    place.link("folder", outside.to_str().unwrap());
    let undo = place.restore(&id, &[]).unwrap();
    assert!(place.tree().differing(&then).is_empty());
    for name in ["in", "deep/in"] {
        assert_eq!(fs::read_to_string(outside.join(name)).unwrap(), "outside");
    }
    assert!(!outside.join("new").exists());
    place.restore(&undo, &[]);
    assert!(place.at("folder").is_symlink());
    assert_eq!(fs::read_to_string(outside.join("in")).unwrap(), "outside");
    // A link that is ignored stays, and so does all else.
    place.write(".gitignore", "folder\n");
    let now = place.tree();
    let (code, message) = place.refused(&id, &[]);
    assert_eq!(code, "conflict");
    assert!(message.contains("folder"), "{message}");
    assert_eq!(place.tree(), now);
}

#[test]
fn a_restore_onto_another_commit_is_refused_unless_forced() {
    let place = TempWorktree::with(&[("a", "head"), ("b", "head"), ("c", "head")]);
    place.write("a", "then");
    place.write("new", "then");
    let (id, _) = place.create();
    let short = place.git(&["rev-parse", "HEAD"])[..12].to_owned();
    place.write("b", "next");
    place.commit();
    place.write("c", "now");
    place.write("a", "now");
    let now = place.tree();
    let (code, message) = place.refused(&id, &[]);
    assert_eq!(code, "conflict");
    assert!(message.contains(&short[..7]), "{message}");
    assert_eq!(place.tree(), now);
    assert!(!place.is_match(&id));
    let plan = place.plan(&id, &[("force", true.into())]);
    assert_eq!(plan.paths(), ["a"]);
    let undo = place.restore(&id, &[("force", true.into())]).unwrap();
    let texts = ["a", "b", "c", "new"].map(|it| place.text(it));
    assert_eq!(texts, ["then", "next", "now", "then"]);
    place.restore(&undo, &[]);
    assert!(place.tree().differing(&now).is_empty());
}

#[test]
fn a_read_only_file_is_restored_and_a_private_one_stays_private() {
    let place = TempWorktree::with(&[("a", "head")]);
    place.write("a", "then");
    place.write("mine", "then");
    place.mode("mine", 0o600);
    let (id, _) = place.create();
    place.write("a", "now");
    place.mode("a", 0o444);
    place.write("mine", "now");
    place.restore(&id, &[]);
    assert_eq!(place.text("a"), "then");
    let mode = place.tree().nodes["mine"].mode;
    assert_eq!(mode, 0o600, "{mode:o}");
}

#[test]
fn a_restore_that_a_folder_refuses_is_finished_once_it_may_be_written() {
    let place = TempWorktree::with(&[("a", "head"), ("shut/in", "head"), ("z", "head")]);
    for name in ["a", "shut/in", "z"] {
        place.write(name, "then");
    }
    let (id, _) = place.create();
    let then = place.tree();
    for name in ["a", "shut/in", "z"] {
        place.write(name, "now");
    }
    let now = place.tree();
    let shut = place.at("shut");
    let mut disk = Disk::new();
    let refusing = |effect: Effect| match &effect {
        Effect::Rename { from: path, .. } if Path::new(path).starts_with(&shut) => {
            Outcome::Failed {
                fault: Fault::Denied,
                detail: "read-only".into(),
            }
        }
        _ => disk.perform(effect),
    };
    let reply = place.ask_over("restore_session", &restoring(&id), refusing);
    let (_, message) = failure(&reply);
    assert!(message.contains("shut/in"), "{message}");
    let undo = place.restore(&id, &[]).unwrap();
    assert!(place.tree().differing(&then).is_empty());
    place.restore(&undo, &[]);
    assert!(place.tree().differing(&now).is_empty());
}

#[test]
fn ends_of_lines_come_back_unchanged() {
    for has_git in [true, false] {
        for value in ["true", "input"] {
            let mut place = TempWorktree::new(&[]);
            place.has_git = has_git;
            place.git(&["config", "core.autocrlf", value]);
            place.write("dos", "one\r\ntwo\r\n");
            place.write("unix", "one\ntwo\n");
            place.write("mixed", "one\r\ntwo\n");
            place.write("binary", b"\0\r\n\r\n");
            place.commit();
            // As a checkout makes them.
            for name in ["dos", "unix", "mixed", "binary"] {
                place.remove(name);
            }
            place.git(&["checkout", "-q", "."]);
            place.write("dos", "then\r\n\n");
            place.write("new", "then\r\n\n");
            let (id, _) = place.create();
            let then = place.tree();
            for name in ["dos", "unix", "mixed", "binary", "new"] {
                place.write(name, "now\r\n");
            }
            let now = place.tree();
            let plan = place.plan(&id, &[]);
            let undo = place.restore(&id, &[]).unwrap();
            let mut differing = place.tree().differing(&then);
            if !has_git {
                // It was said beforehand.
                let left = plan.left.iter().map(|(path, _)| path.clone());
                assert_eq!(differing, left.collect());
                assert_eq!(place.text("dos"), "then\r\n\n");
                differing.clear();
            }
            assert!(differing.is_empty(), "{value} {has_git}: {differing:?}");
            assert_eq!(place.is_match(&id), plan.left.is_empty());
            place.restore(&undo, &[]);
            assert!(place.tree().differing(&now).is_empty());
        }
    }
}

#[test]
fn what_only_a_filter_can_give_back_is_not_restored_without_it() {
    let mut place = TempWorktree::new(&[]);
    for (name, value) in [
        ("filter.up.clean", "tr A-Z a-z"),
        ("filter.up.smudge", "tr a-z A-Z"),
    ] {
        place.git(&["config", name, value]);
        place.user_has(name, value);
    }
    place.write(".gitattributes", "*.up filter=up\n");
    place.write("a.up", "TEXT");
    place.write("plain", "head");
    place.commit();
    let (id, _) = place.create();
    let then = place.tree();
    place.write("a.up", "OTHER");
    place.write("plain", "now");
    let now = place.tree();
    let undo = place.restore(&id, &[]).unwrap();
    assert!(place.tree().differing(&then).is_empty());
    assert!(place.is_match(&id));
    place.restore(&undo, &[]);
    assert!(place.tree().differing(&now).is_empty());
    // On a host without git it is said beforehand, and the rest is restored.
    place.has_git = false;
    let plan = place.plan(&id, &[]);
    assert_eq!(plan.paths(), ["plain"], "{plan:?}");
    let left: Vec<&str> = plan.left.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left, ["a.up"]);
    place.restore(&id, &[]);
    assert_eq!(
        (place.text("a.up"), place.text("plain")),
        ("OTHER".into(), "head".into())
    );
}

#[test]
fn what_is_in_a_submodule_or_in_another_repository_is_neither_read_nor_touched() {
    let place = TempWorktree::with(&[("a", "head")]);
    let module = place.beside("module");
    fs::create_dir(&module).unwrap();
    git(&module, &["init", "-q", "--template="]);
    fs::write(module.join("in"), "module").unwrap();
    git(&module, &["add", "-A"]);
    git(&module, &["commit", "-q", "-m", "x"]);
    place.git(&["submodule", "add", "-q", module.to_str().unwrap(), "module"]);
    place.commit();
    let nested = place.at("nested");
    fs::create_dir(&nested).unwrap();
    git(&nested, &["init", "-q", "--template="]);
    place.write("nested/in", "then");
    place.write("a", "then");
    place.write("module/in", "then");
    let (id, left_out) = place.create();
    let names: Vec<&str> = left_out.iter().map(|(path, _)| path.as_str()).collect();
    assert!(names.contains(&"nested"), "{left_out:?}");
    for path in ["nested/in", "module/in", "a"] {
        place.write(path, "now");
    }
    place.write("nested/new", "now");
    let mut disk = Disk::new();
    let mut looked = Vec::new();
    let dry = [&restoring(&id)[..], &[("dry_run", true.into())]].concat();
    let reply = place.ask_over("restore_session", &dry, |effect| {
        if let Effect::Part { path, .. } | Effect::Read { path, .. } = &effect {
            looked.push(path.clone());
        }
        disk.perform(effect)
    });
    value(&reply);
    let within = |it: &String| it.contains("/nested/in") || it.contains("/module/in");
    assert!(!looked.iter().any(within), "{looked:#?}");
    assert_eq!(place.plan(&id, &[]).paths(), ["a"]);
    let undo = place.restore(&id, &[]).unwrap();
    assert!(place.is_match(&id));
    assert_eq!(place.text("a"), "then");
    place.restore(&undo, &[]);
    for path in ["nested/in", "module/in", "a", "nested/new"] {
        assert_eq!(place.text(path), "now", "{path}");
    }
}

#[test]
fn a_folder_with_another_repository_in_the_way_is_refused_by_name() {
    let place = TempWorktree::with(&[("a", "head")]);
    let (id, _) = place.create();
    place.remove("a");
    fs::create_dir(place.at("a")).unwrap();
    git(&place.at("a"), &["init", "-q", "--template="]);
    let now = place.tree();
    let (code, message) = place.refused(&id, &[("force", true.into())]);
    assert_eq!(code, "conflict");
    assert!(message.contains("a/.git"), "{message}");
    assert_eq!(place.tree(), now);
}

#[test]
fn staged_and_half_staged_files_come_back_and_are_not_staged_again() {
    let place = TempWorktree::with(&[("half", "head"), ("gone", "head"), ("kept", "head")]);
    place.write("half", "staged");
    place.git(&["add", "half"]);
    place.write("half", "then");
    place.git(&["rm", "-q", "--cached", "kept"]);
    place.git(&["rm", "-q", "gone"]);
    place.write("added", "then");
    place.git(&["add", "added"]);
    let (id, _) = place.create();
    let then = place.tree();
    place.git(&["reset", "-q", "--hard"]);
    place.remove("added");
    place.write("half", "now");
    place.git(&["add", "half"]);
    place.git(&["stash", "-q"]);
    place.write("half", "later");
    let (now, git) = (place.tree(), place.of_git());
    let undo = place.restore(&id, &[]).unwrap();
    assert!(place.tree().differing(&then).is_empty());
    assert!(place.of_git().touched(&git).is_empty());
    assert!(place.is_match(&id));
    place.restore(&undo, &[]);
    assert!(place.tree().differing(&now).is_empty());
    assert!(place.of_git().touched(&git).is_empty());
}

#[test]
fn files_that_a_reset_index_hides_come_back_with_the_undo() {
    // It is out of the index and ignored, and HEAD has it.
    let place = TempWorktree::with(&[(".gitignore", "*.log\n"), ("a", "head")]);
    place.write("x.log", "head");
    place.git(&["add", "-f", "x.log"]);
    place.commit();
    let (id, _) = place.create();
    place.git(&["rm", "-q", "--cached", "x.log"]);
    place.write("x.log", "now");
    let now = place.tree();
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(place.text("x.log"), "head");
    place.restore(&undo, &[]);
    assert!(place.tree().differing(&now).is_empty());
}

#[test]
fn a_snapshot_leaves_the_index_unchanged() {
    let place = TempWorktree::with(&[("a", "head"), ("b", "head")]);
    // The index no longer knows when they were changed, and git would note it.
    for name in ["a", "b"] {
        let file = fs::File::options()
            .write(true)
            .open(place.at(name))
            .unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let git = place.of_git();
    let (id, _) = place.create();
    place.write("a", "now");
    let undo = place.restore(&id, &[]).unwrap();
    place.is_match(&undo);
    assert!(place.of_git().touched(&git).is_empty());
}

#[test]
fn files_that_a_document_has_no_room_for_do_not_keep_it_from_being_made() {
    let place = TempWorktree::with(&[("a", "head")]);
    for at in 0..60 {
        place.write(&format!("new/{at}"), "x");
    }
    // No more than 250,000 values are read.
    let given = Object::new().with("many", vec![Json::Bool(true); 249_500]);
    let more = [("reason", "handoff".into()), ("given", given.into())];
    let reply = place.ask("create_session", &more);
    let made = value(&reply);
    assert_eq!(made.at("/files"), Some(&Json::Null));
    let warned = text(reply.get("warnings").unwrap(), "/0/message");
    assert!(
        warned.ends_with("None of its 60 files are kept with it"),
        "{warned}"
    );
    assert!(place.at(&text(made, "/path")).exists());
}
