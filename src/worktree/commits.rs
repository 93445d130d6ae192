//! The trees of commits: the content of a path in any of them, and the paths that differ between two.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::objects::{Lacking, Objects};
use super::scan::WorktreeScan;
use super::table::StoredBlob;
use crate::effect::Io;
use crate::git::id::Id;
use crate::git::objects::{commit, tree};

/// A commit or a tree is smaller.
const MAX_BYTES: usize = 8 << 20;

/// No more folders than this are compared.
const MAX_FOLDERS: usize = 100_000;

/// A name in a folder, with its mode and its object.
type NamedObject = (Vec<u8>, u32, Id);

/// The folders of a commit that were read.
pub(super) struct CommitTrees {
    /// `None` before the first commit, where there is no file.
    root: Option<Id>,
    read: BTreeMap<Id, Vec<NamedObject>>,
}

impl CommitTrees {
    pub(super) async fn of(io: &Io, objects: &mut Objects, id: Id) -> Result<Self, Lacking> {
        let object = objects.read(io, id, MAX_BYTES).await?;
        Ok(CommitTrees {
            root: Some(commit::tree(&object.bytes, objects.hash())?),
            read: BTreeMap::new(),
        })
    }

    /// Those of a commit, or of none.
    async fn of_any(io: &Io, objects: &mut Objects, id: Option<Id>) -> Result<Self, Lacking> {
        match id {
            Some(id) => Self::of(io, objects, id).await,
            None => Ok(CommitTrees {
                root: None,
                read: BTreeMap::new(),
            }),
        }
    }

    /// Returns the content of a path; `None` for nothing.
    pub(super) async fn find(
        &mut self,
        io: &Io,
        objects: &mut Objects,
        path: &str,
    ) -> Result<Option<(u32, Id)>, Lacking> {
        let Some(mut id) = self.root else {
            return Ok(None);
        };
        let mut found = None;
        for part in path.split('/') {
            if found.is_some_and(|(mode, _)| mode != tree::FOLDER) {
                return Ok(None);
            }
            let mut entries = self.folder(io, objects, id).await?.iter();
            let Some((_, mode, next)) = entries.find(|(name, ..)| name == part.as_bytes()) else {
                return Ok(None);
            };
            found = Some((*mode, *next));
            id = *next;
        }
        Ok(found)
    }

    async fn folder(
        &mut self,
        io: &Io,
        objects: &mut Objects,
        id: Id,
    ) -> Result<&[NamedObject], Lacking> {
        Ok(match self.read.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => {
                let object = objects.read(io, id, MAX_BYTES).await?;
                let entries = tree::entries(&object.bytes, objects.hash())?.into_iter();
                let entries = entries.map(|it| (it.name.to_vec(), it.mode, it.id));
                unread.insert(entries.collect())
            }
        })
    }
}

/// Returns the content of each of these paths below the root in a commit; `None` for nothing.
///
/// # Errors
///
/// The reason why the commit cannot be read, as a sentence goes on after a colon.
pub async fn blobs_at(
    io: &Io,
    scan: &mut WorktreeScan,
    commit: &str,
    paths: &[&str],
) -> Result<Vec<Option<StoredBlob>>, String> {
    let Some(repository) = scan.tree.repository.clone() else {
        return Err("there is no repository".to_owned());
    };
    let id = id_of(commit)?;
    let objects = &mut scan.tree.objects;
    let read = async {
        let mut trees = CommitTrees::of(io, objects, id).await?;
        let mut blobs = Vec::with_capacity(paths.len());
        for path in paths {
            let path = below(&repository.below, path);
            let found = trees.find(io, objects, &path).await?;
            let found = found.filter(|(mode, _)| *mode != tree::FOLDER);
            blobs.push(found.map(|(mode, id)| StoredBlob { id, mode }));
        }
        Ok(blobs)
    };
    read.await.map_err(|why: Lacking| why.reason())
}

/// Returns the paths below the root that differ between two commits, of which `None` is that before the first one,
/// sorted; a name that is not Unicode is passed over.
///
/// # Errors
///
/// The reason why a commit cannot be read, as a sentence goes on after a colon.
pub async fn differing_paths(
    io: &Io,
    scan: &mut WorktreeScan,
    (one, other): (Option<&str>, Option<&str>),
) -> Result<Vec<String>, String> {
    let Some(repository) = scan.tree.repository.clone() else {
        return Err("there is no repository".to_owned());
    };
    let one = one.map(id_of).transpose()?;
    let other = other.map(id_of).transpose()?;
    let objects = &mut scan.tree.objects;
    let read = async {
        let mut trees = [
            CommitTrees::of_any(io, objects, one).await?,
            CommitTrees::of_any(io, objects, other).await?,
        ];
        let mut tops = trees.each_ref().map(|it| it.root);
        if !repository.below.is_empty() {
            for (trees, top) in trees.iter_mut().zip(&mut tops) {
                let found = trees.find(io, objects, &repository.below).await?;
                *top = found
                    .filter(|(mode, _)| *mode == tree::FOLDER)
                    .map(|it| it.1);
            }
        }
        differences(io, objects, &mut trees, tops).await
    };
    let mut paths = read.await.map_err(|why: Lacking| why.reason())?;
    paths.sort_unstable();
    Ok(paths)
}

async fn differences(
    io: &Io,
    objects: &mut Objects,
    [one, other]: &mut [CommitTrees; 2],
    tops: [Option<Id>; 2],
) -> Result<Vec<String>, Lacking> {
    let mut paths = Vec::new();
    let mut folders = vec![(String::new(), tops)];
    let mut count = 0;
    while let Some((folder, [before, after])) = folders.pop() {
        if before == after {
            continue;
        }
        count += 1;
        if count > MAX_FOLDERS {
            return Err(Lacking::TooLarge);
        }
        let mut names: BTreeMap<Vec<u8>, [Option<(u32, Id)>; 2]> = BTreeMap::new();
        for (side, (trees, id)) in [(&mut *one, before), (&mut *other, after)]
            .into_iter()
            .enumerate()
        {
            if let Some(id) = id {
                for (name, mode, id) in trees.folder(io, objects, id).await? {
                    names.entry(name.clone()).or_default()[side] = Some((*mode, *id));
                }
            }
        }
        for (name, sides) in names {
            let Ok(name) = String::from_utf8(name) else {
                continue;
            };
            if sides[0] == sides[1] {
                continue;
            }
            let path = below(&folder, &name);
            let folder_in = |it: Option<(u32, Id)>| it.filter(|(mode, _)| *mode == tree::FOLDER);
            let inner = sides.map(|it| folder_in(it).map(|(_, id)| id));
            if sides
                .iter()
                .any(|it| it.is_some() && folder_in(*it).is_none())
            {
                paths.push(path.clone());
            }
            if inner.iter().any(Option::is_some) {
                folders.push((path, inner));
            }
        }
    }
    Ok(paths)
}

fn id_of(commit: &str) -> Result<Id, String> {
    Id::from_digits(commit.as_bytes()).map_err(|_| "it is no commit".to_owned())
}

fn below(folder: &str, path: &str) -> String {
    match folder {
        "" => path.to_owned(),
        folder => [folder, "/", path].concat(),
    }
}
