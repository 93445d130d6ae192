//! Bytes in the order of git's binary formats, read one after the other.

/// The bytes that are still to be read. Every step is `None` at the end of the bytes.
pub(super) struct ByteCursor<'a>(pub(super) &'a [u8]);

impl<'a> ByteCursor<'a> {
    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(super) fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    /// The bytes before the next NUL, which is skipped.
    pub(super) fn until_nul(&mut self) -> Option<&'a [u8]> {
        let length = self.0.iter().position(|&byte| byte == 0)?;
        let bytes = self.take(length)?;
        self.take(1)?;
        Some(bytes)
    }

    /// A number of any length, as offsets in packs have it: seven bits a byte, the highest first,
    /// and one more for each byte that follows.
    pub(super) fn offset(&mut self) -> Option<usize> {
        let mut value = 0usize;
        loop {
            let byte = self.take(1)?[0];
            value = value
                .checked_mul(128)?
                .checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ByteCursor;

    #[test]
    fn offsets_count_as_in_packs() {
        for (bytes, expected) in [
            (&[0x00][..], Some(0)),
            (&[0x7f], Some(127)),
            (&[0x80, 0x00], Some(128)),
            (&[0x81, 0x01], Some(257)),
            (&[0x80], None),
            (&[0xff; 40], None),
        ] {
            assert_eq!(ByteCursor(bytes).offset(), expected, "{bytes:x?}");
        }
    }
}
