//! Effects and outcomes, between the core's types and those of the interface `operations`.

use super::exports::operations as wit;
use crate::effect::{
    Access, Effect, Fault, Links, Outcome, PathEntry, PathKind, Scanned, SideWrite, Stream, Sync,
    Until,
};
use crate::encoding::Encoding;

pub(super) fn from_effect(effect: Effect) -> wit::Effect {
    match effect {
        Effect::Clock => wit::Effect::Clock,
        Effect::Random { length } => wit::Effect::Random(length),
        Effect::Wait { ms } => wit::Effect::Wait(ms),
        Effect::Ascend { from, name } => wit::Effect::Ascend(wit::Ascent { from, name }),
        Effect::Inspect { paths } => wit::Effect::Inspect(paths),
        Effect::Read { path, limit, links } => wit::Effect::Read(wit::Reading {
            path,
            limit,
            links: from_links(links),
        }),
        Effect::ReadStart { path, limit } => wit::Effect::ReadStart(wit::Start { path, limit }),
        Effect::Part {
            path,
            offset,
            length,
            links,
        } => wit::Effect::Part(wit::Part {
            path,
            offset,
            length,
            links: from_links(links),
        }),
        Effect::ReadLink { path } => wit::Effect::ReadLink(path),
        Effect::MakeFolder { path, access } => wit::Effect::MakeFolder(wit::NewFolder {
            path,
            access: from_access(access),
        }),
        Effect::Create {
            path,
            bytes,
            sync,
            access,
        } => wit::Effect::Create(wit::Creation {
            path,
            bytes,
            sync: from_sync(sync),
            access: from_access(access),
        }),
        Effect::Append { path, bytes, sync } => wit::Effect::Append(wit::Addition {
            path,
            bytes,
            sync: from_sync(sync),
        }),
        Effect::Symlink { path, target } => wit::Effect::Symlink(wit::NewSymlink { path, target }),
        Effect::Rename { from, to } => wit::Effect::Rename(wit::Naming { from, to }),
        Effect::Link { from, to } => wit::Effect::Link(wit::Naming { from, to }),
        Effect::Remove { path } => wit::Effect::Remove(path),
        Effect::RemoveFolder { path } => wit::Effect::RemoveFolder(path),
        Effect::Restrict { path } => wit::Effect::Restrict(path),
        Effect::SetMode {
            path,
            is_executable,
            permissions,
        } => wit::Effect::SetMode(wit::ModeChange {
            path,
            is_executable,
            permissions,
        }),
        Effect::List { path, limit } => wit::Effect::List(wit::Listing { path, limit }),
        Effect::SyncFolder { path } => wit::Effect::SyncFolder(path),
        Effect::Survey { folder, names } => wit::Effect::Survey(wit::Surveying { folder, names }),
        Effect::Scan { folder, limit } => wit::Effect::Scan(wit::Scanning { folder, limit }),
        Effect::ReadRecord { record } => wit::Effect::ReadRecord(record),
        Effect::SwapRecord(swap) => wit::Effect::SwapRecord(wit::Swap {
            record: swap.record,
            expected: swap.expected,
            bytes: swap.bytes,
            keep: swap.keep,
            beside: swap.side_writes.into_iter().map(from_side_write).collect(),
        }),
        Effect::ListRecords { under, limit } => {
            wit::Effect::ListRecords(wit::RecordListing { under, limit })
        }
        Effect::Git { folder, arguments } => wit::Effect::Git(wit::GitRun { folder, arguments }),
        Effect::Print { stream, text } => wit::Effect::Print(wit::Printing {
            stream: from_stream(stream),
            text,
        }),
        Effect::Input { limit, until } => wit::Effect::Input(wit::InputReading {
            limit,
            until: match until {
                Until::End => wit::InputEnd::End,
                Until::Line => wit::InputEnd::Line,
                Until::Object => wit::InputEnd::Object,
            },
        }),
        Effect::CountTokens {
            encoding,
            text,
            limit,
        } => wit::Effect::CountTokens(wit::TokenCounting {
            encoding: match encoding {
                Encoding::O200k => wit::TokenEncoding::O200k,
                Encoding::Cl100k => wit::TokenEncoding::Cl100k,
            },
            text,
            limit,
        }),
    }
}

fn from_side_write(write: SideWrite) -> wit::Beside {
    let SideWrite {
        record,
        must_be_new,
        bytes,
    } = write;
    wit::Beside {
        record,
        must_be_new,
        bytes,
    }
}

fn from_links(links: Links) -> wit::Links {
    match links {
        Links::Follow => wit::Links::Follow,
        Links::Refuse => wit::Links::Refuse,
    }
}

fn from_sync(sync: Sync) -> wit::Sync {
    match sync {
        Sync::Durable => wit::Sync::Durable,
        Sync::Lazy => wit::Sync::Lazy,
    }
}

fn from_access(access: Access) -> wit::Access {
    match access {
        Access::Owner => wit::Access::Owner,
        Access::Shared => wit::Access::Shared,
    }
}

fn from_stream(stream: Stream) -> wit::UserStream {
    match stream {
        Stream::Output => wit::UserStream::Output,
        Stream::Error => wit::UserStream::Error,
    }
}

pub(super) fn to_outcome(outcome: wit::Outcome) -> Outcome {
    match outcome {
        wit::Outcome::Done => Outcome::Done,
        wit::Outcome::Bytes(bytes) => Outcome::Bytes(bytes),
        wit::Outcome::Clock(clocks) => Outcome::Clock {
            wall_ms: clocks.wall_ms,
            monotonic_ms: clocks.monotonic_ms,
        },
        wit::Outcome::Entries(entries) => {
            Outcome::Entries(entries.into_iter().map(to_entry).collect())
        }
        wit::Outcome::Found(finding) => Outcome::Found {
            folder: finding.folder,
            below: finding.below,
            kind: to_kind(finding.kind),
        },
        wit::Outcome::Names(names) => Outcome::Names {
            names: names.names,
            complete: names.complete,
        },
        wit::Outcome::Scanned(scan) => Outcome::Scanned {
            entries: scan.entries.into_iter().map(to_scanned).collect(),
            complete: scan.complete,
        },
        wit::Outcome::Counted(counted) => Outcome::Counted {
            tokens: counted.tokens,
            kept: counted.kept,
        },
        wit::Outcome::Failed(failure) => to_failed(failure),
    }
}

fn to_entry(entry: wit::Entry) -> PathEntry {
    PathEntry {
        kind: to_kind(entry.kind),
        size: entry.size,
        mode: entry.mode,
    }
}

fn to_scanned(scanned: wit::ScannedEntry) -> Scanned {
    Scanned {
        name: scanned.name,
        entry: to_entry(scanned.entry),
        modified_ms: scanned.modified_ms,
        changed_ms: scanned.changed_ms,
        number: scanned.number,
    }
}

fn to_kind(kind: wit::Kind) -> PathKind {
    match kind {
        wit::Kind::Absent => PathKind::Absent,
        wit::Kind::File => PathKind::File,
        wit::Kind::Folder => PathKind::Folder,
        wit::Kind::Symlink => PathKind::Symlink,
        wit::Kind::Other => PathKind::Other,
        wit::Kind::Denied => PathKind::Denied,
    }
}

fn to_failed(failure: wit::Failure) -> Outcome {
    let (fault, detail) = match failure {
        wit::Failure::NotFound(detail) => (Fault::NotFound, detail),
        wit::Failure::Exists(detail) => (Fault::Exists, detail),
        wit::Failure::Symlink(detail) => (Fault::Symlink, detail),
        wit::Failure::WrongKind(detail) => (Fault::WrongKind, detail),
        wit::Failure::TooLarge(detail) => (Fault::TooLarge, detail),
        wit::Failure::Changed(detail) => (Fault::Changed, detail),
        wit::Failure::NoSpace(detail) => (Fault::NoSpace, detail),
        wit::Failure::Unsupported(detail) => (Fault::Unsupported, detail),
        wit::Failure::Denied(detail) => (Fault::Denied, detail),
        wit::Failure::Closed(detail) => (Fault::Closed, detail),
        wit::Failure::Sharing(detail) => (Fault::Sharing, detail),
        wit::Failure::Other(detail) => (Fault::Other, detail),
    };
    Outcome::Failed { fault, detail }
}
