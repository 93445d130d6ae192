//! zlib's format, for what says how long it is.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_PARSE_ZLIB_HEADER,
    TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::git::unreadable::Unreadable;

/// One byte becomes at most so many. More from less is a lie, for which no memory is made.
const MOST_PER_BYTE: u64 = 1032;

/// The `size` bytes that a stream holds, which may go on behind its end; `None` when it is cut off.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when it is no such stream, or holds more or less.
pub(super) fn whole(input: &[u8], size: usize) -> Result<Option<Vec<u8>>, Unreadable> {
    if size as u64 > (input.len() as u64).saturating_mul(MOST_PER_BYTE) {
        return Ok(None);
    }
    let mut bytes = vec![0; size];
    match run(input, &mut bytes) {
        (TINFLStatus::Done, written) if written == size => Ok(Some(bytes)),
        (TINFLStatus::NeedsMoreInput, _) => Ok(None),
        _ => Err(Unreadable::Malformed),
    }
}

/// The first bytes that a stream holds, and how many of `bytes` they fill.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when it does not begin as such a stream.
pub(super) fn start(input: &[u8], bytes: &mut [u8]) -> Result<usize, Unreadable> {
    match run(input, bytes) {
        (TINFLStatus::Done | TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput, written) => {
            Ok(written)
        }
        _ => Err(Unreadable::Malformed),
    }
}

fn run(input: &[u8], output: &mut [u8]) -> (TINFLStatus, usize) {
    let flags = TINFL_FLAG_PARSE_ZLIB_HEADER
        | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | TINFL_FLAG_HAS_MORE_INPUT;
    let mut state = Box::<DecompressorOxide>::default();
    let (status, _, written) = decompress(&mut state, input, output, 0, flags);
    (status, written)
}
