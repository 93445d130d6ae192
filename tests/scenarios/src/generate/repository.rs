//! Git folders, as far as HEAD is read from them.

use fastrand::Rng;

use super::ROOT;
use crate::scenario::{Setting, Step};
use crate::world::World;

/// A repository in one of git's ways to store what HEAD is at, or none.
pub(super) fn add(random: &mut Rng, world: &mut Setting) {
    let commit = commit(random);
    let mut files: Vec<(&str, String)> = Vec::new();
    match random.u8(..10) {
        0 => return,
        1 => files.push((".git/HEAD", commit)),
        2 => {
            files.push((".git/HEAD", "ref: refs/heads/main\n".into()));
            let peeled = format!("^{}\n", self::commit(random));
            let head = "# pack-refs with: peeled fully-peeled sorted \n";
            let packed = format!("{head}{commit} refs/heads/main\n{commit} refs/tags/v1\n{peeled}");
            files.push((".git/packed-refs", packed));
        }
        3 => {
            let folder = "/elsewhere/.git/worktrees/repo";
            files.push((".git", format!("gitdir: {folder}\n")));
            let shared = [
                (format!("{folder}/HEAD"), "ref: refs/heads/side\n".into()),
                (format!("{folder}/commondir"), "/elsewhere/.git\n".into()),
                (
                    "/elsewhere/.git/refs/heads/side".into(),
                    format!("{commit}\n"),
                ),
            ];
            let shared = shared.into_iter();
            world
                .files
                .extend(shared.map(|(path, text)| (path, text.into_bytes())));
        }
        4 => files.push((".git", "gitdir: /nowhere/.git\n".into())),
        5 => files.push((".git/HEAD", "ref: refs/heads/unborn\n".into())),
        6 => {
            files.push((".git/HEAD", "ref: refs/heads/.invalid\n".into()));
            files.push((".git/reftable/tables.list", String::new()));
            files.push((
                ".git/config",
                "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n"
                    .into(),
            ));
            world.git = random.bool().then(|| format!("{commit}\n"));
        }
        _ => {
            files.push((".git/HEAD", "ref: refs/heads/main\n".into()));
            files.push((".git/refs/heads/main", format!("{commit}\n")));
        }
    }
    let files = files.into_iter();
    world
        .files
        .extend(files.map(|(path, text)| (format!("{ROOT}/{path}"), text.into_bytes())));
}

/// The branch moves on, where there is one.
pub(super) fn moved(random: &mut Rng, world: &World) -> Option<Step> {
    let branch = format!("{ROOT}/.git/refs/heads/main");
    world.file(&branch)?;
    let commit = format!("{}\n", commit(random));
    Some(Step::Put(branch, Some(commit.into_bytes())))
}

/// A SHA-1 or, now and then, a SHA-256; or what is neither.
fn commit(random: &mut Rng) -> String {
    let length = match random.u8(..12) {
        0 => 64,
        1 if random.bool() => 39,
        _ => 40,
    };
    (0..length).map(|_| random.char('0'..='9')).collect()
}
