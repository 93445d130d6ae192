//! The cases in which git stores other bytes than a file holds (gitattributes): filters, ends of lines, `$Id$`
//! and encodings. Comparing such a file with what is stored needs git.

mod line;

use super::ignore::{Case, name_at};
use line::AttributesLine;

/// The value of an attribute for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// Nothing is said, or `!attribute`.
    Unspecified,
    /// `attribute`
    Set,
    /// `-attribute`
    Unset,
    /// `attribute=text`
    Text(Vec<u8>),
}

/// The attributes that make git store other bytes, in the order of [`Attributes::values`].
pub const CONVERTING: [&str; 6] = [
    "text",
    "crlf",
    "eol",
    "filter",
    "ident",
    "working-tree-encoding",
];

/// The conversion of ends of lines where no attribute says it: as `core.autocrlf` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    /// `false`, or not set.
    Unconverted,
    /// `true` or `input`: CRLF becomes LF in what git takes for text.
    Converted,
}

/// The reason that only git can say what it stores of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionReason {
    /// The filter of this name, if it is configured; that of large files is `lfs`.
    Filter(Vec<u8>),
    /// It has another encoding in the worktree.
    Encoding(Vec<u8>),
    /// It holds `$Id`, which is stored without what git put in.
    Ident,
    /// It holds CRLF, which is stored as LF, in a file that is taken for text.
    LineEnds,
}

/// The attributes of a worktree.
#[derive(Clone, Debug)]
pub struct Attributes {
    case: Case,
    /// `info/attributes`, before all others.
    info: Vec<AttributesLine>,
    /// Those of `.gitattributes` files, in the order of their folders, which end in `/`.
    folders: Vec<(Vec<u8>, Vec<AttributesLine>)>,
    /// Those of the user and the system, behind all others; the last one counts first.
    general: Vec<Vec<AttributesLine>>,
}

impl Attributes {
    /// None but what git has built in.
    pub fn new(case: Case) -> Attributes {
        Attributes {
            case,
            info: Vec::new(),
            folders: Vec::new(),
            general: vec![line::parse(b"[attr]binary -diff -merge -text", case)],
        }
    }

    /// Adds a file for all worktrees: first that of the system, then `core.attributesFile`.
    pub fn add_general(&mut self, text: &[u8]) {
        self.general.push(line::parse(text, self.case));
    }

    /// Adds `info/attributes`.
    pub fn add_info(&mut self, text: &[u8]) {
        self.info = line::parse(text, self.case);
    }

    /// Adds the `.gitattributes` of a folder, instead of one that was added before. The folder's path
    /// is from the top of the worktree, with `/` at its end, and empty for the top.
    pub fn add(&mut self, folder: &[u8], text: &[u8]) {
        let mut lines = line::parse(text, self.case);
        if !folder.is_empty() {
            // Only what counts for all may name several attributes by one.
            lines.retain(|line| line.name().is_none());
        }
        match self.position(folder) {
            Ok(at) => self.folders[at].1 = lines,
            Err(at) => self.folders.insert(at, (folder.to_vec(), lines)),
        }
    }

    /// The values of the attributes of [`CONVERTING`] for a file.
    pub fn values(&self, path: &[u8]) -> [AttributeValue; 6] {
        let mut known = Vec::new();
        let name = name_at(path);
        for (start, lines) in self.files_of(path) {
            for line in lines
                .iter()
                .rev()
                .filter(|it| it.matches(path, start, name))
            {
                self.learn(line, &mut known);
            }
        }
        CONVERTING.map(|name| {
            let found = known.iter().find(|(known, _)| *known == name.as_bytes());
            found.map_or(AttributeValue::Unspecified, |(_, value)| (*value).clone())
        })
    }

    /// Why git stores something else of this file than it holds; `None` where it stores that.
    pub fn reason(
        &self,
        path: &[u8],
        content: &[u8],
        unspecified: LineEnds,
    ) -> Option<ConversionReason> {
        let holds = |part: &[u8]| content.windows(part.len()).any(|it| it == part);
        let [text, crlf, eol, filter, ident, encoding] = self.values(path);
        if let AttributeValue::Text(name) = filter {
            return Some(ConversionReason::Filter(name));
        }
        let is_plain = |name: &[u8]| {
            let names = [&b""[..], b"utf-8", b"utf8"];
            names.iter().any(|it| it.eq_ignore_ascii_case(name))
        };
        match encoding {
            AttributeValue::Text(name) if !is_plain(&name) => {
                return Some(ConversionReason::Encoding(name));
            }
            // With these git refuses the file.
            AttributeValue::Set | AttributeValue::Unset => {
                return Some(ConversionReason::Encoding(Vec::new()));
            }
            AttributeValue::Text(_) | AttributeValue::Unspecified => {}
        }
        if ident == AttributeValue::Set && holds(b"$Id") {
            return Some(ConversionReason::Ident);
        }
        let ends = line_ends(&text)
            .or_else(|| line_ends(&crlf))
            .or_else(|| is_eol(&eol).then_some(LineEnds::Converted))
            .unwrap_or(unspecified);
        (ends == LineEnds::Converted && holds(b"\r\n")).then_some(ConversionReason::LineEnds)
    }

    /// The files that count for a path, each with where it counts from, those first that win.
    fn files_of<'a>(
        &'a self,
        path: &'a [u8],
    ) -> impl Iterator<Item = (usize, &'a [AttributesLine])> {
        let slashes = (0..path.len()).rev().filter(|at| path[*at] == b'/');
        let starts = slashes.map(|at| at + 1).chain([0]);
        let folders = starts.filter_map(|start| {
            let at = self.position(&path[..start]).ok()?;
            Some((start, &self.folders[at].1[..]))
        });
        let general = self.general.iter().rev().map(|lines| (0, &lines[..]));
        std::iter::once((0, &self.info[..]))
            .chain(folders)
            .chain(general)
    }

    /// Adds what a line says and nothing before it did. What one attribute stands for comes with it.
    fn learn<'a>(
        &'a self,
        line: &'a AttributesLine,
        known: &mut Vec<(&'a [u8], &'a AttributeValue)>,
    ) {
        let mut open = vec![line.values.iter().rev()];
        while let Some(values) = open.last_mut() {
            let Some((name, value)) = values.next() else {
                open.pop();
                continue;
            };
            if known.iter().any(|(known, _)| known == name) {
                continue;
            }
            known.push((name, value));
            if *value == AttributeValue::Set {
                open.extend(self.standing_for(name).map(|line| line.values.iter().rev()));
            }
        }
    }

    /// The line that says what an attribute stands for.
    fn standing_for(&self, name: &[u8]) -> Option<&AttributesLine> {
        let mut files = self.files_of(b"").map(|(_, lines)| lines);
        files.find_map(|lines| lines.iter().rev().find(|line| line.name() == Some(name)))
    }

    fn position(&self, folder: &[u8]) -> Result<usize, usize> {
        self.folders
            .binary_search_by(|(other, _)| other.as_slice().cmp(folder))
    }
}

/// The conversion of ends of lines that `text`, or its old name `crlf`, asks for.
fn line_ends(text: &AttributeValue) -> Option<LineEnds> {
    match text {
        AttributeValue::Set => Some(LineEnds::Converted),
        AttributeValue::Unset => Some(LineEnds::Unconverted),
        AttributeValue::Text(text) if text == b"input" || text == b"auto" => {
            Some(LineEnds::Converted)
        }
        AttributeValue::Text(_) | AttributeValue::Unspecified => None,
    }
}

fn is_eol(eol: &AttributeValue) -> bool {
    matches!(eol, AttributeValue::Text(text) if text == b"lf" || text == b"crlf")
}
