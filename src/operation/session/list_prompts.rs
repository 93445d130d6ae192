//! The prompts of a branch, to which the files can go back.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::moment_listing::MomentListing;
use crate::checkpoint::session::snapshot::{Snapshot, SnapshotFile};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::objects::Depth;
use crate::time;

use super::compared::{CommitScope, SnapshotComparison};
use super::limits::limits_of;
use super::moments::{TurnMoment, branch_here, moments, prompts_of};
use super::path_owners::PathStates;
use super::snapshot_store::SnapshotStore;

pub(super) const OPERATION: Operation = Operation::at::<ListPromptsArguments, Vec<ListedPrompt>>(
    "list_prompts",
    "The prompts on this branch before which the files were kept, the newest first.",
    perform,
)
.of(Capability::Rewinds);

/// The prompts.
#[derive(ArgumentMembers)]
struct ListPromptsArguments {
    /// At most so many, the newest.
    limit: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ListPromptsArguments { limit } = arguments.read();
        list_prompts(io, settings, limit).await.map(Json::from)
    })
}

/// A prompt before which the files were kept.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct ListedPrompt {
    /// Its place in the list: 1 for the newest.
    pub number: u64,
    /// The id of the snapshot.
    pub id: SnapshotId,
    /// The time.
    pub created_at: String,
    /// The agent.
    pub agent: String,
    /// The session of the agent.
    pub session: String,
    /// Its first 200 characters, without secrets.
    pub prompt: String,
    /// True if the files can go back to it.
    #[shape(name = "complete")]
    pub is_complete: bool,
    /// The number of files that were created since; null where another commit is checked out.
    pub created: Option<u64>,
    /// The number of files that were changed since.
    pub changed: Option<u64>,
    /// The number of files that were deleted since.
    pub deleted: Option<u64>,
}

/// Returns the prompts of the branch that is checked out, the newest first, with the number of files that differ.
///
/// Fails with `usage`, `unsafe_path`, `io`.
pub async fn list_prompts(
    io: &Io,
    settings: &Settings,
    limit: Option<u64>,
) -> Reply<Vec<ListedPrompt>> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::of_prompts(io, settings).await?;
        let all = moments(&store, warnings).await?;
        let branch = branch_here(&store).await;
        let mut prompts = prompts_of(&all, branch.as_deref());
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        prompts.truncate(limit.unwrap_or(usize::MAX));
        let mut listed = Vec::with_capacity(prompts.len());
        for (number, (at, mark)) in prompts.iter().enumerate() {
            let moment = &all[*at];
            listed.push(ListedPrompt {
                number: number as u64 + 1,
                id: moment.id(),
                created_at: time::format(moment.id().wall_ms()),
                agent: mark.agent.clone(),
                session: mark.session.clone(),
                prompt: mark.prompt.clone().unwrap_or_default(),
                is_complete: moment.listing.is_some(),
                created: None,
                changed: None,
                deleted: None,
            });
        }
        if let Some((oldest, _)) = prompts.last() {
            let limits = limits_of(&store, warnings).await;
            let every = listed_by_any(&all[*oldest..]);
            let depth = (Depth::Names, CommitScope::Same);
            let compared = SnapshotComparison::new(&store, &every, &limits, depth);
            let compared = boxed(compared).await?;
            let moments: Vec<&TurnMoment> = prompts.iter().map(|(at, _)| &all[*at]).collect();
            count(io, &compared, &moments, &mut listed).await;
        }
        Ok(listed)
    })
    .await
}

/// A document that lists each path that any of these moments lists.
fn listed_by_any(moments: &[TurnMoment]) -> Object {
    let mut seen: Vec<&Rc<MomentListing>> = Vec::new();
    let mut by_path: BTreeMap<&str, &SnapshotFile> = BTreeMap::new();
    for listing in moments.iter().filter_map(|it| it.listing.as_ref()) {
        if !seen.iter().any(|it| Rc::ptr_eq(it, listing)) {
            by_path.extend(listing.files().map(|it| (it.path.as_str(), it)));
            seen.push(listing);
        }
    }
    let files: Vec<SnapshotFile> = by_path.into_values().cloned().collect();
    let snapshot = Snapshot {
        files,
        ..Snapshot::default()
    };
    Object::new().with("snapshot", snapshot.to_object())
}

async fn count(
    io: &Io,
    compared: &SnapshotComparison,
    moments: &[&TurnMoment],
    listed: &mut [ListedPrompt],
) {
    let head = compared.heads().present;
    let recorded = compared.recorded();
    let paths: Vec<&str> = recorded.iter().map(|it| it.path).collect();
    let states = PathStates::new(io, compared, &[], head, &paths).await;
    for (moment, line) in moments.iter().zip(listed) {
        if moment.head() != head || !line.is_complete {
            continue;
        }
        let (mut created, mut changed, mut deleted) = (0, 0, 0);
        let then = states.at(moment);
        for (then, now) in then.iter().zip(states.present()) {
            let (Some(then), Some(now)) = (then, now) else {
                continue;
            };
            match (PathStates::is_absent(then), PathStates::is_absent(now)) {
                _ if then == now => {}
                (true, _) => created += 1,
                (_, true) => deleted += 1,
                _ => changed += 1,
            }
        }
        line.created = Some(created);
        line.changed = Some(changed);
        line.deleted = Some(deleted);
    }
}

/// Returns the position of the prompt that some words mean: a number of the list, an id, or a part of its text, of
/// which the newest prompt is meant.
///
/// # Errors
///
/// [`Error::not_found`].
pub(super) fn meant(
    moments: &[TurnMoment],
    branch: Option<&str>,
    words: &str,
) -> Result<usize, Error> {
    let prompts = prompts_of(moments, branch);
    let number = words.parse::<usize>().ok();
    let by_number = number.and_then(|number| prompts.get(number.checked_sub(1)?));
    if let Some((at, _)) = by_number {
        return Ok(*at);
    }
    if let Ok(id) = words.parse::<SnapshotId>()
        && let Some(at) = moments
            .iter()
            .position(|it| it.id() == id && it.prompt().is_some())
    {
        return Ok(at);
    }
    let sought = words.to_lowercase();
    let mut found = prompts.iter().filter(|(_, mark)| {
        let prompt = mark.prompt.as_deref().unwrap_or_default();
        !sought.trim().is_empty() && prompt.to_lowercase().contains(&sought)
    });
    match found.next() {
        Some((at, _)) => Ok(*at),
        None => Err(Error::not_found(format!(
            "No prompt of this branch was kept that {} means: expected a number of the list, an id, or words of the \
             prompt",
            crate::text::quoted(words)
        ))),
    }
}
