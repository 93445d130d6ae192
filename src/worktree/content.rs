//! The bytes of a standing file: as git would name them, and their SHA-256.

use sha2::{Digest, Sha256};

use crate::digest::hex;
use crate::effect::{Failed, Io, Links};
use crate::git::id::{Hash, Id};
use crate::git::line_ends::{Ends, TextStats, ToLf};
use crate::git::objects::ObjectKind;
use crate::git::objects::name::ObjectHasher;

/// The part of a file that is in memory at one time.
const PART_BYTES: u64 = 1 << 20;

/// The names that a blob of a file would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlobNames {
    /// With its bytes as they are.
    raw: Id,
    /// With LF for CRLF, where that would be something else.
    converted: Option<Id>,
    /// True if `$Id` is in it.
    pub(crate) has_id: bool,
}

/// The answer to whether a file equals its stored blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    Same,
    Differs,
    /// It is where `core.autocrlf` is set.
    SameIfConverted,
}

impl BlobNames {
    /// Returns whether one of the two names is that of the blob, under the attributes.
    pub(crate) fn are(&self, id: Id, ends: Ends) -> Match {
        let is_converted = self.converted == Some(id);
        let is_same = match ends {
            Ends::Unconverted => self.raw == id,
            Ends::Text(_) => self.converted.unwrap_or(self.raw) == id,
            // Git converts nothing that is stored with CRLF already.
            Ends::Auto(_) => self.raw == id || is_converted,
            Ends::Unsaid if is_converted => return Match::SameIfConverted,
            Ends::Unsaid => self.raw == id,
        };
        match is_same {
            true => Match::Same,
            false => Match::Differs,
        }
    }
}

/// Names a file of this size; one that changes in between gets a name that nothing has.
pub(crate) async fn names(
    io: &Io,
    path: &str,
    size: u64,
    hash: Hash,
    ends: Ends,
) -> Result<BlobNames, Failed> {
    let mut raw = ObjectHasher::new(hash, ObjectKind::Blob, size);
    let mut seen = TextStats::default();
    let mut marker = Marker::default();
    // A small file is not read again.
    let mut only = Vec::new();
    let mut at = 0;
    loop {
        let part = part(io, path, at, size).await?;
        raw.update(&part);
        marker.update(&part);
        if ends != Ends::Unconverted {
            seen.update(&part);
        }
        let is_last = is_last(&part, at, size);
        at += part.len() as u64;
        if is_last {
            if at == part.len() as u64 {
                only = part;
            }
            break;
        }
    }
    let is_text = matches!(ends, Ends::Text(_)) || !seen.is_binary();
    let mut names = BlobNames {
        raw: raw.finish(),
        converted: None,
        has_id: marker.is_found,
    };
    if ends == Ends::Unconverted || seen.crlf == 0 || !is_text {
        return Ok(names);
    }
    let mut converted = ObjectHasher::new(hash, ObjectKind::Blob, size.saturating_sub(seen.crlf));
    let mut to_lf = ToLf::default();
    let mut bytes = Vec::new();
    if at == only.len() as u64 {
        to_lf.update(&only, &mut bytes);
    } else {
        let mut at = 0;
        loop {
            let part = part(io, path, at, size).await?;
            to_lf.update(&part, &mut bytes);
            converted.update(&bytes);
            bytes.clear();
            if is_last(&part, at, size) {
                break;
            }
            at += part.len() as u64;
        }
    }
    to_lf.finish(&mut bytes);
    converted.update(&bytes);
    names.converted = Some(converted.finish());
    Ok(names)
}

/// Returns the size of a file when it was read, and the SHA-256 of it in lower-case hex.
pub(crate) async fn sha256(io: &Io, path: &str, size: u64) -> Result<(u64, String), Failed> {
    let mut digest = Sha256::new();
    let mut at = 0;
    loop {
        let part = part(io, path, at, size).await?;
        digest.update(&part);
        let is_last = is_last(&part, at, size);
        at += part.len() as u64;
        if is_last {
            return Ok((at, hex(&digest.finalize())));
        }
    }
}

/// The SHA-256 of some bytes, in lower-case hex.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The next part; one byte more than there should be shows that the file has grown.
async fn part(io: &Io, path: &str, at: u64, size: u64) -> Result<Vec<u8>, Failed> {
    let length = part_length(at, size);
    io.part(path.to_owned(), at, length, Links::Refuse).await
}

fn part_length(at: u64, size: u64) -> u32 {
    // Of one that goes on growing, whole parts.
    let left = size.checked_sub(at).map_or(PART_BYTES, |left| left + 1);
    left.min(PART_BYTES) as u32
}

fn is_last(part: &[u8], at: u64, size: u64) -> bool {
    part.len() < part_length(at, size) as usize
}

/// Looks for `$Id`.
#[derive(Default)]
struct Marker {
    matched: usize,
    is_found: bool,
}

impl Marker {
    fn update(&mut self, bytes: &[u8]) {
        const WANTED: &[u8] = b"$Id";
        for &byte in bytes {
            self.matched = match byte {
                b'$' => 1,
                _ if self.matched > 0 && byte == WANTED[self.matched] => self.matched + 1,
                _ => 0,
            };
            if self.matched == WANTED.len() {
                self.is_found = true;
                return;
            }
        }
    }
}
