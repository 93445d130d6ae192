//! A pass over compact JSON text that makes no values of unused parts.
//!
//! A document that is mostly what its maker alone understands takes a fifth of the time so, and no memory.

use super::read::JsonReader;
use super::{Json, MAX_DEPTH};

/// A way over the text that writing one JSON value on one line makes, to the same depth as
/// [`read`](super::read) goes: strings may be escaped in another way than they would be.
///
/// `None` is for a text that may be another, or not JSON: reading the whole decides.
pub struct Skim<'a> {
    reader: JsonReader<'a>,
}

/// The text in quotes before a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKey<'a> {
    /// As it stands.
    Plain(&'a str),
    /// With escapes.
    Escaped,
}

impl<'a> Skim<'a> {
    /// From the first byte on.
    pub fn new(text: &'a str) -> Self {
        Skim {
            reader: JsonReader {
                text,
                bytes: text.as_bytes(),
                at: 0,
                depth_left: MAX_DEPTH,
                duplicate_key: None,
                text_replaced: false,
            },
        }
    }

    /// Returns the next byte, which shows the kind of value.
    pub fn peek(&self) -> Option<u8> {
        self.reader.bytes.get(self.reader.at).copied()
    }

    /// Nothing comes any more, and no half of a character was replaced.
    pub fn end(&self) -> Option<()> {
        let is_over = self.peek().is_none() && !self.reader.text_replaced;
        is_over.then_some(())
    }

    /// A value that has no parts.
    pub fn leaf(&mut self) -> Option<Json> {
        match self.peek()? {
            b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => self.reader.value().ok(),
            _ => None,
        }
    }

    /// Passes over a value of any kind.
    pub fn pass(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b'-' | b'0'..=b'9' => self.reader.pass_number().ok(),
            b'{' => self.members(|it, _| it.pass()),
            b'[' => self.items(Self::pass),
            _ => self.leaf().map(drop),
        }
    }

    /// The members of an object, each with its key: `member` goes over the value.
    pub fn members(
        &mut self,
        mut member: impl FnMut(&mut Self, MemberKey<'a>) -> Option<()>,
    ) -> Option<()> {
        self.separated(b'{', b'}', |it| {
            let start = it.reader.at;
            let key = match it.string()? {
                true => MemberKey::Escaped,
                false => MemberKey::Plain(&it.reader.text[start + 1..it.reader.at - 1]),
            };
            it.expect(b':')?;
            member(it, key)
        })
    }

    /// The items of a list: `item` goes over each.
    pub fn items(&mut self, item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.separated(b'[', b']', item)
    }

    fn separated(
        &mut self,
        start: u8,
        end: u8,
        mut part: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.expect(start)?;
        self.reader.depth_left = self.reader.depth_left.checked_sub(1)?;
        if self.peek()? == end {
            self.reader.at += 1;
        } else {
            loop {
                part(self)?;
                let byte = self.peek()?;
                self.reader.at += 1;
                match byte {
                    b',' => {}
                    byte if byte == end => break,
                    _ => return None,
                }
            }
        }
        self.reader.depth_left += 1;
        Some(())
    }

    /// Passes over a string; says whether anything in it is escaped.
    fn string(&mut self) -> Option<bool> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.reader.at;
        let is_escaped = self.reader.pass_string().ok()?;
        let is_whole = !is_escaped || !may_have_halves(&self.reader.bytes[start..self.reader.at]);
        is_whole.then_some(is_escaped)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.reader.at += 1;
        Some(())
    }
}

/// Returns whether an escape may stand for half a character.
///
/// By hand: what the standard library prepares for a search takes longer than most strings have.
fn may_have_halves(string: &[u8]) -> bool {
    let mut escapes = string.windows(3);
    escapes.any(|it| matches!(it, [b'\\', b'u', b'd' | b'D']))
}
