//! Each effect as JavaScript sees it, in one row: the sentence of its type, the parts of the call in which its
//! members stand (the methods of [`EffectCall`]), and the form of its answer. The place of a row is the
//! effect's number.
//!
//! The rows are the calls themselves, and three files of the package are printed from them
//! (`effect_modules.rs`).

use crate::effect::{Effect, Fault, Outcome, Swap};
use crate::extent::IS_WHOLE;
use crate::json::{Json, Object};

use super::effect::{AnswerForm, EffectCall, HostCall};

/// A row, for printing.
#[cfg(not(target_family = "wasm"))]
pub(super) struct EffectRow {
    /// The variant of [`Effect`].
    pub(super) name: &'static str,
    /// The lines of its sentence.
    pub(super) doc: &'static [&'static str],
    pub(super) members: &'static [EffectMember],
    /// The form of the answer.
    pub(super) answer: &'static str,
}

/// A member of an effect, for printing.
#[cfg(not(target_family = "wasm"))]
pub(super) struct EffectMember {
    pub(super) name: &'static str,
    /// The part of the call that it stands in.
    pub(super) part: &'static str,
    /// The names of its values, where it has two or an encoding.
    pub(super) words: &'static [&'static str],
}

macro_rules! rows {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $members:tt => $answer:ident $(if $part:meta)?;
    )+) => {
        /// The effects in the order of their rows.
        enum Number {
            $($name),+
        }

        /// Makes the call of an effect.
        #[inline(always)]
        pub(super) fn dispatch<A: HostCall>(effect: &Effect) -> A::Output {
            match effect {
                // A NUL stands between the paths, and no file has one in its name.
                Effect::Inspect { paths } if paths.iter().any(|path| path.contains('\0')) => {
                    A::known(Outcome::Failed {
                        fault: Fault::Other,
                        detail: "a path with a NUL character names no file".to_owned(),
                    })
                }
                $(
                    $(#[cfg($part)])?
                    pattern!($name $members) => call!(A $name $members $answer),
                )+
                // Nothing in this wasm asks for these.
                $($(
                    #[cfg(not($part))]
                    Effect::$name { .. } => A::known(Outcome::Done),
                )?)+
            }
        }

        /// Every row.
        #[cfg(not(target_family = "wasm"))]
        pub(super) const ROWS: &[EffectRow] = &[$(
            EffectRow {
                name: stringify!($name),
                doc: &[$($doc),+],
                members: members!($members),
                answer: stringify!($answer),
            },
        )+];
    };
}

/// The pattern of an effect whose members have the names that the row gives them.
macro_rules! pattern {
    ($name:ident { $swap:ident by $function:ident }) => {
        Effect::$name { 0: $swap }
    };
    ($name:ident { $($member:ident: $part:ident $(($($word:ident)|+))?),* }) => {
        Effect::$name { $($member),* }
    };
}

/// The call of an effect.
macro_rules! call {
    ($host:ident $name:ident { $swap:ident by $function:ident } $answer:ident) => {
        $function::<$host>(EffectCall::new(Number::$name as u32, AnswerForm::$answer), $swap)
    };
    ($host:ident $name:ident { $($member:ident: $part:ident $(($($word:ident)|+))?),* } $answer:ident) => {
        $host::call(
            EffectCall::new(Number::$name as u32, AnswerForm::$answer)
                $(.$part(argument!($part $member)))*
        )
    };
}

/// A member as the method of its part takes it.
macro_rules! argument {
    (texts $member:ident) => {
        &joined($member)
    };
    (second_texts $member:ident) => {
        &joined($member)
    };
    (float $member:ident) => {
        &(*$member as f64).to_le_bytes()
    };
    ($part:ident $member:ident) => {
        $member
    };
}

/// The members of a row, for printing.
#[cfg(not(target_family = "wasm"))]
macro_rules! members {
    ({ $swap:ident by $function:ident }) => {
        &[EffectMember {
            name: stringify!($swap),
            part: stringify!($function),
            words: &[],
        }]
    };
    ({ $($member:ident: $part:ident $(($($word:ident)|+))?),* }) => {
        &[$(EffectMember {
            name: stringify!($member),
            part: stringify!($part),
            words: &[$($(stringify!($word)),+)?],
        }),*]
    };
}

rows! {
    /// The wall clock and the monotonic clock; answered with `clock`.
    Clock {} => Clock;
    /// Unpredictable bytes, so many; answered with `bytes`.
    Random { length: number } => Bytes;
    /// Pause for so many milliseconds; answered with `done`.
    Wait { ms: number } => Done;
    /// The nearest folder, from `from` upwards, that holds `name`; answered with `found`.
    Ascend { from: text, name: second } => Found;
    /// The entry at each path, without following a link in its last part; `entries`.
    Inspect { paths: texts } => Entries;
    /// A whole file of at most `limit` bytes, or the fault `tooLarge`; `bytes`.
    Read { path: text, limit: number, links: flag(follow | refuse) } => Bytes;
    /// The first bytes of a file, through a link too: fewer than `limit` where it holds no more; `bytes`.
    ReadStart { path: text, limit: number } => Bytes;
    /// One new folder; `done`, or the fault `exists`.
    MakeFolder { path: text, access: flag(owner | shared) } => Done;
    /// A new file with these bytes; `done`, or the fault `exists`.
    Create { path: text, bytes: bytes, sync: switch(lazy | durable), access: flag(owner | shared) } => Done;
    /// Renames a file, replacing another; `done`.
    Rename { from: text, to: second } => Done;
    /// Gives a file a second name, never replacing one; `done`.
    Link { from: text, to: second } => Done;
    /// Removes a file's name; `done`.
    Remove { path: text } => Done;
    /// Removes a folder that is empty; `done`.
    RemoveFolder { path: text } => Done;
    /// Removes group and other permissions; `done`, or the fault `unsupported`.
    Restrict { path: text } => Done;
    /// The names in a folder, at most `limit`, from a new open. The core has looked at it before; a host
    /// refuses a link where opening can, and looks for none; `names`.
    List { path: text, limit: number } => Names;
    /// Makes the entries of a folder durable; `done`, or the fault `unsupported`.
    SyncFolder { path: text } => Done;
    /// A record of a host that swaps by itself, such as a database; `bytes`, or the fault `notFound`.
    ReadRecord { record: text } => Bytes;
    /// Compare-and-swap of a record together with its side records, in one step; `done`, or the fault `changed`
    /// where its bytes are not `expected` (null: absent), or a record of `beside` is there that must be
    /// new. What is replaced is kept as the record `RECORD/keep`. `bytes` null removes the record, and
    /// likewise each of `beside`.
    SwapRecord { swap by swap_record } => Done;
    /// The records under a name, without it and the `/` after it, and none deeper; `names`.
    ListRecords { under: text, limit: number } => Names;
    /// Runs git without a shell, pager or hooks; `bytes`, or the fault `unsupported`. So that no program of the
    /// repository runs: before the arguments `--no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null`, in the
    /// environment `GIT_NO_LAZY_FETCH=1` and `GIT_ALLOW_PROTOCOL=none`, and no `GIT_DIR`, `GIT_WORK_TREE` and
    /// `GIT_CONFIG`.
    Git { folder: text, arguments: second_texts } => Bytes;
    /// Writes text for the user; `done`, or the fault `closed` where it is not read any more.
    Print { stream: flag(output | error), text: text } => Done;
    /// Standard input to its end, or up to the end of a line with the newline, and nothing behind that; `bytes`.
    Input { limit: number, until: flag(end | line) } => Bytes;
    /// For each of these names in a folder, a trace that distinguishes the file from any other state of it: empty where
    /// no regular file stands there; else the milliseconds since 1970 of its last change, and behind a
    /// space all else that differs where the file does, such as its times, size and number; `names`, in
    /// this order, or the fault `unsupported`: then every file is read.
    Survey { folder: text, names: second_texts } => Names;
    /// A part of a file: fewer than `length` only where it ends, and none from there on; `bytes`.
    Part { path: text, offset: float, length: number, links: flag(follow | refuse) } => Bytes if sessions;
    /// The target of a symbolic link; `bytes`, or the fault `wrongKind` where none stands there.
    ReadLink { path: text } => Bytes if sessions;
    /// More bytes at the end of an existing file, which is no link; `done`.
    Append { path: text, bytes: bytes, sync: flag(lazy | durable) } => Done if any(sessions, threads);
    /// A new symbolic link with this in it; `done`, or the fault `exists`, or `unsupported`.
    Symlink { path: text, target: bytes } => Done if sessions;
    /// Gives a file or folder that is no link these nine permission bits, and leaves those beyond; where `permissions`
    /// is null, adds the execute bits of a file where its read bits are, or takes them. `done`, or the fault
    /// `unsupported`.
    SetMode { path: text, is_executable: flag, permissions: permissions } => Done if sessions;
    /// Everything in a folder, at most `limit` entries, with the facts of each that a look without following links gives;
    /// `scanned`, or the fault `symlink` where the folder is one. Entries that vanish during the scan are left out.
    Scan { folder: text, limit: number } => Scanned if sessions;
    /// The number of tokens of a text in an encoding; `counted`, or the fault `unsupported` without its vocabulary,
    /// with what is to be done as the detail, and never another count.
    CountTokens { encoding: encoding(o200k | cl100k), text: text, limit: number } => Counted if not(hook_wasm);
}

/// A line that says what is swapped, with the lengths of all bytes, and the places of these bytes in its order: they
/// stay where they are, because one value may be half of the memory that there is.
#[inline(always)]
fn swap_record<A: HostCall>(call: EffectCall<'_>, swap: &Swap) -> A::Output {
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
    A::call(call.text(&line).bytes(&places))
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
