//! Effects and their outcomes in the numbers that cross the boundary.
//!
//! An effect is the arguments of one call: its number, a text, more bytes, a number and a flag. It is
//! answered with 0, or 1 and the place of a fault in [`FAULTS`], and with bytes, or the host's own words
//! about a fault. `pkg/src/wasm/ffi.js` is the other side.

#[cfg(sessions)]
use crate::effect::Scanned;
use crate::effect::number::number;
use crate::effect::{
    Access, Effect, Fault, Links, Outcome, PathEntry, PathKind, Stream, Swap, Sync, Until,
};
use crate::extent::IS_WHOLE;
use crate::json::{Json, Object};

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
#[cfg(sessions)]
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

impl<'a> EffectCall<'a> {
    fn new(effect: u32, text: &'a str, answer: AnswerForm) -> Self {
        EffectCall {
            effect,
            text,
            more: &[],
            number: 0,
            flag: false,
            answer,
        }
    }

    fn more(self, more: &'a [u8]) -> Self {
        EffectCall { more, ..self }
    }

    fn number(self, number: u32) -> Self {
        EffectCall { number, ..self }
    }

    fn flag(self, flag: bool) -> Self {
        EffectCall { flag, ..self }
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

/// Makes the call of an effect.
#[inline(always)]
pub(super) fn dispatch<A: HostCall>(effect: &Effect) -> A::Output {
    use AnswerForm::{Bytes, Clock, Done, Entries, Found, Names};
    match effect {
        Effect::Clock => A::call(EffectCall::new(const { number("clock") }, "", Clock)),
        Effect::Random { length } => {
            A::call(EffectCall::new(const { number("random") }, "", Bytes).number(*length))
        }
        Effect::Wait { ms } => {
            A::call(EffectCall::new(const { number("wait") }, "", Done).number(*ms))
        }
        Effect::Ascend { from, name } => {
            A::call(EffectCall::new(const { number("ascend") }, from, Found).more(name.as_bytes()))
        }
        // A NUL stands between the paths, and no file has one in its name.
        Effect::Inspect { paths } if paths.iter().any(|path| path.contains('\0')) => {
            A::known(Outcome::Failed {
                fault: Fault::Other,
                detail: "a path with a NUL character names no file".to_owned(),
            })
        }
        Effect::Inspect { paths } => A::call(EffectCall::new(
            const { number("inspect") },
            &joined(paths),
            Entries,
        )),
        Effect::Read { path, limit, links } => A::call(
            EffectCall::new(const { number("read") }, path, Bytes)
                .number(*limit)
                .flag(*links == Links::Refuse),
        ),
        Effect::ReadStart { path, limit } => {
            A::call(EffectCall::new(const { number("read_start") }, path, Bytes).number(*limit))
        }
        Effect::MakeFolder { path, access } => A::call(
            EffectCall::new(const { number("make_folder") }, path, Done)
                .flag(*access == Access::Shared),
        ),
        Effect::Create {
            path,
            bytes,
            sync,
            access,
        } => A::call(
            EffectCall::new(const { number("create") }, path, Done)
                .more(bytes)
                .number(u32::from(*sync == Sync::Durable))
                .flag(*access == Access::Shared),
        ),
        Effect::Rename { from, to } => {
            A::call(EffectCall::new(const { number("rename") }, from, Done).more(to.as_bytes()))
        }
        Effect::Link { from, to } => {
            A::call(EffectCall::new(const { number("link") }, from, Done).more(to.as_bytes()))
        }
        Effect::Remove { path } => A::call(EffectCall::new(const { number("remove") }, path, Done)),
        Effect::RemoveFolder { path } => A::call(EffectCall::new(
            const { number("remove_folder") },
            path,
            Done,
        )),
        Effect::Restrict { path } => {
            A::call(EffectCall::new(const { number("restrict") }, path, Done))
        }
        Effect::List { path, limit } => {
            A::call(EffectCall::new(const { number("list") }, path, Names).number(*limit))
        }
        Effect::SyncFolder { path } => {
            A::call(EffectCall::new(const { number("sync_folder") }, path, Done))
        }
        Effect::ReadRecord { record } => A::call(EffectCall::new(
            const { number("read_record") },
            record,
            Bytes,
        )),
        Effect::SwapRecord(swap) => swap_record::<A>(swap),
        Effect::ListRecords { under, limit } => {
            A::call(EffectCall::new(const { number("list_records") }, under, Names).number(*limit))
        }
        Effect::Git { folder, arguments } => A::call(
            EffectCall::new(const { number("git") }, folder, Bytes)
                .more(joined(arguments).as_bytes()),
        ),
        Effect::Print { stream, text } => A::call(
            EffectCall::new(const { number("print") }, text, Done).flag(*stream == Stream::Error),
        ),
        Effect::Input { limit, until } => A::call(
            EffectCall::new(const { number("input") }, "", Bytes)
                .number(*limit)
                .flag(*until == Until::Line),
        ),
        Effect::Survey { folder, names } => A::call(
            EffectCall::new(const { number("survey") }, folder, Names)
                .more(joined(names).as_bytes()),
        ),
        #[cfg(sessions)]
        Effect::Part {
            path,
            offset,
            length,
            links,
        } => A::call(
            EffectCall::new(const { number("part") }, path, Bytes)
                .more(&(*offset as f64).to_le_bytes())
                .number(*length)
                .flag(*links == Links::Refuse),
        ),
        #[cfg(sessions)]
        Effect::ReadLink { path } => {
            A::call(EffectCall::new(const { number("read_link") }, path, Bytes))
        }
        #[cfg(any(sessions, threads))]
        Effect::Append { path, bytes, sync } => A::call(
            EffectCall::new(const { number("append") }, path, Done)
                .more(bytes)
                .flag(*sync == Sync::Durable),
        ),
        #[cfg(sessions)]
        Effect::Symlink { path, target } => {
            A::call(EffectCall::new(const { number("symlink") }, path, Done).more(target))
        }
        #[cfg(sessions)]
        Effect::SetMode {
            path,
            is_executable,
            permissions,
        } => A::call(
            EffectCall::new(const { number("set_mode") }, path, Done)
                .number(permissions.unwrap_or(NO_PERMISSIONS))
                .flag(*is_executable),
        ),
        #[cfg(sessions)]
        Effect::Scan { folder, limit } => A::call(
            EffectCall::new(const { number("scan") }, folder, AnswerForm::Scanned).number(*limit),
        ),
        #[cfg(not(hook_wasm))]
        Effect::CountTokens {
            encoding,
            text,
            limit,
        } => A::call(
            EffectCall::new(const { number("count_tokens") }, text, AnswerForm::Counted)
                .more(encoding.name().as_bytes())
                .number(*limit),
        ),
        // Nothing in this wasm asks for these.
        #[cfg(hook_wasm)]
        Effect::CountTokens { .. } => A::known(Outcome::Done),
        #[cfg(not(sessions))]
        Effect::Part { .. }
        | Effect::ReadLink { .. }
        | Effect::Symlink { .. }
        | Effect::SetMode { .. }
        | Effect::Scan { .. } => A::known(Outcome::Done),
        #[cfg(not(any(sessions, threads)))]
        Effect::Append { .. } => A::known(Outcome::Done),
    }
}

/// A line that says what is swapped, with the lengths of all bytes, and the places of these bytes in its order: they
/// stay where they are, because one value may be half of the memory that there is.
#[inline(always)]
fn swap_record<A: HostCall>(swap: &Swap) -> A::Output {
    if !IS_WHOLE {
        // The wasm of hooks has no records.
        return A::known(Outcome::Done);
    }
    let side_writes = swap.side_writes.iter().map(|it| &it.bytes);
    let parts = [&swap.expected, &swap.bytes].into_iter().chain(side_writes);
    let places = parts.filter_map(Option::as_deref).flat_map(place);
    let places: Vec<u8> = places.collect();
    let length = |part: &Option<Vec<u8>>| part.as_ref().map(|it| it.len() as u64);
    let side_writes = swap.side_writes.iter().map(|it| {
        let line = Object::new()
            .with("record", it.record.as_str())
            .with("mustBeNew", it.must_be_new)
            .with("bytes", length(&it.bytes));
        Json::from(line)
    });
    let line = Object::new()
        .with("record", swap.record.as_str())
        .with("expected", length(&swap.expected))
        .with("bytes", length(&swap.bytes))
        .with("keep", swap.keep.as_deref())
        .with("beside", side_writes.collect::<Vec<_>>());
    let line = Json::from(line).to_line();
    A::call(EffectCall::new(const { number("swap_record") }, &line, AnswerForm::Done).more(&places))
}

/// The place of bytes in wasm memory, as 32 bits.
fn place(bytes: &[u8]) -> [u8; 4] {
    let place = u32::try_from(bytes.as_ptr().addr());
    place.unwrap_or_default().to_le_bytes()
}

/// Texts of a list, each with a NUL behind it.
fn joined(texts: &[String]) -> String {
    let mut joined = String::new();
    for text in texts {
        joined.push_str(text);
        joined.push('\0');
    }
    joined
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
