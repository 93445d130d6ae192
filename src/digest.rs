//! Ids and digests: 128 bits each, as 32 lower-case hex digits.

use sha2::{Digest, Sha256};

/// Bytes of an id or digest.
pub const ID_BYTES: usize = 16;

/// The first half of the SHA-256 of some bytes, which may come in parts.
pub fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hex(&hash.finalize()[..ID_BYTES])
}

/// The SHA-256 of bytes that come in parts.
#[derive(Clone, Debug, Default)]
pub struct Hashing(Sha256);

impl Hashing {
    /// Takes the next part.
    pub fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    /// The SHA-256 of all parts, in lower-case hex.
    pub fn sha256(self) -> String {
        hex(&self.0.finalize())
    }
}

/// The SHA-256 of some bytes, in lower-case hex.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| {
            [
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]
        })
        .map(char::from)
        .collect()
}

/// Returns whether a text has the form of an id or digest.
pub fn is_id(text: &str) -> bool {
    text.len() == 2 * ID_BYTES && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::{Hashing, digest, is_id, sha256};

    #[test]
    fn a_digest_is_that_of_all_parts_in_their_order() {
        let abc = "ba7816bf8f01cfea414140de5dae2223";
        assert_eq!(digest(&[b"abc"]), abc, "FIPS 180-4, the first half");
        assert_eq!(digest(&[b"a", b"", b"bc"]), abc);
        assert!(is_id(abc));
        let mut hashing = Hashing::default();
        hashing.update(b"ab");
        hashing.update(b"c");
        assert_eq!(hashing.sha256(), sha256(b"abc"));
        assert!(sha256(b"abc").starts_with(abc));
    }

    #[test]
    fn an_id_has_32_lower_case_digits() {
        for text in [
            "",
            "ba78",
            "BA7816BF8F01CFEA414140DE5DAE2223",
            "ba7816bf8f01cfea414140de5dae222g",
        ] {
            assert!(!is_id(text), "{text}");
        }
    }
}
