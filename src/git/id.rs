//! Names of objects: the hash of what each is.

use std::fmt;

use super::unreadable::Unreadable;
use crate::digest::hex;

/// The hash by which a repository names its objects (`extensions.objectFormat`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hash {
    /// SHA-1, of 20 bytes.
    Sha1,
    /// SHA-256, of 32 bytes.
    Sha256,
}

/// The longest id, in bytes.
const LONGEST: usize = 32;

impl Hash {
    /// All of them.
    pub const ALL: [Hash; 2] = [Hash::Sha1, Hash::Sha256];

    /// The length of an id, in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Hash::Sha1 => 20,
            Hash::Sha256 => LONGEST,
        }
    }
}

/// The id of an object. Ids of one repository are in the order of their bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    hash: Hash,
    // Those behind the end of a shorter one are zero.
    bytes: [u8; LONGEST],
}

impl Id {
    /// The id with these bytes.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when they are not as many as an id of this hash has.
    pub fn new(hash: Hash, id: &[u8]) -> Result<Id, Unreadable> {
        let mut bytes = [0; LONGEST];
        let whole = bytes
            .get_mut(..hash.bytes())
            .filter(|whole| whole.len() == id.len());
        whole.ok_or(Unreadable::Malformed)?.copy_from_slice(id);
        Ok(Id { hash, bytes })
    }

    /// The id that is written so, in 40 or 64 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when it is not an id.
    pub fn from_digits(digits: &[u8]) -> Result<Id, Unreadable> {
        let hash = match digits.len() {
            40 => Hash::Sha1,
            64 => Hash::Sha256,
            _ => return Err(Unreadable::Malformed),
        };
        let mut bytes = [0; LONGEST];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Ok(Id { hash, bytes })
    }

    /// The hash by which its repository names objects.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Its bytes, 20 or 32.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.hash.bytes()]
    }

    /// Its lower-case hexadecimal digits, 40 or 64.
    pub fn digits(&self) -> String {
        hex(self.as_bytes())
    }

    /// Returns whether it is all zeros, which names nothing.
    pub fn is_null(&self) -> bool {
        self.bytes == [0; LONGEST]
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.digits())
    }
}

fn nibble(digit: u8) -> Result<u8, Unreadable> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        _ => Err(Unreadable::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::{Hash, Id};
    use crate::git::unreadable::Unreadable;

    #[test]
    fn an_id_is_the_same_in_bytes_and_in_digits() {
        for hash in Hash::ALL {
            let bytes: Vec<u8> = (0..).map(|it: u8| it * 7).take(hash.bytes()).collect();
            let id = Id::new(hash, &bytes).unwrap();
            assert_eq!(id.as_bytes(), bytes);
            assert_eq!(Id::from_digits(id.digits().as_bytes()), Ok(id));
            assert_eq!(
                Id::from_digits(id.digits().to_uppercase().as_bytes()),
                Ok(id)
            );
            assert_eq!(id.hash(), hash);
            assert!(!id.is_null());
            assert!(Id::new(hash, &vec![0; hash.bytes()]).unwrap().is_null());
        }
    }

    #[test]
    fn an_id_of_another_length_or_with_another_letter_is_refused() {
        for digits in [0, 39, 41, 63, 65] {
            let digits = vec![b'a'; digits];
            assert_eq!(Id::from_digits(&digits), Err(Unreadable::Malformed));
        }
        let other = [&[b'a'; 39][..], b"g"].concat();
        assert_eq!(Id::from_digits(&other), Err(Unreadable::Malformed));
        assert!(Id::new(Hash::Sha1, &[7; 32]).is_err());
        assert!(Id::new(Hash::Sha256, &[7; 20]).is_err());
    }
}
