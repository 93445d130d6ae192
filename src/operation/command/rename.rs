//! A checkpoint under another feature name, its history with it.
//!
//! 1. A tombstone takes the checkpoint's place; the document that it replaces is durable in history first. From here on
//!    no other writer can use the former name without finishing this.
//! 2. The replaced document is published under the new name.
//! 3. The older revisions are copied there.
//! 4. The tombstone says that nothing is left to do.
//!
//! A process that meets a tombstone of step 1 goes on with step 2, and determines by the seal of the replaced document
//! whether another one came before. Where the new name holds another document than before the tombstone was written,
//! and never held the replaced one, another checkpoint has taken the name: the replaced document takes the place of the
//! tombstone again.

use crate::checkpoint::command::tombstone::{self, Move};
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Target, Written};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::secrets::expect_feature;
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::{Change, Current, DocumentWrite, Keep, Stamp};

use super::not_found::missing;
use super::run_store::RunStore;
use super::unfinished::{finish, published, taken};

pub(super) const OPERATION: Operation = Operation::changing::<RenameArguments, Renamed>(
    "rename",
    "Gives a checkpoint another feature name, its history with it.",
    perform,
);

/// The checkpoint, and its new name.
#[derive(ArgumentMembers)]
struct RenameArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// The new feature name, which no checkpoint has.
    to: &'a str,
}

/// A checkpoint under its new name.
#[derive(Shaped)]
struct Renamed {
    /// The revision that is stored now.
    revision: u64,
    /// Its seal: with the revision, the base of a compare-and-swap.
    seal: String,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let RenameArguments { target, to } = arguments.read();
        let stamp = rename(io, settings, &target, to).await;
        stamp.map(|Stamp { revision, seal }| Renamed { revision, seal }.into())
    })
}

/// Gives a checkpoint another feature name; what it was last, and its history, is there under the new
/// one. Returns the revision and the seal that it has there.
///
/// Fails with `not_found` without a checkpoint, with `conflict` when the new name is taken, with `invalid_name` when it
/// is invalid, and as [`save`](super::save::save) does. After a failure whose `written` is not `no`, the next process
/// that reads the former name finishes it.
pub async fn rename(io: &Io, settings: &Settings, target: &Target, to: &str) -> Reply<Stamp> {
    about(target, async |warnings| {
        expect_feature(Some(to))?;
        let store = RunStore::open(io, settings, target).await?;
        let other = target.of_feature(to);
        let other = RunStore::open(io, settings, &other).await?;
        if store.versioned.shares_side(&other.versioned) {
            return Err(Error::invalid_name(format!(
                "The new feature name {to} differs from the present one in letter case at most"
            )));
        }
        if store.read().await?.document.is_none() {
            return Err(missing(&store, target).await);
        }
        let there = other.read().await?;
        if there.document.is_some() {
            return Err(taken(&other.versioned));
        }
        let over = there.tombstone.map(|it| it.stamp.seal);
        let now = store.now().await?;
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let document = current
                .document
                .ok_or_else(|| Error::no_checkpoint(target))?;
            let moving = Move {
                to,
                replaced: &document.stamp.seal,
                over: over.as_deref(),
            };
            let feature = target.feature.as_deref();
            let object = tombstone::renaming(&target.command, feature, moving, &now);
            Ok(Change::Write(DocumentWrite {
                keeps: Keep::Durably,
                ..DocumentWrite::new(object)
            }))
        };
        let committed = store.commit(None, &mut decide).await?;
        if let Some(before) = &committed.before {
            store.notice(before, committed.had_side, warnings).await;
        }
        let published = async {
            let stored = store.versioned.read().await?;
            // Otherwise another process has finished it already, or has brought it back.
            if let Some(document) = &stored.tombstone
                && document.stamp == committed.stamp
            {
                finish(io, settings, &store.versioned, target, document).await?;
            }
            let moved = match &committed.before {
                Some(before) => published(&other.versioned, &before.stamp.seal).await?,
                None => None,
            };
            moved.ok_or_else(|| taken(&other.versioned))
        };
        published.await.map_err(|error: Error| match error.code() {
            // It is back where it was.
            Code::Conflict => error,
            _ => error.with_written(Written::Unknown),
        })
    })
    .await
}
