//! The distance of HEAD from the commits at which the runs of a place were recorded.

use std::cmp::Reverse;

use crate::effect::{Io, boxed};
use crate::git::id::Id;
use crate::json::Json;
use crate::operation::Settings;
use crate::operation::command::list::{ListedRun, list};
use crate::operation::command::names;
use crate::operation::command::run_store::RunStore;
use crate::operation::command::since::since_recorded;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::root;
use crate::schema::Shaped;
use crate::sorting;
use crate::time;

use super::sources::called;

pub(super) const OPERATION: Operation = Operation::at::<(), Vec<Distance>>(
    "since_recorded",
    "The distance of HEAD since unfinished runs were recorded: of the newest hundred, those that were recorded at \
     another commit.",
    perform,
)
.of(Capability::Viewing);

/// The distance of HEAD since one run was recorded.
#[derive(Shaped)]
struct Distance {
    /// The document of the run, as a viewer calls it.
    document: String,
    /// The commit that it was recorded at.
    head_commit: String,
    /// The distance in words.
    text: String,
}

/// More runs than these are not compared: each asks for commits and trees of git.
const MOST: usize = 100;

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        with_warnings(async |_| {
            let root = root::locate(io, settings).await?;
            let state = root::state_folder(&root, settings)?;
            root::expect_there(io, &root, &state).await?;
            // A viewer shows what is wrong with a folder or a file by itself.
            let mut listed = list(io, settings).await.result.unwrap_or_default();
            listed.retain(|run| run.problem.is_none() && !run.is_completed);
            sorting::sort_by_key(&mut listed, |run| {
                Reverse(run.updated_at.as_deref().and_then(time::parse))
            });
            let mut distances = Vec::new();
            for run in listed.iter().take(MOST) {
                distances.extend(distance(io, settings, run).await);
            }
            Ok(Json::from(distances))
        })
        .await
    })
}

/// The distance of a run; `None` where it was recorded at HEAD, or at something that is no commit's id.
async fn distance(io: &Io, settings: &Settings, listed: &ListedRun) -> Option<Distance> {
    let store = RunStore::open(io, settings, &listed.target).await.ok()?;
    // A run that was removed since the list was made, or broke, has no distance.
    let document = store.read().await.ok()?.document?;
    let run = &document.object;
    let head_commit = run.get("head_commit").and_then(Json::as_str)?;
    // Any other text stays in its document: it may be one that is not to be sent.
    Id::from_digits(head_commit.as_bytes()).ok()?;
    let text = since_recorded(io, &store.root, run).await?;
    let state = root::state_folder(&store.root, settings).ok()?;
    let path = state.shown(&names::stem(&listed.target).ok()?.file());
    Some(Distance {
        document: called(&state, &path).to_owned(),
        head_commit: head_commit.to_owned(),
        text,
    })
}
