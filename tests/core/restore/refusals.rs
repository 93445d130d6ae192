//! Refusals of a restore, and the files that it leaves unchanged.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use milepost::checkpoint::session::plan::change::RestoreStep;
use milepost::checkpoint::session::plan::fact::ContentKind;
use milepost::digest::sha256;
use milepost::effect::{Effect, Fault, Outcome, Sync};
use milepost::error::{Code, Written};
use milepost::restore::Stopped;

use super::{Project, Tree, content, restored, restoring};
use crate::disk::Disk;

fn tree(nodes: &[(&str, &str)]) -> Tree {
    let node = |bytes: &str| (ContentKind::File, false, bytes.as_bytes().to_vec());
    let nodes = nodes
        .iter()
        .map(|(path, bytes)| ((*path).to_owned(), node(bytes)));
    nodes.collect()
}

fn write(path: &'static str, bytes: &str) -> RestoreStep<'static> {
    RestoreStep::Write(
        path,
        content(&(ContentKind::File, false, bytes.as_bytes().to_vec())),
    )
}

fn refused(project: &Project, steps: &[RestoreStep<'static>]) -> Stopped {
    *restored(project, &tree(&[("x", "y")]), steps).unwrap_err()
}

#[test]
fn no_link_is_followed_out_of_the_root() {
    let outside = Project::new(&tree(&[("f", "secret"), ("d/f", "secret")]));
    let before = outside.tree();
    let project = Project::new(&Tree::new());
    symlink(outside.folder.path(), project.path("a")).unwrap();
    for step in [
        write("a/f", "y"),
        write("a/d/f", "y"),
        RestoreStep::Delete("a/f"),
        RestoreStep::Delete("a/d/f"),
        RestoreStep::SetMode("a/f", true),
        RestoreStep::MakeFolder("a/new"),
        RestoreStep::MakeFolder("a"),
        RestoreStep::RemoveFolder("a"),
        RestoreStep::RemoveFolder("a/d"),
        RestoreStep::RemoveIfEmpty("a/d"),
        RestoreStep::SetMode("a", true),
    ] {
        let stop = refused(&project, std::slice::from_ref(&step));
        assert_eq!(stop.error.code(), Code::UnsafePath, "{step:?}");
        assert!(
            stop.error.to_string().contains("a is a symbolic link"),
            "{}",
            stop.error
        );
        assert_eq!(outside.tree(), before, "{step:?}");
    }
    // A step that replaces the link itself does not follow it.
    restored(&project, &tree(&[("x", "y")]), &[write("a", "y")]).unwrap();
    assert_eq!(fs::read(project.path("a")).unwrap(), b"y");
    assert_eq!(outside.tree(), before);
}

#[test]
fn a_folder_that_becomes_a_link_while_a_file_is_prepared_is_not_followed() {
    let outside = Project::new(&Tree::new());
    let project = Project::new(&tree(&[("a/f", "old")]));
    let steps = [write("a/f", "y")];
    let mut disk = Disk::new();
    let (now, then) = (project.tree().0, tree(&[("x", "y")]));
    let ended = restoring(&project, &now, &then, &steps, Sync::Durable).run(|effect| {
        if matches!(effect, Effect::Create { .. }) && !project.path("b").exists() {
            let outcome = disk.perform(effect);
            if fs::read_dir(project.path(".claude/checkpoints/.milepost/restore"))
                .is_ok_and(|it| it.flatten().any(|it| it.path().join("0").exists()))
            {
                fs::rename(project.path("a"), project.path("b")).unwrap();
                symlink(outside.folder.path(), project.path("a")).unwrap();
            }
            return outcome;
        }
        disk.perform(effect)
    });
    assert_eq!(ended.unwrap_err().error.code(), Code::UnsafePath);
    assert_eq!(outside.tree().0, Tree::new());
    assert_eq!(fs::read(project.path("b/f")).unwrap(), b"old");
}

#[test]
fn a_path_that_is_never_touched_stops_the_restore_before_anything_is_done() {
    let project = Project::new(&tree(&[("first", "x")]));
    for path in [
        ".git/config",
        "../x",
        "/x",
        "a/.git",
        ".claude/checkpoints/x",
        ".claude",
    ] {
        let steps = [RestoreStep::Delete("first"), write(path, "y")];
        let stop = refused(&project, &steps);
        assert_eq!(stop.error.code(), Code::UnsafePath, "{path}");
        assert!(stop.error.to_string().starts_with(path), "{}", stop.error);
        assert_eq!(stop.error.written(), Written::No);
        assert!(project.path("first").exists());
    }
}

#[test]
fn files_changed_since_the_plan_stay_and_the_failure_names_them() {
    let project = Project::new(&tree(&[("folder/f", "x"), ("file", "x")]));
    let before = project.tree();
    for (step, named) in [
        (write("folder", "y"), "folder is a folder"),
        (write("file/f", "y"), "file is a file"),
        (write("gone/f", "y"), "the folder gone is gone"),
        (RestoreStep::Delete("folder"), "folder is a folder"),
        (RestoreStep::MakeFolder("file"), "file is a file"),
        (RestoreStep::RemoveFolder("file"), "file is a file"),
        (
            RestoreStep::RemoveFolder("folder"),
            "remove the folder folder",
        ),
        (RestoreStep::SetMode("gone", true), "gone is absent"),
        (RestoreStep::SetMode("folder", true), "folder is a folder"),
    ] {
        let stop = refused(&project, std::slice::from_ref(&step));
        assert!(
            stop.error.to_string().contains(named),
            "{step:?}: {}",
            stop.error
        );
        assert_eq!(project.tree(), before, "{step:?}");
    }
    // These are done already.
    let done = [
        RestoreStep::Delete("gone"),
        RestoreStep::Delete("gone/f"),
        RestoreStep::Delete("file/f"),
        RestoreStep::RemoveFolder("gone"),
        RestoreStep::RemoveIfEmpty("gone"),
        RestoreStep::RemoveIfEmpty("folder"),
        RestoreStep::MakeFolder("folder"),
    ];
    assert_eq!(
        restored(&project, &Tree::new(), &done).unwrap().steps,
        done.len()
    );
    assert_eq!(project.tree(), before);
}

#[test]
fn a_restore_that_another_one_took_for_dead_ends_as_a_conflict() {
    let before = tree(&[("a", "then"), ("b", "then")]);
    let steps = [write("a", "then"), write("b", "then")];
    for at in 0.. {
        let project = Project::new(&tree(&[("a", "now"), ("b", "now")]));
        project.keep(&before);
        let mut disk = Disk::new();
        let mut performed = 0;
        let now = project.tree().0;
        let ended = restoring(&project, &now, &before, &steps, Sync::Lazy).run(|effect| {
            if performed == at {
                restored(&project, &before, &[]).unwrap();
            }
            performed += 1;
            disk.perform(effect)
        });
        if let Err(stopped) = ended {
            assert_eq!(
                stopped.error.code(),
                Code::Conflict,
                "effect {at}: {}",
                stopped.error
            );
        }
        restored(&project, &before, &steps).unwrap();
        assert_eq!(project.tree(), (before.clone(), Vec::new()), "effect {at}");
        if performed <= at {
            break;
        }
    }
}

#[test]
fn a_read_only_file_is_replaced_and_a_private_one_stays_private() {
    let project = Project::new(&tree(&[("locked", "x"), ("private", "x"), ("open", "x")]));
    for (path, mode) in [("locked", 0o444), ("private", 0o600), ("open", 0o666)] {
        fs::set_permissions(project.path(path), PermissionsExt::from_mode(mode)).unwrap();
    }
    let steps = [
        write("locked", "y"),
        write("private", "y"),
        write("open", "y"),
    ];
    restored(&project, &tree(&[("x", "y")]), &steps).unwrap();
    for path in ["locked", "private", "open"] {
        assert_eq!(fs::read(project.path(path)).unwrap(), b"y");
    }
    let mode = |path| {
        fs::metadata(project.path(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode("private"), 0o600);
}

#[test]
fn a_content_that_is_missing_damaged_or_another_one_is_not_restored() {
    let project = Project::new(&tree(&[("f", "old")]));
    let stop = refused(&project, &[write("f", "never kept")]);
    assert_eq!(stop.error.code(), Code::NotFound);
    assert!(stop.error.to_string().contains("missing"), "{}", stop.error);

    let kept = tree(&[("f", "kept")]);
    project.keep(&kept);
    let name = sha256(b"kept");
    let object = format!(".claude/checkpoints/objects/{}/{name}", &name[..2]);
    fs::write(project.path(&object), "damaged").unwrap();
    let stop = refused(&project, &[write("f", "kept")]);
    assert!(stop.error.to_string().contains(&object), "{}", stop.error);

    // The bytes of git are not the recorded ones.
    let mut lying = content(&(ContentKind::File, false, b"y".to_vec()));
    lying.size = 2;
    let stop = refused(&project, &[RestoreStep::Write("f", lying)]);
    assert!(
        stop.error.to_string().starts_with("f cannot be restored"),
        "{}",
        stop.error
    );
    assert_eq!(fs::read(project.path("f")).unwrap(), b"old");
    assert_eq!(project.prepared(), Vec::<String>::new());
}

#[test]
fn files_whose_mode_only_another_user_may_set_are_named_and_the_steps_behind_them_are_done() {
    let project = Project::new(&tree(&[("a", "x"), ("b", "x"), ("c", "x")]));
    let steps = [
        RestoreStep::SetMode("a", true),
        RestoreStep::SetPermissions("b", 0o600),
        write("c", "y"),
    ];
    let (now, then) = (project.tree().0, tree(&[("c", "y")]));
    let mut disk = Disk::new();
    let ended = restoring(&project, &now, &then, &steps, Sync::Lazy).run(|effect| {
        if matches!(&effect, Effect::SetMode { path, .. } if path.ends_with("/a") || path.ends_with("/b")) {
            return Outcome::Failed {
                fault: Fault::Denied,
                detail: "operation not permitted".to_owned(),
            };
        }
        disk.perform(effect)
    });
    let done = ended.unwrap();
    assert_eq!(done.steps, steps.len());
    assert_eq!(done.without_mode, ["a", "b"]);
    assert_eq!(fs::read(project.path("c")).unwrap(), b"y");
}

#[test]
fn a_folder_that_was_open_in_between_is_named_only_where_its_last_bits_could_not_be_set() {
    let now = tree(&[("d/f", "x"), ("gone/f", "x")]);
    for (last, expected) in [(0o500, Vec::new()), (0o550, vec!["d"])] {
        let project = Project::new(&now);
        fs::set_permissions(project.path("d"), PermissionsExt::from_mode(0o500)).unwrap();
        let steps = [
            RestoreStep::SetFolderPermissions("d", 0o700),
            RestoreStep::Delete("gone/f"),
            RestoreStep::RemoveIfEmpty("gone"),
            RestoreStep::SetFolderPermissions("gone", 0o500),
            RestoreStep::SetFolderPermissions("d", last),
        ];
        let mut disk = Disk::new();
        let ended = restoring(&project, &now, &now, &steps, Sync::Lazy).run(|effect| {
            if matches!(&effect, Effect::SetMode { .. }) {
                return Outcome::Failed {
                    fault: Fault::Denied,
                    detail: "operation not permitted".to_owned(),
                };
            }
            disk.perform(effect)
        });
        assert_eq!(ended.unwrap().without_mode, expected, "{last:o}");
        fs::set_permissions(project.path("d"), PermissionsExt::from_mode(0o755)).unwrap();
    }
}
