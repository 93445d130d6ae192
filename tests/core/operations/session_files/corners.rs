//! Work trees, repositories and names that are seldom seen.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use milepost::effect::{Effect, Fault, Outcome};
use milepost::json::{Json, Object};

use super::worktree::{TempWorktree, failure, restoring, text, value};
use crate::disk::Disk;
use crate::git::git;

/// Every file of the objects that are kept.
fn objects(worktree: &TempWorktree) -> Vec<std::path::PathBuf> {
    fn walk(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => walk(&entry.path(), into),
                false => into.push(entry.path()),
            }
        }
    }
    let mut files = Vec::new();
    walk(&worktree.at(".claude/checkpoints/objects"), &mut files);
    files.retain(|it| it.metadata().unwrap().len() > 0);
    files.sort();
    files
}

#[test]
fn a_restore_without_all_of_its_contents_changes_nothing() {
    for is_missing in [true, false] {
        let worktree = TempWorktree::with(&[("a", "head"), ("z", "head")]);
        worktree.write("a", "then");
        let before: Vec<_> = match worktree.at(".claude/checkpoints/objects").exists() {
            true => objects(&worktree),
            false => Vec::new(),
        };
        assert!(before.is_empty());
        worktree.write("m", "middle\n".repeat(300));
        worktree.write("z", "at the end");
        let (id, _) = worktree.create();
        for name in ["a", "m", "z"] {
            worktree.write(name, "now");
        }
        let now = worktree.tree();
        for object in objects(&worktree) {
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
            let reply = worktree.ask("restore_session", &restoring(&id));
            if reply.get("ok") == Some(&Json::Bool(true)) {
                panic!("{} is not needed", object.display());
            }
            let (code, message) = failure(&reply);
            let stem = object.file_stem().unwrap().to_str().unwrap();
            assert!(message.contains(stem), "{message}: {}", object.display());
            let names = ["content of a is", "content of m is", "content of z is"];
            let is_named = names.iter().any(|it| message.contains(it));
            assert!(is_named && code == "usage", "{code} {message}");
            assert_eq!(worktree.tree(), now);
            fs::remove_file(&object).ok();
            fs::write(&object, bytes).unwrap();
        }
        worktree.restore(&id, &[]);
        assert_eq!(
            (worktree.text("a"), worktree.text("z")),
            ("then".into(), "at the end".into())
        );
    }
}

#[test]
fn a_name_that_cannot_be_restored_anywhere_does_not_stop_the_others() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    for name in [
        "back\\slash",
        "C:x",
        "dir/...",
        "dir/ /x",
        "git~1",
        "deep/git~1/x",
        "..\u{200c}",
    ] {
        worktree.write(name, "then");
    }
    worktree.write("a", "then");
    let (id, left_out) = worktree.create();
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
    worktree.write("a", "now");
    worktree.write("back\\slash", "now");
    worktree.remove("C:x");
    worktree.write("other\\one", "new");
    let plan = worktree.plan(&id, &[]);
    assert_eq!(
        (plan.paths(), plan.refusals.len()),
        (vec!["a"], 0),
        "{plan:?}"
    );
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(worktree.text("a"), "then");
    assert_eq!(worktree.text("back\\slash"), "now");
    // Nothing brings back that it was not there.
    assert!(!worktree.is_match(&id));
    worktree.remove("other\\one");
    assert!(worktree.is_match(&id));
    worktree.restore(&undo, &[]);
    assert_eq!(worktree.text("a"), "now");
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
    let worktree = TempWorktree::with(&[("a", "head")]);
    for name in names {
        worktree.write(name, name);
    }
    let then = worktree.tree();
    let (id, left_out) = worktree.create();
    assert_eq!(left_out, []);
    for name in names {
        worktree.remove(name);
    }
    worktree.remove("ü");
    let plan = worktree.plan(&id, &[]);
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(plan.paths(), expected);
    worktree.restore(&id, &[]);
    assert!(worktree.tree().differing(&then).is_empty());
    assert!(worktree.is_match(&id));
}

#[test]
fn a_name_that_is_not_unicode_does_not_stop_the_others() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let odd = worktree.root.join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    fs::write(&odd, "x").unwrap();
    worktree.write("a", "then");
    let (id, _) = worktree.create();
    worktree.write("a", "now");
    fs::write(&odd, "y").unwrap();
    worktree.restore(&id, &[]);
    assert_eq!(
        (worktree.text("a"), fs::read_to_string(&odd).unwrap()),
        ("then".into(), "y".into())
    );
}

#[test]
fn a_restore_writes_through_no_link_and_stays_in_its_folder() {
    let worktree = TempWorktree::with(&[("folder/in", "head"), ("folder/deep/in", "head")]);
    worktree.write("folder/new", "then");
    let (id, _) = worktree.create();
    let then = worktree.tree();
    let outside = worktree.sibling("outside");
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::write(outside.join("in"), "outside").unwrap();
    fs::write(outside.join("deep/in"), "outside").unwrap();
    worktree.link("folder", outside.to_str().unwrap());
    let undo = worktree.restore(&id, &[]).unwrap();
    assert!(worktree.tree().differing(&then).is_empty());
    for name in ["in", "deep/in"] {
        assert_eq!(fs::read_to_string(outside.join(name)).unwrap(), "outside");
    }
    assert!(!outside.join("new").exists());
    worktree.restore(&undo, &[]);
    assert!(worktree.at("folder").is_symlink());
    assert_eq!(fs::read_to_string(outside.join("in")).unwrap(), "outside");
    // A link that is ignored stays, and so does all else.
    worktree.write(".gitignore", "folder\n");
    let now = worktree.tree();
    let (code, message) = worktree.refused(&id, &[]);
    assert_eq!(code, "usage");
    assert!(message.contains("folder"), "{message}");
    assert_eq!(worktree.tree(), now);
}

#[test]
fn a_restore_onto_another_commit_is_refused_unless_forced() {
    let worktree = TempWorktree::with(&[("a", "head"), ("b", "head"), ("c", "head")]);
    worktree.write("a", "then");
    worktree.write("new", "then");
    let (id, _) = worktree.create();
    let short = worktree.git(&["rev-parse", "HEAD"])[..12].to_owned();
    worktree.write("b", "next");
    worktree.commit();
    worktree.write("c", "now");
    worktree.write("a", "now");
    let now = worktree.tree();
    let (code, message) = worktree.refused(&id, &[]);
    assert_eq!(code, "usage");
    assert!(message.contains(&short[..7]), "{message}");
    assert_eq!(worktree.tree(), now);
    assert!(!worktree.is_match(&id));
    let plan = worktree.plan(&id, &[("force", true.into())]);
    assert_eq!(plan.paths(), ["a"]);
    let undo = worktree.restore(&id, &[("force", true.into())]).unwrap();
    let texts = ["a", "b", "c", "new"].map(|it| worktree.text(it));
    assert_eq!(texts, ["then", "next", "now", "then"]);
    worktree.restore(&undo, &[]);
    assert!(worktree.tree().differing(&now).is_empty());
}

#[test]
fn a_read_only_file_is_restored_and_a_private_one_stays_private() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    worktree.write("a", "then");
    worktree.write("mine", "then");
    worktree.mode("mine", 0o600);
    let (id, _) = worktree.create();
    worktree.write("a", "now");
    worktree.mode("a", 0o444);
    worktree.write("mine", "now");
    worktree.restore(&id, &[]);
    assert_eq!(worktree.text("a"), "then");
    let mode = worktree.tree().nodes["mine"].mode;
    assert_eq!(mode, 0o600, "{mode:o}");
}

#[test]
fn a_restore_that_a_folder_refuses_is_finished_once_it_may_be_written() {
    let worktree = TempWorktree::with(&[("a", "head"), ("shut/in", "head"), ("z", "head")]);
    for name in ["a", "shut/in", "z"] {
        worktree.write(name, "then");
    }
    let (id, _) = worktree.create();
    let then = worktree.tree();
    for name in ["a", "shut/in", "z"] {
        worktree.write(name, "now");
    }
    let now = worktree.tree();
    let shut = worktree.at("shut");
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
    let reply = worktree.ask_over("restore_session", &restoring(&id), refusing);
    let (_, message) = failure(&reply);
    assert!(message.contains("shut/in"), "{message}");
    let undo = worktree.restore(&id, &[]).unwrap();
    assert!(worktree.tree().differing(&then).is_empty());
    worktree.restore(&undo, &[]);
    assert!(worktree.tree().differing(&now).is_empty());
}

#[test]
fn ends_of_lines_come_back_unchanged() {
    for has_git in [true, false] {
        for value in ["true", "input"] {
            let mut worktree = TempWorktree::new(&[]);
            worktree.has_git = has_git;
            worktree.git(&["config", "core.autocrlf", value]);
            worktree.write("dos", "one\r\ntwo\r\n");
            worktree.write("unix", "one\ntwo\n");
            worktree.write("mixed", "one\r\ntwo\n");
            worktree.write("binary", b"\0\r\n\r\n");
            worktree.commit();
            // As a checkout makes them.
            for name in ["dos", "unix", "mixed", "binary"] {
                worktree.remove(name);
            }
            worktree.git(&["checkout", "-q", "."]);
            worktree.write("dos", "then\r\n\n");
            worktree.write("new", "then\r\n\n");
            let (id, _) = worktree.create();
            let then = worktree.tree();
            for name in ["dos", "unix", "mixed", "binary", "new"] {
                worktree.write(name, "now\r\n");
            }
            let now = worktree.tree();
            let plan = worktree.plan(&id, &[]);
            let undo = worktree.restore(&id, &[]).unwrap();
            let mut differing = worktree.tree().differing(&then);
            if !has_git {
                // It was said beforehand.
                let left = plan.left.iter().map(|(path, _)| path.clone());
                assert_eq!(differing, left.collect());
                assert_eq!(worktree.text("dos"), "then\r\n\n");
                differing.clear();
            }
            assert!(differing.is_empty(), "{value} {has_git}: {differing:?}");
            assert_eq!(worktree.is_match(&id), plan.left.is_empty());
            worktree.restore(&undo, &[]);
            assert!(worktree.tree().differing(&now).is_empty());
        }
    }
}

#[test]
fn filtered_files_are_not_restored_without_their_filter() {
    let mut worktree = TempWorktree::new(&[]);
    for (name, value) in [
        ("filter.up.clean", "tr A-Z a-z"),
        ("filter.up.smudge", "tr a-z A-Z"),
    ] {
        worktree.git(&["config", name, value]);
        worktree.user_has(name, value);
    }
    worktree.write(".gitattributes", "*.up filter=up\n");
    worktree.write("a.up", "TEXT");
    worktree.write("plain", "head");
    worktree.commit();
    let (id, _) = worktree.create();
    let then = worktree.tree();
    worktree.write("a.up", "OTHER");
    worktree.write("plain", "now");
    let now = worktree.tree();
    let undo = worktree.restore(&id, &[]).unwrap();
    assert!(worktree.tree().differing(&then).is_empty());
    assert!(worktree.is_match(&id));
    worktree.restore(&undo, &[]);
    assert!(worktree.tree().differing(&now).is_empty());
    // On a host without git it is said beforehand, and the rest is restored.
    worktree.has_git = false;
    let plan = worktree.plan(&id, &[]);
    assert_eq!(plan.paths(), ["plain"], "{plan:?}");
    let left: Vec<&str> = plan.left.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left, ["a.up"]);
    worktree.restore(&id, &[]);
    assert_eq!(
        (worktree.text("a.up"), worktree.text("plain")),
        ("OTHER".into(), "head".into())
    );
}

#[test]
fn submodules_and_other_repositories_are_neither_read_nor_touched() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let module = worktree.sibling("module");
    fs::create_dir(&module).unwrap();
    git(&module, &["init", "-q", "--template="]);
    fs::write(module.join("in"), "module").unwrap();
    git(&module, &["add", "-A"]);
    git(&module, &["commit", "-q", "-m", "x"]);
    worktree.git(&["submodule", "add", "-q", module.to_str().unwrap(), "module"]);
    worktree.commit();
    let nested = worktree.at("nested");
    fs::create_dir(&nested).unwrap();
    git(&nested, &["init", "-q", "--template="]);
    worktree.write("nested/in", "then");
    worktree.write("a", "then");
    worktree.write("module/in", "then");
    let (id, left_out) = worktree.create();
    let names: Vec<&str> = left_out.iter().map(|(path, _)| path.as_str()).collect();
    assert!(names.contains(&"nested"), "{left_out:?}");
    for path in ["nested/in", "module/in", "a"] {
        worktree.write(path, "now");
    }
    worktree.write("nested/new", "now");
    let mut disk = Disk::new();
    let mut inspected = Vec::new();
    let dry = [&restoring(&id)[..], &[("dry_run", true.into())]].concat();
    let reply = worktree.ask_over("restore_session", &dry, |effect| {
        if let Effect::Part { path, .. } | Effect::Read { path, .. } = &effect {
            inspected.push(path.clone());
        }
        disk.perform(effect)
    });
    value(&reply);
    let within = |it: &String| it.contains("/nested/in") || it.contains("/module/in");
    assert!(!inspected.iter().any(within), "{inspected:#?}");
    assert_eq!(worktree.plan(&id, &[]).paths(), ["a"]);
    let undo = worktree.restore(&id, &[]).unwrap();
    assert!(worktree.is_match(&id));
    assert_eq!(worktree.text("a"), "then");
    worktree.restore(&undo, &[]);
    for path in ["nested/in", "module/in", "a", "nested/new"] {
        assert_eq!(worktree.text(path), "now", "{path}");
    }
}

#[test]
fn a_folder_with_another_repository_in_the_way_is_refused_by_name() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    let (id, _) = worktree.create();
    worktree.remove("a");
    fs::create_dir(worktree.at("a")).unwrap();
    git(&worktree.at("a"), &["init", "-q", "--template="]);
    let now = worktree.tree();
    let (code, message) = worktree.refused(&id, &[("force", true.into())]);
    assert_eq!(code, "usage");
    assert!(message.contains("a/.git"), "{message}");
    assert_eq!(worktree.tree(), now);
}

#[test]
fn staged_and_half_staged_files_come_back_and_are_not_staged_again() {
    let worktree = TempWorktree::with(&[("half", "head"), ("gone", "head"), ("kept", "head")]);
    worktree.write("half", "staged");
    worktree.git(&["add", "half"]);
    worktree.write("half", "then");
    worktree.git(&["rm", "-q", "--cached", "kept"]);
    worktree.git(&["rm", "-q", "gone"]);
    worktree.write("added", "then");
    worktree.git(&["add", "added"]);
    let (id, _) = worktree.create();
    let then = worktree.tree();
    worktree.git(&["reset", "-q", "--hard"]);
    worktree.remove("added");
    worktree.write("half", "now");
    worktree.git(&["add", "half"]);
    worktree.git(&["stash", "-q"]);
    worktree.write("half", "later");
    let (now, git) = (worktree.tree(), worktree.of_git());
    let undo = worktree.restore(&id, &[]).unwrap();
    assert!(worktree.tree().differing(&then).is_empty());
    assert!(worktree.of_git().touched(&git).is_empty());
    assert!(worktree.is_match(&id));
    worktree.restore(&undo, &[]);
    assert!(worktree.tree().differing(&now).is_empty());
    assert!(worktree.of_git().touched(&git).is_empty());
}

#[test]
fn files_that_a_reset_index_hides_come_back_with_the_undo() {
    // It is out of the index and ignored, and HEAD has it.
    let worktree = TempWorktree::with(&[(".gitignore", "*.log\n"), ("a", "head")]);
    worktree.write("x.log", "head");
    worktree.git(&["add", "-f", "x.log"]);
    worktree.commit();
    let (id, _) = worktree.create();
    worktree.git(&["rm", "-q", "--cached", "x.log"]);
    worktree.write("x.log", "now");
    let now = worktree.tree();
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(worktree.text("x.log"), "head");
    worktree.restore(&undo, &[]);
    assert!(worktree.tree().differing(&now).is_empty());
}

#[test]
fn a_snapshot_leaves_the_index_unchanged() {
    let worktree = TempWorktree::with(&[("a", "head"), ("b", "head")]);
    // The index no longer knows when they were changed, and git would note it.
    for name in ["a", "b"] {
        let file = fs::File::options()
            .write(true)
            .open(worktree.at(name))
            .unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let git = worktree.of_git();
    let (id, _) = worktree.create();
    worktree.write("a", "now");
    let undo = worktree.restore(&id, &[]).unwrap();
    worktree.is_match(&undo);
    assert!(worktree.of_git().touched(&git).is_empty());
}

#[test]
fn files_that_a_document_has_no_room_for_do_not_keep_it_from_being_made() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    for at in 0..60 {
        worktree.write(&format!("new/{at}"), "x");
    }
    // No more than 250,000 values are read.
    let given = Object::new().with("many", vec![Json::Bool(true); 249_500]);
    let more = [("reason", "handoff".into()), ("given", given.into())];
    let reply = worktree.ask("create_session", &more);
    let made = value(&reply);
    assert_eq!(made.at("/files"), Some(&Json::Null));
    let warned = text(reply.get("warnings").unwrap(), "/0/message");
    assert!(
        warned.ends_with("None of its 60 files are kept with it"),
        "{warned}"
    );
    assert!(worktree.at(&text(made, "/path")).exists());
}
