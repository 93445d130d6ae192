//! Values as their serializer gave them, and how a growing one is kept: as what was added to the one before.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use super::shared_text::SharedText;
use crate::digest::hex;
use crate::json::{Json, Object};

/// A smaller value is kept whole: saying where it came from would be as long.
const SMALL: usize = 400;

/// The most characters that end a JSON text and move as the text grows; a Base64 text has one group
/// of them.
const MAX_CLOSERS: usize = 8;
const BASE64_GROUP: usize = 4;

/// Text that a serializer made, with the name of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The serializer's name of the kind, such as `json`.
    pub kind: String,
    /// The encoding of the bytes as text; `None` where the text is the bytes, as UTF-8.
    pub encoding: Option<String>,
    /// The text.
    pub text: SharedText,
}

/// The salt that a thread adds to the hashes of its values: an author of values does not know it,
/// and so cannot make two that are taken for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt(u64, u64);

impl Salt {
    /// From an id, as [`crate::digest::is_id`] has it.
    pub fn of(id: &str) -> Option<Self> {
        let half = |from: usize| u64::from_str_radix(id.get(from..from + 16)?, 16).ok();
        Some(Salt(half(0)?, half(16)?))
    }
}

/// A value in an entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedValue {
    /// Whole, or what stands in the middle.
    pub typed: Typed,
    /// The text around it; `None` for a whole value.
    pub base: Option<ValueBase>,
}

/// Bytes that are taken from the same channel's value in another entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueBase {
    /// The entry.
    pub at: u64,
    /// The number of bytes from its beginning.
    pub head: usize,
    /// The number of bytes from its end.
    pub tail: usize,
    /// Its length.
    pub length: usize,
}

/// The place of a channel's value, and enough of it to decide whether another one goes on from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ref {
    /// The entry.
    pub at: u64,
    /// Bytes of the value.
    pub length: usize,
    /// The number of bytes that another value may begin with, and their digest; `None` for a small
    /// value.
    pub beginning: Option<(usize, String)>,
    /// Bytes that were added since a value was stored whole.
    pub added: usize,
}

impl Typed {
    /// Stands for a text that is not kept.
    pub(super) fn nothing() -> Self {
        Typed {
            kind: String::new(),
            encoding: None,
            text: SharedText::from(""),
        }
    }

    /// As it is stored, and in requests and replies: `[kind, text]` or `[kind, text, encoding]`.
    pub fn into_json(self) -> Json {
        let mut items = vec![Json::from(self.kind), Json::from(self.text.into_string())];
        items.extend(self.encoding.map(Json::from));
        items.into()
    }

    /// From the same; `None` for anything else.
    pub fn read(json: Json) -> Option<Self> {
        let Json::Array(items) = json else {
            return None;
        };
        let mut texts = items.into_iter().map(|item| match item {
            Json::String(text) => Some(text),
            _ => None,
        });
        let typed = Typed {
            kind: texts.next()??,
            text: texts.next()??.into(),
            encoding: match texts.next() {
                Some(encoding) => Some(encoding?),
                None => None,
            },
        };
        texts.next().is_none().then_some(typed)
    }

    /// The digests of so many bytes of it, and of so many more; `None` where it has not as many.
    fn digests(&self, salt: Salt, lengths: [usize; 2]) -> [Option<String>; 2] {
        let encoding = self.encoding.as_deref().unwrap_or_default();
        let mut hasher = SipHasher13::new_with_keys(salt.0, salt.1);
        for part in [&self.kind, "\0", encoding, "\0"] {
            hasher.write(part.as_bytes());
        }
        let bytes = self.text.as_bytes();
        let mut done = 0;
        lengths.map(|length| {
            hasher.write(bytes.get(done..length)?);
            done = length;
            let digest = hex(&hasher.finish128().as_bytes());
            self.text.is_char_boundary(length).then_some(digest)
        })
    }

    /// Returns the length that a value that goes on from it shares with it: all but the closing
    /// characters.
    fn beginning(&self) -> usize {
        let text = &self.text;
        if self.encoding.is_some() {
            let end = text.len().saturating_sub(BASE64_GROUP);
            return if text.is_char_boundary(end) { end } else { 0 };
        }
        let closers = text.bytes().rev().take(MAX_CLOSERS);
        let closers = closers.take_while(|it| matches!(it, b']' | b'}' | b'"'));
        text.len() - closers.count()
    }
}

impl LoggedValue {
    fn whole(typed: Typed) -> Self {
        LoggedValue { typed, base: None }
    }

    pub(super) fn into_json(self) -> Json {
        let Some(base) = self.base else {
            return self.typed.into_json();
        };
        let number = |it: usize| Json::from(it as u64);
        let from = vec![
            Json::from(base.at),
            number(base.head),
            number(base.tail),
            number(base.length),
        ];
        Object::new()
            .with("from", from)
            .with("between", self.typed.into_json())
            .into()
    }

    pub(super) fn read(json: Json) -> Option<Self> {
        let Json::Object(mut object) = json else {
            return Typed::read(json).map(LoggedValue::whole);
        };
        let from = numbers(&object.remove("from")?)?;
        let [at, head, tail, length] = from[..] else {
            return None;
        };
        let size = |it: u64| usize::try_from(it).ok();
        let base = ValueBase {
            at,
            head: size(head)?,
            tail: size(tail)?,
            length: size(length)?,
        };
        let fits = base.head.checked_add(base.tail)? <= base.length;
        let typed = Typed::read(object.remove("between")?)?;
        fits.then_some(LoggedValue {
            typed,
            base: Some(base),
        })
    }
}

impl Ref {
    fn new(at: u64, length: usize, beginning: Option<(usize, String)>) -> Self {
        Ref {
            at,
            length,
            beginning,
            added: 0,
        }
    }

    pub(super) fn into_json(self) -> Json {
        let mut items = vec![Json::from(self.at), Json::from(self.length as u64)];
        if let Some((length, digest)) = self.beginning {
            items.extend([
                Json::from(self.added as u64),
                Json::from(length as u64),
                Json::from(digest),
            ]);
        }
        items.into()
    }

    pub(super) fn read(json: Json) -> Option<Self> {
        let Json::Array(mut items) = json else {
            return None;
        };
        let digest = match items.len() {
            2 => None,
            5 => match items.pop()? {
                Json::String(digest) => Some(digest),
                _ => return None,
            },
            _ => return None,
        };
        let numbers = numbers(&Json::Array(items))?;
        let size = |at: usize| {
            numbers
                .get(at)
                .map_or(Some(0), |it| usize::try_from(*it).ok())
        };
        let length = size(3)?;
        Some(Ref {
            at: *numbers.first()?,
            length: size(1)?,
            added: size(2)?,
            beginning: digest.map(|digest| (length, digest)),
        })
    }
}

fn numbers(json: &Json) -> Option<Vec<u64>> {
    let items = json.as_array()?.iter();
    items.map(Json::as_u64).collect()
}

/// The ways to store a new value, beside one that it may go on from.
pub enum Fit {
    /// The stored form, and its place.
    Stored(LoggedValue, Ref),
    /// It depends on the other one's text: the arguments of [`store_beside`].
    Unknown(Typed, Ref),
}

/// Stores a value in entry `at`, where that needs no other value's text.
pub fn store(at: u64, typed: Typed, before: Option<&Ref>, salt: Salt) -> Fit {
    let length = typed.text.len();
    if length < SMALL {
        return whole(typed, Ref::new(at, length, None));
    }
    let own = typed.beginning();
    let before = before.and_then(|it| Some((it, it.beginning.as_ref()?)));
    let Some((before, (of_before, digest))) = before else {
        let [digest, _] = typed.digests(salt, [own, own]);
        return whole(typed, Ref::new(at, length, Some(own).zip(digest)));
    };
    // Two results of one pass over the text.
    let (is_same, own) = match *of_before <= own {
        true => {
            let [found, of_own] = typed.digests(salt, [*of_before, own]);
            (found.as_ref() == Some(digest), Some(own).zip(of_own))
        }
        false => {
            let [of_own, found] = typed.digests(salt, [own, *of_before]);
            (found.as_ref() == Some(digest), Some(own).zip(of_own))
        }
    };
    let reference = Ref::new(at, length, own);
    match is_same {
        true => between(typed, reference, before, *of_before, 0),
        false => Fit::Unknown(typed, reference),
    }
}

/// Stores a value beside the other one's text.
pub fn store_beside(typed: Typed, reference: Ref, before: &Ref, other: &Typed) -> Fit {
    let is_same_kind = typed.kind == other.kind && typed.encoding == other.encoding;
    let (text, other) = (typed.text.as_str(), other.text.as_str());
    if !is_same_kind || other.len() != before.length {
        return whole(typed, reference);
    }
    let head = common(text.bytes(), other.bytes());
    let head = (0..=head)
        .rev()
        .find(|it| text.is_char_boundary(*it) && other.is_char_boundary(*it));
    let head = head.unwrap_or(0);
    let tail = common(text[head..].bytes().rev(), other[head..].bytes().rev());
    let is_cut = |it: &usize| {
        text.is_char_boundary(text.len() - it) && other.is_char_boundary(other.len() - it)
    };
    let tail = (0..=tail).rev().find(is_cut).unwrap_or(0);
    match (head + tail) * 2 > text.len() {
        true => between(typed, reference, before, head, tail),
        false => whole(typed, reference),
    }
}

fn common(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

fn whole(typed: Typed, reference: Ref) -> Fit {
    Fit::Stored(LoggedValue::whole(typed), reference)
}

/// Stored as what was added; or whole, once so much was added that what is read for a value, all in all,
/// would be more than twice as long as the value.
fn between(typed: Typed, reference: Ref, before: &Ref, head: usize, tail: usize) -> Fit {
    let length = typed.text.len();
    let added = before.added + (length - head - tail);
    if added * 2 >= length {
        return whole(typed, reference);
    }
    let reference = Ref { added, ..reference };
    let base = ValueBase {
        at: before.at,
        head,
        tail,
        length: before.length,
    };
    let text = SharedText::from(&typed.text[head..length - tail]);
    let stored = LoggedValue {
        typed: Typed { text, ..typed },
        base: Some(base),
    };
    Fit::Stored(stored, reference)
}

/// Bytes that are still to be found: these of the value wanted are those of the value looked at.
struct MissingBytes {
    to: usize,
    from: usize,
    length: usize,
}

/// The text of the value at an entry. `stored` looks up what an entry has of the channel.
///
/// # Errors
///
/// The errors of `stored`.
pub fn resolve<'a, E>(
    at: &Ref,
    mut stored: impl FnMut(u64) -> Result<&'a LoggedValue, E>,
    broken: impl Fn() -> E,
) -> Result<Typed, E> {
    let mut next = at.at;
    let mut length = at.length;
    let first = stored(next)?;
    if first.base.is_none() && first.typed.text.len() == length {
        return Ok(first.typed.clone());
    }
    let mut bytes = vec![0_u8; at.length];
    let mut missing = vec![MissingBytes {
        to: 0,
        from: 0,
        length,
    }];
    while !missing.is_empty() {
        let found = stored(next)?;
        let text = found.typed.text.as_bytes();
        let (head, tail) = found.base.as_ref().map_or((0, 0), |it| (it.head, it.tail));
        if head + text.len() + tail != length {
            return Err(broken());
        }
        let before = found.base.as_ref().map_or(0, |it| it.length);
        let mut rest = Vec::new();
        for piece in missing {
            let ends = [
                (0, head),
                (head, head + text.len()),
                (head + text.len(), length),
            ];
            for (part, (start, end)) in ends.into_iter().enumerate() {
                let (from, until) = (piece.from.max(start), (piece.from + piece.length).min(end));
                if from >= until {
                    continue;
                }
                let to = piece.to + (from - piece.from);
                let length = until - from;
                match part {
                    0 => rest.push(MissingBytes { to, from, length }),
                    1 => bytes[to..to + length].copy_from_slice(&text[from - start..until - start]),
                    _ => rest.push(MissingBytes {
                        to,
                        from: before - tail + (from - start),
                        length,
                    }),
                }
            }
        }
        missing = rest;
        match &found.base {
            // An entry refers to older ones alone, so that this ends.
            Some(base) if base.at < next => (next, length) = (base.at, base.length),
            Some(_) => return Err(broken()),
            None if missing.is_empty() => break,
            None => return Err(broken()),
        }
    }
    Ok(Typed {
        kind: first.typed.kind.clone(),
        encoding: first.typed.encoding.clone(),
        text: String::from_utf8(bytes).map_err(|_| broken())?.into(),
    })
}
