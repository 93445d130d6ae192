//! Effects and outcomes, between the interface `operations` and the core's own types.

use milepost::effect::{
    Access, Effect, Fault, Links, Outcome, PathEntry, PathKind, Scanned, SideWrite, Stream, Swap,
    Sync, Until,
};
use milepost::encoding::Encoding;

use super::operations as wit;

pub(crate) fn to_effect(effect: wit::Effect) -> Effect {
    match effect {
        wit::Effect::Clock => Effect::Clock,
        wit::Effect::Random(length) => Effect::Random { length },
        wit::Effect::Wait(ms) => Effect::Wait { ms },
        wit::Effect::Ascend(wit::Ascent { from, name }) => Effect::Ascend { from, name },
        wit::Effect::Inspect(paths) => Effect::Inspect { paths },
        wit::Effect::Read(wit::Reading { path, limit, links }) => Effect::Read {
            path,
            limit,
            links: to_links(links),
        },
        wit::Effect::ReadStart(wit::Start { path, limit }) => Effect::ReadStart { path, limit },
        wit::Effect::Part(part) => Effect::Part {
            path: part.path,
            offset: part.offset,
            length: part.length,
            links: to_links(part.links),
        },
        wit::Effect::ReadLink(path) => Effect::ReadLink { path },
        wit::Effect::MakeFolder(wit::NewFolder { path, access }) => Effect::MakeFolder {
            path,
            access: to_access(access),
        },
        wit::Effect::Create(creation) => Effect::Create {
            path: creation.path,
            bytes: creation.bytes,
            sync: to_sync(creation.sync),
            access: to_access(creation.access),
        },
        wit::Effect::Append(wit::Addition { path, bytes, sync }) => Effect::Append {
            path,
            bytes,
            sync: to_sync(sync),
        },
        wit::Effect::Symlink(wit::NewSymlink { path, target }) => Effect::Symlink { path, target },
        wit::Effect::Rename(wit::Naming { from, to }) => Effect::Rename { from, to },
        wit::Effect::Link(wit::Naming { from, to }) => Effect::Link { from, to },
        wit::Effect::Remove(path) => Effect::Remove { path },
        wit::Effect::RemoveFolder(path) => Effect::RemoveFolder { path },
        wit::Effect::Restrict(path) => Effect::Restrict { path },
        wit::Effect::SetMode(wit::ModeChange {
            path,
            is_executable,
            permissions,
        }) => Effect::SetMode {
            path,
            is_executable,
            permissions,
        },
        wit::Effect::List(wit::Listing { path, limit }) => Effect::List { path, limit },
        wit::Effect::SyncFolder(path) => Effect::SyncFolder { path },
        wit::Effect::Survey(wit::Surveying { folder, names }) => Effect::Survey { folder, names },
        wit::Effect::Scan(wit::Scanning { folder, limit }) => Effect::Scan { folder, limit },
        wit::Effect::ReadRecord(record) => Effect::ReadRecord { record },
        wit::Effect::SwapRecord(swap) => Effect::SwapRecord(Box::new(Swap {
            record: swap.record,
            expected: swap.expected,
            bytes: swap.bytes,
            keep: swap.keep,
            side_writes: swap.beside.into_iter().map(to_side_write).collect(),
        })),
        wit::Effect::ListRecords(wit::RecordListing { under, limit }) => {
            Effect::ListRecords { under, limit }
        }
        wit::Effect::Git(wit::GitRun { folder, arguments }) => Effect::Git { folder, arguments },
        wit::Effect::Print(wit::Printing { stream, text }) => Effect::Print {
            stream: match stream {
                wit::UserStream::Output => Stream::Output,
                wit::UserStream::Error => Stream::Error,
            },
            text,
        },
        wit::Effect::Input(wit::InputReading { limit, until }) => Effect::Input {
            limit,
            until: match until {
                wit::InputEnd::End => Until::End,
                wit::InputEnd::Line => Until::Line,
                wit::InputEnd::Object => Until::Object,
            },
        },
        wit::Effect::CountTokens(counting) => Effect::CountTokens {
            encoding: match counting.encoding {
                wit::TokenEncoding::O200k => Encoding::O200k,
                wit::TokenEncoding::Cl100k => Encoding::Cl100k,
            },
            text: counting.text,
            limit: counting.limit,
        },
    }
}

fn to_side_write(write: wit::Beside) -> SideWrite {
    let wit::Beside {
        record,
        must_be_new,
        bytes,
    } = write;
    SideWrite {
        record,
        must_be_new,
        bytes,
    }
}

fn to_links(links: wit::Links) -> Links {
    match links {
        wit::Links::Follow => Links::Follow,
        wit::Links::Refuse => Links::Refuse,
    }
}

fn to_sync(sync: wit::Sync) -> Sync {
    match sync {
        wit::Sync::Durable => Sync::Durable,
        wit::Sync::Lazy => Sync::Lazy,
    }
}

fn to_access(access: wit::Access) -> Access {
    match access {
        wit::Access::Owner => Access::Owner,
        wit::Access::Shared => Access::Shared,
    }
}

pub(crate) fn from_outcome(outcome: Outcome) -> wit::Outcome {
    match outcome {
        Outcome::Done => wit::Outcome::Done,
        Outcome::Bytes(bytes) => wit::Outcome::Bytes(bytes),
        Outcome::Clock {
            wall_ms,
            monotonic_ms,
        } => wit::Outcome::Clock(wit::Clocks {
            wall_ms,
            monotonic_ms,
        }),
        Outcome::Entries(entries) => {
            wit::Outcome::Entries(entries.into_iter().map(from_entry).collect())
        }
        Outcome::Found {
            folder,
            below,
            kind,
        } => wit::Outcome::Found(wit::Finding {
            folder,
            below,
            kind: from_kind(kind),
        }),
        Outcome::Names { names, complete } => wit::Outcome::Names(wit::Names { names, complete }),
        Outcome::Scanned { entries, complete } => wit::Outcome::Scanned(wit::Scan {
            entries: entries.into_iter().map(from_scanned).collect(),
            complete,
        }),
        Outcome::Counted { tokens, kept } => {
            wit::Outcome::Counted(wit::CountedTokens { tokens, kept })
        }
        Outcome::Failed { fault, detail } => wit::Outcome::Failed(from_fault(fault, detail)),
    }
}

fn from_entry(entry: PathEntry) -> wit::Entry {
    wit::Entry {
        kind: from_kind(entry.kind),
        size: entry.size,
        mode: entry.mode,
    }
}

fn from_scanned(scanned: Scanned) -> wit::ScannedEntry {
    wit::ScannedEntry {
        name: scanned.name,
        entry: from_entry(scanned.entry),
        modified_ms: scanned.modified_ms,
        changed_ms: scanned.changed_ms,
        number: scanned.number,
    }
}

fn from_kind(kind: PathKind) -> wit::Kind {
    match kind {
        PathKind::Absent => wit::Kind::Absent,
        PathKind::File => wit::Kind::File,
        PathKind::Folder => wit::Kind::Folder,
        PathKind::Symlink => wit::Kind::Symlink,
        PathKind::Other => wit::Kind::Other,
        PathKind::Denied => wit::Kind::Denied,
    }
}

fn from_fault(fault: Fault, detail: String) -> wit::Failure {
    match fault {
        Fault::NotFound => wit::Failure::NotFound(detail),
        Fault::Exists => wit::Failure::Exists(detail),
        Fault::Symlink => wit::Failure::Symlink(detail),
        Fault::WrongKind => wit::Failure::WrongKind(detail),
        Fault::TooLarge => wit::Failure::TooLarge(detail),
        Fault::Changed => wit::Failure::Changed(detail),
        Fault::NoSpace => wit::Failure::NoSpace(detail),
        Fault::Unsupported => wit::Failure::Unsupported(detail),
        Fault::Denied => wit::Failure::Denied(detail),
        Fault::Closed => wit::Failure::Closed(detail),
        Fault::Sharing => wit::Failure::Sharing(detail),
        Fault::Other => wit::Failure::Other(detail),
    }
}
