//! The conversion of ends of lines where git stores a file (gitattributes, `text` and `eol`), and bytes
//! as it stores them then.

use super::attributes::AttributeValue;

/// The ends of lines of a file that are stored as LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// None: the bytes are stored as they are.
    Unconverted,
    /// All CRLF.
    Text(CheckoutLineEnds),
    /// All CRLF, in what git takes for text, unless it is stored with CRLF already.
    Auto(CheckoutLineEnds),
    /// As `core.autocrlf` says.
    Unsaid,
}

/// The ends of lines that a file gets in the worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutLineEnds {
    /// LF.
    Lf,
    /// CRLF.
    Crlf,
    /// As `core.autocrlf`, `core.eol` and the system say.
    Unsaid,
}

impl Ends {
    /// As the attributes say, which are in the order of [`super::attributes::CONVERTING`].
    pub fn of(values: &[AttributeValue; 6]) -> Ends {
        let [text, crlf, eol, ..] = values;
        let said = match Ends::of_text(text) {
            Ends::Unsaid => Ends::of_text(crlf),
            said => said,
        };
        let written = match eol {
            AttributeValue::Text(eol) if eol == b"lf" => Some(CheckoutLineEnds::Lf),
            AttributeValue::Text(eol) if eol == b"crlf" => Some(CheckoutLineEnds::Crlf),
            _ => None,
        };
        match (said, written) {
            (Ends::Unconverted, _) | (_, None) => said,
            (Ends::Auto(_), Some(written)) => Ends::Auto(written),
            (Ends::Text(_) | Ends::Unsaid, Some(written)) => Ends::Text(written),
        }
    }

    fn of_text(value: &AttributeValue) -> Ends {
        match value {
            AttributeValue::Set => Ends::Text(CheckoutLineEnds::Unsaid),
            AttributeValue::Unset => Ends::Unconverted,
            AttributeValue::Text(text) if text == b"input" => Ends::Text(CheckoutLineEnds::Lf),
            AttributeValue::Text(text) if text == b"auto" => Ends::Auto(CheckoutLineEnds::Unsaid),
            AttributeValue::Text(_) | AttributeValue::Unspecified => Ends::Unsaid,
        }
    }
}

/// The bytes of a file that were seen, as far as git asks whether it is text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextStats {
    /// The number of CRLFs.
    pub crlf: u64,
    lone_cr: u64,
    nul: u64,
    printable: u64,
    other: u64,
    last: u8,
}

impl TextStats {
    /// Goes on with these bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.last == b'\r' {
                match byte {
                    b'\n' => self.crlf += 1,
                    _ => self.lone_cr += 1,
                }
            }
            match byte {
                b'\r' | b'\n' => {}
                0x08 | b'\t' | 0x1b | 0x0c => self.printable += 1,
                0 => {
                    self.nul += 1;
                    self.other += 1;
                }
                0x7f | ..0x20 => self.other += 1,
                _ => self.printable += 1,
            }
            self.last = byte;
        }
    }

    /// Returns whether git takes what was seen for binary.
    pub fn is_binary(&self) -> bool {
        // One CR at the very end is alone, and one ^Z there ended files of old.
        let lone_cr = self.lone_cr + u64::from(self.last == b'\r');
        let other = self.other - u64::from(self.last == 0x1a);
        lone_cr > 0 || self.nul > 0 || self.printable >> 7 < other
    }
}

/// Takes the CR out of each CRLF, in bytes that come in parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToLf {
    has_cr: bool,
}

impl ToLf {
    /// Adds what becomes of these bytes; a CR at their end waits for what follows.
    pub fn update(&mut self, bytes: &[u8], converted: &mut Vec<u8>) {
        for &byte in bytes {
            if self.has_cr && byte != b'\n' {
                converted.push(b'\r');
            }
            self.has_cr = byte == b'\r';
            if !self.has_cr {
                converted.push(byte);
            }
        }
    }

    /// Adds what has waited.
    pub fn finish(self, converted: &mut Vec<u8>) {
        if self.has_cr {
            converted.push(b'\r');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CheckoutLineEnds, Ends, TextStats, ToLf};
    use crate::git::attributes::{AttributeValue, Attributes};
    use crate::git::ignore::Case;

    #[test]
    fn attributes_say_what_is_stored() {
        for (line, expected) in [
            ("", Ends::Unsaid),
            ("text", Ends::Text(CheckoutLineEnds::Unsaid)),
            ("-text eol=lf", Ends::Unconverted),
            ("eol=crlf", Ends::Text(CheckoutLineEnds::Crlf)),
            ("text=auto", Ends::Auto(CheckoutLineEnds::Unsaid)),
            ("text=auto eol=lf", Ends::Auto(CheckoutLineEnds::Lf)),
            ("crlf=input", Ends::Text(CheckoutLineEnds::Lf)),
            ("-crlf", Ends::Unconverted),
            ("binary", Ends::Unconverted),
            ("text=x", Ends::Unsaid),
        ] {
            let mut attributes = Attributes::new(Case::Exact);
            attributes.add(b"", format!("* {line}\n").as_bytes());
            assert_eq!(Ends::of(&attributes.values(b"a")), expected, "{line}");
        }
        assert_eq!(
            Ends::of(&[const { AttributeValue::Unspecified }; 6]),
            Ends::Unsaid
        );
    }

    #[test]
    fn bytes_in_parts_are_seen_and_converted_as_a_whole() {
        for (text, is_binary, crlf, expected) in [
            (&b"a\r\nb\r\n"[..], false, 2, &b"a\nb\n"[..]),
            (b"a\rb\r\n", true, 1, b"a\rb\n"),
            (b"a\r\r\n", true, 1, b"a\r\n"),
            (b"a\r", true, 0, b"a\r"),
            (b"a\0\r\n", true, 1, b"a\0\n"),
            (b"text\x1a", false, 0, b"text\x1a"),
            (b"text\x01", true, 0, b"text\x01"),
            (b"", false, 0, b""),
        ] {
            for size in 1..4 {
                let (mut seen, mut to_lf) = (TextStats::default(), ToLf::default());
                let mut converted = Vec::new();
                for part in text.chunks(size) {
                    seen.update(part);
                    to_lf.update(part, &mut converted);
                }
                to_lf.finish(&mut converted);
                let shown = text.escape_ascii();
                assert_eq!(seen.is_binary(), is_binary, "{shown}");
                assert_eq!(seen.crlf, crlf, "{shown}");
                assert_eq!(converted, expected, "{shown}");
            }
        }
    }
}
