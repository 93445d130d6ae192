//! The number of commits from a commit to HEAD, and the files of a list that differ between the
//! two.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::commits::CommitTrees;
use super::objects::{Lacking, Objects};
use crate::effect::Io;
use crate::git::id::{Hash, Id};
use crate::git::objects::commit;
use crate::root::RepositoryFolders;

/// No more commits than this are read.
const MAX_COMMITS: usize = 2_000;
/// No more files than this are compared.
const MAX_FILES: usize = 500;
/// A commit or a tree is smaller.
const MAX_BYTES: usize = 8 << 20;

/// The changes since a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangesSince {
    /// The commits that HEAD has and the commit does not; `None` for more than are counted.
    pub commits: Option<usize>,
    /// True if HEAD still has the commit in its history; `None` where that was not reached.
    pub is_ancestor: Option<bool>,
    /// The files of the list that differ between the two.
    pub changed: usize,
    /// The files of the list.
    pub files: usize,
}

/// The reasons why the changes since a commit are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// The repository does not have the commit.
    NoCommit,
    /// The commit is no id, or another object of the repository cannot be read.
    Unreadable,
}

/// Returns the changes between a commit and HEAD, as far as files below the root are concerned.
///
/// # Errors
///
/// The reason why they are not known.
pub(crate) async fn since(
    io: &Io,
    repository: &RepositoryFolders,
    (saved, head): (&str, &str),
    files: &[&str],
) -> Result<ChangesSince, Unknown> {
    let hash = match head.len() == 2 * Hash::Sha256.bytes() {
        true => Hash::Sha256,
        false => Hash::Sha1,
    };
    let mut objects = Objects::new(&repository.common, hash);
    let id = |digits: &str| Id::from_digits(digits.as_bytes()).map_err(|_| Unknown::Unreadable);
    let (saved, head) = (id(saved)?, id(head)?);
    if let Err(Lacking::Missing) = objects.read(io, saved, MAX_BYTES).await {
        return Err(Unknown::NoCommit);
    }
    let changes = changes(io, &mut objects, &repository.below, (saved, head), files).await;
    changes.map_err(|_| Unknown::Unreadable)
}

/// Returns the changes between two commits, as far as files below a folder of the repository are concerned.
///
/// # Errors
///
/// The reason why an object of the repository cannot be had.
async fn changes(
    io: &Io,
    objects: &mut Objects,
    below: &str,
    (saved, head): (Id, Id),
    files: &[&str],
) -> Result<ChangesSince, Lacking> {
    let (commits, is_ancestor) = count(io, objects, saved, head).await?;
    let mut changed = 0;
    let files = &files[..files.len().min(MAX_FILES)];
    let mut before = CommitTrees::of(io, objects, saved).await?;
    let mut after = CommitTrees::of(io, objects, head).await?;
    for file in files {
        let path = match below {
            "" => (*file).to_owned(),
            below => format!("{below}/{file}"),
        };
        let was = before.find(io, objects, &path).await?;
        let is = after.find(io, objects, &path).await?;
        changed += usize::from(was != is);
    }
    Ok(ChangesSince {
        commits,
        is_ancestor,
        changed,
        files: files.len(),
    })
}

/// From which of the two a commit is reached.
#[derive(Clone, Copy, Default)]
struct Reachability {
    from_head: bool,
    from_saved: bool,
}

/// Goes through both histories, the newest commit first, until what is left is reached from the saved commit and
/// older than all that is not: commits of one second come in any order.
async fn count(
    io: &Io,
    objects: &mut Objects,
    saved: Id,
    head: Id,
) -> Result<(Option<usize>, Option<bool>), Lacking> {
    let mut reached: BTreeMap<Id, Reachability> = BTreeMap::new();
    let mut parents_of: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    let mut queue = BinaryHeap::new();
    for id in [head, saved] {
        let (_, time) = read(io, objects, id).await?;
        let at = reached.entry(id).or_default();
        at.from_head |= id == head;
        at.from_saved |= id == saved;
        queue.push((time, id));
    }
    let mut oldest = i64::MAX;
    while queue
        .iter()
        .any(|(time, id)| *time >= oldest || !reached[id].from_saved)
    {
        let Some((time, id)) = queue.pop() else { break };
        if parents_of.contains_key(&id) {
            continue;
        }
        if parents_of.len() == MAX_COMMITS {
            return Ok((None, None));
        }
        let from = reached[&id];
        if !from.from_saved {
            oldest = oldest.min(time);
        }
        let (parents, _) = read(io, objects, id).await?;
        for parent in &parents {
            let at = reached.entry(*parent).or_default();
            at.from_head |= from.from_head;
            at.from_saved |= from.from_saved;
            match read(io, objects, *parent).await {
                Ok((_, time)) => queue.push((time, *parent)),
                // The end of a shallow clone.
                Err(Lacking::Missing) => {}
                Err(why) => return Err(why),
            }
        }
        parents_of.insert(id, parents);
    }
    let of_saved = reachable(saved, &parents_of);
    let of_head = reachable(head, &parents_of);
    let commits = of_head.difference(&of_saved).count();
    Ok((Some(commits), Some(of_head.contains(&saved))))
}

/// The commits that are reached from one, over those that were read.
fn reachable(from: Id, parents_of: &BTreeMap<Id, Vec<Id>>) -> BTreeSet<Id> {
    let mut found = BTreeSet::new();
    let mut next = vec![from];
    while let Some(id) = next.pop() {
        if found.insert(id) {
            next.extend(parents_of.get(&id).into_iter().flatten());
        }
    }
    found
}

async fn read(io: &Io, objects: &mut Objects, id: Id) -> Result<(Vec<Id>, i64), Lacking> {
    let object = objects.read(io, id, MAX_BYTES).await?;
    Ok(commit::parents(&object.bytes, objects.hash())?)
}
