//! From text to those parts of it that a rule looks at: of the others it is only seen that they are JSON.
//!
//! A document that is mostly what its maker alone understands takes a fifth of the time so, and no memory.

use super::read::Reader;
use super::{Json, MAX_DEPTH, Malformed, Object, read};

/// How much of a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Which kind of value it is: a container comes out empty, a text as an empty one, a number as 0.
    Kind,
    /// All of it, which is as well what is read of a value of another kind than the look is for.
    Whole,
    /// Of an object these members, each as far as it says, and of the others the kind.
    Members(&'static [(&'static str, Look)]),
    /// Of a list each item so far.
    Items(&'static Look),
}

/// What a text was found to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skimmed {
    /// The document, where it was looked at.
    pub value: Json,
    /// Whether the text is the one that writing all of the document would make, but for how strings are
    /// escaped and for keys that stand twice where nobody looked; else nobody knows.
    pub is_compact: bool,
}

/// Reads those parts of one JSON value that are looked at, to the same depth as [`read`].
///
/// # Errors
///
/// [`Malformed`], as [`read`] has it, wherever the text is no JSON.
pub fn skim(text: &str, look: Look) -> Result<Skimmed, Malformed> {
    let mut skimming = Skimming {
        reader: Reader {
            text,
            bytes: text.as_bytes(),
            at: 0,
            depth_left: MAX_DEPTH,
            duplicate_key: None,
            text_replaced: false,
        },
        is_compact: true,
    };
    let value = skimming.value(look).and_then(|value| {
        let rest = skimming.token();
        rest.map_or(Ok(value), |_| Err("expected the end of the document"))
    });
    match value {
        Ok(value) => Ok(Skimmed {
            value,
            is_compact: skimming.is_compact && skimming.reader.duplicate_key.is_none(),
        }),
        Err(reason) => Err(read::malformed(text.as_bytes(), skimming.reader.at, reason)),
    }
}

struct Skimming<'a> {
    reader: Reader<'a>,
    is_compact: bool,
}

impl Skimming<'_> {
    /// The next byte that is no white space, not consumed.
    fn token(&mut self) -> Option<u8> {
        let at = self.reader.at;
        let token = self.reader.next_token();
        self.is_compact &= self.reader.at == at;
        token
    }

    fn value(&mut self, look: Look) -> Result<Json, &'static str> {
        let token = self.token();
        match (look, token) {
            (Look::Members(members), Some(b'{')) => self.object(members),
            (Look::Items(item), Some(b'[')) => self.array(*item),
            (Look::Kind, Some(b'{')) => {
                self.members(Self::pass_key, |it, ()| it.value(Look::Kind).map(drop))?;
                Ok(Json::Object(Object::new()))
            }
            (Look::Kind, Some(b'[')) => {
                self.items(|it| it.value(Look::Kind).map(drop))?;
                Ok(Json::Array(Vec::new()))
            }
            (Look::Kind, Some(b'"')) => {
                self.pass_string()?;
                Ok(Json::String(String::new()))
            }
            (Look::Kind, Some(b'-' | b'0'..=b'9')) => {
                self.reader.pass_number()?;
                Ok(Json::Number("0".into()))
            }
            (_, Some(b'{')) => self.object_as_a_whole(),
            (_, Some(b'[')) => self.array(Look::Whole),
            (_, Some(b'"')) => self.string().map(Json::String),
            _ => self.reader.value(),
        }
    }

    fn object(&mut self, members: &'static [(&'static str, Look)]) -> Result<Json, &'static str> {
        let mut found = Vec::new();
        self.members(Self::string, |it, key| {
            let known = members.iter().find(|(name, _)| *name == key);
            let value = it.value(known.map_or(Look::Kind, |(_, look)| *look))?;
            found.push((key, value));
            Ok(())
        })?;
        Ok(Json::Object(self.reader.settled(found)))
    }

    fn object_as_a_whole(&mut self) -> Result<Json, &'static str> {
        let mut found = Vec::new();
        self.members(Self::string, |it, key| {
            found.push((key, it.value(Look::Whole)?));
            Ok(())
        })?;
        Ok(Json::Object(self.reader.settled(found)))
    }

    fn array(&mut self, look: Look) -> Result<Json, &'static str> {
        let mut found = Vec::new();
        self.items(|it| {
            found.push(it.value(look)?);
            Ok(())
        })?;
        Ok(Json::Array(found))
    }

    fn members<K>(
        &mut self,
        key: fn(&mut Self) -> Result<K, &'static str>,
        mut value: impl FnMut(&mut Self, K) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        self.separated(b'}', "expected a comma or a closing brace", |it| {
            if it.token() != Some(b'"') {
                return Err("expected a key in double quotes");
            }
            let key = key(it)?;
            if it.token() != Some(b':') {
                return Err("expected a colon");
            }
            it.reader.at += 1;
            value(it, key)
        })
    }

    fn items(
        &mut self,
        item: impl FnMut(&mut Self) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        self.separated(b']', "expected a comma or a closing bracket", item)
    }

    /// What stands between two brackets, of which the first is the next byte.
    fn separated(
        &mut self,
        end: u8,
        expected: &'static str,
        mut part: impl FnMut(&mut Self) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        if self.reader.depth_left == 0 {
            return Err("nested deeper than 64 levels");
        }
        self.reader.depth_left -= 1;
        self.reader.at += 1;
        let mut is_over = self.token() == Some(end);
        while !is_over {
            part(self)?;
            match self.token() {
                Some(b',') => self.reader.at += 1,
                Some(byte) if byte == end => is_over = true,
                _ => return Err(expected),
            }
        }
        self.reader.at += 1;
        self.reader.depth_left += 1;
        Ok(())
    }

    fn pass_key(&mut self) -> Result<(), &'static str> {
        self.pass_string()
    }

    fn pass_string(&mut self) -> Result<(), &'static str> {
        let start = self.reader.at;
        if self.reader.pass_string()? {
            self.look_for_halves(start);
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, &'static str> {
        let start = self.reader.at;
        let text = self.reader.string()?;
        self.look_for_halves(start);
        Ok(text)
    }

    /// Where there may be half a character, only reading the whole tells.
    fn look_for_halves(&mut self, start: usize) {
        let text = &self.reader.text[start..self.reader.at];
        self.is_compact &= !text.contains("\\ud") && !text.contains("\\uD");
    }
}
