//! The staged changes: the differences of the index from HEAD's tree.

use std::cmp::Ordering;
use std::ops::Range;

use super::objects::{Lacking, Objects};
use super::table::{Child, IndexTracking, StoredBlob, Table};
use crate::effect::Io;
use crate::git::entries::CachedTree;
use crate::git::id::Id;
use crate::git::objects::{ObjectKind, commit, tree};

/// A commit is a page, and a tree a hundred bytes for each name in a folder.
const COMMIT_BYTES: usize = 16 << 20;
const TREE_BYTES: usize = 64 << 20;

/// The tree of a commit.
pub(super) async fn tree_of(io: &Io, objects: &mut Objects, head: Id) -> Result<Id, Lacking> {
    let object = objects.read(io, head, COMMIT_BYTES).await?;
    Ok(commit::tree(&object.bytes, objects.hash())?)
}

/// Folders of which the index knows the trees, sorted by their paths.
pub(super) struct Cached(Vec<CachedTree>);

impl Cached {
    pub(super) fn new(mut trees: Vec<CachedTree>) -> Cached {
        trees.retain(|it| it.tree.is_some());
        trees.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        Cached(trees)
    }

    /// Returns whether nothing that is staged in a folder differs from this tree.
    pub(super) fn is(&self, folder: &[u8], tree: Id) -> bool {
        let at = self.0.binary_search_by(|it| it.path.as_slice().cmp(folder));
        at.is_ok_and(|at| self.0[at].tree.is_some_and(|(_, id)| id == tree))
    }
}

/// A folder to compare.
struct StagedFolder {
    /// Relative to the root, with `/` at its end.
    path: Vec<u8>,
    tree: Id,
    rows: Range<usize>,
}

/// Compares the table with HEAD's tree. `below` leads from the top of the worktree to the root, and is
/// empty or ends in `/`.
pub(super) async fn compare(
    io: &Io,
    objects: &mut Objects,
    table: &mut Table,
    cached: &Cached,
    top: Option<Id>,
    below: &str,
) -> Result<(), Lacking> {
    let all = 0..table.rows.len();
    let Some(tree) = root_tree(io, objects, cached, top, below).await? else {
        differ_all(table, all);
        return Ok(());
    };
    let mut of_head = Vec::new();
    let mut open = vec![StagedFolder {
        path: Vec::new(),
        tree,
        rows: all,
    }];
    while let Some(folder) = open.pop() {
        if cached.is(&[below.as_bytes(), &folder.path].concat(), folder.tree) {
            continue;
        }
        let object = objects.read(io, folder.tree, TREE_BYTES).await?;
        if object.kind != ObjectKind::Tree {
            return Err(Lacking::Damaged);
        }
        let entries = tree::entries(&object.bytes, objects.hash())?;
        let children = table.children(folder.rows.clone(), folder.path.len());
        let mut children = children.into_iter().peekable();
        for entry in entries {
            while let Some(child) = children.next_if(|it| order(table, it, &entry).is_lt()) {
                differ_all(table, child.rows);
            }
            let child = children.next_if(|it| order(table, it, &entry).is_eq());
            let path = || [&folder.path[..], entry.name].concat();
            if entry.mode == tree::FOLDER {
                open.push(StagedFolder {
                    path: [&path()[..], b"/"].concat(),
                    tree: entry.id,
                    rows: child.map_or(0..0, |it| it.rows),
                });
                continue;
            }
            let stored = StoredBlob {
                id: entry.id,
                mode: entry.mode,
            };
            match child {
                None => of_head.push((path(), stored)),
                Some(child) => {
                    let row = table.rows[child.rows.start];
                    if row.tracking != IndexTracking::Staged || row.stored() != stored {
                        table.differ(child.rows, Some(stored));
                    }
                }
            }
        }
        for child in children {
            differ_all(table, child.rows);
        }
    }
    of_head.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    table.add_of_head(&of_head);
    Ok(())
}

/// The tree of the root's folder; `None` where HEAD has no such folder.
async fn root_tree(
    io: &Io,
    objects: &mut Objects,
    cached: &Cached,
    top: Option<Id>,
    below: &str,
) -> Result<Option<Id>, Lacking> {
    let Some(mut id) = top else {
        return Ok(None);
    };
    if cached.is(b"", id) {
        // Then the one of the root's folder is known as well, if there is one.
        let at = cached.0.iter().find(|it| it.path == below.as_bytes());
        if let Some((_, id)) = at.and_then(|it| it.tree) {
            return Ok(Some(id));
        }
    }
    for name in below.split_terminator('/') {
        let object = objects.read(io, id, TREE_BYTES).await?;
        let entries = tree::entries(&object.bytes, objects.hash())?;
        let mut folders = entries.iter().filter(|it| it.mode == tree::FOLDER);
        match folders.find(|it| it.name == name.as_bytes()) {
            Some(entry) => id = entry.id,
            None => return Ok(None),
        }
    }
    Ok(Some(id))
}

/// HEAD has nothing at the paths of these rows.
fn differ_all(table: &mut Table, rows: Range<usize>) {
    if !rows.is_empty() {
        table.differ(rows, None);
    }
}

/// The order of trees, which is that of the paths below them.
fn order(table: &Table, child: &Child, entry: &tree::TreeEntry<'_>) -> Ordering {
    let end = |is_folder: bool| is_folder.then_some(&b'/');
    let child = table.name(child).iter().chain(end(child.is_folder));
    let entry = entry.name.iter().chain(end(entry.mode == tree::FOLDER));
    child.cmp(entry)
}
