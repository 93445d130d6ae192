//! The part of the file system that the runtime opened to the component: a few folders, and nothing else.

use crate::effect::{Failed, Fault};

use super::bindings::wasi::filesystem::preopens;
use super::bindings::wasi::filesystem::types::Descriptor;

/// The folders that `--dir` opened.
pub(super) struct OpenedFolders {
    folders: Vec<(String, Descriptor)>,
}

/// A path as it is opened: below one of the folders.
pub(super) struct Located<'a> {
    pub(super) folder: &'a Descriptor,
    pub(super) below: String,
}

impl OpenedFolders {
    pub(super) fn open() -> Self {
        let folders = preopens::get_directories();
        OpenedFolders {
            folders: folders
                .into_iter()
                .map(|(descriptor, name)| (name, descriptor))
                .collect(),
        }
    }

    /// The working folder where the runtime names none: `.` where that was opened, else the first
    /// folder that was.
    pub(super) fn working(&self) -> String {
        let here = ".".to_owned();
        let names: Vec<&str> = self.names().collect();
        match names.first() {
            Some(first) if within(&names, &Path::parse(".")).is_none() => (*first).to_owned(),
            _ => here,
        }
    }

    /// The folder that a path leads into, and the way from there.
    pub(super) fn locate(&self, path: &str) -> Result<Located<'_>, Failed> {
        let failed = |fault, detail: &str| Failed {
            effect: "",
            fault,
            detail: detail.to_owned(),
        };
        if self.folders.is_empty() {
            return Err(failed(
                Fault::Other,
                "no folder is open to this program; open one with --dir, as in \
                 `wasmtime run --dir . milepost.wasm`",
            ));
        }
        if path.is_empty() {
            // As everywhere: it is not the folder itself.
            return Err(failed(Fault::NotFound, "ENOENT: no such file or directory"));
        }
        let names: Vec<&str> = self.names().collect();
        let path = Path::parse(path);
        let found = within(&names, &path).or_else(|| within(&names, &path.folded()));
        let (number, below) = found.ok_or_else(|| {
            failed(
                Fault::Other,
                "it is outside of the folders that --dir opens",
            )
        })?;
        Ok(Located {
            folder: &self.folders[number].1,
            below,
        })
    }

    /// The folders, as the component names them.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(|(name, _)| name.as_str())
    }
}

/// The parts of a path, without those that stand for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path<'a> {
    is_absolute: bool,
    parts: Vec<&'a str>,
}

impl<'a> Path<'a> {
    pub(super) fn parse(path: &'a str) -> Self {
        let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
        Path {
            is_absolute: path.starts_with('/'),
            parts: parts.collect(),
        }
    }

    /// The path without each `..` that follows a name.
    pub(super) fn folded(&self) -> Self {
        let mut parts = Vec::new();
        for &part in &self.parts {
            match (part, parts.last()) {
                ("..", Some(&last)) if last != ".." => drop(parts.pop()),
                ("..", None) if self.is_absolute => {}
                _ => parts.push(part),
            }
        }
        Path {
            is_absolute: self.is_absolute,
            parts,
        }
    }

    /// Takes away the last name; `None` where no name is left, and what is above has no name here.
    pub(super) fn leave(&mut self) -> Option<&'a str> {
        self.parts.pop_if(|last| *last != "..")
    }

    pub(super) fn join(&self, name: &str) -> String {
        match (self.to_string().as_str(), self.parts.is_empty()) {
            ("/", _) => format!("/{name}"),
            (_, true) => name.to_owned(),
            (path, false) => format!("{path}/{name}"),
        }
    }
}

impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.is_absolute, self.parts.is_empty()) {
            (true, _) => write!(f, "/{}", self.parts.join("/")),
            (false, true) => f.write_str("."),
            (false, false) => f.write_str(&self.parts.join("/")),
        }
    }
}

/// The named folder that holds the path, and the way from there; the deepest wins. The
/// runtime itself sees to it that no symbolic link leads out of the folder.
fn within(names: &[&str], path: &Path<'_>) -> Option<(usize, String)> {
    let folders = names.iter().map(|name| Path::parse(name)).enumerate();
    let holding = folders.filter_map(|(number, folder)| {
        let below = path.parts.strip_prefix(folder.parts.as_slice())?;
        let holds = folder.is_absolute == path.is_absolute && !leads_out(below);
        holds.then_some((number, below))
    });
    let (number, below) = holding.min_by_key(|(_, below)| below.len())?;
    match below {
        [] => Some((number, ".".to_owned())),
        below => Some((number, below.join("/"))),
    }
}

/// Returns whether the way down comes back to above where it began.
fn leads_out(below: &[&str]) -> bool {
    let mut depth = 0_usize;
    below.iter().any(|part| match (*part, depth) {
        ("..", 0) => true,
        ("..", _) => {
            depth -= 1;
            false
        }
        _ => {
            depth += 1;
            false
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Path, within};

    #[test]
    fn a_path_belongs_to_the_deepest_folder_that_holds_it() {
        for (names, path, number, below) in [
            (&["."][..], "a/b", 0, "a/b"),
            (&["."], "./a//b/", 0, "a/b"),
            (&["."], ".", 0, "."),
            (&["."], "a/../b", 0, "a/../b"),
            (&["/"], "/a", 0, "a"),
            (&["/home"], "/home", 0, "."),
            (&["/home/"], "/home/a", 0, "a"),
            (&["/home", "/home/a"], "/home/a/b", 1, "b"),
            (&["/home/a", "/home"], "/home/a/../b", 1, "a/../b"),
            (&[".", ".."], "../a", 1, "a"),
            (&["sub"], "./sub/a", 0, "a"),
            (&["C:\\work"], "C:\\work/a", 0, "a"),
        ] {
            let found = within(names, &Path::parse(path));
            let expected = Some((number, below.to_owned()));
            assert_eq!(found, expected, "{path} in {names:?}");
        }
    }

    #[test]
    fn a_path_outside_of_every_folder_belongs_to_none() {
        for (names, path) in [
            (&[][..], "a"),
            (&["."], "/a"),
            (&["."], ".."),
            (&["."], "a/../../b"),
            (&["/"], "a"),
            (&["/home"], "/homestead"),
            (&["sub"], "."),
        ] {
            let found = within(names, &Path::parse(path));
            assert_eq!(found, None, "{path} in {names:?}");
        }
    }

    #[test]
    fn a_way_through_a_parent_leads_into_another_opened_folder() {
        let names = ["/home/tree", "/home/main/.git"];
        let path = Path::parse("/home/tree/../main/.git/worktrees/tree");
        assert_eq!(within(&names, &path), None);
        let expected = Some((1, "worktrees/tree".to_owned()));
        assert_eq!(within(&names, &path.folded()), expected);
    }

    #[test]
    fn the_way_up_ends_where_folders_have_no_names() {
        for (path, expected) in [
            ("./a/b", &["a/b", "a", "."][..]),
            ("../a", &["../a", ".."]),
            ("/a", &["/a", "/"]),
            (".", &["."]),
        ] {
            let mut folder = Path::parse(path).folded();
            let mut seen = vec![folder.to_string()];
            while folder.leave().is_some() {
                seen.push(folder.to_string());
            }
            assert_eq!(seen, expected, "{path}");
        }
    }
}
