//! Files that a restore moves aside, and those that it leaves where the undo does not hold them.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use milepost::checkpoint::session::plan::change::RestoreStep;
use milepost::checkpoint::session::plan::fact::{ContentKind, PathContent};
use milepost::digest::sha256;
use milepost::effect::{Effect, Fault, Outcome, Sync};
use milepost::error::{Code, Written};
use milepost::restore::{Aside, Stopped, left_aside, settle};

use super::{Ended, OWN, Project, Tree, content, documents, restored_from, restoring};
use crate::disk::Disk;

const ID: &str = "00112233445566778899aabbccddeeff";
const ASIDE: &str = ".claude/checkpoints/.milepost/aside";

fn tree(files: &[(&str, &str)]) -> Tree {
    let file = |(path, bytes): &(&str, &str)| {
        let node = (ContentKind::File, false, bytes.as_bytes().to_vec());
        ((*path).to_owned(), node)
    };
    files.iter().map(file).collect()
}

/// Writes a content that comes as bytes.
fn write(path: &'static str) -> RestoreStep<'static> {
    RestoreStep::Write(path, content(&(ContentKind::File, false, b"y".to_vec())))
}

/// Does steps whose undo was made of `now`, while a program does something before each effect that `acts_before` picks.
fn restored_while(
    project: &Project,
    now: &Tree,
    steps: &[RestoreStep<'static>],
    acts_before: impl Fn(&Effect) -> bool,
    does: impl Fn(),
) -> Ended {
    let then = tree(&[("x", "y")]);
    let mut disk = Disk::new();
    restoring(project, now, &then, steps, Sync::Lazy).run(|effect| {
        if acts_before(&effect) {
            does();
        }
        disk.perform(effect)
    })
}

/// The effect that moves a file aside.
fn moves(effect: &Effect, path: &str) -> bool {
    matches!(effect, Effect::Rename { from, to } if from.ends_with(path) && to.contains(ASIDE))
}

/// The effect that puts there what was prepared.
fn puts(effect: &Effect, path: &str) -> bool {
    match effect {
        Effect::Link { from, to } => to.ends_with(path) && !from.contains(ASIDE),
        _ => false,
    }
}

fn text(project: &Project, path: &str) -> String {
    fs::read_to_string(project.path(path)).unwrap()
}

fn left(project: &Project) -> Vec<Aside> {
    let folder = documents(&project.root());
    Disk::new().run(|io| async move { left_aside(&io, &folder).await.unwrap() })
}

fn settled(project: &Project) -> Vec<Aside> {
    let (root, folder) = (project.root(), documents(&project.root()));
    Disk::new().run(|io| async move { settle(&io, &root, &OWN, &folder).await.unwrap() })
}

/// A conflict at a path, which tells of nothing that is kept aside.
#[track_caller]
fn assert_left_as_it_is(ended: Ended, path: &str, done: usize) -> Stopped {
    let stopped = *ended.unwrap_err();
    assert_eq!(stopped.error.code(), Code::Conflict, "{}", stopped.error);
    let message = stopped.error.to_string();
    assert!(
        message.starts_with(&format!("{path} was changed after the undo")),
        "{message}"
    );
    assert!(!message.contains(ASIDE), "{message}");
    assert_eq!(stopped.changed.as_deref(), Some(path));
    assert_eq!(stopped.done.steps, done);
    let is_begun = done > 0;
    assert_eq!(stopped.error.written() != Written::No, is_begun);
    stopped
}

#[test]
fn a_file_that_was_saved_after_the_undo_stops_the_restore_before_it() {
    let now = tree(&[("first", "now"), ("gone", "now"), ("second", "now")]);
    for saved in ["own", "of another size"] {
        for (path, done) in [("second", 2), ("gone", 0)] {
            let project = Project::new(&now);
            fs::write(project.path(path), saved).unwrap();
            let steps = [RestoreStep::Delete("gone"), write("first"), write("second")];
            let ended = restored_from(&project, &now, &tree(&[("x", "y")]), &steps);
            assert_left_as_it_is(ended, path, done);
            assert_eq!(text(&project, path), saved);
            assert_eq!(project.prepared(), Vec::<String>::new());
            assert_eq!(project.path("gone").exists(), path == "gone");
        }
    }
}

#[test]
fn files_of_another_kind_or_size_are_not_even_moved() {
    let now = tree(&[("file", "now"), ("link", "now")]);
    let project = Project::new(&now);
    fs::write(project.path("file"), "longer").unwrap();
    fs::remove_file(project.path("link")).unwrap();
    symlink("now", project.path("link")).unwrap();
    for path in ["file", "link"] {
        let moved = Cell::new(false);
        let note_moves = |effect: &Effect| {
            moved.set(moved.get() || moves(effect, path));
            false
        };
        let ended = restored_while(&project, &now, &[write(path)], note_moves, || {});
        assert_left_as_it_is(ended, path, 0);
        assert!(!moved.get(), "{path}");
    }
    assert_eq!(text(&project, "file"), "longer");
    assert!(project.path("link").is_symlink());
}

#[test]
fn a_file_that_is_saved_between_the_look_and_the_move_goes_back() {
    for step in [write("file"), RestoreStep::Delete("file")] {
        let now = tree(&[("file", "now")]);
        let project = Project::new(&now);
        let saves = || fs::write(project.path("file"), "own").unwrap();
        let steps = [step];
        let ended = restored_while(&project, &now, &steps, |it| moves(it, "/file"), saves);
        assert_left_as_it_is(ended, "file", 0);
        assert_eq!(text(&project, "file"), "own");
        assert_eq!(project.prepared(), Vec::<String>::new());
    }
}

#[test]
fn a_file_that_becomes_a_link_or_a_folder_goes_back() {
    let now = tree(&[("file", "now")]);
    let file = |project: &Project| project.path("file");
    let becomes: [(&str, &dyn Fn(PathBuf)); 2] = [
        ("a link", &|at: PathBuf| symlink("elsewhere", at).unwrap()),
        ("a folder", &|at: PathBuf| {
            fs::create_dir(&at).unwrap();
            fs::write(at.join("in"), "own").unwrap();
        }),
    ];
    for (what, becomes) in becomes {
        let project = Project::new(&now);
        let changes = || {
            fs::remove_file(file(&project)).unwrap();
            becomes(file(&project));
        };
        let steps = [write("file")];
        let ended = restored_while(&project, &now, &steps, |it| moves(it, "/file"), changes);
        assert_left_as_it_is(ended, "file", 0);
        let found = file(&project).symlink_metadata().unwrap();
        assert!(!found.is_file(), "{what}");
        if found.is_dir() {
            assert_eq!(text(&project, "file/in"), "own");
        }
        assert_eq!(project.prepared(), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn a_file_that_comes_where_nothing_stands_any_more_is_not_replaced() {
    for before in [&[("file", "now")][..], &[]] {
        let now = tree(before);
        let project = Project::new(&now);
        let saves = || fs::write(project.path("file"), "own").unwrap();
        let steps = [write("file")];
        let ended = restored_while(&project, &now, &steps, |it| puts(it, "/file"), saves);
        assert_left_as_it_is(ended, "file", 0);
        assert_eq!(text(&project, "file"), "own");
        assert_eq!(project.prepared(), Vec::<String>::new());
    }
}

#[test]
fn a_file_that_is_saved_twice_is_kept_aside_where_the_error_says() {
    let now = tree(&[("file", "now")]);
    let project = Project::new(&now);
    let steps = [write("file")];
    let mut disk = Disk::new();
    let then = tree(&[("x", "y")]);
    let ended = restoring(&project, &now, &then, &steps, Sync::Lazy).run(|effect| {
        if moves(&effect, "/file") {
            fs::write(project.path("file"), "own").unwrap();
        }
        let reads = matches!(&effect, Effect::Part { path, .. } if path.contains(ASIDE));
        if reads {
            fs::write(project.path("file"), "own again").unwrap();
        }
        disk.perform(effect)
    });
    let message = ended.unwrap_err().error.to_string();
    let left = left(&project);
    let [aside] = &left[..] else {
        panic!("{left:?}");
    };
    let shown = format!(".claude/checkpoints/{}", aside.below);
    assert!(message.contains(&shown), "{message}");
    assert_eq!(aside.path.as_deref(), Some("file"));
    assert_eq!(
        (text(&project, "file"), text(&project, &shown)),
        ("own again".into(), "own".into())
    );
    // It stays as long as something else has its place, and goes back when nothing has.
    assert_eq!(settled(&project), left);
    assert_eq!(text(&project, &shown), "own");
    fs::remove_file(project.path("file")).unwrap();
    assert_eq!(settled(&project), []);
    assert_eq!(text(&project, "file"), "own");
    assert_eq!(project.prepared(), Vec::<String>::new());
}

/// A restore that begins sweeps the folders that are empty, and this one may have made its own just before.
#[test]
fn another_restore_before_any_effect_stops_this_one_with_a_conflict_or_not_at_all() {
    let now = tree(&[("file", "now")]);
    let then = tree(&[("x", "y")]);
    let mut stopped = 0;
    for number in 0.. {
        let project = Project::new(&now);
        let mut disk = Disk::new();
        let mut count = 0;
        let ended =
            restoring(&project, &now, &then, &[write("file")], Sync::Durable).run(|effect| {
                if count == number {
                    settled(&project);
                }
                count += 1;
                disk.perform(effect)
            });
        match ended {
            Ok(_) => assert_eq!(text(&project, "file"), "y", "{number}"),
            Err(error) => {
                assert_eq!(
                    error.error.code(),
                    Code::Conflict,
                    "{number}: {}",
                    error.error
                );
                assert_eq!(text(&project, "file"), "now", "{number}");
                stopped += 1;
            }
        }
        assert_eq!(left(&project), Vec::<Aside>::new(), "{number}");
        if count <= number {
            break;
        }
    }
    assert!(stopped > 3, "{stopped}");
}

#[test]
fn prepared_contents_pass_as_those_of_the_undo_do() {
    let project = Project::new(&tree(&[("file", "y"), ("other", "now")]));
    let now = tree(&[("file", "now"), ("other", "now")]);
    let steps = [write("file"), write("other")];
    restored_from(&project, &now, &tree(&[("x", "y")]), &steps).unwrap();
    assert_eq!(
        (text(&project, "file"), text(&project, "other")),
        ("y".into(), "y".into())
    );
}

#[test]
fn a_host_without_second_names_looks_and_renames() {
    let now = tree(&[("file", "now"), ("gone", "now")]);
    let no_links = |effect: Effect, disk: &mut Disk| match effect {
        Effect::Link { .. } => Outcome::Failed {
            fault: Fault::Unsupported,
            detail: "there are no links".into(),
        },
        effect => disk.perform(effect),
    };
    let steps = [RestoreStep::Delete("gone"), write("file")];
    let then = tree(&[("x", "y")]);
    let project = Project::new(&now);
    let mut disk = Disk::new();
    let restoring_it = restoring(&project, &now, &then, &steps, Sync::Durable);
    restoring_it
        .run(|effect| no_links(effect, &mut disk))
        .unwrap();
    assert_eq!(project.tree().0, tree(&[("file", "y")]));
    // Files that the undo does not hold go back there too.
    let project = Project::new(&now);
    let mut disk = Disk::new();
    let restoring_it = restoring(&project, &now, &then, &steps, Sync::Durable);
    let ended = restoring_it.run(|effect| {
        if moves(&effect, "/file") {
            fs::write(project.path("file"), "own").unwrap();
        }
        no_links(effect, &mut disk)
    });
    assert_left_as_it_is(ended, "file", 1);
    assert_eq!(text(&project, "file"), "own");
    assert_eq!(project.prepared(), Vec::<String>::new());
}

/// Leaves a file aside, with a list of paths.
fn leave(project: &Project, name: &str, text: &str, paths: &[u8]) {
    let folder = project.path(ASIDE).join(ID);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), text).unwrap();
    fs::write(project.path(ASIDE).join(format!("{ID}.paths")), paths).unwrap();
}

#[test]
fn a_file_goes_back_to_the_path_of_its_number() {
    let project = Project::new(&tree(&[("folder/other", "x")]));
    leave(&project, "1", "text", b"first\0folder/second\0third\0");
    assert_eq!(settled(&project), []);
    assert_eq!(text(&project, "folder/second"), "text");
    assert_eq!(project.prepared(), Vec::<String>::new());
}

#[test]
fn a_file_that_the_undo_holds_is_removed_where_its_place_is_taken() {
    let project = Project::new(&tree(&[("file", "y")]));
    let name = format!("0-{}", sha256(b"now"));
    leave(&project, &name, "now", b"file\0");
    assert_eq!(settled(&project), []);
    assert_eq!(text(&project, "file"), "y");
    // Also where nothing says whose it was.
    leave(&project, &name, "now", b"");
    assert_eq!(settled(&project), []);
    // The undo holds another content by now.
    leave(&project, &name, "own", b"file\0");
    assert_eq!(settled(&project).len(), 1);
    assert_eq!(project.prepared().len(), 2);
}

#[test]
fn a_list_leads_nowhere_but_below_the_root() {
    let outside = Project::new(&Tree::new());
    let project = Project::new(&Tree::new());
    fs::create_dir_all(project.path(".git/hooks")).unwrap();
    symlink(outside.folder.path(), project.path("link")).unwrap();
    for path in [
        "../file",
        "/file",
        "",
        ".git/hooks/pre-commit",
        ".claude/checkpoints/chk-20250126-103000.yaml",
        "link/file",
        "gone/file",
    ] {
        leave(&project, "0", "text", format!("{path}\0").as_bytes());
        let left = settled(&project);
        assert_eq!(left.len(), 1, "{path}");
        assert_eq!(text(&project, &format!("{ASIDE}/{ID}/0")), "text");
    }
    assert_eq!(outside.tree().0, Tree::new());
    assert!(!project.path(".git/hooks/pre-commit").exists());
    // A path whose end was cut off does not count.
    leave(&project, "0", "text", b"fil");
    assert_eq!(settled(&project)[0].path, None);
    assert!(!project.path("fil").exists());
}

#[test]
fn a_link_in_the_place_of_the_folder_is_not_followed() {
    let outside = Project::new(&tree(&[("keep", "x")]));
    let project = Project::new(&tree(&[("file", "now")]));
    fs::create_dir_all(project.path(".claude/checkpoints/.milepost")).unwrap();
    symlink(outside.folder.path(), project.path(ASIDE)).unwrap();
    let stop = restored_from(
        &project,
        &tree(&[("file", "now")]),
        &tree(&[]),
        &[write("file")],
    );
    assert_eq!(stop.unwrap_err().error.code(), Code::UnsafePath);
    assert_eq!(text(&project, "file"), "now");
    assert_eq!(outside.tree().0, tree(&[("keep", "x")]));
}

/// The number of effects that steps take.
fn effects(now: &Tree, steps: &[RestoreStep<'static>]) -> usize {
    let then = tree(&[("kept", "then")]);
    let project = Project::new(now);
    project.keep(&then);
    let mut disk = Disk::new();
    let mut count = 0;
    let ended = restoring(&project, now, &then, steps, Sync::Lazy).run(|effect| {
        count += 1;
        disk.perform(effect)
    });
    assert_eq!(ended.unwrap().steps, steps.len());
    count
}

#[test]
fn a_file_costs_as_many_effects_as_the_documentation_says() {
    let kept =
        |path| RestoreStep::Write(path, content(&(ContentKind::File, false, b"then".to_vec())));
    let now = tree(&[("a", "now"), ("b", "now"), ("c", "now"), ("d", "now")]);
    let nothing = effects(&now, &[]);
    let one = effects(&now, &[kept("a")]);
    assert_eq!(effects(&now, &[kept("a"), kept("b")]) - one, 10);
    let one = effects(&now, &[RestoreStep::Delete("c")]);
    assert_eq!(
        effects(&now, &[RestoreStep::Delete("c"), RestoreStep::Delete("d")]) - one,
        4
    );
    // For the folder and its list, once.
    assert_eq!(one - nothing, 4 + 8);
    let one = effects(&now, &[kept("new")]);
    assert_eq!(
        (
            one - nothing,
            effects(&now, &[kept("new"), kept("newer")]) - one
        ),
        (7, 7)
    );
    let with_bits = |path| {
        let content = content(&(ContentKind::File, false, b"then".to_vec()));
        let permissions = Some(0o640);
        RestoreStep::Write(
            path,
            PathContent {
                permissions,
                ..content
            },
        )
    };
    let one = effects(&now, &[with_bits("a")]);
    let two = effects(&now, &[with_bits("a"), with_bits("b")]);
    assert_eq!(two - one, 12);
    let one = effects(&now, &[with_bits("new")]);
    assert_eq!(one - nothing, 8);
}
