//! The files of a worktree at the last moment that was kept for rewinds: what is unchanged since is not read again.
//!
//! It is a cache beside the moments. Without it, or with one that is damaged, all is read again.

use super::plan::fact::octal;
use super::snapshot::{SnapshotFile, kind_letters, listed};

/// The first line, with the version of the format.
const TITLE: &str = "known files 1";

/// The fields of a record; the path is the last.
const FIELDS: usize = 13;

/// The time that a clock that stamps files may stand still, in milliseconds.
const TICK_MS: f64 = 40.0;

/// That time on a file system that counts in whole or even seconds.
const COARSE_TICK_MS: f64 = 2_000.0;

/// The stamp of a file: as long as it is equal, the file is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Bytes.
    pub size: u64,
    /// The bits of the time of its last write, in milliseconds since 1970.
    pub modified: u64,
    /// The bits of the time of its last change, not a number where the host does not know it.
    pub changed: u64,
    /// The number that distinguishes it from others of its file system; 0 where the host does not know it.
    pub number: u64,
}

impl FileStamp {
    /// Returns whether the file could have been changed after a look that began at a time, with the same stamp.
    pub fn is_racy(&self, began_ms: f64) -> bool {
        let is_before = |bits: u64| {
            let ms = f64::from_bits(bits);
            let tick = match ms % 1000.0 == 0.0 {
                true => COARSE_TICK_MS,
                false => TICK_MS,
            };
            ms + tick < began_ms
        };
        let is_changed_known = !f64::from_bits(self.changed).is_nan();
        !is_before(self.modified) || is_changed_known && !is_before(self.changed)
    }
}

/// The listing of a path in the moment whose files are listed in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseListing {
    /// It does not list the path.
    #[default]
    None,
    /// It lists the path as it is now.
    Same,
    /// It lists the path with something else.
    Other,
}

/// A file, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// Relative to the root.
    pub path: String,
    /// Its stamp; `None` where it has to be read again in any case.
    pub stamp: Option<FileStamp>,
    /// The blob that its bytes were compared with, and whether they are equal.
    pub compared: Option<(String, bool)>,
    /// The file as the last moment lists it.
    pub listed: Option<SnapshotFile>,
    /// The reason why its content is not kept.
    pub omitted: Option<String>,
    /// True if it is kept even where it looks like a file of secrets.
    pub is_allowed: bool,
    /// The listing of the moment that lists all files.
    pub base: BaseListing,
}

impl KnownFile {
    /// A path of which nothing is known.
    pub fn new(path: String) -> Self {
        KnownFile {
            path,
            stamp: None,
            compared: None,
            listed: None,
            omitted: None,
            is_allowed: false,
            base: BaseListing::None,
        }
    }

    /// Returns whether nothing is known.
    pub fn is_nothing(&self) -> bool {
        let has_content = self.listed.is_some() || self.omitted.is_some();
        !has_content && self.compared.is_none() && self.base == BaseListing::None
    }

    fn to_record(&self) -> String {
        let stamp = match &self.stamp {
            Some(it) => format!(
                "{:x}\t{:x}\t{:x}\t{:x}",
                it.size, it.modified, it.changed, it.number
            ),
            None => "-\t-\t-\t-".to_owned(),
        };
        let compared = match &self.compared {
            Some((id, true)) => ["=", id].concat(),
            Some((id, false)) => ["!", id].concat(),
            None => "-".to_owned(),
        };
        let content = self.listed.as_ref().and_then(|it| it.content.as_ref());
        let bits = content.and_then(|it| it.permissions);
        let within = self.listed.as_ref().and_then(|it| it.within.as_ref());
        let base = match self.base {
            BaseListing::None => 'n',
            BaseListing::Same => 's',
            BaseListing::Other => 'o',
        };
        let allowed = if self.is_allowed { 'a' } else { '-' };
        let fields = [
            stamp,
            compared,
            self.listed.as_ref().map_or("-".to_owned(), kind_letters),
            bits.map_or("-".to_owned(), octal),
            content.map_or("-".to_owned(), |it| it.size.to_string()),
            content.map_or("-".to_owned(), |it| it.sha256.clone()),
            within.map_or("-".to_owned(), |it| format!("{}:{}", it.sha256, it.offset)),
            [allowed, base].iter().collect(),
            self.omitted
                .as_deref()
                .unwrap_or("-")
                .replace(['\t', '\0'], " "),
            self.path.clone(),
        ];
        fields.join("\t")
    }

    fn of_record(record: &str) -> Option<KnownFile> {
        let fields: Vec<&str> = record.splitn(FIELDS, '\t').collect();
        let &[
            size,
            modified,
            changed,
            number,
            compared,
            letters,
            bits,
            content_size,
            sha256,
            within,
            flags,
            omitted,
            path,
        ] = fields.as_slice()
        else {
            return None;
        };
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let stamp = match size {
            "-" => None,
            _ => Some(FileStamp {
                size: hex(size)?,
                modified: hex(modified)?,
                changed: hex(changed)?,
                number: hex(number)?,
            }),
        };
        let compared = match compared.split_at_checked(1)? {
            ("=", id) => Some((id.to_owned(), true)),
            ("!", id) => Some((id.to_owned(), false)),
            _ => None,
        };
        let listed = match letters {
            "-" => None,
            letters => Some(listed(
                letters,
                path,
                (bits, content_size),
                (sha256, within),
            )?),
        };
        Some(KnownFile {
            path: path.to_owned(),
            stamp,
            compared,
            listed,
            omitted: (omitted != "-").then(|| omitted.to_owned()),
            is_allowed: flags.starts_with('a'),
            base: match flags.as_bytes().get(1)? {
                b's' => BaseListing::Same,
                b'o' => BaseListing::Other,
                _ => BaseListing::None,
            },
        })
    }
}

/// All that is known, sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownFiles {
    /// The moment that lists all files.
    pub base: Option<String>,
    /// The last moment that lists files of its own; `None` where the last one was not complete.
    pub last: Option<String>,
    /// The digest of all that the last moment says but for its files.
    pub rest: String,
    /// That of the moment that lists all files.
    pub base_rest: String,
    /// The commit of the last moment; empty for none.
    pub head: String,
    /// The files.
    pub files: Vec<KnownFile>,
}

impl KnownFiles {
    /// Returns what is known of a path.
    pub fn find(&self, path: &str) -> Option<&KnownFile> {
        let at = self.files.binary_search_by(|it| it.path.as_str().cmp(path));
        Some(&self.files[at.ok()?])
    }

    /// Forgets the moment that lists all files.
    pub fn without_base(mut self) -> Self {
        for file in &mut self.files {
            file.base = BaseListing::None;
        }
        self.files.retain(|it| !it.is_nothing());
        KnownFiles {
            base: None,
            last: None,
            ..self
        }
    }

    /// As it is stored.
    pub fn to_text(&self) -> String {
        let text = |it: &Option<String>| it.clone().unwrap_or("-".to_owned());
        let count = self.files.len();
        let first = [
            TITLE.to_owned(),
            text(&self.base),
            text(&self.last),
            self.rest.clone(),
            self.base_rest.clone(),
            self.head.clone(),
            count.to_string(),
        ];
        let mut stored = first.join("\t");
        stored.push('\0');
        for file in &self.files {
            stored.push_str(&file.to_record());
            stored.push('\0');
        }
        stored
    }

    /// From what is stored; `None` where it is of another version or not whole.
    pub fn of(stored: &[u8]) -> Option<KnownFiles> {
        let stored = std::str::from_utf8(stored).ok()?;
        let mut records = stored.split('\0');
        let first: Vec<&str> = records.next()?.split('\t').collect();
        let &[TITLE, base, last, rest, base_rest, head, count] = first.as_slice() else {
            return None;
        };
        let text = |it: &str| (it != "-").then(|| it.to_owned());
        let mut files = Vec::new();
        for record in records {
            if !record.is_empty() {
                files.push(KnownFile::of_record(record)?);
            }
        }
        let is_sorted = files.is_sorted_by(|one, other| one.path < other.path);
        let is_whole = count.parse() == Ok(files.len()) && stored.ends_with('\0');
        (is_whole && is_sorted).then(|| KnownFiles {
            base: text(base),
            last: text(last),
            rest: rest.to_owned(),
            base_rest: base_rest.to_owned(),
            head: head.to_owned(),
            files,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{BaseListing, FileStamp, KnownFile, KnownFiles};
    use crate::checkpoint::session::plan::fact::{ContentKind, PathContent};
    use crate::checkpoint::session::snapshot::{BundlePart, SnapshotChange, SnapshotFile};

    fn stamp(modified: f64, changed: f64) -> FileStamp {
        FileStamp {
            size: 7,
            modified: modified.to_bits(),
            changed: changed.to_bits(),
            number: 9,
        }
    }

    fn known() -> KnownFiles {
        let file = |path: &str, kind, within| SnapshotFile {
            path: path.to_owned(),
            change: SnapshotChange::Modified,
            content: Some(PathContent {
                kind,
                is_executable: Some(true),
                permissions: Some(0o750),
                size: 7,
                sha256: "ab".repeat(32),
            }),
            is_staged: true,
            within,
        };
        let within = BundlePart {
            sha256: "cd".repeat(32),
            offset: 12,
        };
        KnownFiles {
            base: Some("chk-20260101-000000".to_owned()),
            last: None,
            rest: "0f".to_owned(),
            base_rest: String::new(),
            head: "12".repeat(20),
            files: vec![
                KnownFile {
                    stamp: Some(stamp(1.5, f64::NAN)),
                    compared: Some(("12".repeat(20), false)),
                    listed: Some(file("a\tb\nc", ContentKind::File, Some(within))),
                    base: BaseListing::Other,
                    ..KnownFile::new("a\tb\nc".to_owned())
                },
                KnownFile {
                    omitted: Some("is too large".to_owned()),
                    is_allowed: true,
                    ..KnownFile::new("b".to_owned())
                },
                KnownFile {
                    listed: Some(SnapshotFile {
                        content: None,
                        change: SnapshotChange::Deleted,
                        ..file("ü", ContentKind::Link, None)
                    }),
                    base: BaseListing::Same,
                    ..KnownFile::new("ü".to_owned())
                },
            ],
        }
    }

    #[test]
    fn what_is_known_is_read_back_unchanged() {
        let known = known();
        assert_eq!(KnownFiles::of(known.to_text().as_bytes()), Some(known));
        let empty = KnownFiles::default();
        assert_eq!(KnownFiles::of(empty.to_text().as_bytes()), Some(empty));
    }

    #[test]
    fn what_is_cut_off_or_of_another_version_is_not_known() {
        let text = known().to_text();
        for end in (0..text.len()).filter(|it| text.is_char_boundary(*it)) {
            assert_eq!(KnownFiles::of(&text.as_bytes()[..end]), None, "{end}");
        }
        let other = text.replace("known files 1", "known files 2");
        assert_eq!(KnownFiles::of(other.as_bytes()), None);
        assert_eq!(KnownFiles::of(b"\xff"), None);
    }

    #[test]
    fn a_file_that_was_written_when_the_look_began_is_racy() {
        let began = 1_795_372_500_100.5;
        for (modified, changed, expected) in [
            (began - 41.0, f64::NAN, false),
            (began - 39.0, f64::NAN, true),
            (began + 1.0, f64::NAN, true),
            (began - 41.0, began - 1.0, true),
            (began - 41.0, began - 41.0, false),
            // A file system that counts seconds.
            (1_795_372_499_000.0, f64::NAN, true),
            (1_795_372_498_000.0, f64::NAN, false),
            (f64::NAN, f64::NAN, true),
        ] {
            let stamp = stamp(modified, changed);
            assert_eq!(stamp.is_racy(began), expected, "{modified} {changed}");
        }
    }
}
