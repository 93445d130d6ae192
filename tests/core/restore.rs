//! Plans of a restore, done on real files.

#![cfg(unix)]

mod asides;
mod refusals;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::rc::Rc;

use fastrand::Rng;
use milepost::checkpoint::session::plan::change::RestoreStep;
use milepost::checkpoint::session::plan::fact::{
    Bytes, ContentKind, EntryState, FactSource, Heads, Keeping, NameComparison, PathContent,
    Present, RecordedPath,
};
use milepost::checkpoint::session::plan::restore::{Consent, RestoreFacts, plan};
use milepost::digest::sha256;
use milepost::effect::{Effect, Fault, Io, Machine, Outcome, Sync};
use milepost::error::{ErrorKind, Written};
use milepost::restore::{ContentSource, Done, Stopped, UndoContent, Workshop, perform, settle};
use milepost::store::StoreFolder;
use milepost::store::objects::ObjectWriter;

use crate::disk::Disk;

const OWN: [&str; 1] = [".claude/checkpoints"];

/// A file or link: its kind, its mode, its bytes.
type Node = (ContentKind, bool, Vec<u8>);
type Tree = BTreeMap<String, Node>;

fn content((kind, is_executable, bytes): &Node) -> PathContent {
    PathContent {
        kind: *kind,
        is_executable: (*kind == ContentKind::File).then_some(*is_executable),
        permissions: None,
        size: bytes.len() as u64,
        sha256: sha256(bytes),
    }
}

fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Returns whether a path can be a file beside these.
fn has_room(tree: &Tree, path: &str) -> bool {
    let is_in_it = |it: &String| it.starts_with(&format!("{path}/"));
    !folders(path).any(|it| tree.contains_key(it)) && !tree.keys().any(is_in_it)
}

fn any_node(chance: &mut Rng) -> Node {
    const BYTES: [&[u8]; 5] = [b"x", b"y", b"x\n", b"\0\xFF", b"a/b"];
    let bytes = match chance.u8(..16) {
        // Of two pieces.
        0 => b"large ".repeat(175_000),
        _ => BYTES[chance.usize(..BYTES.len())].to_vec(),
    };
    match chance.u8(..6) {
        0 => (ContentKind::Link, false, BYTES[chance.usize(..1)].to_vec()),
        1 => (ContentKind::File, false, Vec::new()),
        _ => (ContentKind::File, chance.bool(), bytes),
    }
}

fn any_tree(chance: &mut Rng, like: &Tree) -> Tree {
    const NAMES: [&str; 13] = [
        "a",
        "b",
        "a/b",
        "a/b/c",
        "a/c",
        "b/a",
        "b/a/x",
        "c",
        "c/d/e/f",
        "A",
        "ü/世",
        ".claude/x",
        "c/d",
    ];
    let mut tree = like.clone();
    for _ in 0..chance.usize(1..9) {
        let path = NAMES[chance.usize(..NAMES.len())];
        if tree.remove(path).is_some() && chance.bool() {
            continue;
        }
        if chance.bool() {
            tree.retain(|it, _| {
                !it.starts_with(&format!("{path}/")) && !folders(path).any(|folder| folder == it)
            });
        }
        if has_room(&tree, path) {
            tree.insert(path.to_owned(), any_node(chance));
        }
    }
    tree
}

/// The root of a project, removed afterwards.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(tree: &Tree) -> Self {
        let project = Project {
            folder: tempfile::tempdir().unwrap(),
        };
        for (path, (kind, is_executable, bytes)) in tree {
            let path = project.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match kind {
                ContentKind::Link => symlink(std::ffi::OsStr::from_bytes(bytes), &path).unwrap(),
                ContentKind::File => {
                    fs::write(&path, bytes).unwrap();
                    let mode = if *is_executable { 0o755 } else { 0o644 };
                    fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
                }
            }
        }
        project
    }

    fn root(&self) -> String {
        self.folder.path().to_str().unwrap().to_owned()
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    /// Everything in it but the documents, and the folders that are empty.
    fn tree(&self) -> (Tree, Vec<String>) {
        fn walk(folder: &Path, below: &str, tree: &mut Tree, empty: &mut Vec<String>) {
            let mut count = 0;
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                count += 1;
                let name = entry.file_name().into_string().unwrap();
                let path = format!("{below}{name}");
                let kind = entry.file_type().unwrap();
                if path == OWN[0] {
                    continue;
                }
                let node = if kind.is_dir() {
                    walk(&entry.path(), &format!("{path}/"), tree, empty);
                    continue;
                } else if kind.is_symlink() {
                    let target = fs::read_link(entry.path()).unwrap();
                    (
                        ContentKind::Link,
                        false,
                        target.as_os_str().as_bytes().to_vec(),
                    )
                } else {
                    let mode = entry.metadata().unwrap().permissions().mode();
                    let bytes = fs::read(entry.path()).unwrap();
                    (ContentKind::File, mode & 0o100 != 0, bytes)
                };
                tree.insert(path, node);
            }
            if count == 0 {
                empty.push(below.to_owned());
            }
        }
        let (mut tree, mut empty) = (Tree::new(), Vec::new());
        walk(self.folder.path(), "", &mut tree, &mut empty);
        empty.retain(|it| !it.is_empty());
        (tree, empty)
    }

    fn documents(&self) -> StoreFolder {
        documents(&self.root())
    }

    /// Keeps the contents of a tree, but those that git has.
    fn keep(&self, tree: &Tree) {
        let (folder, tree) = (self.documents(), tree.clone());
        Disk::new().run(|io: Io| async move {
            let mut writer = ObjectWriter::begin(&io, &folder, Sync::Lazy).await.unwrap();
            for (_, _, bytes) in tree.values().filter(|it| !is_of_git(&it.2)) {
                writer.keep_bytes(bytes).await.unwrap();
            }
            writer.end().await;
        });
    }

    /// The files that restores have left among the documents.
    fn prepared(&self) -> Vec<String> {
        let below = ["restore", "aside"].map(|it| {
            let below = self.path(&format!(".claude/checkpoints/.milepost/{it}"));
            fs::read_dir(below).into_iter().flatten()
        });
        let entries = below.into_iter().flatten();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        names.collect()
    }
}

fn documents(root: &str) -> StoreFolder {
    StoreFolder::new(root, None, OWN[0]).unwrap()
}

/// Returns whether a content comes as bytes.
fn is_of_git(bytes: &[u8]) -> bool {
    bytes == b"y" || bytes.is_empty()
}

/// The plan that makes one tree of another is given to `ask`, as its steps.
fn steps(before: &Tree, now: &Tree) -> Vec<RestoreStep<'static>> {
    let paths: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let recorded: Vec<RecordedPath<'_>> = paths
        .iter()
        .map(|path| RecordedPath {
            path,
            content: before.get(*path).map(content),
            source: FactSource::Snapshot,
            bytes: Bytes::Available,
        })
        .collect();
    let parents: BTreeSet<&str> = now.keys().flat_map(|it| folders(it)).collect();
    let at_paths = parents.iter().filter(|it| {
        let is_recorded = |path: &str| before.contains_key(path);
        is_recorded(it) || folders(it).any(is_recorded)
    });
    let files = now.iter().map(|(path, node)| Present {
        path,
        state: EntryState::Content(content(node)),
        keeping: Keeping::Keepable,
    });
    let present: Vec<Present<'_>> = files
        .chain(at_paths.map(|path| Present {
            path,
            state: EntryState::Folder,
            keeping: Keeping::Keepable,
        }))
        .collect();
    let facts = RestoreFacts {
        recorded: &recorded,
        present: &present,
        folders: &[],
        heads: Heads::default(),
        own: &OWN,
        names: NameComparison::Exact,
    };
    let plan = plan(&facts, Consent::Paths(&[]));
    assert_eq!(plan.refusals, []);
    plan.steps.iter().map(owned).collect()
}

/// A step that outlives its plan, for a machine.
fn owned(step: &RestoreStep<'_>) -> RestoreStep<'static> {
    let leaked = |path: &str| -> &'static str { Box::leak(path.to_owned().into_boxed_str()) };
    match step {
        RestoreStep::Delete(path) => RestoreStep::Delete(leaked(path)),
        RestoreStep::RemoveFolder(path) => RestoreStep::RemoveFolder(leaked(path)),
        RestoreStep::RemoveIfEmpty(path) => RestoreStep::RemoveIfEmpty(leaked(path)),
        RestoreStep::MakeFolder(path) => RestoreStep::MakeFolder(leaked(path)),
        RestoreStep::Write(path, content) => RestoreStep::Write(leaked(path), content.clone()),
        RestoreStep::SetMode(path, is_executable) => {
            RestoreStep::SetMode(leaked(path), *is_executable)
        }
        RestoreStep::SetPermissions(path, bits) => RestoreStep::SetPermissions(leaked(path), *bits),
        RestoreStep::SetFolderPermissions(path, bits) => {
            RestoreStep::SetFolderPermissions(leaked(path), *bits)
        }
    }
}

type Ended = Result<Done, Box<Stopped>>;

/// The content of an undo that was made of a tree.
fn undo_content(tree: &Tree, path: &str) -> UndoContent {
    match tree.get(path) {
        Some(node) => UndoContent::Content(content(node)),
        None => UndoContent::Nothing,
    }
}

/// Puts back what was left aside, and does steps in a project, whose undo was made of `now`; what git has of `tree`
/// comes as bytes.
fn restoring(
    project: &Project,
    now: &Tree,
    tree: &Tree,
    steps: &[RestoreStep<'static>],
    sync: Sync,
) -> Machine<Ended> {
    let (root, now, steps) = (project.root(), now.clone(), steps.to_vec());
    let of_git = tree.values().filter(|it| is_of_git(&it.2));
    let of_git: BTreeMap<String, Vec<u8>> =
        of_git.map(|it| (sha256(&it.2), it.2.clone())).collect();
    let of_git = Rc::new(of_git);
    Machine::start(move |io: Io| async move {
        let folder = documents(&root);
        let stopped = |error| {
            Box::new(Stopped {
                done: Done::default(),
                error,
                changed: None,
            })
        };
        settle(&io, &root, &OWN, &folder).await.map_err(stopped)?;
        let opened = Workshop::open(&io, &folder, sync).await;
        let mut workshop = opened.map_err(stopped)?;
        let source = async |_: &str, content: &PathContent| {
            Ok(match of_git.get(&content.sha256) {
                Some(bytes) => ContentSource::Bytes(bytes.clone()),
                None => ContentSource::Store,
            })
        };
        let content_of = |path: &str| undo_content(&now, path);
        perform(&io, &root, &OWN, &mut workshop, &steps, &content_of, source).await
    })
}

/// Restores with an undo that was made right before.
fn restored(project: &Project, tree: &Tree, steps: &[RestoreStep<'static>]) -> Ended {
    restored_from(project, &project.tree().0, tree, steps)
}

fn restored_from(
    project: &Project,
    now: &Tree,
    tree: &Tree,
    steps: &[RestoreStep<'static>],
) -> Ended {
    let mut disk = Disk::new();
    restoring(project, now, tree, steps, Sync::Lazy).run(|effect| disk.perform(effect))
}

#[test]
fn a_restored_work_tree_is_the_recorded_one() {
    let seed = 11;
    let mut chance = Rng::with_seed(seed);
    let mut done = 0;
    for round in 0..240 {
        let before = any_tree(&mut chance, &Tree::new());
        let now = any_tree(&mut chance, &before);
        let project = Project::new(&now);
        project.keep(&before);
        let steps = steps(&before, &now);
        // The second time there is nothing to do, and nothing is broken by it.
        for _ in 0..2 {
            let ended = restored_from(&project, &now, &before, &steps).unwrap();
            assert_eq!(ended.steps, steps.len());
            // Only from here: a full disk is no proof.
            let _run = milepost_property::seed("a restored work tree is the recorded one", seed);
            assert_eq!(
                project.tree(),
                (before.clone(), Vec::new()),
                "round {round}: {steps:?}"
            );
            assert_eq!(project.prepared(), Vec::<String>::new());
        }
        done += steps.len();
    }
    assert!(done > 600, "{done} steps");
}

#[test]
fn a_restore_that_stops_anywhere_is_finished_by_running_it_again() {
    let seed = 12;
    let property = || {
        milepost_property::seed(
            "a restore that stops anywhere is finished by running it again",
            seed,
        )
    };
    let mut chance = Rng::with_seed(seed);
    let mut stopped = 0;
    for round in 0..5 {
        let before = any_tree(&mut chance, &Tree::new());
        let now = any_tree(&mut chance, &before);
        let steps = steps(&before, &now);
        for for_good in [true, false] {
            for at in 0.. {
                let project = Project::new(&now);
                project.keep(&before);
                let mut disk = Disk::new();
                let mut count = 0;
                let mut failed = BTreeSet::new();
                let restoring = restoring(&project, &now, &before, &steps, Sync::Durable);
                let ended = restoring.run(|effect| {
                    count += 1;
                    let is_file = !matches!(effect, Effect::Random { .. } | Effect::Wait { .. });
                    if is_file && (count == at + 1 || for_good && count > at) {
                        failed.insert(effect.name());
                        return Outcome::Failed {
                            fault: Fault::NoSpace,
                            detail: "ENOSPC".to_owned(),
                        };
                    }
                    disk.perform(effect)
                });
                if let Err(stop) = &ended {
                    stopped += 1;
                    let ErrorKind::Io { effect, .. } = stop.error.kind() else {
                        panic!("{:?}", stop.error);
                    };
                    assert!(
                        failed.contains(effect),
                        "round {round} effect {at}: {effect}"
                    );
                    assert!(
                        stop.error.to_string().contains("ENOSPC"),
                        "{for_good} {at} {failed:?} {}",
                        stop.error
                    );
                    let is_begun = stop.done.steps > 0;
                    assert_eq!(stop.error.written() != Written::No, is_begun);
                }
                // No file was ever seen in part.
                let run = property();
                for (path, node) in project.tree().0 {
                    let known = [before.get(&path), now.get(&path)];
                    let bytes = known.into_iter().flatten().any(|it| it.2 == node.2);
                    assert!(bytes, "round {round} effect {at}: {path}");
                }
                drop(run);
                let again = restored_from(&project, &now, &before, &steps);
                assert!(again.is_ok(), "round {round} effect {at}: {again:?}");
                let _run = property();
                let after = project.tree();
                assert_eq!(
                    after,
                    (before.clone(), Vec::new()),
                    "round {round} effect {at}"
                );
                assert_eq!(project.prepared(), Vec::<String>::new());
                if at >= count {
                    break;
                }
            }
        }
    }
    assert!(stopped > 100, "{stopped}");
}
