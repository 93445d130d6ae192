//! The files that git ignores (gitignore): `.gitignore` in every folder, `info/exclude`, and the user's
//! `core.excludesFile`.
//!
//! A file that is tracked is not ignored, regardless of this. Git takes no `.gitignore` that is a
//! symbolic link. Files are at most as large as their reader allows; a match takes time in
//! proportion to the pattern and to the path.

pub(super) mod glob;

use glob::Glob;

/// The meaning of letter case, as `core.ignoreCase` says. Letters are those of ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `A` and `a` are two.
    Exact,
    /// `A` and `a` are one.
    Folded,
}

/// The kind of file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnorePathKind {
    /// A folder, no link to one.
    Folder,
    /// Anything else.
    File,
}

/// The verdict of the patterns on one path, apart from those above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoreVerdict {
    /// The last pattern that matches ignores it.
    Ignored,
    /// The last pattern that matches begins with `!`.
    Included,
    /// No pattern matches.
    Unmentioned,
}

/// The patterns of a worktree.
#[derive(Clone, Debug)]
pub struct Rules {
    case: Case,
    /// Those of the whole worktree; the last one counts first.
    general: Vec<Vec<IgnoreRule>>,
    /// Those of `.gitignore` files, in the order of their folders, which end in `/`.
    folders: Vec<(Vec<u8>, Vec<IgnoreRule>)>,
}

/// One line.
#[derive(Clone, Debug)]
struct IgnoreRule {
    is_negated: bool,
    is_of_folders: bool,
    pattern: Pattern,
}

/// The pattern of one line: of `.gitattributes` as well.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Without a `/` it is compared with the last part of a path alone.
    is_of_names: bool,
    /// `None` for what matches nothing.
    glob: Option<Glob>,
}

impl Rules {
    /// None.
    pub fn new(case: Case) -> Rules {
        Rules {
            case,
            general: Vec::new(),
            folders: Vec::new(),
        }
    }

    /// Adds a file for the whole worktree: first `core.excludesFile`, then `info/exclude`, which
    /// comes before it, as every `.gitignore` comes before both.
    pub fn add_general(&mut self, text: &[u8]) {
        self.general.push(parse(text, self.case));
    }

    /// Adds the `.gitignore` of a folder, instead of one that was added before. The folder's path is
    /// from the top of the worktree, with `/` at its end, and empty for the top.
    pub fn add(&mut self, folder: &[u8], text: &[u8]) {
        let rules = parse(text, self.case);
        match self.position(folder) {
            Ok(at) => self.folders[at].1 = rules,
            Err(at) => self.folders.insert(at, (folder.to_vec(), rules)),
        }
    }

    /// Returns whether a path is ignored, itself or with a folder that holds it: a file below an ignored
    /// folder cannot be kept. The path is from the top of the worktree, without `/` at its end.
    pub fn ignores(&self, path: &[u8], kind: IgnorePathKind) -> bool {
        let slashes = (0..path.len()).filter(|at| path[*at] == b'/');
        let mut above = slashes.map(|end| self.verdict(&path[..end], IgnorePathKind::Folder));
        above.any(|verdict| verdict == IgnoreVerdict::Ignored)
            || self.verdict(path, kind) == IgnoreVerdict::Ignored
    }

    /// The verdict on a path itself. For a walk that comes down from the top and goes into no folder
    /// that is ignored, this is enough.
    pub fn verdict(&self, path: &[u8], kind: IgnorePathKind) -> IgnoreVerdict {
        let slashes = (0..path.len()).rev().filter(|at| path[*at] == b'/');
        for start in slashes.map(|at| at + 1).chain([0]) {
            let Ok(at) = self.position(&path[..start]) else {
                continue;
            };
            let verdict = verdict(&self.folders[at].1, path, start, kind);
            if verdict != IgnoreVerdict::Unmentioned {
                return verdict;
            }
        }
        let general = self.general.iter().rev();
        let mut general = general.map(|rules| verdict(rules, path, 0, kind));
        let said = general.find(|verdict| *verdict != IgnoreVerdict::Unmentioned);
        said.unwrap_or(IgnoreVerdict::Unmentioned)
    }

    fn position(&self, folder: &[u8]) -> Result<usize, usize> {
        self.folders
            .binary_search_by(|(other, _)| other.as_slice().cmp(folder))
    }
}

fn verdict(rules: &[IgnoreRule], path: &[u8], start: usize, kind: IgnorePathKind) -> IgnoreVerdict {
    let name = name_at(path);
    let matches = |rule: &&IgnoreRule| {
        (kind == IgnorePathKind::Folder || !rule.is_of_folders)
            && rule.pattern.matches(path, start, name)
    };
    match rules.iter().rev().find(matches) {
        Some(rule) if rule.is_negated => IgnoreVerdict::Included,
        Some(_) => IgnoreVerdict::Ignored,
        None => IgnoreVerdict::Unmentioned,
    }
}

/// The rules of a file, in its order.
fn parse(text: &[u8], case: Case) -> Vec<IgnoreRule> {
    lines(text).filter_map(|line| rule(line, case)).collect()
}

/// The lines of a file of patterns, which may begin with a byte order mark.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn rule(line: &[u8], case: Case) -> Option<IgnoreRule> {
    // To git a line is a string of C.
    let line = line.split(|&byte| byte == 0).next()?;
    if line.first().is_none_or(|&first| first == b'#') {
        return None;
    }
    let line = without_final_spaces(line);
    let (is_negated, line) = match line.strip_prefix(b"!") {
        Some(line) => (true, line),
        None => (false, line),
    };
    let (is_of_folders, line) = match line.strip_suffix(b"/") {
        Some(line) => (true, line),
        None => (false, line),
    };
    Some(IgnoreRule {
        is_negated,
        is_of_folders,
        pattern: Pattern::new(line, case),
    })
}

/// A space at the end counts where a `\` stands before it.
fn without_final_spaces(line: &[u8]) -> &[u8] {
    let mut spaces = None;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match byte {
            b' ' => drop(spaces.get_or_insert(at)),
            b'\\' if at + 1 == line.len() => return line,
            b'\\' => {
                at += 1;
                spaces = None;
            }
            _ => spaces = None,
        }
        at += 1;
    }
    &line[..spaces.unwrap_or(line.len())]
}

impl Pattern {
    /// Reads one, without `!` in front and `/` at its end.
    pub(super) fn new(text: &[u8], case: Case) -> Pattern {
        let is_of_names = !text.contains(&b'/');
        let text = text.strip_prefix(b"/").unwrap_or(text);
        let glob = Some(text).filter(|text| !text.is_empty());
        Pattern {
            is_of_names,
            glob: glob.and_then(|text| Glob::new(text, case)),
        }
    }

    /// Returns whether it matches a path, of which the last part begins at `name`, where the file that it
    /// stands in counts from `start`.
    pub(super) fn matches(&self, path: &[u8], start: usize, name: usize) -> bool {
        let start = if self.is_of_names { name } else { start };
        let glob = self.glob.as_ref();
        glob.is_some_and(|glob| path.get(start..).is_some_and(|text| glob.matches(text)))
    }
}

/// Returns the offset of the last part of a path.
pub(super) fn name_at(path: &[u8]) -> usize {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    slash.map_or(0, |slash| slash + 1)
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
