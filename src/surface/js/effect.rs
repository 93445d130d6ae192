//! Effects and their outcomes in the numbers that cross the boundary.
//!
//! An effect is the arguments of one call: its number, a text, more bytes, a number and a flag, in which
//! its members stand as its row in `effect_table.rs` says. It is answered with 0, or 1 and the place of a
//! fault in [`FAULTS`], and with bytes, or the host's own words about a fault. `pkg/src/wasm/ffi.js` is
//! the other side.

#[cfg(sessions)]
use crate::effect::Scanned;
use crate::effect::{Access, Fault, Links, Outcome, PathEntry, PathKind, Stream, Sync, Until};
use crate::encoding::Encoding;

/// Faults by their numbers, less one.
const FAULTS: [Fault; 12] = [
    Fault::NotFound,
    Fault::Exists,
    Fault::Symlink,
    Fault::WrongKind,
    Fault::TooLarge,
    Fault::Changed,
    Fault::NoSpace,
    Fault::Unsupported,
    Fault::Denied,
    Fault::Closed,
    Fault::Sharing,
    Fault::Other,
];

/// The kinds of what stands at a path, by their numbers.
const KINDS: [PathKind; 6] = [
    PathKind::Absent,
    PathKind::File,
    PathKind::Folder,
    PathKind::Symlink,
    PathKind::Other,
    PathKind::Denied,
];

/// Bytes of an entry in an answer: its kind, its mode or -1 as 32-bit numbers, and its size as a
/// 64-bit float.
const ENTRY: usize = 16;

/// In place of the nine permission bits: more than these.
const NO_PERMISSIONS: u32 = 0o1000;

/// The form in which the bytes of an answer are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum AnswerForm {
    Done,
    Bytes,
    Clock,
    Entries,
    Found,
    Names,
    #[cfg(sessions)]
    Scanned,
    #[cfg(not(hook_wasm))]
    Counted,
}

/// One call, before it is made.
pub(super) struct EffectCall<'a> {
    pub(super) effect: u32,
    pub(super) text: &'a str,
    pub(super) more: &'a [u8],
    pub(super) number: u32,
    pub(super) flag: bool,
    pub(super) answer: AnswerForm,
}

/// A method for each part of the call in which a member may stand.
impl<'a> EffectCall<'a> {
    #[inline(always)]
    pub(super) fn new(effect: u32, answer: AnswerForm) -> Self {
        EffectCall {
            effect,
            text: "",
            more: &[],
            number: 0,
            flag: false,
            answer,
        }
    }

    #[inline(always)]
    pub(super) fn text(self, text: &'a str) -> Self {
        EffectCall { text, ..self }
    }

    #[inline(always)]
    pub(super) fn texts(self, joined: &'a str) -> Self {
        self.text(joined)
    }

    #[inline(always)]
    pub(super) fn second(self, text: &'a str) -> Self {
        self.bytes(text.as_bytes())
    }

    #[inline(always)]
    pub(super) fn second_texts(self, joined: &'a str) -> Self {
        self.second(joined)
    }

    #[inline(always)]
    pub(super) fn encoding(self, encoding: &Encoding) -> Self {
        self.second(encoding.name())
    }

    #[inline(always)]
    pub(super) fn bytes(self, more: &'a [u8]) -> Self {
        EffectCall { more, ..self }
    }

    #[inline(always)]
    pub(super) fn float(self, bytes: &'a [u8; 8]) -> Self {
        self.bytes(bytes)
    }

    #[inline(always)]
    pub(super) fn number(self, number: &u32) -> Self {
        EffectCall {
            number: *number,
            ..self
        }
    }

    #[inline(always)]
    pub(super) fn permissions(self, permissions: &Option<u32>) -> Self {
        self.number(&permissions.unwrap_or(NO_PERMISSIONS))
    }

    #[inline(always)]
    pub(super) fn switch(self, choice: &impl Choice) -> Self {
        self.number(&u32::from(choice.is_second()))
    }

    #[inline(always)]
    pub(super) fn flag(self, choice: &impl Choice) -> Self {
        EffectCall {
            flag: choice.is_second(),
            ..self
        }
    }
}

/// One of two values.
pub(super) trait Choice {
    /// Returns whether it is the second one, as the row of the effect names them.
    fn is_second(&self) -> bool;
}

impl Choice for bool {
    #[inline(always)]
    fn is_second(&self) -> bool {
        *self
    }
}

impl Choice for Links {
    #[inline(always)]
    fn is_second(&self) -> bool {
        *self == Links::Refuse
    }
}

impl Choice for Access {
    #[inline(always)]
    fn is_second(&self) -> bool {
        *self == Access::Shared
    }
}

impl Choice for Sync {
    #[inline(always)]
    fn is_second(&self) -> bool {
        *self == Sync::Durable
    }
}

impl Choice for Stream {
    #[inline(always)]
    fn is_second(&self) -> bool {
        *self == Stream::Error
    }
}

impl Choice for Until {
    #[inline(always)]
    fn is_second(&self) -> bool {
        *self == Until::Line
    }
}

/// The way in which a host performs an effect.
pub(super) trait HostCall {
    /// The result of a call.
    type Output;

    /// Calls the host.
    fn call(call: EffectCall<'_>) -> Self::Output;

    /// Needs no host: the outcome is known.
    fn known(outcome: Outcome) -> Self::Output;
}

/// The answer of a host: the number of a fault or 0, and the bytes in the buffer that it reserved.
#[inline(always)]
pub(super) fn outcome(answer: AnswerForm, code: u32, bytes: Vec<u8>) -> Outcome {
    if code != 0 {
        return Outcome::Failed {
            fault: *FAULTS.get(code as usize - 1).unwrap_or(&Fault::Other),
            detail: text(&bytes),
        };
    }
    match answer {
        AnswerForm::Done => Outcome::Done,
        AnswerForm::Bytes => Outcome::Bytes(bytes),
        AnswerForm::Clock => Outcome::Clock {
            wall_ms: float(&bytes, 0),
            monotonic_ms: float(&bytes, 8),
        },
        AnswerForm::Entries => {
            let mut entries = Vec::with_capacity(bytes.len() / ENTRY);
            let mut at = 0;
            while at + ENTRY <= bytes.len() {
                entries.push(PathEntry {
                    kind: kind(int(&bytes, at)),
                    size: float(&bytes, at + 8) as u64,
                    mode: u32::try_from(int(&bytes, at + 4)).ok(),
                });
                at += ENTRY;
            }
            Outcome::Entries(entries)
        }
        AnswerForm::Found => {
            let mut parts = split(&bytes);
            let mut next = || text(parts.next().unwrap_or_default());
            let (folder, below) = (next(), next());
            let number = bytes.last().map_or(0, |&it| i32::from(it));
            Outcome::Found {
                folder,
                below,
                kind: kind(number),
            }
        }
        AnswerForm::Names => {
            let (names, complete) = match bytes.split_last() {
                Some((&complete, names)) => (names, complete == 1),
                None => (&bytes[..], false),
            };
            // There is a NUL behind each name.
            let names = names.strip_suffix(&[0]).map(split);
            Outcome::Names {
                names: names.into_iter().flatten().map(text).collect(),
                complete,
            }
        }
        #[cfg(sessions)]
        AnswerForm::Scanned => scanned(&bytes),
        #[cfg(not(hook_wasm))]
        AnswerForm::Counted => Outcome::Counted {
            tokens: float(&bytes, 0) as u64,
            kept: float(&bytes, 8) as u64,
        },
    }
}

/// The number of entries, and whether that is everything; six numbers of each; the names, with a
/// NUL between them.
#[cfg(sessions)]
fn scanned(bytes: &[u8]) -> Outcome {
    const HEAD: usize = 16;
    const NUMBERS: usize = 48;
    let count = float(bytes, 0) as usize;
    let end = count.saturating_mul(NUMBERS).saturating_add(HEAD);
    let names = split(bytes.get(end..).unwrap_or_default()).take(count);
    let scanned = |(at, name): (usize, &[u8])| {
        let number = |index: usize| float(bytes, HEAD + NUMBERS * at + 8 * index);
        Scanned {
            name: text(name),
            entry: PathEntry {
                kind: kind(number(0) as i32),
                size: number(1) as u64,
                mode: u32::try_from(number(2) as i32).ok(),
            },
            modified_ms: number(3),
            changed_ms: number(4),
            number: number(5) as u64,
        }
    };
    Outcome::Scanned {
        entries: names.enumerate().map(scanned).collect(),
        complete: float(bytes, 8) == 1.0,
    }
}

fn split(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == 0)
}

/// A host writes text as UTF-8.
fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_default()
}

fn kind(number: i32) -> PathKind {
    let kind = usize::try_from(number).ok().and_then(|at| KINDS.get(at));
    kind.copied().unwrap_or(PathKind::Other)
}

/// The number whose bytes begin here; 0 where the host gave too few.
fn int(bytes: &[u8], at: usize) -> i32 {
    let number = bytes.get(at..).and_then(|rest| rest.first_chunk());
    number.map_or(0, |number| i32::from_le_bytes(*number))
}

fn float(bytes: &[u8], at: usize) -> f64 {
    let number = bytes.get(at..).and_then(|rest| rest.first_chunk());
    number.map_or(0.0, |number| f64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::{Outcome, scanned};
    use crate::effect::{PathEntry, PathKind, Scanned};

    #[test]
    fn a_scan_is_read_as_it_is_written() {
        let numbers = [
            2.0, 1.0, 1.0, 7e9, 420.0, 1.5, 2.5, 9.0, 3.0, 0.0, -1.0, 3.5,
        ];
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(f64::to_le_bytes).collect();
        bytes.extend([f64::NAN, 0.0].into_iter().flat_map(f64::to_le_bytes));
        bytes.extend("\u{e4}\0b".bytes());
        let Outcome::Scanned { entries, complete } = scanned(&bytes) else {
            panic!("expected a scan");
        };
        assert!(complete);
        let file = Scanned {
            name: "\u{e4}".into(),
            entry: PathEntry {
                kind: PathKind::File,
                size: 7_000_000_000,
                mode: Some(0o644),
            },
            modified_ms: 1.5,
            changed_ms: 2.5,
            number: 9,
        };
        assert_eq!(entries[0], file);
        assert_eq!(
            (&*entries[1].name, entries[1].entry.kind),
            ("b", PathKind::Symlink)
        );
        assert_eq!(entries[1].entry.mode, None);
        assert!(entries[1].changed_ms.is_nan());
    }

    #[test]
    fn a_scan_that_is_too_short_is_read_all_the_same() {
        for length in 0..40 {
            let mut bytes = f64::MAX.to_le_bytes().to_vec();
            bytes.resize(length, 0);
            assert!(
                matches!(scanned(&bytes), Outcome::Scanned { .. }),
                "{length}"
            );
        }
    }
}
