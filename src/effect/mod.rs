//! The effects that the core asks of a host, and the host's answers.
//!
//! These two enums are the whole I/O surface of Milepost. A host adapter performs one effect at a
//! time and decides nothing. Paths are the root that the request named, followed by `/`-separated
//! parts that the core chose; a host opens them as they are.
//!
//! An operation is an `async fn` over [`Io`]; a [`Machine`] runs it up to the next effect:
//!
//! 1. [`Machine::start`] takes the operation.
//! 2. [`Machine::step`] returns [`MachineStep::Effect`]: the host performs it.
//! 3. [`Machine::resume`] takes the outcome; go on with 2, until [`MachineStep::Done`].
//!
//! The source has a blocking variant, `crate::blocking`, for hosts that answer within the call:
//! `build/` takes `async` and `await` out of it, and asking is a plain call of [`blocking_io::Io`].

pub(crate) mod answer;
mod async_io;
pub mod blocking_io;
#[cfg(async_variant)]
mod boxed;
mod entry;
mod git_process;
mod io;
mod machine;

use crate::encoding::Encoding;

pub use answer::{Clock, Counted, Failed, FolderNames, FolderScan, FoundEntry, Nearest};
pub use async_io::{Answer, Io};
#[cfg(async_variant)]
pub(crate) use boxed::{Boxed, boxed};
pub use entry::{PathEntry, PathKind, Scanned};
pub use git_process::{GIT_ELSEWHERE, GIT_OPTIONS, GIT_VARIABLES};
pub use machine::{Machine, MachineStep, Misuse};

/// One thing that the core asks a host to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The two clocks. Answer: [`Outcome::Clock`].
    Clock,
    /// Unpredictable bytes. Answer: [`Outcome::Bytes`] of that length.
    Random {
        /// The number of bytes.
        length: u32,
    },
    /// Pause. Answer: [`Outcome::Done`].
    Wait {
        /// Milliseconds.
        ms: u32,
    },
    /// Look for an entry called `name` in `from` and in each folder above it; the nearest wins.
    /// Answer: [`Outcome::Found`]; [`Fault::NotFound`] where the search came to the top;
    /// [`Fault::Unsupported`] where it came to the end of what the host may see, and folders that
    /// hold the name may be beyond.
    Ascend {
        /// The folder to start in.
        from: String,
        /// The entry to look for.
        name: String,
    },
    /// The state of each path, without following a symbolic link in the last part. Answer:
    /// [`Outcome::Entries`], one per path.
    Inspect {
        /// The paths.
        paths: Vec<String>,
    },
    /// The whole file. Answer: [`Outcome::Bytes`]; [`Fault::TooLarge`] when it holds more than
    /// `limit` bytes, known without reading them all.
    Read {
        /// The file.
        path: String,
        /// The most bytes to return.
        limit: u32,
        /// The treatment of a symbolic link in the last part.
        links: Links,
    },
    /// The first bytes of a file, through a symbolic link too: of one that belongs to git, and can
    /// hold megabytes. Answer: [`Outcome::Bytes`], fewer than `limit` only where it holds no more.
    ReadStart {
        /// The file.
        path: String,
        /// The most bytes to return.
        limit: u32,
    },
    /// A part of a regular file. Answer: [`Outcome::Bytes`], fewer than `length` only where the file
    /// ends, and none from its end on.
    Part {
        /// The file.
        path: String,
        /// The beginning of the part.
        offset: u64,
        /// The most bytes to return.
        length: u32,
        /// The treatment of a symbolic link in the last part of the path.
        links: Links,
    },
    /// The target of a symbolic link, which need not exist. Answer: [`Outcome::Bytes`];
    /// [`Fault::WrongKind`] where something else stands there.
    ReadLink {
        /// The link.
        path: String,
    },
    /// One folder. Answer: [`Outcome::Done`], or [`Fault::Exists`].
    MakeFolder {
        /// The folder; its parent exists.
        path: String,
        /// The users that may use it, where modes exist.
        access: Access,
    },
    /// A new file with these bytes; never an existing one.
    /// Answer: [`Outcome::Done`], or [`Fault::Exists`]. After any other fault the file may exist.
    Create {
        /// The file.
        path: String,
        /// All of its bytes.
        bytes: Vec<u8>,
        /// States whether the bytes must be on stable storage before the answer.
        sync: Sync,
        /// The users that may use it, where modes exist.
        access: Access,
    },
    /// More bytes at the end of an existing regular file, which is no symbolic link.
    /// Answer: [`Outcome::Done`]. After a fault some of the bytes may be there.
    Append {
        /// The file.
        path: String,
        /// The bytes to add.
        bytes: Vec<u8>,
        /// States whether the file must be on stable storage before the answer.
        sync: Sync,
    },
    /// A new symbolic link; never in the place of anything.
    /// Answer: [`Outcome::Done`], or [`Fault::Exists`]; [`Fault::Unsupported`] where the file system has
    /// none, or making one is a right that the user does not have (Windows).
    Symlink {
        /// The link.
        path: String,
        /// The target: any bytes, where the host takes them.
        target: Vec<u8>,
    },
    /// Rename, replacing a file at `to`; a folder goes with all that is in it, to a name that nothing has.
    /// Answer: [`Outcome::Done`].
    Rename {
        /// The present name.
        from: String,
        /// The new name, in the same file system.
        to: String,
    },
    /// A second name for a file, never replacing one. Answer: [`Outcome::Done`].
    Link {
        /// The present name.
        from: String,
        /// The second name.
        to: String,
    },
    /// Remove a file's name. Answer: [`Outcome::Done`].
    Remove {
        /// The file.
        path: String,
    },
    /// Remove a folder that is empty. Answer: [`Outcome::Done`].
    RemoveFolder {
        /// The folder.
        path: String,
    },
    /// Take all access from all but the owner, who keeps their own; a symbolic link
    /// is not followed. Answer: [`Outcome::Done`]; [`Fault::Unsupported`] on a host
    /// without modes.
    Restrict {
        /// The folder or file.
        path: String,
    },
    /// Let a regular file be run, by all who may read it, or by no one; or give a file or a folder
    /// these permission bits. A symbolic link is not followed, and the bits beyond the nine stay as
    /// they are. Answer: [`Outcome::Done`]; [`Fault::Unsupported`] on a host without modes.
    SetMode {
        /// The file; with `permissions`, a folder as well.
        path: String,
        /// True to add the execute bits, false to take them. With `permissions`, their value for
        /// the owner.
        is_executable: bool,
        /// The nine bits that it is to have.
        permissions: Option<u32>,
    },
    /// The names in a folder, opened again by its path. The core has looked at the folder before,
    /// in the same operation: a symbolic link as its last part took its place since. A host refuses
    /// one ([`Fault::Symlink`]) where opening can, and never looks for one first, because that look
    /// is over as well when the folder is opened. Answer: [`Outcome::Names`].
    List {
        /// The folder.
        path: String,
        /// The most names to return.
        limit: u32,
    },
    /// Make the entries of a folder durable. Answer: [`Outcome::Done`]; [`Fault::Unsupported`]
    /// where the host cannot.
    SyncFolder {
        /// The folder.
        path: String,
    },
    /// For each of these names in a folder, a text that distinguishes the file's state from any
    /// other: it is empty where no regular file stands there, without following a symbolic link;
    /// else the milliseconds since 1970 of its last change, and behind a space anything else that
    /// differs where the file does, such as its times, its size and its number. Nothing is opened.
    /// Answer: [`Outcome::Names`] with one text per name, in the order asked;
    /// [`Fault::Unsupported`] on a host that does not know.
    Survey {
        /// The folder.
        folder: String,
        /// Names in it.
        names: Vec<String>,
    },
    /// Everything in a folder, with the result of a look at each that follows no link and opens
    /// nothing. A symbolic link as the last part of the path is [`Fault::Symlink`]; `folder/.`
    /// means the link's target. Names that vanish in between are left out. Answer:
    /// [`Outcome::Scanned`].
    Scan {
        /// The folder.
        folder: String,
        /// The most entries to return.
        limit: u32,
    },
    /// A record of a host that swaps by itself, such as a database. Answer: [`Outcome::Bytes`], or
    /// [`Fault::NotFound`]; [`Fault::Unsupported`] on a host that has only files.
    ReadRecord {
        /// The record.
        record: String,
    },
    /// Compare-and-swap of a record and of those beside it, in one step: all of it or nothing, and
    /// durable. Answer: [`Outcome::Done`], or [`Fault::Changed`] where the record is not as
    /// expected, or one beside it is there that must be new.
    SwapRecord(Box<Swap>),
    /// The records under a name, without it and the `/` after it, and no deeper one. Answer:
    /// [`Outcome::Names`].
    ListRecords {
        /// The name that they begin with.
        under: String,
        /// The most names to return.
        limit: u32,
    },
    /// Run git without a shell, and return its standard output. Answer: [`Outcome::Bytes`], or
    /// [`Fault::Unsupported`] on a host without subprocesses.
    ///
    /// Nothing that the repository configures is run or fetched for it. The arguments see to filters and to
    /// external programs of `diff`; the host puts [`GIT_OPTIONS`] before them, adds [`GIT_VARIABLES`] to the
    /// environment, and takes [`GIT_ELSEWHERE`] out of it.
    Git {
        /// The working folder.
        folder: String,
        /// The arguments after `git`.
        arguments: Vec<String>,
    },
    /// Write text for the user. Answer: [`Outcome::Done`], or [`Fault::Closed`].
    Print {
        /// The stream to write to.
        stream: Stream,
        /// The text, newline included.
        text: String,
    },
    /// The content of standard input. Answer: [`Outcome::Bytes`], or [`Fault::TooLarge`].
    Input {
        /// The most bytes to return.
        limit: u32,
        /// The end of the part to read. Nothing behind that is taken.
        until: Until,
    },
    /// The number of tokens of a text in an encoding. The core cannot count them: the vocabulary of
    /// one is many times its size. Answer: [`Outcome::Counted`]; [`Fault::Unsupported`] on a host
    /// without the vocabulary, whose detail says where it is to be had, and never another count.
    CountTokens {
        /// The encoding.
        encoding: Encoding,
        /// The text.
        text: String,
        /// The most tokens of the prefix that is asked for.
        limit: u32,
    },
}

/// The change of a record, see [`Effect::SwapRecord`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swap {
    /// The record.
    pub record: String,
    /// Its bytes as they must be; `None` where it must be absent.
    pub expected: Option<Vec<u8>>,
    /// Its bytes from now on; `None` removes it.
    pub bytes: Option<Vec<u8>>,
    /// The name under the record that what is replaced is kept under, as a record of its own; what
    /// has that name already is replaced.
    pub keep: Option<String>,
    /// The changes of other records in the same step.
    pub side_writes: Vec<SideWrite>,
}

/// The change of another record than the one that is swapped, see [`Swap`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWrite {
    /// The record.
    pub record: String,
    /// True if the swap fails when the record exists.
    pub must_be_new: bool,
    /// The new bytes; `None` removes the record, and a missing one is fine.
    pub bytes: Option<Vec<u8>>,
}

impl SideWrite {
    /// A record that is removed.
    pub fn removed(record: String) -> Self {
        SideWrite {
            record,
            must_be_new: false,
            bytes: None,
        }
    }
}

impl Effect {
    /// The effect as errors name it, such as `sync_folder`.
    pub fn name(&self) -> &'static str {
        match self {
            Effect::Clock => "clock",
            Effect::Random { .. } => "random",
            Effect::Wait { .. } => "wait",
            Effect::Ascend { .. } => "ascend",
            Effect::Inspect { .. } => "inspect",
            Effect::Read { .. } => "read",
            Effect::ReadStart { .. } => "read_start",
            Effect::Part { .. } => "part",
            Effect::ReadLink { .. } => "read_link",
            Effect::MakeFolder { .. } => "make_folder",
            Effect::Create { .. } => "create",
            Effect::Append { .. } => "append",
            Effect::Symlink { .. } => "symlink",
            Effect::Rename { .. } => "rename",
            Effect::Link { .. } => "link",
            Effect::Remove { .. } => "remove",
            Effect::RemoveFolder { .. } => "remove_folder",
            Effect::Restrict { .. } => "restrict",
            Effect::SetMode { .. } => "set_mode",
            Effect::List { .. } => "list",
            Effect::SyncFolder { .. } => "sync_folder",
            Effect::Survey { .. } => "survey",
            Effect::Scan { .. } => "scan",
            Effect::ReadRecord { .. } => "read_record",
            Effect::SwapRecord(_) => "swap_record",
            Effect::ListRecords { .. } => "list_records",
            Effect::Git { .. } => "git",
            Effect::Print { .. } => "print",
            Effect::Input { .. } => "input",
            Effect::CountTokens { .. } => "count_tokens",
        }
    }
}

/// The treatment of a symbolic link in the last part of a path by [`Effect::Read`] and
/// [`Effect::Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Follow it: for files that belong to the user or to git.
    Follow,
    /// Answer [`Fault::Symlink`]: for files below the root that belong to Milepost.
    Refuse,
}

/// States whether [`Effect::Create`] and [`Effect::Append`] wait for stable storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Yes: fsync before close.
    Durable,
    /// No.
    Lazy,
}

/// The users that a new folder or file is for, where modes exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The user alone: mode 0700 for a folder, 0600 for a file.
    Owner,
    /// Whomever the user's umask lets in, as for any file that the user makes: 0777 and 0666 without
    /// what the umask takes away.
    Shared,
}

/// The end of the part that [`Effect::Input`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the end.
    End,
    /// Up to the end of a line, with the newline; less only where the input ends before one.
    Line,
    /// Up to the end of the first JSON object: nothing where the input ends before, or nothing comes for
    /// three seconds, because some programs never close what they write to. A host that cannot wait so reads
    /// to the end.
    Object,
}

/// A stream to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output: the answer.
    Output,
    /// Standard error: warnings and failures.
    Error,
}

/// A host's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is done.
    Done,
    /// Bytes of a file, of a symbolic link, of standard input, of a subprocess or of chance.
    Bytes(Vec<u8>),
    /// The clocks.
    Clock {
        /// Milliseconds since 1970-01-01T00:00:00Z. Never used for order.
        wall_ms: f64,
        /// Milliseconds since any fixed moment; never goes back within an operation.
        monotonic_ms: f64,
    },
    /// One entry per inspected path, in the order asked.
    Entries(Vec<PathEntry>),
    /// The nearest folder that holds the name.
    Found {
        /// That folder, as the host names it.
        folder: String,
        /// The way from that folder down to where the search began, with `/`; empty when equal.
        below: String,
        /// Its kind.
        kind: PathKind,
    },
    /// A listing.
    Names {
        /// The names, in any order.
        names: Vec<String>,
        /// True if the listing ended by itself, without an error and below the limit.
        complete: bool,
    },
    /// All of a folder.
    Scanned {
        /// The entries in it, in any order.
        entries: Vec<Scanned>,
        /// True if that is everything: the limit was not passed, nothing went wrong on the way, and
        /// names that are not Unicode are among it, as [`Scanned::name`] says.
        complete: bool,
    },
    /// The tokens of a text.
    Counted {
        /// In all of it.
        tokens: u64,
        /// The length, in bytes of UTF-8, of its longest prefix that has at most as many tokens as
        /// the limit, and ends with a token and with a character.
        kept: u64,
    },
    /// It could not be done.
    Failed {
        /// The reason, as far as the core acts on it.
        fault: Fault,
        /// The host's own words, such as `EACCES: permission denied`, without a path.
        detail: String,
    },
}

/// Reasons of failure that the core acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No such file or folder (ENOENT).
    NotFound,
    /// The name is taken (EEXIST).
    Exists,
    /// A symbolic link, where none is followed (ELOOP).
    Symlink,
    /// A folder or special file where a regular file is needed, or the reverse.
    WrongKind,
    /// More bytes than the limit.
    TooLarge,
    /// A record differs from the expected one.
    Changed,
    /// There is no room: the disk is full, or a quota is used up (ENOSPC, EDQUOT).
    NoSpace,
    /// The host has no such thing (ENOTSUP, no subprocesses, folders that cannot be synced).
    Unsupported,
    /// The user of the process has no permission for this (EACCES, EPERM).
    Denied,
    /// The stream has no reader any more (EPIPE).
    Closed,
    /// Another process has the file open in a way that forbids this (Windows).
    Sharing,
    /// Anything else: descriptors, hardware.
    Other,
}
