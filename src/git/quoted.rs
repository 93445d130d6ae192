//! Names with odd characters, as git quotes them: as strings of C.

/// The name that the text begins with, if that is in quotes, and what follows.
pub(crate) fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (byte, after) = escaped(rest)?;
                name.push(byte);
                rest = after;
            }
            byte => name.push(byte),
        }
    }
}

/// The byte that an escape behind a `\` stands for: a letter, or three octal digits.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let (&first, rest) = text.split_first()?;
    let byte = match first {
        b'a' => 0x07,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0x0b,
        b'\\' | b'"' => first,
        b'0'..=b'3' => {
            let digit = |at: usize| rest.get(at).filter(|digit| matches!(digit, b'0'..=b'7'));
            let (second, third) = (digit(0)? - b'0', digit(1)? - b'0');
            return Some(((first - b'0') << 6 | second << 3 | third, &rest[2..]));
        }
        _ => return None,
    };
    Some((byte, rest))
}

#[cfg(test)]
mod tests {
    use super::unquoted;

    #[test]
    fn a_quoted_name_is_read_as_git_writes_it() {
        for (text, expected) in [
            (&b"\"a b\" rest"[..], Some((&b"a b"[..], &b" rest"[..]))),
            (b"\"\"", Some((b"", b""))),
            (
                br#""\a\b\f\n\r\t\v\\\"""#,
                Some((b"\x07\x08\x0c\n\r\t\x0b\\\"", b"")),
            ),
            (br#""\303\274\0001""#, Some((b"\xc3\xbc\x001", b""))),
            (br#""\400""#, None),
            (br#""\39""#, None),
            (br#""\x""#, None),
            (br#""\"#, None),
            (br#""a"#, None),
            (b"a", None),
        ] {
            let expected = expected.map(|(name, rest)| (name.to_vec(), rest));
            assert_eq!(unquoted(text), expected, "{}", text.escape_ascii());
        }
    }
}
