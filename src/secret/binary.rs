//! Files that are no text, as their first bytes say.
//!
//! A compiled program that looks for secrets has the beginnings of all tokens in a row, which looks like one, and so
//! has every wasm of this package. No hand writes a token into such a file.

/// The beginnings of compiled programs, compressed streams and pictures. Each has a byte that no text has.
const MAGIC: [&[u8]; 14] = [
    // WebAssembly
    b"\0asm",
    b"\x7FELF",
    // Mach-O in both orders, for 32 and 64 bits, and for several machines, as which Java's classes begin, too.
    b"\xFE\xED\xFA\xCE",
    b"\xFE\xED\xFA\xCF",
    b"\xCE\xFA\xED\xFE",
    b"\xCF\xFA\xED\xFE",
    b"\xCA\xFE\xBA\xBE",
    // gzip
    b"\x1F\x8B\x08",
    // xz
    b"\xFD7zXZ\0",
    // Zstandard
    b"\x28\xB5\x2F\xFD",
    b"7z\xBC\xAF\x27\x1C",
    b"\x89PNG\r\n\x1A\n",
    // JPEG
    b"\xFF\xD8\xFF",
    // Programs of Windows begin with two letters, which a text may as well.
    b"MZ\x90\0",
];

/// Returns whether the first bytes of a file are those of a binary format. Archives that keep files as they are count as
/// text, regardless of what they begin with, and so does what only has the name of a binary.
pub fn is_binary(beginning: &[u8]) -> bool {
    MAGIC.iter().any(|magic| beginning.starts_with(magic))
}

#[cfg(test)]
mod tests {
    use super::{MAGIC, is_binary};

    #[test]
    fn no_text_begins_like_a_binary() {
        for magic in MAGIC {
            assert!(is_binary(magic), "{magic:?}");
            let text = std::str::from_utf8(magic);
            let is_text = text.is_ok_and(|text| !text.contains(|it: char| it.is_control()));
            assert!(!is_text, "{magic:?}");
        }
        for text in [
            &b""[..],
            b"MZ is a name",
            b"asm",
            b"7z",
            b"PK\x03\x04",
            b"PNG",
            b"\xEF\xBB\xBFtext",
            b"\xFF\xFEt\0",
        ] {
            assert!(!is_binary(text), "{text:?}");
        }
    }
}
