//! Trees in memory, by the rules of a file system: a plan of every two of them is done, and undone.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use super::change::{PathAction, RestoreRefusal, RestoreStep};
use super::fact::{
    Bytes, ContentKind, EntryState, FactSource, Heads, Keeping, NameComparison, PathContent,
    Present, RecordedPath,
};
use super::path::folders;
use super::restore::{Consent, RestoreFacts, RestorePlan, plan, replaced_files};
use super::verify::verify;

/// A file or link: its kind, its mode, its bytes.
type Node = (ContentKind, bool, String);

/// The content below a root, the folders too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ModelTree {
    nodes: BTreeMap<String, Node>,
    folders: BTreeSet<String>,
}

impl ModelTree {
    fn put(&mut self, path: &str, node: Node) {
        self.folders.extend(folders(path).map(str::to_owned));
        self.nodes.insert(path.to_owned(), node);
    }

    /// Returns whether a path can be a file here.
    fn has_room(&self, path: &str) -> bool {
        let is_folder = self.folders.contains(path);
        !is_folder && !folders(path).any(|it| self.nodes.contains_key(it))
    }

    fn remove(&mut self, path: &str) {
        self.nodes.remove(path);
        let mut folders: Vec<_> = folders(path).map(str::to_owned).collect();
        while let Some(folder) = folders.pop() {
            if self.is_empty(&folder) {
                self.folders.remove(&folder);
            }
        }
    }

    fn is_empty(&self, folder: &str) -> bool {
        let below = format!("{folder}/");
        let is_below = |it: &String| it.starts_with(&below);
        !self.nodes.keys().any(is_below) && !self.folders.iter().any(is_below)
    }

    /// Does a step as a file system would, or fails the test.
    fn step(&mut self, step: &RestoreStep<'_>, contents: &BTreeMap<String, String>) {
        let has_parent = |tree: &ModelTree, path: &str| {
            folders(path)
                .last()
                .is_none_or(|it| tree.folders.contains(it))
        };
        match step {
            RestoreStep::Delete(path) => {
                assert!(self.nodes.remove(*path).is_some(), "{step:?}: {self:?}");
            }
            RestoreStep::RemoveFolder(path) => {
                assert!(self.is_empty(path), "{step:?}: {self:?}");
                assert!(self.folders.remove(*path), "{step:?}: {self:?}");
            }
            RestoreStep::RemoveIfEmpty(path) => {
                assert!(self.folders.contains(*path), "{step:?}: {self:?}");
                if self.is_empty(path) {
                    self.folders.remove(*path);
                }
            }
            RestoreStep::MakeFolder(path) => {
                assert!(has_parent(self, path), "{step:?}: {self:?}");
                assert!(!self.nodes.contains_key(*path), "{step:?}: {self:?}");
                self.folders.insert((*path).to_owned());
            }
            RestoreStep::Write(path, content) => {
                assert!(has_parent(self, path), "{step:?}: {self:?}");
                assert!(!self.folders.contains(*path), "{step:?}: {self:?}");
                let bytes = contents[&content.sha256].clone();
                let is_executable = content.is_executable == Some(true);
                let node = (content.kind, is_executable, bytes);
                self.nodes.insert((*path).to_owned(), node);
            }
            RestoreStep::SetMode(path, is_executable) => {
                self.nodes.get_mut(*path).unwrap().1 = *is_executable;
            }
            RestoreStep::SetPermissions(..) | RestoreStep::SetFolderPermissions(..) => {
                panic!("no modes were recorded: {step:?}")
            }
        }
    }

    fn done(&self, plan: &RestorePlan<'_>, contents: &BTreeMap<String, String>) -> ModelTree {
        let mut tree = self.clone();
        for step in &plan.steps {
            tree.step(step, contents);
        }
        tree
    }

    fn content(&self, path: &str) -> Option<PathContent> {
        self.nodes.get(path).map(content)
    }

    /// The paths at which two trees differ.
    fn differing<'a>(&'a self, other: &'a ModelTree) -> BTreeSet<&'a str> {
        let paths = self.nodes.keys().chain(other.nodes.keys());
        let differs = |path: &&String| self.nodes.get(*path) != other.nodes.get(*path);
        paths.filter(differs).map(String::as_str).collect()
    }
}

fn content((kind, is_executable, bytes): &Node) -> PathContent {
    PathContent {
        kind: *kind,
        is_executable: (*kind == ContentKind::File).then_some(*is_executable),
        permissions: None,
        size: bytes.len() as u64,
        sha256: crate::digest::digest(&[bytes.as_bytes()]),
    }
}

/// Returns whether git ignores a path here.
fn is_ignored(path: &str) -> bool {
    path.ends_with(".log")
}

/// A checkpoint's list of files: what differs from HEAD and is not ignored.
struct ModelSnapshot {
    files: BTreeMap<String, Option<PathContent>>,
}

impl ModelSnapshot {
    fn create(tree: &ModelTree, head: &ModelTree) -> Self {
        let paths = tree.differing(head).into_iter();
        let seen = paths.filter(|path| !is_ignored(path) || head.nodes.contains_key(*path));
        let files = seen.map(|path| (path.to_owned(), tree.content(path)));
        ModelSnapshot {
            files: files.collect(),
        }
    }

    /// The plan of bringing it back, as an operation would gather its facts; `ask` gets it.
    fn restore<T>(
        &self,
        now: &ModelTree,
        head: &ModelTree,
        consent: Consent<'_>,
        check: impl FnOnce(RestorePlan<'_>) -> T,
    ) -> T {
        let differing = ModelSnapshot::create(now, head).files;
        let since = differing.keys().filter(|it| !self.files.contains_key(*it));
        let recorded: Vec<RecordedPath<'_>> = self
            .files
            .iter()
            .map(|(path, content)| (path.as_str(), content.clone(), FactSource::Snapshot))
            .chain(since.map(|path| (path.as_str(), head.content(path), FactSource::Head)))
            .map(|(path, content, source)| RecordedPath {
                path,
                content,
                source,
                bytes: Bytes::Available,
            })
            .collect();
        let wanted: BTreeSet<&str> = recorded.iter().map(|it| it.path).collect();
        let parents: BTreeSet<&str> = wanted.iter().flat_map(|it| folders(it)).collect();
        let is_in_folder = |path: &str| folders(path).any(|it| wanted.contains(it));
        let files = now.nodes.iter().filter(|(path, _)| {
            let path = path.as_str();
            wanted.contains(path) || parents.contains(path) || is_in_folder(path)
        });
        let folders_now = now.folders.iter().map(String::as_str);
        let folders_now = folders_now.filter(|path| wanted.contains(path) || is_in_folder(path));
        let present: Vec<Present<'_>> = files
            .map(|(path, node)| Present {
                path,
                state: EntryState::Content(content(node)),
                keeping: match is_ignored(path) && !head.nodes.contains_key(path) {
                    true => Keeping::Excluded("ignored"),
                    false => Keeping::Keepable,
                },
            })
            .chain(folders_now.map(|path| Present {
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
            own: &[".claude/state"],
            names: NameComparison::Exact,
        };
        let made = plan(&facts, consent);
        let size = |path: &str| match &now.nodes.get(path)?.0 {
            ContentKind::File => Some(now.nodes[path].2.len() as u64),
            ContentKind::Link => None,
        };
        let changes = made.changes.iter().filter(|it| {
            !matches!(
                it.act,
                PathAction::SetMode(_) | PathAction::SetPermissions(_)
            )
        });
        let replaced: Vec<(&str, u64)> = changes
            .filter_map(|it| Some((it.path, size(it.path)?)))
            .collect();
        assert_eq!(replaced_files(&facts), replaced);
        let verified = verify(&recorded, &present, Heads::default());
        assert_eq!(
            verified.is_match(),
            made.is_nothing() && made.left.is_empty()
        );
        check(made)
    }
}

const NAMES: [&str; 14] = [
    "a", "b", "a/b", "a/b/c", "a/c", "b/a", "b/a/x", "c", "c/d/e/f", "a.log", "b/x.log", "a/b.log",
    "A", "ü/世",
];

fn any_node(chance: &mut Rng) -> Node {
    const BYTES: [&str; 6] = ["", "x", "y", "x\n", "\0\u{1}", "a/b"];
    let kind = match chance.u8(..6) {
        0 => ContentKind::Link,
        _ => ContentKind::File,
    };
    let bytes = match chance.u8(..8) {
        0 => "large ".repeat(50),
        _ => BYTES[chance.usize(..BYTES.len())].to_owned(),
    };
    (kind, kind == ContentKind::File && chance.bool(), bytes)
}

/// Returns the tree with some changes.
fn changed(chance: &mut Rng, tree: &ModelTree, count: usize) -> ModelTree {
    let mut tree = tree.clone();
    for _ in 0..count {
        let path = NAMES[chance.usize(..NAMES.len())];
        let names: Vec<String> = tree.nodes.keys().cloned().collect();
        let any = names.get(chance.usize(..names.len().max(1))).cloned();
        match (chance.u8(..8), any) {
            (0 | 1, Some(old)) => tree.remove(&old),
            (2, Some(old)) => {
                // A rename.
                let node = tree.nodes[&old].clone();
                tree.remove(&old);
                if tree.has_room(path) {
                    tree.put(path, node);
                }
            }
            (3, Some(old)) => {
                let node = tree.nodes.get_mut(&old).unwrap();
                node.1 = node.0 == ContentKind::File && !node.1;
            }
            (4, _) => {
                // A folder becomes a file, or a file a folder.
                let below = format!("{path}/");
                let is_there = |it: &String| it.starts_with(&below);
                for old in names.iter().filter(|it| is_there(it)) {
                    tree.remove(old);
                }
                for folder in folders(path) {
                    if tree.nodes.contains_key(folder) {
                        tree.remove(folder);
                    }
                }
                if tree.has_room(path) {
                    tree.put(path, any_node(chance));
                }
            }
            _ if tree.has_room(path) => tree.put(path, any_node(chance)),
            _ => {}
        }
    }
    tree
}

fn contents(trees: [&ModelTree; 3]) -> BTreeMap<String, String> {
    let nodes = trees.into_iter().flat_map(|it| it.nodes.values());
    nodes.map(|it| (content(it).sha256, it.2.clone())).collect()
}

/// A tree without what git ignores and HEAD has not.
fn seen(tree: &ModelTree, head: &ModelTree) -> BTreeMap<String, Node> {
    let nodes = tree.nodes.clone().into_iter();
    let is_seen = |path: &str| !is_ignored(path) || head.nodes.contains_key(path);
    nodes.filter(|(path, _)| is_seen(path)).collect()
}

#[test]
fn a_restored_tree_is_the_recorded_one_and_the_undo_brings_back_the_present_one() {
    let _run = milepost_property::seed(
        "a restored tree is the recorded one and the undo brings back the present one",
        5,
    );
    let mut chance = Rng::with_seed(5);
    let (mut refused, mut done, mut touched) = (0, 0, 0);
    for round in 0..21_000 {
        let size = chance.usize(..10);
        let head = changed(&mut chance, &ModelTree::default(), size);
        let size = chance.usize(..6);
        let before = changed(&mut chance, &head, size);
        let size = chance.usize(..8);
        let now = changed(&mut chance, &before, size);
        let contents = contents([&head, &before, &now]);
        let snapshot = ModelSnapshot::create(&before, &head);
        let undo = ModelSnapshot::create(&now, &head);

        let after = snapshot.restore(&now, &head, Consent::Paths(&[]), |plan| {
            if !plan.refusals.is_empty() {
                // Only what is ignored can be in the way here.
                for refusal in &plan.refusals {
                    let (RestoreRefusal::InTheWay(_, by) | RestoreRefusal::NotKept(by, _)) =
                        *refusal
                    else {
                        panic!("round {round}: {refusal:?}");
                    };
                    assert!(is_ignored(by), "round {round}: {refusal:?}");
                }
                return None;
            }
            assert_eq!(plan.left, []);
            let after = now.done(&plan, &contents);
            let announced: BTreeSet<&str> = plan.changes.iter().map(|it| it.path).collect();
            assert_eq!(announced, now.differing(&after), "round {round}: {plan:?}");
            touched += announced.len();
            for change in &plan.changes {
                let mode_alone = now.nodes.get(change.path).zip(after.nodes.get(change.path));
                let mode_alone = mode_alone.is_some_and(|(a, b)| (a.0, &a.2) == (b.0, &b.2));
                assert_eq!(
                    mode_alone,
                    matches!(change.act, PathAction::SetMode(_)),
                    "{change:?}"
                );
            }
            Some(after)
        });
        let Some(after) = after else {
            refused += 1;
            continue;
        };
        done += 1;
        assert_eq!(seen(&after, &head), seen(&before, &head), "round {round}");
        let leftover = after.folders.iter().find(|it| after.is_empty(it));
        assert_eq!(leftover, None, "round {round}");

        let again = |plan: RestorePlan<'_>| assert_eq!(plan.steps, [], "round {round}");
        snapshot.restore(&after, &head, Consent::Paths(&[]), again);
        let back = undo.restore(&after, &head, Consent::Paths(&[]), |plan| {
            assert_eq!(plan.refusals, [], "round {round}");
            after.done(&plan, &contents)
        });
        assert_eq!(back, now, "round {round}");
    }
    assert!(
        done >= 20_000 && refused > 100,
        "{done} done, {refused} refused"
    );
    assert!(touched > 30_000, "{touched} paths touched");
}

#[test]
fn a_plan_has_the_same_id_for_the_same_facts_and_another_for_any_other() {
    let _run = milepost_property::seed(
        "a plan has the same id for the same facts and another for any other",
        6,
    );
    let mut chance = Rng::with_seed(6);
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..5_000 {
        let size = chance.usize(..6);
        let head = changed(&mut chance, &ModelTree::default(), size);
        let before = changed(&mut chance, &head, 3);
        let now = changed(&mut chance, &before, 3);
        let snapshot = ModelSnapshot::create(&before, &head);
        snapshot.restore(&now, &head, Consent::Paths(&[]), |plan| {
            let stands = |path: &str| format!("{path}: {:?}", now.nodes.get(path));
            let facts: Vec<_> = plan.changes.iter().map(|it| stands(it.path)).collect();
            let facts = format!("{facts:?} {:?} {:?}", plan.changes, plan.refusals);
            let known = ids.entry(plan.id.clone()).or_insert(facts.clone());
            assert_eq!(*known, facts);
        });
        let id = |plan: RestorePlan<'_>| plan.id;
        let [one, other] = [0, 1].map(|_| snapshot.restore(&now, &head, Consent::Paths(&[]), id));
        assert_eq!(one, other);
    }
    assert!(ids.len() > 2_000);
}
