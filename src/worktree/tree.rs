//! A worktree with what git knows of it, and whether a standing file is what git has stored.

use super::configured::{AutoCrlf, Configuration};
use super::content::{self, Match};
use super::objects::{Lacking, Objects};
use super::patterns::Patterns;
use super::scan_aid::{Exclusions, ScanAid, stamp_of};
use super::table::{StoredBlob, Table, TrackedRow};
use crate::checkpoint::session::plan::fact::PERMISSIONS;
use crate::effect::{Failed, Io, PathEntry, PathKind, Scanned};
use crate::git::attributes::AttributeValue;
use crate::git::entries::IndexTime;
use crate::git::folder::join;
use crate::git::id::Hash;
use crate::git::line_ends::{CheckoutLineEnds, Ends};
use crate::git::objects::{GitObject, ObjectKind};
use crate::git::programs::FilterEffect;
use crate::root::RepositoryFolders;

/// All that was read of a worktree.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) root: String,
    pub(crate) repository: Option<RepositoryFolders>,
    pub(crate) configuration: Configuration,
    pub(crate) patterns: Patterns,
    pub(crate) table: Table,
    pub(crate) objects: Objects,
    /// The time when the index file was written, in milliseconds since 1970.
    pub(crate) index_ms: f64,
    /// The filters that were not run, because the repository alone defines them, each with the path of a file.
    pub(crate) refused: Vec<(String, String)>,
    /// The facts of an earlier scan, and the bounds of this one.
    pub(crate) aid: ScanAid,
    pub(crate) excluded: Exclusions,
}

/// The answer to whether the index still knows a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stat {
    /// Nothing happened to it since it was the same.
    Same,
    /// Its bytes have to decide.
    Unknown,
    /// Its size differs, which git takes for another content even where it would store the same.
    OtherSize,
}

/// The result of a comparison of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BytesComparison {
    Same,
    Differs,
    /// Only git can decide.
    Doubtful,
    /// Only a filter that is not run could compare it.
    Refused,
}

/// The conversion between the worktree and the stored content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// Ends of lines and `$Id$` at most.
    Nothing,
    /// A filter or an encoding, which git knows.
    Git,
    /// A filter that the repository alone defines.
    Refused,
}

/// A larger file is not read before what is stored was looked at, which is no larger then.
const LARGE_BYTES: u64 = 64 << 20;
/// A clock that stamps files may stand still for so many milliseconds, in which a file can change twice.
const TICK_MS: f64 = 40.0;
/// Half of a microsecond, the precision of a number of milliseconds since 1970, and some more.
const NEAR_MS: f64 = 0.001;

impl Tree {
    /// A path of the host.
    pub(crate) fn at(&self, path: &str) -> String {
        join(&self.root, path)
    }

    /// Returns the hash that names objects here.
    pub(crate) fn hash(&self) -> Hash {
        self.objects.hash()
    }

    /// Returns what a look at a file shows about its equality with the index.
    pub(crate) fn stat(&self, row: &TrackedRow, scanned: &Scanned) -> Stat {
        let size = scanned.entry.size as u32;
        // Git writes 0 for a file that it has to look at again. Hosts do not give the size of a
        // link.
        if scanned.entry.kind == PathKind::File && row.size != size {
            return match row.size {
                0 => Stat::Unknown,
                _ => Stat::OtherSize,
            };
        }
        let is_same = is_time(row.modified, scanned.modified_ms)
            && (row.size != 0 || scanned.entry.kind == PathKind::File)
            // Where git has no inodes, its second time is that of creation.
            && (row.number == 0 || is_inode(row, scanned))
            && !self.is_racy(row.modified);
        match is_same {
            true => Stat::Same,
            false => Stat::Unknown,
        }
    }

    /// Returns whether a file could have changed after git looked at it, and have the same times.
    fn is_racy(&self, modified: IndexTime) -> bool {
        if self.index_ms.is_nan() {
            return true;
        }
        match modified.nanoseconds {
            0 => f64::from(modified.seconds) >= (self.index_ms / 1000.0).floor(),
            _ => self.index_ms - ms(modified) < TICK_MS,
        }
    }

    /// Returns whether the bytes of the file at a path are those of a blob, without reading a file that was compared
    /// with the blob before and is unchanged. Once the time for the scan is over, no file is read, and the answer is of
    /// no use.
    pub(crate) async fn compare_once(
        &mut self,
        io: &Io,
        path: &str,
        scanned: &Scanned,
        stored: StoredBlob,
    ) -> Result<BytesComparison, Failed> {
        let stamp = stamp_of(scanned);
        match self.aid.compared.is_same(path, stamp, stored) {
            Some(true) => return Ok(BytesComparison::Same),
            Some(false) => return Ok(BytesComparison::Differs),
            None if !self.aid.budget.begin_read(io).await => return Ok(BytesComparison::Differs),
            None => {}
        }
        let compared = self.compare(io, path, scanned.entry, stored).await;
        self.aid.budget.end_read(io).await;
        if let Ok(BytesComparison::Same | BytesComparison::Differs) = compared {
            let is_same = compared == Ok(BytesComparison::Same);
            self.aid.compared.add(path, stamp, stored, is_same);
        }
        compared
    }

    /// Returns whether the bytes of the file at a path are those of a blob.
    async fn compare(
        &mut self,
        io: &Io,
        path: &str,
        entry: PathEntry,
        stored: StoredBlob,
    ) -> Result<BytesComparison, Failed> {
        let hash = self.hash();
        let at = self.at(path);
        if entry.kind == PathKind::Symlink {
            let bytes = io.read_link(at).await?;
            let kind = ObjectKind::Blob;
            let is_same = GitObject { kind, bytes }.id(hash) == stored.id;
            return Ok(if is_same {
                BytesComparison::Same
            } else {
                BytesComparison::Differs
            });
        }
        let mut ends = Ends::Unconverted;
        let mut has_ident = false;
        if !stored.is_link() {
            let values = self.values(io, path).await;
            match self.between(io, &values).await {
                Between::Nothing => {}
                Between::Git => return Ok(BytesComparison::Doubtful),
                Between::Refused => {
                    let name = filter_named(&values).unwrap_or_default();
                    self.refused.push((name, path.to_owned()));
                    return Ok(BytesComparison::Refused);
                }
            }
            ends = Ends::of(&values);
            has_ident = values[IDENT] == AttributeValue::Set;
        }
        if !has_ident && self.is_beyond(io, entry.size, stored).await {
            return Ok(BytesComparison::Differs);
        }
        let names = content::names(io, &at, entry.size, hash, ends).await?;
        if has_ident && names.has_id {
            return Ok(BytesComparison::Doubtful);
        }
        Ok(match names.are(stored.id, ends) {
            Match::Same => BytesComparison::Same,
            Match::Differs => BytesComparison::Differs,
            Match::SameIfConverted => {
                // Now it matters what the user has configured.
                self.patterns.add_general(io, &mut self.configuration).await;
                let ends = match Ends::of(&self.values(io, path).await) {
                    Ends::Unsaid => match self.configuration.auto_crlf(io).await {
                        AutoCrlf::Off => Ends::Unconverted,
                        AutoCrlf::On | AutoCrlf::Input => Ends::Auto(CheckoutLineEnds::Unsaid),
                        AutoCrlf::Unknown => return Ok(BytesComparison::Doubtful),
                    },
                    said => said,
                };
                match names.are(stored.id, ends) {
                    Match::Same => BytesComparison::Same,
                    Match::Differs | Match::SameIfConverted => BytesComparison::Differs,
                }
            }
        })
    }

    /// Returns whether a large file is more than a blob can become in the worktree, where every
    /// line may end in one byte more: then it need not be read.
    async fn is_beyond(&mut self, io: &Io, size: u64, stored: StoredBlob) -> bool {
        if size <= LARGE_BYTES {
            return false;
        }
        // A blob of less than half of it.
        let most = ((size - 1) / 2).min(LARGE_BYTES);
        let read = self.objects.read(io, stored.id, most as usize).await;
        read.is_ok()
    }

    async fn values(&mut self, io: &Io, path: &str) -> [AttributeValue; 6] {
        let configuration = &mut self.configuration;
        self.patterns.values(io, configuration, path).await
    }

    async fn between(&mut self, io: &Io, values: &[AttributeValue; 6]) -> Between {
        if let AttributeValue::Text(name) = &values[FILTER] {
            match self.configuration.filter(io, name).await {
                FilterEffect::None => {}
                FilterEffect::Runs => return Between::Git,
                FilterEffect::Refused => return Between::Refused,
            }
        }
        let is_encoded = match &values[ENCODING] {
            AttributeValue::Text(name) => {
                let plain = [&b""[..], b"utf-8", b"utf8"];
                !plain.iter().any(|it| it.eq_ignore_ascii_case(name))
            }
            // With these git refuses the file.
            AttributeValue::Set | AttributeValue::Unset => true,
            AttributeValue::Unspecified => false,
        };
        match is_encoded {
            true => Between::Git,
            false => Between::Nothing,
        }
    }

    /// The filter of a path that is not run, because the repository alone defines it.
    pub(crate) async fn refused_filter(&mut self, io: &Io, path: &str) -> Option<String> {
        let values = self.values(io, path).await;
        match self.between(io, &values).await {
            Between::Refused => filter_named(&values),
            Between::Nothing | Between::Git => None,
        }
    }

    /// Returns the content of a file of the worktree that git has stored as this blob; `None` where
    /// only git knows.
    pub(crate) async fn written(
        &mut self,
        io: &Io,
        path: &str,
        stored: StoredBlob,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, Lacking> {
        let bytes = self.objects.read(io, stored.id, limit).await?.bytes;
        if stored.is_link() {
            return Ok(Some(bytes));
        }
        let values = self.values(io, path).await;
        let has_ident = || bytes.windows(3).any(|it| it == b"$Id");
        let is_filtered = self.between(io, &values).await != Between::Nothing;
        if is_filtered || values[IDENT] == AttributeValue::Set && has_ident() {
            return Ok(None);
        }
        let stays = match Ends::of(&values) {
            Ends::Unconverted
            | Ends::Text(CheckoutLineEnds::Lf)
            | Ends::Auto(CheckoutLineEnds::Lf) => true,
            // Nothing is added where no line ends.
            _ if !bytes.contains(&b'\n') => true,
            Ends::Text(CheckoutLineEnds::Crlf) | Ends::Auto(CheckoutLineEnds::Crlf) => false,
            _ if self.had_size(path, stored, bytes.len()) => true,
            Ends::Unsaid => {
                // If it is unknown, git's default, with which it sees no difference at least.
                self.configuration.auto_crlf(io).await != AutoCrlf::On
            }
            Ends::Text(CheckoutLineEnds::Unsaid) | Ends::Auto(CheckoutLineEnds::Unsaid) => false,
        };
        Ok(stays.then_some(bytes))
    }

    /// Returns whether the file was as large as its blob when git saw it last, so that nothing was
    /// converted.
    fn had_size(&self, path: &str, stored: StoredBlob, size: usize) -> bool {
        let rows = self.table.find(path.as_bytes());
        let is_it = |row: &&TrackedRow| row.id == stored.id && row.size != 0;
        let row = rows.first().filter(is_it);
        row.is_some_and(|row| row.size == size as u32)
    }

    /// The nine permission bits of a standing file or folder; `None` where modes mean nothing, or the host has none.
    pub(crate) fn permissions(&self, entry: PathEntry) -> Option<u32> {
        let mode = entry.mode.filter(|_| self.configuration.has_modes());
        Some(mode? & PERMISSIONS)
    }

    /// Returns whether a standing file is executable, as far as it is known: a repository whose
    /// files are where modes mean nothing says so, and then the index decides.
    pub(crate) fn is_executable(
        &self,
        entry: PathEntry,
        stored: Option<StoredBlob>,
    ) -> Option<bool> {
        let mode = entry.mode.filter(|_| self.configuration.has_modes());
        match mode {
            Some(mode) => Some(mode & 0o100 != 0),
            None => Some(stored.filter(|it| !it.is_link())?.is_executable()),
        }
    }
}

/// The places of these in [`crate::git::attributes::CONVERTING`].
const FILTER: usize = 3;
const IDENT: usize = 4;
const ENCODING: usize = 5;

fn filter_named(values: &[AttributeValue; 6]) -> Option<String> {
    match &values[FILTER] {
        AttributeValue::Text(name) => Some(String::from_utf8_lossy(name).into_owned()),
        _ => None,
    }
}

fn ms(time: IndexTime) -> f64 {
    f64::from(time.seconds) * 1000.0 + f64::from(time.nanoseconds) / 1e6
}

/// Returns whether two times are one, as far as both are known.
fn is_time(time: IndexTime, host_ms: f64) -> bool {
    let seconds = (host_ms / 1000.0).floor();
    // The index has the low 32 bits; NaN becomes 0.
    if seconds as i64 as u32 != time.seconds || host_ms.is_nan() {
        return false;
    }
    if time.nanoseconds == 0 {
        return true;
    }
    let rest_ms = host_ms - seconds * 1000.0;
    let wanted_ms = f64::from(time.nanoseconds) / 1e6;
    match host_ms.fract() == 0.0 {
        true => rest_ms == wanted_ms.floor(),
        false => (rest_ms - wanted_ms).abs() <= NEAR_MS,
    }
}

fn is_inode(row: &TrackedRow, scanned: &Scanned) -> bool {
    /// From here on a host may have rounded it.
    const MOST: u64 = 1 << 53;
    let number = scanned.number;
    let is_number = number == 0 || number >= MOST || number as u32 == row.number;
    is_number && (scanned.changed_ms.is_nan() || is_time(row.changed, scanned.changed_ms))
}

#[cfg(test)]
mod tests {
    use super::is_time;
    use crate::git::entries::IndexTime;

    #[test]
    fn times_are_compared_as_far_as_both_are_known() {
        let time = |seconds, nanoseconds| IndexTime {
            seconds,
            nanoseconds,
        };
        let exact = time(1_795_372_500, 123_456_789);
        for (index, host_ms, expected) in [
            (exact, 1_795_372_500_123.456_8, true),
            (exact, 1_795_372_500_123.0, true),
            (exact, 1_795_372_500_123.5, false),
            (exact, 1_795_372_500_124.0, false),
            (exact, 1_795_372_501_123.456_8, false),
            (time(1_795_372_500, 0), 1_795_372_500_999.0, true),
            (time(1_795_372_500, 0), 1_795_372_501_000.0, false),
            (time(0, 0), f64::NAN, false),
            // Beyond what the index counts.
            (time(1, 0), 4_294_967_297_000.0, true),
        ] {
            assert_eq!(is_time(index, host_ms), expected, "{index:?} {host_ms}");
        }
    }
}
