//! The files of patterns: the paths that are ignored, and those that git stores changed.

use super::configured::Configuration;
use super::objects::Objects;
use super::report::Note;
use crate::effect::{Fault, Io, Links};
use crate::git::attributes::{AttributeValue, Attributes};
use crate::git::folder::join;
use crate::git::ignore::{IgnorePathKind, IgnoreVerdict, Rules};
use crate::root::RepositoryFolders;

use super::table::{IndexTracking, Table};

/// The largest file of patterns that is read.
const MOST_BYTES: u32 = 16 << 20;

/// The names of both.
pub(crate) const IGNORE: &str = ".gitignore";
pub(crate) const ATTRIBUTES: &str = ".gitattributes";

/// The patterns of a worktree, as far as they were read.
#[derive(Debug)]
pub(crate) struct Patterns {
    /// The way from the top of the worktree to the root, empty or with `/` at its end.
    above: String,
    rules: Rules,
    /// The user's own, which count after all others.
    global: GlobalRules,
    attributes: Attributes,
    /// True if those of the user and the system were added.
    has_general: bool,
    /// True if any file of attributes was added.
    has_attributes: bool,
}

#[derive(Debug)]
enum GlobalRules {
    NotAsked,
    Known(Rules),
    Unseen,
}

impl Patterns {
    /// Reads the patterns of the repository, and those above the root.
    pub(crate) async fn read(
        io: &Io,
        repository: Option<&RepositoryFolders>,
        configuration: &Configuration,
        notes: &mut Vec<Note>,
    ) -> Patterns {
        let case = configuration.case();
        let mut patterns = Patterns {
            above: String::new(),
            rules: Rules::new(case),
            global: GlobalRules::NotAsked,
            attributes: Attributes::new(case),
            has_general: false,
            has_attributes: false,
        };
        let Some(repository) = repository else {
            patterns.global = GlobalRules::Unseen;
            return patterns;
        };
        let (git, follow) = (&repository.common, Links::Follow);
        if let Some(text) = file(io, git, "info/exclude", follow, notes).await {
            patterns.rules.add_general(&text);
        }
        if let Some(text) = file(io, git, "info/attributes", follow, notes).await {
            patterns.attributes.add_info(&text);
            patterns.has_attributes = true;
        }
        if !repository.below.is_empty() {
            patterns.above = [&repository.below, "/"].concat();
            let mut folder = String::new();
            for part in repository.below.split('/') {
                for name in [IGNORE, ATTRIBUTES] {
                    let path = [&folder, name].concat();
                    if let Some(text) = file(io, &repository.top, &path, Links::Refuse, notes).await
                    {
                        patterns.add(&folder, name, &text);
                    }
                }
                folder = [&folder, part, "/"].concat();
            }
        }
        patterns
    }

    /// The ignored paths and folders that git printed, each from the top with NUL behind it,
    /// instead of the patterns.
    pub(crate) fn of_paths(configuration: &Configuration, above: &str, printed: &[u8]) -> Patterns {
        let case = configuration.case();
        let mut rules = Rules::new(case);
        let mut text = Vec::new();
        for path in printed.split(|&byte| byte == 0).filter(|it| !it.is_empty()) {
            text.push(b'/');
            for &byte in path {
                if b"*?[\\ \r".contains(&byte) {
                    text.push(b'\\');
                }
                text.push(byte);
            }
            text.push(b'\n');
        }
        rules.add_general(&text);
        Patterns {
            above: above.to_owned(),
            rules,
            global: GlobalRules::Unseen,
            attributes: Attributes::new(case),
            has_general: false,
            has_attributes: false,
        }
    }

    /// Reads a file of patterns that stands in a folder, whose path is relative to the root.
    pub(crate) async fn add_standing(
        &mut self,
        io: &Io,
        root: &str,
        folder: &str,
        name: &str,
        notes: &mut Vec<Note>,
    ) {
        let path = [folder, name].concat();
        if let Some(text) = file(io, root, &path, Links::Refuse, notes).await {
            let folder = self.path_from_top(folder);
            self.add(&folder, name, &text);
        }
    }

    /// Takes a text for the `.gitignore` of a folder, whose path is relative to the root.
    pub(crate) fn suppose(&mut self, folder: &str, text: &[u8]) {
        let folder = self.path_from_top(folder);
        self.add(&folder, IGNORE, text);
    }

    /// Where no `.gitattributes` stands, the one of the index counts.
    pub(crate) async fn add_staged(
        &mut self,
        io: &Io,
        objects: &mut Objects,
        table: &Table,
        folder: &str,
    ) {
        let path = [folder, ATTRIBUTES].concat();
        let rows = table.find(path.as_bytes());
        let Some(row) = rows
            .first()
            .filter(|it| it.tracking == IndexTracking::Staged)
        else {
            return;
        };
        if let Ok(object) = objects.read(io, row.id, MOST_BYTES as usize).await {
            let folder = self.path_from_top(folder);
            self.add(&folder, ATTRIBUTES, &object.bytes);
        }
    }

    fn add(&mut self, folder: &str, name: &str, text: &[u8]) {
        if name == IGNORE {
            self.rules.add(folder.as_bytes(), text);
        } else {
            self.attributes.add(folder.as_bytes(), text);
            self.has_attributes = true;
        }
    }

    fn path_from_top(&self, path: &str) -> String {
        [&self.above, path].concat()
    }

    /// Returns whether the folder of the root is in an ignored one, or is ignored itself.
    pub(crate) fn ignores_root(&self) -> bool {
        let above = self.above.strip_suffix('/');
        above.is_some_and(|above| self.rules.ignores(above.as_bytes(), IgnorePathKind::Folder))
    }

    /// Returns the repository's verdict on a path by itself, apart from the folders above it.
    pub(crate) fn verdict(&self, path: &str, kind: IgnorePathKind) -> IgnoreVerdict {
        match self.above.is_empty() {
            true => self.rules.verdict(path.as_bytes(), kind),
            false => self
                .rules
                .verdict(self.path_from_top(path).as_bytes(), kind),
        }
    }

    /// Returns whether the user's patterns for all repositories ignore a path by itself.
    pub(crate) fn is_ignored_everywhere(&self, path: &str, kind: IgnorePathKind) -> bool {
        match &self.global {
            GlobalRules::Known(rules) => {
                let path = self.path_from_top(path);
                rules.verdict(path.as_bytes(), kind) == IgnoreVerdict::Ignored
            }
            GlobalRules::NotAsked | GlobalRules::Unseen => false,
        }
    }

    /// Looks for what the user has for all repositories, once.
    pub(crate) async fn settle(
        &mut self,
        io: &Io,
        configuration: &mut Configuration,
        notes: &mut Vec<Note>,
    ) {
        if matches!(self.global, GlobalRules::NotAsked) {
            self.global = global(io, configuration, notes).await;
        }
    }

    /// Looks again for what the user has for all repositories, where it was not seen.
    pub(crate) async fn settle_unseen(
        &mut self,
        io: &Io,
        configuration: &mut Configuration,
        notes: &mut Vec<Note>,
    ) {
        if !matches!(self.global, GlobalRules::Known(_)) {
            notes.retain(|note| *note != Note::GlobalExcludesUnseen);
            self.global = global(io, configuration, notes).await;
        }
    }

    /// Returns whether a path is ignored, itself or with a folder that holds it, by the patterns
    /// read so far.
    pub(crate) fn ignores(&self, path: &str, kind: IgnorePathKind) -> bool {
        let path = self.path_from_top(path);
        let path = path.as_bytes();
        let slashes = (0..path.len()).filter(|at| path[*at] == b'/');
        let above = slashes.map(|end| (&path[..end], IgnorePathKind::Folder));
        above.chain([(path, kind)]).any(|(path, kind)| {
            match (self.rules.verdict(path, kind), &self.global) {
                (IgnoreVerdict::Unmentioned, GlobalRules::Known(global)) => {
                    global.verdict(path, kind) == IgnoreVerdict::Ignored
                }
                (verdict, _) => verdict == IgnoreVerdict::Ignored,
            }
        })
    }

    /// The attributes of a path that make git store other bytes.
    ///
    /// The attributes of the user and the system are looked for where the repository has an
    /// attribute for the path as well: to ask git for them at each start would cost more than all
    /// else.
    pub(crate) async fn values(
        &mut self,
        io: &Io,
        configuration: &mut Configuration,
        path: &str,
    ) -> [AttributeValue; 6] {
        if self.has_attributes {
            self.add_general(io, configuration).await;
        }
        self.attributes.values(self.path_from_top(path).as_bytes())
    }

    /// Adds the attributes of the user and the system, once.
    pub(crate) async fn add_general(&mut self, io: &Io, configuration: &mut Configuration) {
        if self.has_general {
            return;
        }
        (self.has_general, self.has_attributes) = (true, true);
        for path in configuration.attributes(io).await.unwrap_or_default() {
            if let Ok(text) = io.read(path, MOST_BYTES, Links::Follow).await {
                self.attributes.add_general(&text);
            }
        }
    }
}

/// The user's own patterns.
async fn global(io: &Io, configuration: &mut Configuration, notes: &mut Vec<Note>) -> GlobalRules {
    let Some(path) = configuration.excludes(io).await else {
        notes.push(Note::GlobalExcludesUnseen);
        return GlobalRules::Unseen;
    };
    let mut rules = Rules::new(configuration.case());
    match io.read(path, MOST_BYTES, Links::Follow).await {
        Ok(text) => rules.add_general(&text),
        Err(failed) if matches!(failed.fault, Fault::NotFound | Fault::WrongKind) => {}
        Err(_) => notes.push(Note::GlobalExcludesUnseen),
    }
    GlobalRules::Known(rules)
}

/// A file of patterns; git takes none that is a symbolic link in the worktree.
async fn file(
    io: &Io,
    above: &str,
    path: &str,
    links: Links,
    notes: &mut Vec<Note>,
) -> Option<Vec<u8>> {
    match io.read(join(above, path), MOST_BYTES, links).await {
        Ok(text) => Some(text),
        Err(failed) => {
            let is_none = matches!(
                failed.fault,
                Fault::NotFound | Fault::Symlink | Fault::WrongKind
            );
            if !is_none {
                notes.push(Note::PatternsUnread(path.to_owned()));
            }
            None
        }
    }
}
