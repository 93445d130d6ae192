//! An object as a change of another one.

use crate::git::bytes::ByteCursor;
use crate::git::unreadable::Unreadable;

/// Makes the object that `delta` describes out of its base.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when the delta is not of this base; [`Unreadable::TooLarge`] when it
/// makes more than `limit` bytes, known beforehand.
pub(super) fn apply(base: &[u8], delta: &[u8], limit: usize) -> Result<Vec<u8>, Unreadable> {
    let mut rest = ByteCursor(delta);
    let malformed = Unreadable::Malformed;
    if size(&mut rest).ok_or(malformed)? != base.len() as u64 {
        return Err(malformed);
    }
    let size = usize::try_from(size(&mut rest).ok_or(malformed)?);
    let size = size.ok().filter(|size| *size <= limit);
    let size = size.ok_or(Unreadable::TooLarge)?;
    let mut made = Vec::with_capacity(size);
    while !rest.0.is_empty() {
        let piece = piece(base, &mut rest).ok_or(malformed)?;
        if piece.len() > size - made.len() {
            return Err(malformed);
        }
        made.extend_from_slice(piece);
    }
    match made.len() == size {
        true => Ok(made),
        false => Err(malformed),
    }
}

/// The bytes that one instruction adds.
fn piece<'a>(base: &'a [u8], rest: &mut ByteCursor<'a>) -> Option<&'a [u8]> {
    let instruction = rest.take(1)?[0];
    if instruction & 0x80 == 0 {
        // Zero is kept for later versions of the format.
        return rest.take(Some(usize::from(instruction)).filter(|length| *length > 0)?);
    }
    let mut number = |bits: std::ops::Range<u8>| {
        let mut value = 0usize;
        for (at, bit) in bits.enumerate() {
            if instruction & 1 << bit != 0 {
                value |= usize::from(rest.take(1)?[0]) << (8 * at);
            }
        }
        Some(value)
    };
    let offset = number(0..4)?;
    let length = match number(4..7)? {
        0 => 0x10000,
        length => length,
    };
    base.get(offset..)?.get(..length)
}

/// A size, seven bits a byte, the lowest first.
fn size(rest: &mut ByteCursor<'_>) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = rest.take(1)?[0];
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{apply, size};
    use crate::git::bytes::ByteCursor;
    use crate::git::unreadable::Unreadable;

    #[test]
    fn a_delta_copies_and_inserts() {
        let base = b"0123456789";
        for (delta, expected) in [
            (&[10, 3, 0x90, 3][..], Ok("012")),
            (&[10, 3, 0x91, 7, 3], Ok("789")),
            (&[10, 4, 2, b'a', b'b', 0x91, 8, 2], Ok("ab89")),
            (&[10, 0], Ok("")),
            (&[9, 3, 0x90, 3], Err(Unreadable::Malformed)),
            (&[10, 3, 0x91, 8, 3], Err(Unreadable::Malformed)),
            (&[10, 3, 0x90, 2], Err(Unreadable::Malformed)),
            (&[10, 3, 0x90, 4], Err(Unreadable::Malformed)),
            (&[10, 3, 0x90], Err(Unreadable::Malformed)),
            (&[10, 3, 4, b'a'], Err(Unreadable::Malformed)),
            (&[10, 1, 0], Err(Unreadable::Malformed)),
            (&[10, 3, 0x80], Err(Unreadable::Malformed)),
            (&[10, 101, 0x90, 3], Err(Unreadable::TooLarge)),
            (&[10], Err(Unreadable::Malformed)),
            (&[], Err(Unreadable::Malformed)),
        ] {
            let made = apply(base, delta, 100);
            let expected = expected.map(|text| text.as_bytes().to_vec());
            assert_eq!(made, expected, "{delta:?}");
        }
    }

    #[test]
    fn a_copy_without_a_length_is_of_64_kib() {
        let base = vec![7; 0x10001];
        let delta = [0x81, 0x80, 0x04, 0x80, 0x80, 0x04, 0x80];
        assert_eq!(apply(&base, &delta, 1 << 20), Ok(vec![7; 0x10000]));
    }

    #[test]
    fn a_size_beyond_64_bits_is_refused() {
        let most = [[0xff; 9].as_slice(), &[1]].concat();
        assert_eq!(size(&mut ByteCursor(&most)), Some(u64::MAX));
        for bytes in [[[0xff; 9].as_slice(), &[2]].concat(), vec![0xff; 30]] {
            assert_eq!(size(&mut ByteCursor(&bytes)), None);
        }
    }
}
