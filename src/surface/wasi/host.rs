//! Performs one effect, decides nothing.

use crate::effect::{Effect, Fault, Outcome};
use crate::surface::vocabulary::CallVocabulary;

use super::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use super::bindings::wasi::random::random;
use super::view::OpenedFolders;
use super::worktree;
use super::{files, streams};

const NS_PER_MS: u64 = 1_000_000;

/// Performs an effect. A failure is an outcome.
pub(super) fn perform(
    view: &OpenedFolders,
    vocabulary: &CallVocabulary,
    effect: Effect,
) -> Outcome {
    dispatch(view, vocabulary, effect).unwrap_or_else(|failed| Outcome::Failed {
        fault: failed.fault,
        detail: failed.detail,
    })
}

fn dispatch(
    view: &OpenedFolders,
    vocabulary: &CallVocabulary,
    effect: Effect,
) -> files::Result<Outcome> {
    match effect {
        Effect::Clock => Ok(clock()),
        Effect::Random { length } => Ok(Outcome::Bytes(random::get_random_bytes(length.into()))),
        Effect::Wait { ms } => {
            monotonic_clock::subscribe_duration(u64::from(ms) * NS_PER_MS).block();
            Ok(Outcome::Done)
        }
        Effect::Ascend { from, name } => files::ascend(view, &from, &name),
        Effect::Inspect { paths } => files::inspect(view, &paths),
        Effect::Read { path, limit, links } => files::read(view, &path, limit, links),
        Effect::ReadStart { path, limit } => files::read_start(view, &path, limit),
        Effect::Part {
            path,
            offset,
            length,
            links,
        } => files::part(view, &path, offset, length, links),
        Effect::ReadLink { path } => worktree::read_link(view, &path),
        // WASI has no modes: what is made has those of the user's umask.
        Effect::MakeFolder { path, .. } => files::make_folder(view, &path),
        Effect::Create {
            path, bytes, sync, ..
        } => files::create(view, &path, &bytes, sync),
        Effect::Append { path, bytes, sync } => worktree::append(view, &path, &bytes, sync),
        Effect::Symlink { path, target } => worktree::symlink(view, &path, &target),
        Effect::Rename { from, to } => files::rename(view, &from, &to),
        Effect::Link { from, to } => files::link(view, &from, &to),
        Effect::Remove { path } => files::remove(view, &path),
        Effect::RemoveFolder { path } => files::remove_folder(view, &path),
        Effect::Restrict { .. } | Effect::SetMode { .. } => Ok(Outcome::Failed {
            fault: Fault::Unsupported,
            detail: "WASI has no modes".into(),
        }),
        Effect::List { path, limit } => files::list(view, &path, limit),
        Effect::SyncFolder { path } => files::sync_folder(view, &path),
        Effect::Survey { folder, names } => files::survey(view, &folder, &names),
        Effect::Scan { folder, limit } => worktree::scan(view, &folder, limit),
        Effect::ReadRecord { .. } | Effect::SwapRecord(_) | Effect::ListRecords { .. } => {
            Ok(Outcome::Failed {
                fault: Fault::Unsupported,
                detail: "WASI has files, and no records".into(),
            })
        }
        Effect::Git { .. } => Ok(Outcome::Failed {
            fault: Fault::Unsupported,
            detail: "a component starts no programs".into(),
        }),
        Effect::Print { stream, text } => streams::print(stream, &text),
        Effect::Input { limit, until } => streams::input(limit, until),
        Effect::CountTokens {
            encoding,
            text,
            limit,
        } => Ok(vocabulary.count(view, encoding, &text, limit)),
    }
}

fn clock() -> Outcome {
    let wall = wall_clock::now();
    let wall_ms = u64::from(wall.nanoseconds) / NS_PER_MS;
    Outcome::Clock {
        wall_ms: wall.seconds as f64 * 1000.0 + wall_ms as f64,
        monotonic_ms: monotonic_clock::now() as f64 / NS_PER_MS as f64,
    }
}
