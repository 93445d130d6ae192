//! The file of a vocabulary, read and checked.
//!
//! It begins with a line that says what it is, `milepost-vocabulary 1 ENCODING TOKENS`, and goes on with a stream of
//! deflate: the bytes of the first 256 tokens, and of each other one the two that it is merged of, in planes, a byte
//! of all numbers after the other.

use std::fmt;

use miniz_oxide::inflate::decompress_slice_iter_to_slice;

use super::hash::{hash, mix};
use crate::encoding::Encoding;

/// So many bytes are checked in one step.
const CHECKED: usize = 4096;

/// The properties that a vocabulary has to have.
struct VocabularyProperties {
    tokens: usize,
    /// The number of bytes of all tokens together.
    bytes: usize,
    /// The [`checksum`] of what is in the stream.
    checksum: u64,
}

const fn published(encoding: Encoding) -> VocabularyProperties {
    match encoding {
        Encoding::O200k => VocabularyProperties {
            tokens: 199_998,
            bytes: 1_397_670,
            checksum: 0xdb0a_5562_1c4d_f930,
        },
        Encoding::Cl100k => VocabularyProperties {
            tokens: 100_256,
            bytes: 643_830,
            checksum: 0x6e62_90c5_cc52_25ad,
        },
    }
}

/// Why a file is not the vocabulary that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It is something else, or its bytes are not those that were published.
    Damaged,
    /// It is a vocabulary for another version of milepost.
    OtherVersion,
    /// It is the vocabulary of another encoding.
    OtherEncoding,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LoadError::Damaged => "it is damaged, or no vocabulary of milepost's",
            LoadError::OtherVersion => "it is a vocabulary for another version of milepost",
            LoadError::OtherEncoding => "it is the vocabulary of another encoding",
        })
    }
}

/// The content of the file of a vocabulary, unpacked and checked.
pub struct Unpacked {
    pub(super) encoding: Encoding,
    pub(super) planes: Vec<u8>,
    /// The number of bytes of all tokens together.
    pub(super) bytes: usize,
}

impl Unpacked {
    /// Reads a file.
    pub fn read(file: &[u8], encoding: Encoding) -> Result<Self, LoadError> {
        let (line, stream) = head(file).ok_or(LoadError::Damaged)?;
        let published = published(encoding);
        let mut words = line.split(' ').skip(1);
        if words.next() != Some("1") {
            return Err(LoadError::OtherVersion);
        }
        if words.next() != Some(encoding.name()) {
            return Err(LoadError::OtherEncoding);
        }
        let mut planes = vec![0; 256 + 6 * (published.tokens - 256)];
        let stream = std::iter::once(stream);
        match decompress_slice_iter_to_slice(&mut planes, stream, false, false) {
            Ok(bytes) if bytes == planes.len() && checksum(&planes) == published.checksum => {
                Ok(Unpacked {
                    encoding,
                    planes,
                    bytes: published.bytes,
                })
            }
            _ => Err(LoadError::Damaged),
        }
    }
}

/// Distinguishes damaged bytes from those that were published. It is no defence: who writes the file can write the
/// code.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .chunks(CHECKED)
        .fold(0, |sum, part| mix(sum, hash(part)))
}

/// The line at the beginning, and what comes after it.
fn head(file: &[u8]) -> Option<(&str, &[u8])> {
    let end = file.iter().take(80).position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&file[..end]).ok()?;
    line.starts_with("milepost-vocabulary ")
        .then_some((line, &file[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::{LoadError, Unpacked};
    use crate::encoding::Encoding;

    #[track_caller]
    fn refused(file: &[u8], why: LoadError) {
        let read = Unpacked::read(file, Encoding::O200k);
        assert_eq!(read.err(), Some(why));
    }

    #[test]
    fn a_file_that_is_no_such_vocabulary_is_refused_and_says_why() {
        refused(b"", LoadError::Damaged);
        refused(b"IQ== 0\nIg== 1\n", LoadError::Damaged);
        refused(b"milepost-vocabulary 1 o200k 199998", LoadError::Damaged);
        refused(b"o200k 199998\n", LoadError::Damaged);
        refused(b"milepost-vocabulary 1 o200k 199998\n", LoadError::Damaged);
        refused(
            b"milepost-vocabulary 1 o200k 199998\nno deflate",
            LoadError::Damaged,
        );
        refused(
            b"milepost-vocabulary 2 o200k 199998\n",
            LoadError::OtherVersion,
        );
        refused(
            b"milepost-vocabulary 1 cl100k 100256\n",
            LoadError::OtherEncoding,
        );
        // A stream that is whole, and too short; and one that is far too long.
        let stream = |bytes| miniz_oxide::deflate::compress_to_vec(&vec![0; bytes], 6);
        for bytes in [1000, 256 + 6 * (199_998 - 256), 1 << 22] {
            let line = b"milepost-vocabulary 1 o200k 199998\n".to_vec();
            refused(&[line, stream(bytes)].concat(), LoadError::Damaged);
        }
    }
}
