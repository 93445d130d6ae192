//! The content of a path in HEAD, in the form of the worktree.

use super::objects::Lacking;
use super::scan::WorktreeScan;
use super::table::StoredBlob;
use crate::effect::Io;
use crate::text::quoted;

/// The most bytes that a revision and a path may take as one argument of git's.
const MOST_ARGUMENT: usize = 8 << 10;

/// The bytes that a checkout of HEAD would write at a path, or the path in a symbolic link: of any
/// path that HEAD has, and where git listed the differences
/// ([`Note::GitStatus`](super::report::Note::GitStatus)), of those that do.
///
/// They are verified by their id, and at most `limit` are in memory; on the way a pack can take that
/// much again for each of two objects. The effect of a filter, an encoding or ends of lines is asked of git, on
/// hosts that have it; what a filter makes of them that the repository alone defines cannot be had. Nothing is
/// fetched: what the repository does not have (a partial clone) cannot be had either.
///
/// # Errors
///
/// The reason why they cannot be had, as a sentence goes on after a colon.
pub async fn at_head(
    io: &Io,
    scan: &mut WorktreeScan,
    path: &str,
    limit: usize,
) -> Result<(StoredBlob, Vec<u8>), String> {
    let Some(stored) = scan.at_head(path) else {
        return Err("HEAD has nothing there".to_owned());
    };
    let Some(head) = scan.head.clone() else {
        return Err("there is no repository".to_owned());
    };
    let bytes = at_commit(io, scan, (&head, stored), path, limit).await?;
    Ok((stored, bytes))
}

/// The bytes that a checkout of a commit would write at a path, of which it has this blob.
///
/// # Errors
///
/// As [`at_head`].
pub async fn at_commit(
    io: &Io,
    scan: &mut WorktreeScan,
    (commit, stored): (&str, StoredBlob),
    path: &str,
    limit: usize,
) -> Result<Vec<u8>, String> {
    if stored.is_submodule() {
        return Err("it is a submodule".to_owned());
    }
    match scan.tree.written(io, path, stored, limit).await {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => {
            let bytes = from_git(io, scan, commit, path, limit).await;
            bytes.map_err(|why| format!("git stores it changed, and {why}"))
        }
        Err(Lacking::Missing) => {
            let bytes = from_git(io, scan, commit, path, limit).await;
            bytes.map_err(|why| {
                let missing = Lacking::Missing.reason();
                format!("{missing}, and {why}")
            })
        }
        Err(why) => Err(why.reason()),
    }
}

async fn from_git(
    io: &Io,
    scan: &mut WorktreeScan,
    commit: &str,
    path: &str,
    limit: usize,
) -> Result<Vec<u8>, String> {
    if let Some(filter) = scan.tree.refused_filter(io, path).await {
        let filter = quoted(&filter);
        return Err(format!(
            "its filter {filter}, which only the repository's own configuration defines, is not run"
        ));
    }
    let Some(repository) = scan.tree.repository.clone() else {
        return Err("there is no repository".to_owned());
    };
    let below = match repository.below.as_str() {
        "" => String::new(),
        below => [below, "/"].concat(),
    };
    let object = [commit, ":", &below, path].concat();
    if object.len() > MOST_ARGUMENT {
        return Err("its path is too long for git".to_owned());
    }
    let arguments = ["cat-file", "--filters", &object];
    let configuration = &mut scan.tree.configuration;
    match configuration.run(io, &repository.top, &arguments).await {
        Ok(bytes) if bytes.len() <= limit => Ok(bytes),
        Ok(_) => Err("it is larger than the limit".to_owned()),
        Err(failed) => Err(format!("git was asked in vain: {}", failed.reason())),
    }
}
