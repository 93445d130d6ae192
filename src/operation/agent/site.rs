//! The site of an event: the repository of the file that it names, else of its working folder, else of the folder that
//! the agent's environment names. A folder without a repository is a project where it is named, or has state at or
//! above it; elsewhere nothing is kept of an event.

use crate::agent::{self, Payload, WrittenFile};
use crate::effect::{Io, Nearest, PathKind};
use crate::error::{Error, whole};
use crate::git::folder::{is_absolute, join};
use crate::operation::Settings;
use crate::root::{self, Root, STATE_FOLDER};
use crate::store::Storage;

use super::folders::Folders;

/// No folder is looked through beyond this many names.
const MAX_NAMES: u32 = 10_000;

/// A root, and how paths lead there.
pub(super) struct Site {
    pub(super) folders: Folders,
    pub(super) root: Root,
}

/// The files of an event, by where they belong.
pub(super) struct Sites {
    /// The site of the session; `None` outside of every project.
    pub(super) own: Option<Site>,
    /// Its files there.
    pub(super) files: Vec<WrittenFile>,
    /// Other roots that have runs of their own.
    pub(super) others: Vec<(Site, Vec<WrittenFile>)>,
    /// The files that belong to none of these.
    pub(super) outside: Vec<String>,
}

impl Site {
    async fn at(
        io: &Io,
        settings: &Settings,
        (folder, working): (&str, &str),
    ) -> Result<Site, Error> {
        let folders = Folders::new(settings, folder, working);
        let root = root::locate(io, &folders.settings).await?;
        Ok(Site { folders, root })
    }

    /// The site of a session; `None` outside of every project.
    pub(super) async fn of_session(
        io: &Io,
        settings: &Settings,
        project: Option<&str>,
        payload: &Payload<'_>,
    ) -> Result<Option<Site>, Error> {
        let project = project.filter(|it| !it.is_empty());
        let working = payload.folder.or(project).unwrap_or(&settings.working);
        // A host that sees the project as its own working folder stays there.
        let first = match is_absolute(&settings.working) {
            true => working,
            false => project.unwrap_or(working),
        };
        let site = Site::at(io, settings, (first, working)).await?;
        if site.root.has_repository() {
            return Ok(Some(site));
        }
        match project {
            Some(project) if project != first => {
                let site = Site::at(io, settings, (project, working)).await?;
                Ok(Some(site))
            }
            Some(_) => Ok(Some(site)),
            None => site.in_project(io, settings, payload, working).await,
        }
    }

    /// The root of the folder, or the one above it that has state, where there is no repository.
    #[inline(never)]
    async fn in_project(
        self,
        io: &Io,
        settings: &Settings,
        payload: &Payload<'_>,
        working: &str,
    ) -> Result<Option<Site>, Error> {
        let Site { folders, root } = &self;
        let has_dir = settings.dir.as_ref().is_some_and(|dir| !dir.is_empty());
        let is_chosen = root.is_named() || has_dir || payload.roots.contains(&root.path());
        // Where the host does not see all folders above, it says so as soon as anything is to be kept.
        if is_chosen || !root.is_known() || settings.storage != Storage::Files {
            return Ok(Some(self));
        }
        whole::needed()?;
        let folder = folder_with_state(io, root.path()).await;
        let is_here = folder.as_deref() == Some(root.path());
        let is_placed = is_absolute(&folders.settings.working);
        match folder {
            Some(_) if is_here => Ok(Some(self)),
            Some(folder) if is_placed => {
                let above = Site::at(io, settings, (&folder, working)).await?;
                Ok(Some(above))
            }
            _ => Ok(None),
        }
    }

    /// Returns whether the folder is the root or below it, by its path.
    fn has(&self, folder: &str) -> bool {
        let path = self.root.path();
        path == folder || agent::below(path, path, folder).is_some()
    }
}

impl Sites {
    /// Those of the files that a tool wrote.
    ///
    /// A file in the repository around the working folder costs one search for it.
    pub(super) async fn of_files(
        io: &Io,
        settings: &Settings,
        project: Option<&str>,
        payload: &Payload<'_>,
        files: &[WrittenFile],
    ) -> Result<Sites, Error> {
        let working = payload.folder.or(project).unwrap_or(&settings.working);
        let is_placed = is_absolute(&settings.working) && is_absolute(working);
        let first = files.first().and_then(|file| parent(&file.path));
        let mut own = None;
        if let Some(folder) = first.filter(|_| is_placed) {
            let site = Site::at(io, settings, (folder, working)).await?;
            if site.root.has_repository() && site.has(working) {
                own = Some(site);
            }
        }
        let is_first_own = own.is_some();
        let own = match own {
            None => Site::of_session(io, settings, project, payload).await?,
            own => own,
        };
        let mut sites = Sites {
            own,
            files: Vec::new(),
            others: Vec::new(),
            outside: Vec::new(),
        };
        for (at, file) in files.iter().enumerate() {
            // A project without a repository has everything below it.
            let is_below = sites.own.as_ref().is_some_and(|own| {
                let is_below = parent(&file.path).is_some_and(|folder| own.has(folder));
                is_below && !own.root.has_repository()
            });
            let is_known = at == 0 && is_first_own || is_below;
            match parent(&file.path).filter(|_| is_placed) {
                Some(folder) if !is_known => {
                    whole::needed()?;
                    let site = Site::at(io, settings, (folder, working)).await?;
                    sites.add(io, settings, payload, (site, file)).await?;
                }
                _ => sites.files.push(file.clone()),
            }
        }
        Ok(sites)
    }

    async fn add(
        &mut self,
        io: &Io,
        settings: &Settings,
        payload: &Payload<'_>,
        (site, file): (Site, &WrittenFile),
    ) -> Result<(), Error> {
        let path = site.root.path();
        let own = self.own.as_ref();
        if own.is_some_and(|own| path == own.root.path()) {
            self.files.push(file.clone());
        } else if let Some((_, files)) = self
            .others
            .iter_mut()
            .find(|(it, _)| it.root.path() == path)
        {
            files.push(file.clone());
        } else if !site.root.has_repository() {
            let folder = parent(&file.path).unwrap_or_default();
            match own.is_some_and(|own| own.has(folder)) {
                true => self.files.push(file.clone()),
                false => self.outside.push(file.path.clone()),
            }
        } else if is_same(io, &site.root, own).await
            || has_runs(io, settings, payload, &site.root).await
        {
            self.others.push((site, vec![file.clone()]));
        } else {
            self.outside.push(file.path.clone());
        }
        Ok(())
    }
}

/// Returns whether a root has runs of its own: a root of the workspace, a linked worktree, or one that has state
/// already.
async fn has_runs(io: &Io, settings: &Settings, payload: &Payload<'_>, root: &Root) -> bool {
    if payload.roots.contains(&root.path()) {
        return true;
    }
    let checkout = root::checkout(io, root).await;
    if checkout
        .worktree()
        .is_some_and(|it| it.starts_with("worktrees/"))
    {
        return true;
    }
    // The hook names the database of one project.
    if settings.storage == Storage::Records {
        return false;
    }
    match root::state_folder(root, settings) {
        Ok(folder) => folder.is_there(io).await.unwrap_or(false),
        Err(_) => false,
    }
}

/// The nearest folder, at this one or above it, that has a state folder.
async fn folder_with_state(io: &Io, folder: &str) -> Option<String> {
    let (above_state, _) = STATE_FOLDER.split_once('/')?;
    let mut from = folder.to_owned();
    loop {
        let nearest = io.ascend(from, above_state).await.ok()?;
        let Nearest::Found(found) = nearest else {
            return None;
        };
        let state = io.inspect(vec![join(&found.folder, STATE_FOLDER)]).await;
        if state.ok()?.first()?.kind != PathKind::Absent {
            return Some(found.folder);
        }
        let above = parent(&found.folder).filter(|above| *above != found.folder)?;
        from = above.to_owned();
    }
}

/// Returns whether two paths lead to one root, as over a symbolic link.
async fn is_same(io: &Io, root: &Root, other: Option<&Site>) -> bool {
    let Some(other) = other else {
        return false;
    };
    let (one, other) = (number(io, root).await, number(io, &other.root).await);
    one.is_some() && one == other
}

/// The number that distinguishes the `.git` of a root from others of its file system.
async fn number(io: &Io, root: &Root) -> Option<u64> {
    let scan = io.scan(root.path().to_owned(), MAX_NAMES).await.ok()?;
    let git = scan.entries.iter().find(|entry| entry.name == ".git")?;
    (git.number != 0).then_some(git.number)
}

/// The folder of an absolute path.
fn parent(path: &str) -> Option<&str> {
    if !is_absolute(path) {
        return None;
    }
    let at = path.rfind(['/', '\\'])?;
    Some(match at {
        0 => "/",
        at => &path[..at],
    })
}

#[cfg(test)]
mod tests {
    use super::parent;

    #[test]
    fn only_an_absolute_path_has_a_folder_of_its_own() {
        for (path, expected) in [
            ("/a/b", Some("/a")),
            ("/a", Some("/")),
            ("C:\\a\\b", Some("C:\\a")),
            ("a/b", None),
            ("", None),
        ] {
            assert_eq!(parent(path), expected, "{path}");
        }
    }
}
